"""A trump told wrongly must accuse nobody, and a true verzaking must not be explained away by one."""

from __future__ import annotations

from dataclasses import replace

from capture.simulator import Irregularity, simulate_deal
from rules import KLAVERJAS_DRIVE, Deal, Suit
from tests.dashboard.played_deals import played_deal
from tracker.events import DealRecord, Event, TrumpDeclared, fold_deals, revoke_certainty, trump_instead
from tracker.events.told_trump import told_trump_certainty

SEEDS = range(100, 130)


def played(seed: int, told: Suit | None = None, irregularity: Irregularity | None = None) -> Deal:
    """A whole deal as simulated players play it, at times told with another trump than they play by."""
    truth = simulate_deal(seed, irregularity=irregularity)
    deal = Deal(KLAVERJAS_DRIVE, truth.dealer).declared(truth.declarer, told or truth.trump)
    for play in truth.plays:
        deal = deal.played(play.seat, play.card)
    return deal


def test_several_verzakingen_that_another_trump_explains_are_a_trump_told_wrongly() -> None:
    several = 0
    for seed in SEEDS:
        true = played(seed).trump
        assert true is not None
        for suit in Suit:
            deal = played(seed, told=suit)
            if suit is true or len(deal.revokes) < 2:
                continue
            several += 1
            assert told_trump_certainty(deal) < 0.5
            instead = trump_instead(deal)
            assert instead is not None
            if len(deal.revokes) > 2:
                assert not played(seed, told=instead).revokes
                assert told_trump_certainty(deal) < 0.05
    assert several > len(SEEDS)


def test_a_true_verzaking_is_not_explained_away_at_the_end() -> None:
    for seed in SEEDS:
        deal = played(seed, irregularity=Irregularity.VERZAKEN)
        assert len(deal.revokes) == 1
        assert told_trump_certainty(deal) > 0.9


def test_a_lawful_deal_is_not_doubted() -> None:
    for seed in SEEDS:
        deal = played(seed)
        assert told_trump_certainty(deal) == 1.0
        assert trump_instead(deal) is None


def test_who_tells_the_same_trump_again_is_believed_more() -> None:
    events = played_deal(seed=8)
    (record,) = fold_deals(events)
    wrong = next(
        suit for suit in Suit if suit is not record.deal.trump and len(told_as(suit)[0].deal.revokes) > 1
    )
    (once,) = told_as(wrong)
    (twice,) = told_as(wrong, times=2)
    revoke = once.deal.revokes[0]
    assert revoke_certainty(once, revoke)[0] < revoke_certainty(twice, revoke)[0]


def told_as(suit: Suit, times: int = 1) -> tuple[DealRecord, ...]:
    events: list[Event] = []
    for event in played_deal(seed=8):
        events += [replace(event, trump=suit)] * times if isinstance(event, TrumpDeclared) else [event]
    return fold_deals(events)
