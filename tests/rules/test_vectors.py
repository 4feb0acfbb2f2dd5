"""Every fact from published tests and rule pages, each named by its id."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    FULL_DECK,
    KLAVERJAS_DRIVE,
    ROTTERDAMS,
    Deal,
    DealResult,
    Decision,
    FirstSpeaker,
    Match,
    MatchScore,
    Outcome,
    OverPartner,
    Reglement,
    RevokeBonus,
    RoemCounts,
    Ruling,
    Seat,
    Standing,
    Team,
    UnderOpponent,
    card_points,
    evening_points,
    illegal_reason,
    legal_cards,
    parse_card,
    parse_seat,
    parse_suit,
    ranking,
    roem_in_trick,
    trick_winner,
)
from rules.result import score_tricks
from tests.rules.positions import cards, trick_of
from tests.rules.score_sheets import deal_that_scores
from tests.shared_data import shared_path

_BY_VARIANT: Final[Mapping[str, tuple[Reglement, ...]]] = {
    "any": (AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, ROTTERDAMS),
    "amsterdams": (AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE),
    "rotterdams": (ROTTERDAMS,),
    # What the source published contradicts its own rules; the setting that gives it is tested here.
    "source-bug": (replace(ROTTERDAMS, must_beat_trump_lead=False),),
}


@dataclass(frozen=True)
class Vector:
    """One fact: ``given`` must lead to ``expected`` under a reglement."""

    kind: str
    given: Mapping[str, Any]
    expected: Any


def _vectors() -> list[Any]:
    """All facts as test parameters; one that skips where the file is not there."""
    try:
        lines = shared_path("vectors/klaverjas.jsonl").read_text(encoding="utf-8").splitlines()
    except pytest.skip.Exception as missing:
        return [pytest.param(None, None, marks=pytest.mark.skip(reason=str(missing)), id="no-vectors")]
    parameters = []
    for line in lines:
        fact = json.loads(line)
        vector = Vector(fact["kind"], fact["input"], fact["expected"])
        parameters += [
            pytest.param(reglement, vector, id=f"{fact['id']}-{reglement.name}")
            for reglement in _BY_VARIANT[fact["variant"]]
        ]
    return parameters


@pytest.mark.parametrize(("reglement", "vector"), _vectors())
def test_vector(reglement: Reglement, vector: Vector) -> None:
    assert _CHECKS[vector.kind](reglement, vector.given) == vector.expected


def test_every_fact_is_tested() -> None:
    path = shared_path("vectors/klaverjas.jsonl")
    identities = [json.loads(line)["id"] for line in path.read_text(encoding="utf-8").splitlines()]
    tested = {parameter.id.partition("-")[0] for parameter in _vectors()}
    assert len(identities) == 103
    assert tested == set(identities)


def _legal(reglement: Reglement, given: Mapping[str, Any]) -> list[str]:
    trick = trick_of(given["trick"], CLOCKWISE[given["leader"]])
    seat = CLOCKWISE[given["mover"]]
    legal = legal_cards(reglement, cards(given["hand"]), trick, parse_suit(given["trump"]), seat)
    return sorted(card.code.replace("T", "10") for card in legal)


def _winner(_: Reglement, given: Mapping[str, Any]) -> int:
    trick = trick_of(given["trick"], CLOCKWISE[given["leader"]])
    return CLOCKWISE.index(trick_winner(trick, parse_suit(given["trump"])))


def _roem(reglement: Reglement, given: Mapping[str, Any]) -> int:
    return roem_in_trick(cards(given["trick"]), parse_suit(given["trump"]), reglement).total


def _roem_claim(reglement: Reglement, given: Mapping[str, Any]) -> bool:
    """Whether a call counts, in a real deal where calling is asked."""
    called = replace(reglement, roem_counts=RoemCounts.CALLED)
    deal = Deal(called, Seat.SOUTH).declared(Seat.WEST, parse_suit(given["trump"]))
    for play in trick_of(given["trick"], Seat.WEST):
        deal = deal.played(play.seat, play.card)
    deal = deal.roem_called(Seat.WEST, 1, given["claimed"])
    return bool(sum(deal.result().roem.values()) == given["claimed"])


def _trick_points(_: Reglement, given: Mapping[str, Any]) -> int:
    trump = parse_suit(given["trump"])
    return sum(card_points(card, trump) for card in cards(given["trick"]))


def _trick_points_plus_roem(reglement: Reglement, given: Mapping[str, Any]) -> int:
    return _trick_points(reglement, given) + _roem(reglement, given)


def _deck_points(_: Reglement, given: Mapping[str, Any]) -> int:
    return sum(card_points(card, parse_suit(given["trump"])) for card in FULL_DECK)


def _deal_score(reglement: Reglement, given: Mapping[str, Any]) -> dict[str, Any]:
    if "tricks" in given:
        return _score_of_whole_deal(reglement, given)
    result = _scored(reglement, given)
    return {
        "playing": result.total(Team.NORTH_SOUTH),
        "defending": result.total(Team.EAST_WEST),
        "nat": result.nat,
        "pit": result.pit,
    }


def _scored(reglement: Reglement, given: Mapping[str, Any]) -> DealResult:
    tricks = given["playing_tricks"]
    tricks = 4 if tricks is None else tricks
    return score_tricks(
        reglement,
        playing=Team.NORTH_SOUTH,
        points={Team.NORTH_SOUTH: given["playing_points"], Team.EAST_WEST: given["defending_points"]},
        roem={Team.NORTH_SOUTH: given["playing_roem"], Team.EAST_WEST: given["defending_roem"]},
        tricks_won={Team.NORTH_SOUTH: tricks, Team.EAST_WEST: 8 - tricks},
    )


def _score_of_whole_deal(reglement: Reglement, given: Mapping[str, Any]) -> dict[str, Any]:
    seats = [Seat[name] for name in given["seats"]]
    leader = seats[given["leader"]]
    assert given["playing_team"] == leader.team.value
    deal = Deal(reglement, leader.left.left.left).declared(leader, parse_suit(given["trump"]))
    roem = []
    for number, codes in enumerate(given["tricks"], 1):
        assert deal.turn is not None
        for play in trick_of(codes, deal.turn):
            deal = deal.played(play.seat, play.card)
        roem.append(roem_in_trick(cards(codes), deal.trump, reglement).total)
        if roem[-1] and given["roem_called"]:
            deal = deal.roem_called(Seat.NORTH, number, roem[-1])
        deal = deal.trick_covered()
    result = deal.result()
    assert result.complete
    assert deal.faults == ()
    assert deal.revokes == ()
    return {**{team.value: result.total(team) for team in Team}, "roem": roem}


def _threshold(reglement: Reglement, given: Mapping[str, Any]) -> int:
    """The least points with which the playing team is not nat when the roem is all its own."""
    roem = given["total_roem"]

    def is_made(total: int) -> bool:
        points = {
            "playing_points": total - roem,
            "defending_points": 162 - total + roem,
            "playing_roem": roem,
            "defending_roem": 0,
            "playing_tricks": None,
        }
        return not _scored(reglement, points).nat

    return next(total for total in range(roem, 163 + roem) if is_made(total))


def _match_score(reglement: Reglement, given: Mapping[str, Any]) -> list[int]:
    match = Match(reglement, Seat.NORTH)
    for number, (ours, theirs) in enumerate(given["deals"], 1):
        match = match.with_deal(deal_that_scores(reglement, number, ours, theirs))
    return [match.totals[Team.NORTH_SOUTH], match.totals[Team.EAST_WEST]]


def _revoke(reglement: Reglement, given: Mapping[str, Any]) -> list[int]:
    trick = tuple(trick_of([code], CLOCKWISE[place])[0] for place, code in given["plays"])
    trump = parse_suit(given["trump"])
    hands = {CLOCKWISE[int(place)]: cards(hand) for place, hand in given["hands"].items()}
    return [
        CLOCKWISE.index(play.seat)
        for place, play in enumerate(trick)
        if illegal_reason(reglement, hands[play.seat], trick[:place], trump, play.seat, play.card)
    ]


def _revoke_score(reglement: Reglement, given: Mapping[str, Any]) -> dict[str, Any]:
    if given["mode"] == "koppel":
        return _revoke_in_pairs(reglement, given["roem_so_far_both"])
    deal = Deal(reglement, Seat.SOUTH).ruled(Ruling(Decision.REVOKE_INDIVIDUAL, seat=Seat.EAST))
    result = deal.result()
    assert result.total(Team.NORTH_SOUTH) == result.total(Team.EAST_WEST) == 0
    return {
        "offender_end_of_partij": result.player_penalties[Seat.EAST],
        "partner": result.player_penalties.get(Seat.WEST, 0),
        "deal": "overgespeeld" if result.replayed else "telt",
    }


def _revoke_in_pairs(reglement: Reglement, roem: int) -> dict[str, int]:
    """Two tricks with 20 roem each, one for each side, then the ruling."""
    assert roem == 40
    deal = Deal(reglement, Seat.SOUTH).declared(Seat.WEST, parse_suit("H"))
    for number, codes in enumerate((["CT", "CJ", "CQ", "SA"], ["DA", "DK", "DQ", "SK"]), 1):
        assert deal.turn is not None
        for play in trick_of(codes, deal.turn):
            deal = deal.played(play.seat, play.card)
        deal = deal.roem_called(Seat.WEST, number, 20).trick_covered()
        assert sum(deal.result().roem_seen.values()) == 20 * number
    result = deal.ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.SOUTH, trick=1)).result()
    return {
        "offender": result.total(Team.NORTH_SOUTH),
        "opponents": result.total(Team.EAST_WEST),
        "kruizen_offender": result.kruizen[Team.NORTH_SOUTH],
    }


def _kruizen(reglement: Reglement, given: Mapping[str, Any]) -> dict[str, int]:
    nat = given["event"] == "nat"
    result = score_tricks(
        reglement,
        playing=Team.NORTH_SOUTH,
        points={Team.NORTH_SOUTH: 0 if nat else 162, Team.EAST_WEST: 162 if nat else 0},
        roem=dict.fromkeys(Team, 0),
        tricks_won={Team.NORTH_SOUTH: 1 if nat else 8, Team.EAST_WEST: 7 if nat else 0},
    )
    who = {Team.NORTH_SOUTH: "failing_team", Team.EAST_WEST: "opponents"}
    return {who[team]: kruizen for team, kruizen in result.kruizen.items() if kruizen}


def _evening_points(reglement: Reglement, given: Mapping[str, Any]) -> int:
    outcomes = {
        "won": Outcome.WON,
        "draw": Outcome.DRAWN,
        "bye": Outcome.BYE,
        "opponent_withdrew": Outcome.OPPONENT_WITHDREW,
    }
    (outcome,) = (outcomes[key] for key in given if key in outcomes)
    score = MatchScore(outcome=outcome, pits=given.get("pits", 0), revokes=given.get("revokes", 0))
    return evening_points(reglement, score)


def _evening_rank(_: Reglement, given: Mapping[str, Any]) -> list[str]:
    standings = [
        Standing(
            participant=name, points=team["points"], points_for=team["voor"], points_against=team["tegen"]
        )
        for name, team in given["teams"].items()
    ]
    return [ranked.standing.participant for ranked in ranking(standings)]


def _who_plays(reglement: Reglement, given: Mapping[str, Any]) -> dict[str, str]:
    bidding = {"passen": AMSTERDAMS_MET_PASSEN, "verplicht": KLAVERJAS_DRIVE}[given["mode"]].bidding
    deal = Deal(replace(reglement, bidding=bidding), parse_seat(given["dealer"]))
    for call in given.get("calls", ()):
        assert call == "pas"
        assert deal.speaker is not None
        deal = deal.passed(deal.speaker)
    assert deal.must_declare
    assert deal.speaker is not None
    assert deal.turn is deal.first_leader
    return {"player": deal.speaker.value, "lead": deal.first_leader.value}


_CHECKS: Final[Mapping[str, Callable[[Reglement, Mapping[str, Any]], Any]]] = {
    "legal_moves": _legal,
    "trick_winner": _winner,
    "roem": _roem,
    "roem_claim": _roem_claim,
    "trick_points": _trick_points,
    "trick_points_plus_roem": _trick_points_plus_roem,
    "deck_points": _deck_points,
    "deal_score": _deal_score,
    "threshold": _threshold,
    "match_score": _match_score,
    "revoke": _revoke,
    "revoke_score": _revoke_score,
    "kruizen": _kruizen,
    "evening_points": _evening_points,
    "evening_rank": _evening_rank,
    "who_plays": _who_plays,
}


# Where a source disagrees, a setting gives its rule too.


@pytest.mark.parametrize(
    ("vector", "settings", "hand", "trick", "trump", "legal"),
    [
        ("V004", {"must_beat_trump_lead": False}, "S7 S10 H10 HA CQ CJ", "C7 CK", "C", "CJ CQ"),
        ("V035", {}, "HJ H8 SA DK", "HA", "H", "HJ"),
        ("V035", {"must_beat_trump_lead": False}, "HJ H8 SA DK", "HA", "H", "H8 HJ"),
        (
            "V007",
            {"over_partner": OverPartner.FREE},
            "S7 S10 H10 HA CQ CJ",
            "DA CK DK",
            "C",
            "S7 S10 H10 HA CQ CJ",
        ),
        ("V011", {"under_opponent": UnderOpponent.OBLIGED}, "S7 S10 H10 HA C7 C8", "D7 CK", "C", "C7 C8"),
        (
            "V013",
            {"over_partner": OverPartner.NO_LOWER_AND_BEAT_WITH_ONLY_TRUMPS},
            "C7 CQ CJ",
            "DA CK DK",
            "C",
            "CJ",
        ),
    ],
)
def test_the_other_rule_for_legal_cards(
    vector: str, settings: Mapping[str, Any], hand: str, trick: str, trump: str, legal: str
) -> None:
    reglement = replace(KLAVERJAS_DRIVE, **settings)
    plays = trick_of(trick)
    found = legal_cards(reglement, cards(hand), plays, parse_suit(trump), CLOCKWISE[len(plays)])
    assert set(found) == set(cards(legal)), vector


@pytest.mark.parametrize(
    ("vector", "settings", "trick", "points"),
    [
        ("V067", {"four_jacks_points": 200}, "HJ DJ SJ CJ", 200),
        ("V067", {"four_jacks_points": 0}, "HJ DJ SJ CJ", 0),
        ("V068", {"four_low_points": 0}, "C7 H7 D7 S7", 0),
        ("V068", {"four_low_points": 0}, "C9 H9 D9 S9", 0),
        ("V068", {"four_low_points": 0}, "CT HT DT ST", 100),
    ],
)
def test_the_other_rule_for_roem(vector: str, settings: Mapping[str, Any], trick: str, points: int) -> None:
    reglement = replace(KLAVERJAS_DRIVE, **settings)
    assert roem_in_trick(cards(trick), parse_suit("C"), reglement).total == points, vector


def test_v140_a_club_takes_100_from_the_revoker() -> None:
    reglement = replace(KLAVERJAS_DRIVE, individual_revoke_points=100)
    result = Deal(reglement, Seat.SOUTH).ruled(Ruling(Decision.REVOKE_INDIVIDUAL, seat=Seat.EAST)).result()
    assert result.player_penalties == {Seat.EAST: -100}


def test_v139_the_100_may_be_a_penalty_of_the_offenders() -> None:
    reglement = replace(KLAVERJAS_DRIVE, revoke_points_to=RevokeBonus.AGAINST_OFFENDERS)
    result = Deal(reglement, Seat.SOUTH).ruled(Ruling(Decision.REVOKE_PAIRS, seat=Seat.EAST)).result()
    assert (result.total(Team.EAST_WEST), result.total(Team.NORTH_SOUTH)) == (-100, 162)


def test_v152_in_nku_clubs_the_dealer_speaks_first_and_is_obliged() -> None:
    deal = Deal(replace(ROTTERDAMS, first_speaker=FirstSpeaker.DEALER), Seat.SOUTH)
    for _ in range(4):
        assert deal.speaker is not None
        deal = deal.passed(deal.speaker)
    assert deal.speaker is Seat.SOUTH
    assert deal.must_declare
    assert deal.turn is Seat.WEST
    assert deal.faults == ()


def test_every_fact_on_which_sources_disagree_has_the_other_rule_above() -> None:
    """By its id, in the name or in the parameters of a test."""
    source = Path(__file__).read_text(encoding="utf-8")
    facts = map(json.loads, shared_path("vectors/klaverjas.jsonl").read_text(encoding="utf-8").splitlines())
    disputed = {fact["id"] for fact in facts if fact["disagree"]}
    assert len(disputed) == 9
    tested = {name.upper() for name in re.findall(r'(?:test_|")(v\d{3})[_"]', source, re.IGNORECASE)}
    assert disputed <= tested


def test_card_codes_of_the_facts_are_read_as_written() -> None:
    assert parse_card("S10").code == "ST"
