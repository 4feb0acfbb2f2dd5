"""The table's view and its tellijst, held against what the rules say of the same cards."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules import AMSTERDAMS_MET_PASSEN, FULL_DECK, KLAVERJAS_DRIVE, Reglement, Seat, Suit, Team
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import START, played_deal, replayed
from tracker.events import (
    CardPlayed,
    DealAgreed,
    DealClosed,
    DealStarted,
    Event,
    SourceBack,
    SourceLost,
    TrumpDeclared,
)


def state(venue: Venue, table: str = "1") -> dict[str, Any]:
    answer = venue.viewer().get(f"/api/tafels/{table}").json
    assert isinstance(answer, dict)
    return answer


def test_after_every_event_the_view_is_what_the_rules_say(venue: Venue) -> None:
    events = played_deal(seed=4)
    for count, event in enumerate(events, start=1):
        venue.deliver([event])
        deal, result = replayed(events[:count]), replayed(events[:count]).result()
        shown = state(venue)["deal"]
        assert shown["trump"] == (deal.trump.value if deal.trump else None)
        assert shown["dealer"] == deal.dealer.value
        for team in Team:
            side = shown["sides"][team.value]
            assert side["points"] == result.points[team]
            assert side["roem"] == result.roem[team]
            assert side["tricks"] == result.tricks_won[team]


def test_a_match_of_sixteen_adds_up(venue: Venue) -> None:
    totals = dict.fromkeys(Team, 0)
    dealer = Seat.SOUTH
    for number in range(1, 17):
        events = played_deal(seed=number, number=number, dealer=dealer)
        result = replayed(events).result()
        venue.deliver(events)
        row = state(venue)["tellijst"]["rows"][number - 1]
        for team in Team:
            totals[team] += result.score_points[team] + result.score_roem[team]
            assert row["sides"][team.value]["points"] == result.score_points[team]
            assert row["sides"][team.value]["roem"] == result.score_roem[team]
            assert row["sides"][team.value]["kruizen"] == result.kruizen[team]
            assert row["sides"][team.value]["nat"] == (result.nat and result.playing_team is team)
        dealer = dealer.left
    shown = state(venue)["tellijst"]["totals"]
    assert {team: shown[team.value]["all_together"] for team in Team} == totals
    assert sum(totals.values()) >= 16 * 162


def all_tricks_for_one_side(reglement: Reglement) -> list[Event]:
    """A deal in which East takes every trick: each player holds one suit, and East's is trump."""
    suits = zip((Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH), Suit, strict=True)
    hands = {seat: [card for card in FULL_DECK if card.suit is suit] for seat, suit in suits}
    events: list[Event] = [
        DealStarted(table="1", deal=1, time_utc=START, dealer=Seat.NORTH, reglement=reglement.name),
        TrumpDeclared(table="1", deal=1, time_utc=START, seat=Seat.EAST, trump=Suit.CLUBS),
    ]
    seats = [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    for place in range(32):
        seat = seats[place % 4]
        # Ranks that differ within a trick, so that nobody has roem.
        card = hands[seat][(place // 4 + 3 * (place % 4)) % 8]
        trick, position = place // 4 + 1, place % 4 + 1
        events.append(
            CardPlayed(
                table="1", deal=1, time_utc=START, trick=trick, position=position, seat=seat, card=card
            )
        )
    return [*events, DealClosed(table="1", deal=1, time_utc=START)]


@pytest.mark.parametrize(
    ("reglement", "points", "roem"),
    [(AMSTERDAMS_MET_PASSEN, 162, 100), (KLAVERJAS_DRIVE, 162, 100)],
    ids=lambda value: getattr(value, "name", None),
)
def test_pit_brings_100_and_a_p_and_two_kruizen_at_the_others(
    venue: Venue, reglement: Reglement, points: int, roem: int
) -> None:
    venue.deliver(all_tricks_for_one_side(reglement))
    sides = state(venue)["tellijst"]["rows"][0]["sides"]
    assert (sides["EW"]["points"], sides["EW"]["roem"], sides["EW"]["pit"]) == (points, roem, False)
    assert (sides["NS"]["points"], sides["NS"]["roem"], sides["NS"]["pit"]) == (0, 0, True)
    assert sides["NS"]["kruizen"] == 2
    page = venue.viewer().get("/tafel/1?taal=nl").text
    assert ">P</span>" in page
    assert "××" in page


def test_a_cell_without_roem_gets_the_diagonal(venue: Venue) -> None:
    events = played_deal(seed=4)
    result = replayed(events).result()
    venue.deliver(events)
    page = venue.viewer().get("/tafel/1?taal=nl").text
    assert page.count('class="number no-roem"') == sum(result.score_roem[team] == 0 for team in Team) > 0


def test_a_closed_deal_with_a_card_unseen_is_asked_about_and_not_added_up(venue: Venue) -> None:
    events = played_deal(seed=4)
    unseen = next(event for event in events if isinstance(event, CardPlayed) and event.trick == 3)
    venue.deliver([event for event in events if event is not unseen])
    shown = state(venue)
    assert shown["tellijst"]["rows"][0]["state"] == "unclear"
    assert shown["tellijst"]["totals"]["NS"]["all_together"] == 0
    assert shown["deal"]["misses_cards"]
    assert "niet alles gezien" in venue.viewer().get("/tafel/1?taal=nl").text


def test_the_lamp_follows_the_camera(venue: Venue) -> None:
    venue.token("1")
    assert state(venue)["camera"] == "unknown"
    venue.deliver([SourceLost(table="1", deal=1, time_utc=START, reason="geen beeld")])
    assert state(venue)["camera"] == "lost"
    assert state(venue)["deal"] is None
    venue.deliver([SourceBack(table="1", deal=1, time_utc=START)])
    assert state(venue)["camera"] == "sees"


def test_both_sides_agreement_is_shown(venue: Venue) -> None:
    events = played_deal(seed=4)
    venue.deliver(events)
    venue.deliver(
        [
            DealAgreed(table="1", deal=1, time_utc=events[-1].time_utc, team=team, agreed=agreed)
            for team, agreed in ((Team.NORTH_SOUTH, True), (Team.EAST_WEST, False))
        ]
    )
    sides = state(venue)["deal"]["sides"]
    assert (sides["NS"]["agreed"], sides["EW"]["agreed"]) == (True, False)
    page = venue.viewer().get("/tafel/1?taal=nl").text
    assert "✓ klopt" in page
    assert "✗ klopt niet" in page


def test_a_first_deal_of_another_journal_begins_a_new_match(venue: Venue) -> None:
    for number in (1, 2, 3):
        venue.deliver(played_deal(seed=number, number=number), epoch="monday")
    venue.deliver(played_deal(seed=9)[:4], epoch="tuesday")
    shown = state(venue)
    assert shown["deal"]["number"] == 1
    assert [row["state"] for row in shown["tellijst"]["rows"][:3]] == ["running", "empty", "empty"]


def test_another_journal_after_a_single_deal_begins_a_new_match_too(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1), epoch="monday")
    venue.deliver(played_deal(seed=9)[:4], epoch="tuesday")
    assert [row["state"] for row in state(venue)["tellijst"]["rows"][:2]] == ["running", "empty"]


def test_a_journal_lost_halfway_goes_on_with_the_same_match(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1, number=1), epoch="first")
    venue.deliver(played_deal(seed=2, number=2), epoch="second")
    states = [row["state"] for row in state(venue)["tellijst"]["rows"][:2]]
    assert states == ["settled", "settled"]


def test_a_deal_beyond_the_match_gets_a_row_of_its_own(venue: Venue) -> None:
    venue.deliver(played_deal(seed=1, number=17))
    assert len(state(venue)["tellijst"]["rows"]) == 17


def test_how_sure_the_last_card_is_stands_beside_it(venue: Venue) -> None:
    events = played_deal(seed=4)[:3]
    card = events[-1]
    assert isinstance(card, CardPlayed)
    venue.deliver([*events[:-1], replace(card, confidence=0.55)])
    assert state(venue)["deal"]["open_cards"][0]["certainty"] == "unsure"
    assert "onzeker, kijk even" in venue.viewer().get("/tafel/1?taal=nl").text
