"""The engine against a second one written apart from it, on deals by chance.

KLAVEROOG_RANDOM_DEALS sets how many deals for each reglement.
"""

from __future__ import annotations

import os
import random
from typing import Final

import pytest

from rules import REGLEMENTEN, RoemCounts, Team, roem_in_trick
from rules.revokes import Revoke
from tests.rules import naive
from tests.rules.generators import Choose, PlayedOut, play_out

DEALS: Final = int(os.environ.get("KLAVEROOG_RANDOM_DEALS", "2000"))
KINDS: Final = {
    "amsterdams-met-passen": "amsterdams",
    "klaverjas-drive": "amsterdams",
    "rotterdams": "rotterdams",
}


def hands_of(played: PlayedOut) -> dict[str, list[str]]:
    return {seat.value: [card.code for card in hand] for seat, hand in played.hands.items()}


@pytest.mark.parametrize("name", REGLEMENTEN)
def test_clean_deals_are_scored_the_same(name: str) -> None:
    chance = random.Random(f"clean {name}")
    for _ in range(DEALS):
        played = play_out(REGLEMENTEN[name], chance)
        assert_same_score(played)
        assert naive.verzaakt(KINDS[name], hands_of(played), played.tricks, trump_of(played)) == []
        assert played.deal.revokes == ()
        assert played.deal.faults == ()


def trump_of(played: PlayedOut) -> str:
    assert played.deal.trump is not None
    return played.deal.trump.value


def assert_same_score(played: PlayedOut) -> None:
    deal, result = played.deal, played.deal.result()
    assert deal.declarer is not None
    expected = naive.score(played.tricks, trump_of(played), deal.declarer.value)
    assert [winner.value if winner else None for winner in deal.winners] == expected.winners
    assert {team.value: result.points[team] for team in Team} == expected.points
    assert {team.value: result.roem[team] for team in Team} == expected.roem
    assert result.roem_seen == result.roem_called
    assert {team.value: result.total(team) for team in Team} == expected.written
    assert {team.value: result.kruizen[team] for team in Team} == expected.kruizen
    assert (result.nat, result.pit) == (expected.nat, expected.pit)
    assert sum(result.points.values()) == 162
    assert sum(result.tricks_won.values()) == 8
    assert result.complete


@pytest.mark.parametrize("name", REGLEMENTEN)
def test_legal_cards_are_the_same(name: str) -> None:
    chance = random.Random(f"legal {name}")
    kind = KINDS[name]

    def compare_and_choose() -> Choose:
        def choose(number, seat, hand, legal, trick, trump):  # type: ignore[no-untyped-def]
            plays = [(play.seat.value, play.card.code) for play in trick]
            codes = [card.code for card in hand]
            expected = naive.legal(kind, codes, plays, trump.value, seat.value)
            assert sorted(card.code for card in legal) == sorted(expected)
            # Any card at all, so that positions after a verzaking are compared too.
            return chance.choice(hand)

        return choose

    for _ in range(DEALS // 4):
        play_out(REGLEMENTEN[name], chance, compare_and_choose())


@pytest.mark.parametrize("name", REGLEMENTEN)
def test_all_verzaken_are_found_in_deals_played_without_any_rule(name: str) -> None:
    chance = random.Random(f"wild {name}")
    for _ in range(DEALS // 4):
        played = play_out(REGLEMENTEN[name], chance, lambda number, seat, hand, *rest: chance.choice(hand))
        expected = naive.verzaakt(KINDS[name], hands_of(played), played.tricks, trump_of(played))
        found = [(revoke.trick, revoke.seat.value, revoke.card.code) for revoke in played.deal.revokes]
        assert found == expected
        assert_each_proof_is_the_first(played)


def assert_each_proof_is_the_first(played: PlayedOut) -> None:
    """Each verzaking shows at its proving card and not one card before."""
    actions = played.deal.actions
    shown: dict[tuple[int, str], Revoke] = {
        (revoke.trick, revoke.seat.value): revoke for revoke in played.deal.revokes
    }
    for place, revoke in shown.items():
        proof = next(
            index
            for index, action in enumerate(actions)
            if getattr(action, "card", None) == revoke.proven_card
        )
        before = type(played.deal)(played.deal.reglement, played.deal.dealer, 1, actions[:proof])
        after = before.after(actions[proof])
        assert place not in {(found.trick, found.seat.value) for found in before.revokes}
        assert place in {(found.trick, found.seat.value) for found in after.revokes}
        assert revoke.proven_trick > revoke.trick
        assert revoke.should_have_played


def test_roem_of_every_trick_of_one_suit_and_many_others() -> None:
    chance = random.Random("roem")
    for _ in range(DEALS):
        played = play_out(REGLEMENTEN["klaverjas-drive"], chance)
        for trick in played.deal.tricks:
            roem = roem_in_trick(trick.cards, played.deal.trump)
            assert roem.total == naive.roem([card.code for card in trick.cards], trump_of(played))
            assert all(part.points for part in roem.parts)


def test_the_three_reglementen_count_roem_as_their_texts_say() -> None:
    counts = {name: reglement.roem_counts for name, reglement in REGLEMENTEN.items()}
    assert counts == {
        "amsterdams-met-passen": RoemCounts.CALLED,
        "klaverjas-drive": RoemCounts.SEEN,
        "rotterdams": RoemCounts.CALLED,
    }
