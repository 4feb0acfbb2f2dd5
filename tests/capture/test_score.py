"""``klaveroog score`` with many deals, and with nonsense in every form in which a deal can be written."""

from __future__ import annotations

import json
import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from capture.command_line.score_json import ONE_DOCUMENT_BYTES, results_of
from capture.errors import SettingsError
from rules import KLAVERJAS_DRIVE
from tests.capture.test_command_line import DEAL, klaveroog
from tests.rules.generators import play_out


def whole_deals(count: int) -> list[str]:
    """Lines that are scored together, each a legal deal."""
    chance = random.Random("whole deals")
    lines = []
    for _ in range(count):
        deal = play_out(KLAVERJAS_DRIVE, chance).deal
        assert deal.trump is not None
        tricks = [{"cards": [card.code for card in trick.cards]} for trick in deal.tricks]
        head = {"reglement": "klaverjas-drive", "dealer": deal.dealer.value, "trump": deal.trump.value}
        lines.append(json.dumps(head | {"tricks": tricks}))
    return lines


def test_many_deals_bring_what_each_brings_by_itself(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    lines = [*whole_deals(200), json.dumps(DEAL)]
    file = tmp_path / "deals.jsonl"
    file.write_text("\ufeff" + "\r\n".join(lines))
    together = klaveroog(capfd, "score", file).output.splitlines()
    assert len(together) == len(lines)
    alone = tmp_path / "deal.json"
    for line, result in zip(lines[-20:], together[-20:], strict=True):
        alone.write_text(line)
        assert json.loads(klaveroog(capfd, "score", alone).output) == json.loads(result)


def test_a_wrong_line_among_many_is_named(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lines = whole_deals(100)
    file = tmp_path / "deals.jsonl"
    twice = json.loads(lines[79])["tricks"][0]["cards"]
    lines[79] = lines[79].replace(f'"{twice[1]}"', f'"{twice[0]}"')
    file.write_text("\n".join(lines))
    run = klaveroog(capfd, "score", file)
    assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
    assert all(name in run.error for name in ("regel 80", "line 80", f"'{twice[0]}' was already played"))
    file.write_bytes("\n".join(lines[:70]).encode() + b"\n\xff\n")
    run = klaveroog(capfd, "score", file)
    assert (run.code, len(run.error_lines)) == (1, 1)
    assert "line 71 is not a text in UTF-8" in run.error


class Trickling(BytesIO):
    """Gives little at a time after the beginning, as a pipe may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(size or 0, 1000) if self.tell() else size)


def test_a_file_too_long_for_one_deal_is_read_a_part_at_a_time() -> None:
    """The parts end anywhere in a line; the numbers of lines go on, and results keep their order."""
    lines = whole_deals(70)
    padding = b" " * (ONE_DOCUMENT_BYTES - 2000)
    whole = "\n".join(lines).encode()
    expected = [line for part in results_of(BytesIO(whole), "deals") for line in part.splitlines()]
    assert len(expected) == 70
    told = [line for part in results_of(Trickling(padding + whole), "deals") for line in part.splitlines()]
    assert told == expected
    wrong = "\n\n".join([*lines, "{kapot", *lines]).encode()
    with pytest.raises(SettingsError, match="line 141 is not JSON"):
        list(results_of(Trickling(padding + wrong), "deals"))
    with pytest.raises(SettingsError, match="not JSON"):
        results_of(BytesIO(b"x" * (ONE_DOCUMENT_BYTES + 1)), "deals")


def nonsense(tricks: list[list[str]], **head: Any) -> dict[str, Any]:
    return DEAL | {"tricks": [{"cards": cards} for cards in tricks]} | head


@pytest.mark.parametrize(
    ("document", "named"),
    [
        (nonsense([["HJ"]], number=17), "number: must be a whole number from 1 to 16, not 17"),
        (nonsense([["HJ"]], number=0), "from 1 to 16, not 0"),
        (nonsense([["HJ", "H7", "HJ"]]), "tricks[0].cards[2]: 'HJ' was already played at tricks[0].cards[0]"),
        (nonsense([["HJ", "H7", "HA", "H8", "H9"]]), "a trick has one to four cards, not 5"),
        (nonsense([["HJ"]] * 9), "tricks: a deal has 8 tricks at most, not 9"),
        (nonsense([["XJ"]]), "tricks[0].cards[0]: not a card: 'XJ'"),
        (nonsense([["HJ"]], trump="X"), "trump: not a suit: 'X'"),
        (
            DEAL | {"tricks": [{"cards": ["HJ", "H7"], "seats": ["W", "W"]}]},
            "tricks[0].seats: must be 2 different seats",
        ),
    ],
)
def test_nonsense_in_json_gives_one_error_naming_the_value(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, document: dict[str, Any], named: str
) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(document))
    run = klaveroog(capfd, "score", file)
    assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
    assert named in run.error


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("spel 17 rotterdams gever N", "there is no deal 17"),
        ("spel 0 rotterdams gever N", "'0' stands where a number of 1 or more should be"),
        ("spel 1 rotterdams gever N roem W -20", "'-20' stands where a number of 0 or more should be"),
        ("spel 1 rotterdams gever N speelt O H : O HA H7 HA", "'HA': ♥A was already played"),
        ("spel 1 rotterdams gever N speelt O H : O HA H7 H8 H9 HB /", "'HB' is the fifth card"),
        ("spel 1 rotterdams gever N speelt O H : O X7", "not a card: 'X7'"),
        ("spel 1 rotterdams gever N speelt O X", "not a suit: 'X'"),
    ],
)
def test_nonsense_in_the_notation_gives_one_error_naming_the_value(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, line: str, named: str
) -> None:
    file = tmp_path / "deal.txt"
    for text, number in ((line, 1), (f"partij rotterdams gever N\n{line}", 2)):
        file.write_text(text)
        run = klaveroog(capfd, "score", "--notation", file)
        assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
        assert named in run.error
        assert f"line {number}" in run.error


CLUB = 'name = "de-hoop"\ntitle = "De Hoop"\nbasis = "rotterdams"\nfour_jacks_points = 200\n'


def test_a_match_in_the_notation_ends_with_its_tellijst(
    capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    club, file = tmp_path / "club.toml", tmp_path / "match.txt"
    club.write_text(CLUB)
    ruled = "uitspraak verzaakt-koppel W"
    file.write_text(
        "partij de-hoop gever N\n"
        f"spel 1 de-hoop gever N speelt O H : {ruled}\n"
        f"spel 3 rotterdams gever Z speelt W H : {ruled}\n"
    )
    run = klaveroog(capfd, "score", "--notation", "--reglement", club, file)
    assert (run.code, run.error) == (0, "")
    *deals, tellijst = map(json.loads, run.output.splitlines())
    match = tellijst["match"]
    assert [deal["score"]["NS"]["total"] for deal in deals] == [262, 262]
    assert match["totals"] == {"NS": 524, "EW": 0}
    assert match["revokes"] == {"NS": 0, "EW": 2}
    assert [row["deal"] for row in match["rows"]] == [1, 3]
    assert [fault["kind"] for fault in match["faults"]] == ["other-reglement", "deal-missing"]
    assert not match["complete"]


@pytest.mark.parametrize(
    ("toml", "more", "named"),
    [
        (CLUB + "pit = 1", ["--notation"], "unknown setting 'pit'"),
        (None, ["--notation"], "kan niet worden gelezen"),
        (CLUB, [], "--reglement hoort bij --notation"),
    ],
)
def test_a_reglement_that_cannot_be_used_is_told_in_a_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, toml: str | None, more: list[str], named: str
) -> None:
    club, file = tmp_path / "club.toml", tmp_path / "deal.txt"
    if toml is not None:
        club.write_text(toml)
    file.write_text("spel 1 de-hoop gever N\n")
    run = klaveroog(capfd, "score", "--reglement", club, *more, file)
    assert (run.code, run.output, len(run.error_lines)) == (1, "", 1)
    assert named in run.error
