"""Events to deals: whatever the order in which facts come, the same deal; corrections and rulings count."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import AMSTERDAMS_MET_PASSEN, KLAVERJAS_DRIVE, ReglementError, Seat, Suit, Team, parse_card
from tests.tracker.fake_table import START, PlannedDeal, random_deal
from tracker.events import (
    CardExposed,
    CardPlayed,
    Correction,
    DealAgreed,
    DealClosed,
    DealStarted,
    Event,
    PlayerPassed,
    RoemCalled,
    Ruling,
    SourceLost,
    TrickCovered,
    TrumpDeclared,
    fold_deals,
    revoke_certainty,
)
from tracker.events.fold import verzaking_certainty
from tracker.events.told_trump import told_trump_certainty


def told(deal: PlannedDeal, number: int = 1) -> list[Event]:
    """What a table that sees everything tells of a deal: a card each second, a trick covered each tenth."""
    events: list[Event] = [
        DealStarted(
            table="1", deal=number, time_utc=START, dealer=deal.dealer, reglement=deal.reglement.name
        ),
        TrumpDeclared(table="1", deal=number, time_utc=START, seat=deal.dealer.left, trump=deal.trump),
    ]
    for trick, position, seat, card in deal.plays:
        time = START + timedelta(seconds=10 * trick + position)
        events.append(
            CardPlayed(
                table="1",
                deal=number,
                time_utc=time,
                trick=trick,
                position=position,
                seat=seat,
                card=card,
                confidence=0.99,
            )
        )
        if position == 4:
            events.append(
                TrickCovered(table="1", deal=number, time_utc=time + timedelta(seconds=2), trick=trick)
            )
    events.append(DealClosed(table="1", deal=number, time_utc=START + timedelta(seconds=100)))
    return events


DEAL = random_deal(random.Random(4))


def test_a_whole_deal() -> None:
    (record,) = fold_deals(told(DEAL))
    assert [(c.trick, c.position, c.seat, c.card) for c in record.cards] == DEAL.plays
    assert [play.card for play in record.deal.plays] == [card for *_, card in DEAL.plays]
    assert record.deal.result().complete
    assert sum(record.deal.result().points.values()) == 162
    assert record.deal.faults == ()
    assert record.closed
    assert record.missing == ()
    assert record.last_card == record.cards[-1]
    assert record.trump_confidence == 1.0
    assert record.deal.covered_tricks == 8


@given(st.randoms(use_true_random=False))
def test_the_order_in_which_facts_arrive_does_not_matter(shuffler: random.Random) -> None:
    events = told(DEAL)
    shuffled = list(events)
    shuffler.shuffle(shuffled)
    expected, found = fold_deals(events)[0], fold_deals(shuffled)[0]
    assert found.cards == expected.cards
    assert found.deal == expected.deal


def test_deals_come_by_number_each_with_its_own_events() -> None:
    second = random_deal(random.Random(5), dealer=Seat.WEST)
    events = [*told(second, 2), *told(DEAL, 1)]
    first_record, second_record = fold_deals(events)
    assert (first_record.number, second_record.number) == (1, 2)
    assert first_record.deal.dealer is Seat.SOUTH
    assert second_record.deal.dealer is Seat.WEST
    assert all(event.deal == 2 for event in second_record.events)


def correction(trick: int, position: int, seat: Seat, code: str, by: str, confidence: float = 0.9) -> Event:
    return Correction(
        table="1",
        deal=1,
        time_utc=START + timedelta(seconds=200),
        trick=trick,
        position=position,
        seat=seat,
        card=parse_card(code),
        by=by,
        reason="seen again",
        confidence=confidence,
    )


def test_a_correction_changes_the_card_and_all_that_follows() -> None:
    trick, position, seat, card = DEAL.plays[5]
    wrong = "C7" if card.code != "C7" else "D7"
    events = told(DEAL)
    misread = [
        replace(event, card=parse_card(wrong))
        if isinstance(event, CardPlayed) and (event.trick, event.position) == (trick, position)
        else event
        for event in events
    ]
    assert fold_deals(misread)[0].deal != fold_deals(events)[0].deal
    (record,) = fold_deals([*misread, correction(trick, position, seat, card.code, "tracker")])
    assert record.deal == fold_deals(events)[0].deal
    corrected = record.cards[5]
    assert corrected.corrected_by == "tracker"
    assert corrected.time_utc == record.events[2 + 5 + 1].time_utc


def test_the_last_correction_stays_but_a_person_outranks_the_tracker() -> None:
    _, _, seat, _ = DEAL.plays[0]
    events = [
        *told(DEAL),
        correction(1, 1, seat, "C7", "tracker"),
        correction(1, 1, seat, "C8", "Wil", 1.0),
        correction(1, 1, seat, "C9", "Wil", 1.0),
        correction(1, 1, seat, "CT", "tracker"),
    ]
    (record,) = fold_deals(events)
    assert record.cards[0].card == parse_card("C9")
    assert record.cards[0].corrected_by == "Wil"
    assert record.cards[0].confidence == 1.0


def test_the_tracker_being_surer_of_the_same_card_is_no_correction() -> None:
    _, _, seat, card = DEAL.plays[0]
    (record,) = fold_deals([*told(DEAL), correction(1, 1, seat, card.code, "tracker", 0.999)])
    assert record.cards[0].corrected_by is None
    assert record.cards[0].confidence == 0.999


def test_a_missing_card_holds_the_rules_there_until_it_is_known() -> None:
    trick, position, seat, card = DEAL.plays[6]
    events = [
        event
        for event in told(DEAL)
        if not (isinstance(event, CardPlayed) and (event.trick, event.position) == (trick, position))
    ]
    (record,) = fold_deals(events)
    assert record.missing == ((trick, position),)
    assert len(record.cards) == 31
    assert len(record.deal.plays) == 6
    late = CardPlayed(table="1", deal=1, time_utc=START, trick=trick, position=position, seat=seat, card=card)
    (record,) = fold_deals([*events, late])
    assert record.missing == ()
    assert record.deal == fold_deals(told(DEAL))[0].deal


def test_trump_declared_outranks_trump_inferred_and_the_last_of_a_kind_stays() -> None:
    def trump(suit: Suit, inferred: bool, confidence: float = 1.0) -> Event:
        return TrumpDeclared(
            table="1",
            deal=1,
            time_utc=START,
            seat=Seat.WEST,
            trump=suit,
            inferred=inferred,
            confidence=confidence,
        )

    start = told(DEAL)[:1]
    inferred = [*start, trump(Suit.CLUBS, True, 0.97), trump(Suit.SPADES, True, 0.98)]
    (record,) = fold_deals(inferred)
    assert (record.deal.trump, record.trump_confidence) == (Suit.SPADES, 0.98)
    (record,) = fold_deals([*inferred, trump(Suit.HEARTS, False), trump(Suit.CLUBS, True, 0.99)])
    assert (record.deal.trump, record.trump_confidence) == (Suit.HEARTS, 1.0)


def test_roem_counts_when_it_was_called_before_the_trick_was_covered() -> None:
    covered = next(event for event in told(DEAL) if isinstance(event, TrickCovered))
    early = RoemCalled(
        table="1",
        deal=1,
        time_utc=covered.time_utc - timedelta(seconds=1),
        seat=Seat.WEST,
        trick=1,
        points=20,
    )
    late = replace(early, time_utc=covered.time_utc + timedelta(seconds=1))
    kinds_early = [fault.kind.name for fault in fold_deals([*told(DEAL), early])[0].deal.faults]
    kinds_late = [fault.kind.name for fault in fold_deals([*told(DEAL), late])[0].deal.faults]
    assert "ROEM_TOO_LATE" not in kinds_early
    assert "ROEM_TOO_LATE" in kinds_late


def ruling(decision: str, undoes: int | None = None, seat: Seat | None = Seat.WEST) -> Ruling:
    return Ruling(
        table="1",
        deal=1,
        time_utc=START + timedelta(seconds=300),
        decision=decision,
        by="Wil",
        seat=seat,
        undoes=undoes,
    )


def test_a_ruling_scores_and_its_undoing_restores_the_same_totals() -> None:
    events = told(DEAL)
    before = fold_deals(events)[0]
    ruled = fold_deals([*events, ruling("verzaakt-koppel")])[0]
    assert ruled.deal.result().score_points[Team.EAST_WEST] == 0
    assert ruled.deal.result().kruizen[Team.EAST_WEST] == 3
    undone = fold_deals([*events, ruling("verzaakt-koppel"), ruling("ongedaan", 1, None)])[0]
    assert undone.deal == before.deal
    assert undone.rulings == ()
    again = [*events, ruling("verzaakt-koppel"), ruling("ongedaan", 1, None), ruling("ongedaan", 2, None)]
    assert fold_deals(again)[0].deal == ruled.deal


def test_a_deal_dealt_again_forgets_the_first_attempt_unless_the_ruling_is_undone() -> None:
    again = random_deal(random.Random(6))
    events = [*told(DEAL)[:20], ruling("opnieuw-delen", seat=None), *told(again)]
    (record,) = fold_deals(events)
    assert [(c.trick, c.position, c.seat, c.card) for c in record.cards] == again.plays
    assert [decision.decision for decision in record.rulings] == ["opnieuw-delen"]
    assert record.deal.rulings == ()
    assert record.closed


def test_a_deal_broken_off_and_dealt_again() -> None:
    again = random_deal(random.Random(6))
    broken = DealClosed(table="1", deal=1, time_utc=START, reason="dealt again")
    (record,) = fold_deals([*told(DEAL)[:20], broken, *told(again)])
    assert [(c.trick, c.position, c.seat, c.card) for c in record.cards] == again.plays


def test_what_each_side_said_last_of_the_score() -> None:
    def agreed(team: Team, yes: bool) -> Event:
        return DealAgreed(table="1", deal=1, time_utc=START, team=team, agreed=yes)

    events = [
        *told(DEAL),
        agreed(Team.NORTH_SOUTH, False),
        agreed(Team.EAST_WEST, True),
        agreed(Team.NORTH_SOUTH, True),
    ]
    assert dict(fold_deals(events)[0].agreed) == {Team.NORTH_SOUTH: True, Team.EAST_WEST: True}
    assert dict(fold_deals(events[:-1])[0].agreed) == {Team.NORTH_SOUTH: False, Team.EAST_WEST: True}


def test_passes_are_told_to_the_rules_before_trump() -> None:
    start = DealStarted(
        table="1", deal=1, time_utc=START, dealer=Seat.SOUTH, reglement=AMSTERDAMS_MET_PASSEN.name
    )
    passed = PlayerPassed(table="1", deal=1, time_utc=START, seat=Seat.WEST)
    plays = TrumpDeclared(table="1", deal=1, time_utc=START, seat=Seat.NORTH, trump=Suit.CLUBS)
    (record,) = fold_deals([plays, passed, start])
    assert record.deal.declarer is Seat.NORTH
    assert record.deal.faults == ()


def test_a_card_exposed_is_told_to_the_rules() -> None:
    shown = CardExposed(table="1", deal=1, time_utc=START, card=DEAL.plays[31][3], seat=DEAL.plays[31][2])
    (record,) = fold_deals([*told(DEAL)[:2], shown])
    assert [penalty.card for penalty in record.deal.penalty_cards] == [DEAL.plays[31][3]]


def test_without_a_start_the_dealer_follows_from_who_led_or_from_the_deal_before() -> None:
    (record,) = fold_deals(told(DEAL)[2:])
    assert record.deal.dealer is DEAL.dealer
    lost = SourceLost(table="1", deal=2, time_utc=START, reason="no pictures")
    records = fold_deals([*told(DEAL), lost])
    assert records[1].deal.dealer is DEAL.dealer.left
    assert records[1].events == (lost,)


def test_the_clubs_own_reglement_stands_above_the_name_and_an_unknown_name_is_refused() -> None:
    unknown = DealStarted(table="1", deal=1, time_utc=START, dealer=Seat.SOUTH, reglement="huisregels")
    assert fold_deals([unknown], KLAVERJAS_DRIVE)[0].deal.reglement is KLAVERJAS_DRIVE
    with pytest.raises(ReglementError, match="huisregels"):
        fold_deals([unknown])


def test_nothing_at_all_gives_no_deals() -> None:
    assert fold_deals([]) == ()


def test_a_verzaking_is_as_sure_as_the_cards_and_the_trump_that_it_rests_on() -> None:
    deal = random_deal(random.Random(7), verzaken=True)
    events = told(deal)
    (record,) = fold_deals(events)
    (revoke,) = record.deal.revokes[:1]
    certainty, rests_on = revoke_certainty(record, revoke)
    assert {card.card for card in rests_on} >= {revoke.card, revoke.proven_card}
    read_right = 0.99 ** len(rests_on)
    trump = told_trump_certainty(record.deal)
    assert certainty == pytest.approx(trump * 0.02 * read_right / (0.02 * read_right + 1 - read_right))
    doubtful = [
        replace(event, confidence=0.5)
        if isinstance(event, CardPlayed) and event.card == revoke.proven_card
        else event
        for event in events
    ]
    (record,) = fold_deals(doubtful)
    less, _ = revoke_certainty(record, record.deal.revokes[0])
    assert less < 0.03 < certainty
    by_people = [
        replace(event, confidence=1.0) if isinstance(event, CardPlayed) else event for event in events
    ]
    (record,) = fold_deals(by_people)
    assert revoke_certainty(record, record.deal.revokes[0])[0] == told_trump_certainty(record.deal) > 0.999


def test_a_verzaking_is_less_sure_where_another_player_seems_to_have_verzaakt_too() -> None:
    """A lead taken for another suit makes all three others seem to hold that suit back."""
    deal = random_deal(random.Random(7), verzaken=True)
    (record,) = fold_deals(told(deal))
    (revoke,) = record.deal.revokes
    other_seat = replace(revoke, seat=revoke.seat.left)
    same_player_again = replace(revoke, trick=revoke.trick + 1)
    assert verzaking_certainty(0.999, [revoke]) > 0.95
    assert verzaking_certainty(0.999, [revoke, same_player_again]) == verzaking_certainty(0.999, [revoke])
    assert verzaking_certainty(0.999, [revoke, other_seat]) < 0.7
    assert verzaking_certainty(1.0, [revoke, other_seat]) == 1.0
