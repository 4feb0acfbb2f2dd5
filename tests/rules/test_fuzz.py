"""Whatever is typed or sent, only the declared errors get out.

``KLAVEROOG_FUZZ_INPUTS`` sets how many inputs of each kind (3,000). Words of the notation and values of
documents are spoiled in ``test_notation`` and ``test_document``, whole lines for ``score`` in ``test_bulk``.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import pytest

from rules import (
    REGLEMENTEN,
    ReglementError,
    RulesError,
    deal_from_document,
    format_deal,
    format_match,
    parse_card,
    parse_deal,
    parse_match,
    parse_seat,
    parse_suit,
    reglement_from_toml,
    reglement_to_toml,
)
from rules.match import Match
from tests.rules.generators import play_out
from tracker.events import CardPlayed, EventError, event_from_json, event_to_json

FUZZ_INPUTS: Final = int(os.environ.get("KLAVEROOG_FUZZ_INPUTS", "3000"))
_LETTERS: Final = "CDHSKRNESWOZ789TJQABV10 /:-\"'\\=[]{}#.,\n\t\x00²é♥abcdefgs"


def spoiled(text: str, chance: random.Random, words: Sequence[str]) -> str:
    """``text`` with some letters changed, lost or added, or a word put elsewhere."""
    letters = list(text)
    for _ in range(chance.randrange(1, 5)):
        place = chance.randrange(len(letters) + 1)
        change = chance.randrange(4)
        if change == 0:
            letters[place : place + chance.randrange(1, 6)] = []
        elif change == 1:
            letters[place:place] = list(chance.choice(words))
        else:
            letters[place : place + change - 2] = [chance.choice(_LETTERS)]
    return "".join(letters)


def value_or_message(
    read: Callable[[Any], Any], given: object, declared: type[Exception]
) -> tuple[Any, str | None]:
    """What ``read`` makes of ``given``, or the message of the declared error; any other error gets out."""
    try:
        return read(given), None
    except declared as error:
        return None, str(error)


def test_toml_that_is_nearly_right() -> None:
    chance = random.Random("toml")
    texts = [reglement_to_toml(reglement) for reglement in REGLEMENTEN.values()]
    texts = [text.replace('name = "', 'name = "x', 1) for text in texts]
    words = [
        "basis = 7\n",
        "true",
        "-1",
        "99999999999999999999",
        "1e400",
        "nan",
        "[table]\n",
        '"""',
        "1979-05-27",
    ]
    read = 0
    for _ in range(FUZZ_INPUTS):
        # Some settings only, so that not every text is stopped at its first lines.
        lines = chance.choice(texts).splitlines(keepends=True)
        kept = [*lines[:3], *chance.sample(lines[3:], chance.randrange(8))]
        text = spoiled("".join(kept), chance, words)
        own, message = value_or_message(reglement_from_toml, text, ReglementError)
        if message is None:
            read += 1
            assert reglement_from_toml(reglement_to_toml(own)) == own
        assert message != ""
    assert 0 < read < FUZZ_INPUTS


def test_whole_lines_and_matches_of_the_notation() -> None:
    chance = random.Random("notation")
    deals = [play_out(reglement, chance).deal for reglement in REGLEMENTEN.values()]
    lines = [format_deal(deal) for deal in deals]
    heads = [format_match(Match(deal.reglement, deal.dealer)).rstrip("\n") for deal in deals]
    words = [
        " H7 ",
        " / ",
        " spel 17 ",
        " roem W 1000000000 ",
        " uitspraak ",
        ' reden "',
        "\n",
        " KB KB ",
        " X9 ",
    ]
    read = 0
    for number in range(FUZZ_INPUTS):
        place = number % len(lines)
        parse: Callable[[str], Any] = parse_deal if number % 4 else parse_match
        write: Callable[[Any], str] = format_deal if number % 4 else format_match
        text = lines[place] if number % 4 else f"{heads[place]}\n{lines[place]}"
        found, message = value_or_message(parse, spoiled(text, chance, words), RulesError)
        if message is None:
            read += 1
            assert parse(write(found)) == found
        assert message != ""
    assert 0 < read < FUZZ_INPUTS


@pytest.mark.parametrize("read", [parse_card, parse_seat, parse_suit], ids=lambda read: read.__name__)
def test_cards_seats_and_suits(read: Callable[[str], object]) -> None:
    chance = random.Random(read.__name__)
    for _ in range(FUZZ_INPUTS):
        text = "".join(chance.choice(_LETTERS) for _ in range(chance.randrange(4)))
        _, message = value_or_message(read, text, RulesError)
        assert message is None or repr(text) in message


_VALUES: Final[Sequence[Any]] = (
    None, True, 0, -1, 9, 10**400, 1.5, float("nan"), float("inf"), "", "W", "HT", "X", "2026-13-01",
    [], [[]], {}, {"from_s": 1}, [["DT", 2]], "\ud800", "a" * 5000,
)  # fmt: skip


def test_events_that_are_nearly_right() -> None:
    chance = random.Random("events")
    card_played: Mapping[str, Any] = {
        "type": "CardPlayed", "version": 1, "table": "1", "deal": 1, "time_utc": "2026-01-01T19:30:00Z",
        "confidence": 0.98, "video": {"from_s": 12.3, "to_s": 12.9},
        "trick": 1, "position": 1, "seat": "W", "card": "HT", "alternatives": [["DT", 0.02]],
    }  # fmt: skip
    # The example in the codec, so that what is spoiled was right before.
    assert isinstance(event_from_json(card_played), CardPlayed)
    read = 0
    for _ in range(FUZZ_INPUTS):
        mapping = dict(card_played)
        for _ in range(chance.randrange(1, 3)):
            key = chance.choice([*card_played, "x", "type", "roem"])
            if chance.random() < 0.15:
                mapping.pop(key, None)
            else:
                mapping[key] = chance.choice([*_VALUES, *card_played.values()])
        event, message = value_or_message(event_from_json, mapping, EventError)
        if message is None:
            read += 1
            assert event_from_json(event_to_json(event)) == event
        else:
            assert len(message.splitlines()) == 1
    assert 0 < read < FUZZ_INPUTS


def test_documents_of_any_shape() -> None:
    """Hypothesis does the same with smaller numbers, and makes what fails small."""
    chance = random.Random("shapes")
    for _ in range(FUZZ_INPUTS):
        _, message = value_or_message(deal_from_document, some_value(chance, 4), RulesError)
        assert message is None or len(message.splitlines()) == 1


def some_value(chance: random.Random, depth: int) -> object:
    keys = [
        "reglement",
        "dealer",
        "trump",
        "declarer",
        "tricks",
        "cards",
        "seat",
        "actions",
        "kind",
        "card",
        "x",
    ]
    kind = chance.randrange(3) if depth else 0
    if kind == 0:
        return chance.choice([*_VALUES, "klaverjas-drive", "S", "play", "H7"])
    if kind == 1:
        return [some_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    whole = {"reglement": "rotterdams", "dealer": "S"} if chance.random() < 0.7 else {}
    return {
        **whole,
        **{chance.choice(keys): some_value(chance, depth - 1) for _ in range(chance.randrange(4))},
    }
