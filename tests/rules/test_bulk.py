"""Many lines at once give what each line gives by itself, or leave it to that way.

``KLAVEROOG_FUZZ_INPUTS`` sets how many spoiled lines are tried, ``KLAVEROOG_RANDOM_DEALS`` how many deals.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    Deal,
    OverPartner,
    Reglement,
    RoemCall,
    RoemCounts,
    RulesError,
    Seat,
    Suit,
    deal_from_document,
    reglement_to_mapping,
    result_to_document,
)
from rules.actions import Pass
from rules.bulk.lines import LineScorer
from rules.bulk.skeletons import learn, skeleton_of
from tests.rules.generators import Injection, play_out

DEALS: Final = int(os.environ.get("KLAVEROOG_RANDOM_DEALS", "2000"))
FUZZ_INPUTS: Final = int(os.environ.get("KLAVEROOG_FUZZ_INPUTS", "3000"))
reglementen = pytest.mark.parametrize("reglement", REGLEMENTEN.values(), ids=lambda reglement: reglement.name)


def written(deal: Deal, chance: random.Random) -> dict[str, Any]:
    """A whole deal in the short form, in one of the ways in which people and programs write it."""
    assert deal.declarer is not None
    assert deal.trump is not None
    dutch, letters = chance.random() < 0.3, chance.random() < 0.5
    known = REGLEMENTEN.get(deal.reglement.name) == deal.reglement
    document: dict[str, Any] = {
        "reglement": deal.reglement.name if known else reglement_to_mapping(deal.reglement),
        "dealer": deal.dealer.dutch[0] if dutch else deal.dealer.value,
        "number": chance.choice([1, 9, 16]),
        "passes": [action.seat.value for action in deal.actions if isinstance(action, Pass)],
        "trump": deal.trump.dutch_letter if dutch else deal.trump.value,
        "declarer": deal.declarer.value,
        "tricks": [
            {"cards": [card.dutch if dutch else card.code for card in trick.cards]} for trick in deal.tricks
        ],
    }
    for action in deal.actions:
        if isinstance(action, RoemCall):
            called = {"seat": action.seat.value, "points": action.points}
            document["tricks"][action.trick - 1]["roem"] = [called]
    for trick, as_dealt in zip(document["tricks"], deal.tricks, strict=True):
        if letters and as_dealt.leader:
            trick["leader"] = as_dealt.leader.value
    if chance.random() < 0.2:
        document["rulings"] = []
    return document


def as_line(document: Mapping[str, Any], chance: random.Random) -> bytes:
    separators = chance.choice([(", ", ": "), (",", ":")])
    return json.dumps(document, ensure_ascii=False, separators=separators).encode()


def usual(line: bytes) -> str | None:
    """What the line gives by itself; None where it is refused."""
    try:
        deal = deal_from_document(json.loads(line.decode("utf-8"), object_pairs_hook=without_doubles))
    except (ValueError, RecursionError):
        return None
    return json.dumps(result_to_document(deal.result(), deal), ensure_ascii=False)


def without_doubles(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("twice")
    return dict(pairs)


def assert_as_usual(lines: Sequence[bytes]) -> int:
    """How many of them were scored together."""
    results = LineScorer().results(lines)
    assert len(results) == len(lines)
    for line, result in zip(lines, results, strict=True):
        if result is not None:
            assert result == usual(line), line
    return sum(result is not None for result in results)


@reglementen
def test_clean_deals_are_nearly_all_scored_together_and_as_usual(reglement: Reglement) -> None:
    chance = random.Random(f"bulk {reglement.name}")
    lines = [as_line(written(play_out(reglement, chance).deal, chance), chance) for _ in range(DEALS // 2)]
    assert assert_as_usual(lines) > 0.98 * len(lines)


def clubs_own() -> Iterable[Reglement]:
    """Reglementen with every setting that scoring asks for."""
    for number, over_partner in enumerate(OverPartner):
        yield replace(
            KLAVERJAS_DRIVE,
            name="eigen",
            title="De Hoop é",
            over_partner=over_partner,
            must_beat_trump_lead=number % 2 == 0,
            roem_counts=RoemCounts.CALLED if number % 2 else RoemCounts.SEEN,
            four_jacks_points=200,
            four_low_points=0,
            pit_for_defenders=True,
            pit_points_are_roem=number % 2 == 0,
            pit_points=80,
            nat_kruizen=3,
        )


def test_a_clubs_own_reglement_is_followed() -> None:
    chance = random.Random("own")
    for own in clubs_own():
        lines = [as_line(written(play_out(own, chance).deal, chance), chance) for _ in range(150)]
        assert assert_as_usual(lines) > 140


def won_by_one_side(reglement: Reglement, shift: int, declarer: Seat) -> bytes:
    """Every seat has all of one suit, so the seat with the trumps takes every trick."""
    suits = {seat: list(Suit)[(place + shift) % 4] for place, seat in enumerate(CLOCKWISE)}
    hands = {seat: [card for card in FULL_DECK if card.suit is suits[seat]] for seat in CLOCKWISE}
    leader, trump = Seat.WEST, Suit.HEARTS
    tricks = []
    for number in range(8):
        order = [CLOCKWISE[(CLOCKWISE.index(leader) + place) % 4] for place in range(4)]
        tricks.append({"cards": [hands[seat][number].code for seat in order]})
        leader = next(seat for seat in order if suits[seat] is trump)
    return json.dumps(
        {
            "reglement": reglement_to_mapping(reglement),
            "dealer": "S",
            "trump": "H",
            "declarer": declarer.value,
            "tricks": tricks,
        }
    ).encode()


def test_pits_of_both_sides() -> None:
    """By chance a pit is rare, and one of the defenders rarer."""
    for pit_for_defenders in (False, True):
        own = replace(AMSTERDAMS_MET_PASSEN, name="eigen", title="eigen", pit_for_defenders=pit_for_defenders)
        for shift in range(4):
            lines = [won_by_one_side(own, shift, declarer) for declarer in CLOCKWISE]
            assert assert_as_usual(lines) == 4
            results = [json.loads(result or "") for result in LineScorer().results(lines)]
            assert sum(result["pit"] for result in results) == (4 if pit_for_defenders else 2)
            assert sum(result["nat"] for result in results) == 2


def irregular(document: dict[str, Any], chance: random.Random) -> None:
    """Something that a table or a typist can do."""
    tricks = document["tricks"]
    number, place = chance.randrange(8), chance.randrange(4)
    trick, other = tricks[number], tricks[chance.randrange(8)]
    change = chance.randrange(12)
    if change == 0:
        trick["cards"][place] = chance.choice(FULL_DECK).code
    elif change == 1:
        trick["roem"] = [{"seat": "N", "points": chance.choice([0, 20, 50, 100, 1000])}]
    elif change == 2:
        trick["leader"] = chance.choice("NESWX")
    elif change == 3:
        trick["covered"] = chance.choice([True, False, None])
    elif change == 4:
        del tricks[number:]
    elif change == 5:
        trick["cards"], other["cards"] = other["cards"], trick["cards"]
    elif change == 6:
        chance.shuffle(trick["cards"])
    elif change == 7:
        document["number"] = chance.choice([0, 17, 1.0, True, None, "1"])
    elif change == 8:
        document["passes"] = chance.choice([["W"], ["W", "N", "O", "Z"], ["N"], [1], "W", None])
    elif change == 9:
        document["declarer"] = chance.choice(["N", "Q", None])
    elif change == 10:
        document["rulings"] = [{"decision": "opnieuw-delen"}]
    else:
        trick["seats"] = list("NESW")


@reglementen
def test_irregular_deals_are_left_or_scored_as_usual(reglement: Reglement) -> None:
    chance = random.Random(f"irregular {reglement.name}")
    lines = []
    for _ in range(DEALS // 2):
        document = written(play_out(reglement, chance).deal, chance)
        for _ in range(chance.randrange(1, 3)):
            if document["tricks"]:
                irregular(document, chance)
                break
        lines.append(as_line(document, chance))
    scored = assert_as_usual(lines)
    assert 0 < scored < len(lines)


@reglementen
def test_a_verzaking_is_never_scored_together(reglement: Reglement) -> None:
    duties = ("not-following", "trump-lead-not-beaten", "not-trumped", "not-overtrumped", "undertrumped")
    lines = []
    for seed in range(DEALS // 4):
        injection = Injection(reglement, duties[seed % 5], random.Random(seed))
        deal = play_out(reglement, random.Random(seed), injection).deal
        if injection.done is not None:
            lines.append(as_line(written(deal, random.Random(seed)), random.Random(seed)))
    assert len(lines) > DEALS // 100
    assert LineScorer().results(lines) == [None] * len(lines)


def test_spoiled_lines_are_left_or_scored_as_usual() -> None:
    """Some letters changed, which mostly leaves a line that looks like the others."""
    chance = random.Random("spoiled")
    clean = [
        as_line(written(play_out(reglement, chance).deal, chance), chance)
        for reglement in REGLEMENTEN.values()
        for _ in range(40)
    ]
    alphabet = b'CDHSKRNESWOZ789TJQAB0123456789{}[],:"\\ xe.-+tfn\x01\x00\xee\xc3'
    lines = []
    for _ in range(FUZZ_INPUTS):
        line = bytearray(chance.choice(clean))
        for _ in range(chance.randrange(1, 4)):
            change, place = chance.randrange(10), chance.randrange(len(line))
            if change < 6:
                # Of a capital or digit another one: the line looks the same.
                places = [
                    index for index, letter in enumerate(line) if chr(letter) in "CDHSNEWOZ789TJQKAB016"
                ]
                line[chance.choice(places)] = chance.choice(b"CDHSNEWOZ789TJQKAB016")
            elif change < 8:
                line[place] = chance.choice(alphabet)
            elif change < 9:
                del line[place]
            else:
                line.insert(place, chance.choice(alphabet))
        lines.append(bytes(line))
    scored = assert_as_usual(lines + clean)
    assert len(clean) * 0.9 < scored < len(lines)


def test_of_each_look_the_first_line_may_be_wrong() -> None:
    """What is learnt of a line must not depend on its values, nor be lost when it is no deal."""
    line = as_line(
        written(play_out(KLAVERJAS_DRIVE, random.Random(1)).deal, random.Random(1)), random.Random(1)
    )
    wrong = line.replace(b'"dealer": "', b'"dealer": "Q', 1)
    assert skeleton_of(line.replace(b"7", b"X")) == skeleton_of(line)
    scorer = LineScorer()
    assert scorer.results([line.replace(b"7", b"X"), wrong, line])[:2] == [None, None]
    assert scorer.results([line]) == [usual(line)]
    assert scorer.results([]) == []


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"[]",
        b"7",
        b'"A"',
        b"{",
        b"NaN",
        b"{}",
        b'{"tricks": 8}',
        b'{"tricks": [1, 2, 3, 4, 5, 6, 7, 8]}',
        b'{"tricks": [{}, {}, {}, {}, {}, {}, {}, {}]}',
        b"[" * 5000,
        b"\xff",
    ],
)
def test_what_is_no_deal_has_no_layout(line: bytes) -> None:
    assert learn(line) is None
    assert LineScorer().results([line]) == [None]


def test_a_trick_or_a_card_too_many_or_too_few_is_left_to_the_usual_way() -> None:
    """A layout learnt of such a line must not read the columns of its neighbours."""
    chance = random.Random("lengths")
    document = written(play_out(KLAVERJAS_DRIVE, chance).deal, chance)
    tricks = document["tricks"]
    trick = tricks[-1]
    longer = {**trick, "cards": [*trick["cards"], "C7"]}
    shorter = {**trick, "cards": trick["cards"][:3]}
    for changed in ([*tricks, trick], tricks[:7], [], [*tricks[:7], longer], [*tricks[:7], shorter]):
        line = json.dumps({**document, "tricks": changed}).encode()
        assert learn(line) is None
        assert LineScorer().results([line, line]) == [None, None]


def test_two_calls_for_one_trick_count_as_usual() -> None:
    chance = random.Random("calls")
    lines = []
    for _ in range(300):
        document = written(play_out(AMSTERDAMS_MET_PASSEN, chance).deal, chance)
        for trick in document["tricks"]:
            if "roem" in trick:
                points = chance.choice([trick["roem"][0]["points"], 20])
                trick["roem"].append({"seat": "Z", "points": points})
        lines.append(as_line(document, chance))
    assert assert_as_usual(lines) > 150


def test_the_usual_way_refuses_what_it_should() -> None:
    """The comparison itself can fail."""
    assert usual(b"{}") is None
    with pytest.raises(RulesError):
        deal_from_document({})
