"""Claims and concessions: the search against every line played out, and the laws one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

import pytest

from rules import (
    AMSTERDAMS_MET_PASSEN,
    CLOCKWISE,
    KLAVERJAS_DRIVE,
    REGLEMENTEN,
    Card,
    Claim,
    ClaimError,
    Deal,
    Ending,
    Play,
    Reglement,
    Seat,
    Suit,
    Team,
    agreed,
    agreement_withdrawn,
    as_if_played,
    card_points,
    concession,
    concession_cancelled,
    contested,
    legal_cards,
    play_may_go_on,
    roem_in_trick,
    trick_winner,
)
from rules.lines import LineSearch
from tests.rules.generators import play_out
from tests.rules.positions import cards

NS, EW = Team.NORTH_SOUTH, Team.EAST_WEST


def ending_of(reglement: Reglement, seed: int, cards_left: int, on_table: int = 0) -> Ending:
    """The rest of a deal by chance."""
    deal = play_out(reglement, random.Random(seed)).deal
    assert deal.trump is not None
    trick = deal.tricks[8 - cards_left]
    gone = {play.card for before in deal.tricks[: 8 - cards_left] for play in before.plays}
    table = trick.plays[:on_table]
    gone |= {play.card for play in table}
    hands = {
        seat: tuple(play.card for play in deal.plays if play.seat is seat and play.card not in gone)
        for seat in CLOCKWISE
    }
    assert trick.leader is not None
    return Ending(reglement, deal.trump, hands, trick.leader, table)


Held = Mapping[Seat, Sequence[Card]]


def every_line(ending: Ending) -> Iterator[tuple[int, int]]:
    """Tricks after the one on the table and points of north-south, for every legal line, card by card."""
    yield from _lines(ending, ending.hands, list(ending.trick), ending.leader, bool(ending.trick))


def _moves(ending: Ending, hands: Held, trick: list[Play], leader: Seat) -> Iterator[tuple[Held, list[Play]]]:
    seat = leader
    for _ in trick:
        seat = seat.left
    for card in legal_cards(ending.reglement, hands[seat], trick, ending.trump, seat):
        rest = {**hands, seat: [held for held in hands[seat] if held != card]}
        yield rest, [*trick, Play(seat, card)]


def _lines(
    ending: Ending, hands: Held, trick: list[Play], leader: Seat, was_on_table: bool
) -> Iterator[tuple[int, int]]:
    if not trick and not hands[leader]:
        yield 0, 0
        return
    for rest, played in _moves(ending, hands, trick, leader):
        if len(played) < 4:
            yield from _lines(ending, rest, played, leader, was_on_table)
            continue
        winner = trick_winner(played, ending.trump)
        gained = _points(ending, played, last=not any(rest.values())) if winner.team is NS else 0
        counts = int(winner.team is NS and not was_on_table)
        for tricks, points in _lines(ending, rest, [], winner, False):
            yield tricks + counts, points + gained


def _points(ending: Ending, trick: list[Play], *, last: bool) -> int:
    points = sum(card_points(play.card, ending.trump) for play in trick) + 10 * last
    if ending.reglement.name == "klaverjas-drive":
        points += roem_in_trick([play.card for play in trick], ending.trump).total
    return points


@pytest.mark.parametrize("name", REGLEMENTEN)
@pytest.mark.parametrize("on_table", [0, 2])
def test_the_search_finds_the_best_and_the_worst_of_all_lines(name: str, on_table: int) -> None:
    for seed in range(8):
        ending = ending_of(REGLEMENTEN[name], seed, 3, on_table)
        lines = list(every_line(ending))
        worst = LineSearch(ending, NS, helpers=()).outcome()
        best = LineSearch(ending, NS, helpers=CLOCKWISE).outcome()
        assert (worst.tricks, worst.points) == min(lines)
        assert (best.tricks, best.points) == max(lines)


def minimax(ending: Ending, hands: Held, trick: list[Play], leader: Seat) -> tuple[int, int]:
    """Best play of both sides by plain recursion, for north-south, with no trick on the table."""
    if not trick and not hands[leader]:
        return 0, 0
    values = []
    for rest, played in _moves(ending, hands, trick, leader):
        if len(played) < 4:
            values.append(minimax(ending, rest, played, leader))
            continue
        winner = trick_winner(played, ending.trump)
        tricks, points = minimax(ending, rest, [], winner)
        if winner.team is NS:
            tricks, points = tricks + 1, points + _points(ending, played, last=not any(rest.values()))
        values.append((tricks, points))
    turn = leader if not trick else trick[-1].seat.left
    return max(values) if turn.team is NS else min(values)


@pytest.mark.parametrize("name", REGLEMENTEN)
def test_best_play_of_both_sides(name: str) -> None:
    for seed in range(20, 28):
        ending = ending_of(REGLEMENTEN[name], seed, 3)
        outcome = LineSearch(ending, NS, helpers=(Seat.NORTH, Seat.SOUTH)).outcome()
        assert (outcome.tricks, outcome.points) == minimax(ending, ending.hands, [], ending.leader)


@pytest.mark.parametrize("name", REGLEMENTEN)
def test_the_line_of_a_judgement_leads_to_it(name: str) -> None:
    for seed in islice(range(100), 10):
        ending = ending_of(REGLEMENTEN[name], seed, 4, on_table=seed % 4)
        claim = Claim(claimer=Seat.NORTH, tricks=ending.whole_tricks_left)
        judgement = contested(ending, claim)
        assert sum(judgement.tricks.values()) == ending.whole_tricks_left
        assert judgement.fewest <= judgement.most
        plays = [*ending.trick, *judgement.line]
        tricks = [plays[start : start + 4] for start in range(0, len(plays), 4)][bool(ending.trick) :]
        winners = [trick_winner(trick, ending.trump) for trick in tricks]
        assert sum(winner.team is NS for winner in winners) == judgement.fewest == judgement.tricks[NS]


ALLOWED = replace(KLAVERJAS_DRIVE, claims_allowed=True)


def three_left(reglement: Reglement = ALLOWED) -> Ending:
    """South leads with two spades and the ace of diamonds; east still has the seven of trump, hearts."""
    return Ending(
        reglement,
        Suit.HEARTS,
        {
            Seat.SOUTH: cards("SA ST DA"),
            Seat.WEST: cards("SK S9 D9"),
            Seat.NORTH: cards("SQ SJ D8"),
            Seat.EAST: cards("H7 DT D7"),
        },
        Seat.SOUTH,
    )


def test_a_forgotten_trump_gets_its_trick() -> None:
    judgement = contested(three_left(), Claim(claimer=Seat.SOUTH, tricks=3))
    # East trumps a spade and goes on with diamonds, on which south may throw the ace or win with it.
    assert judgement.tricks[NS] < 3
    assert [reason.code for reason in judgement.reasons] == ["doubt-against-claimer", "forgotten-trump"]
    assert "♥7" in judgement.reasons[1].dutch


def test_a_trump_that_was_mentioned_is_not_forgotten() -> None:
    claim = Claim(claimer=Seat.SOUTH, tricks=2, mentioned=frozenset(cards("H7")))
    assert "forgotten-trump" not in [reason.code for reason in contested(three_left(), claim).reasons]


def ace_and_seven() -> Ending:
    """South leads with the ace and the seven of diamonds; west has the only other diamond, the ten."""
    return Ending(
        ALLOWED,
        Suit.HEARTS,
        {
            Seat.SOUTH: cards("DA D7"),
            Seat.WEST: cards("DT C7"),
            Seat.NORTH: cards("S9 SJ"),
            Seat.EAST: cards("S7 S8"),
        },
        Seat.SOUTH,
    )


def test_a_stated_order_is_followed() -> None:
    """The ace first brings both tricks; where no order was stated, a careless seven loses both."""
    claim = Claim(claimer=Seat.SOUTH, tricks=2)
    stated = contested(ace_and_seven(), replace(claim, line=cards("DA D7")))
    assert (stated.fewest, stated.most) == (2, 2)
    assert [play.card for play in stated.line if play.seat is Seat.SOUTH] == list(cards("DA D7"))
    assert (contested(ace_and_seven(), claim).fewest, contested(ace_and_seven(), claim).most) == (0, 2)
    assert contested(ace_and_seven(), replace(claim, line=cards("D7 DA"))).most == 0


def test_from_the_top_is_kinder_than_any_card() -> None:
    claim = Claim(claimer=Seat.SOUTH, tricks=2, from_the_top=True)
    assert contested(ace_and_seven(), claim).fewest == 2


def test_a_concession_of_what_cannot_be_lost_is_cancelled() -> None:
    """South gives up all with the two highest trumps in hand."""
    ending = Ending(
        ALLOWED,
        Suit.HEARTS,
        {
            Seat.SOUTH: cards("HJ H9"),
            Seat.WEST: cards("HA C7"),
            Seat.NORTH: cards("C8 C9"),
            Seat.EAST: cards("D7 D8"),
        },
        Seat.SOUTH,
    )
    gives_up = concession(ending, Seat.SOUTH, 2)
    assert gives_up.tricks == 0
    judgement = concession_cancelled(ending, gives_up)
    assert judgement.tricks == {NS: 2, EW: 0}
    assert judgement.reasons[0].article.endswith("artikel 71")
    assert [reason.code for reason in contested(ending, gives_up).reasons][-1] == "cancelled"
    # Giving up one of two, when it could have been lost, stands.
    assert concession_cancelled(three_left(), concession(three_left(), Seat.SOUTH, 2)).tricks[NS] == 1


def test_a_partner_who_objects_undoes_a_concession_but_no_full_claim() -> None:
    ending = three_left()
    objected = agreed(ending, concession(ending, Seat.SOUTH, 1), partner_objects=True)
    assert objected.is_void
    assert objected.reasons[0].article.endswith("68B2")
    assert not agreed(ending, Claim(claimer=Seat.SOUTH, tricks=3), partner_objects=True).is_void


def test_what_both_sides_accept_stands_until_it_is_withdrawn() -> None:
    ending = three_left()
    claim = Claim(claimer=Seat.SOUTH, tricks=3)
    assert agreed(ending, claim).tricks == {NS: 3, EW: 0}
    withdrawn = agreement_withdrawn(ending, claim)
    # With best play south makes the ace of diamonds and one spade, east the trump.
    assert withdrawn.tricks[EW] >= 1
    assert sum(withdrawn.tricks.values()) == 3
    assert withdrawn.reasons[0].article.endswith("69B")


def test_play_goes_on_only_when_all_four_agree() -> None:
    ending, claim = three_left(), Claim(claimer=Seat.SOUTH, tricks=3)
    everybody = frozenset(CLOCKWISE)
    assert play_may_go_on(ending, claim, others_ask=True, agreeing=everybody).is_void
    assert not play_may_go_on(ending, claim, others_ask=True, agreeing=everybody - {Seat.EAST}).is_void
    assert not play_may_go_on(ending, claim, others_ask=False, agreeing=everybody).is_void


def test_roem_of_tricks_that_nobody_played_counts_only_where_it_need_not_be_called() -> None:
    hands = {
        Seat.SOUTH: cards("SA"),
        Seat.WEST: cards("SK"),
        Seat.NORTH: cards("SQ"),
        Seat.EAST: cards("D7"),
    }
    for reglement, points in ((KLAVERJAS_DRIVE, 48), (AMSTERDAMS_MET_PASSEN, 28)):
        ending = Ending(reglement, Suit.HEARTS, hands, Seat.SOUTH)
        assert LineSearch(ending, NS, helpers=()).outcome().points == points


def test_what_is_no_claim_or_no_ending_is_named() -> None:
    ending = three_left()
    with pytest.raises(ClaimError, match="4 tricks claimed of 3"):
        contested(ending, Claim(claimer=Seat.SOUTH, tricks=4))
    with pytest.raises(ClaimError, match=r"does not hold: \['H7'\]"):
        contested(ending, Claim(claimer=Seat.SOUTH, tricks=1, line=cards("H7")))
    with pytest.raises(ClaimError, match="not of one size"):
        replace(ending, hands={**ending.hands, Seat.EAST: cards("H7")})
    with pytest.raises(ClaimError, match="held twice"):
        replace(ending, hands={**ending.hands, Seat.EAST: cards("SA DT D7")})
    with pytest.raises(ClaimError, match="not one begun by West"):
        replace(ending, leader=Seat.WEST, trick=(Play(Seat.NORTH, *cards("C7")),))
    with pytest.raises(ClaimError, match="6 tricks are left"):
        contested(ending_of(KLAVERJAS_DRIVE, 1, 6), Claim(claimer=Seat.SOUTH, tricks=4))


def test_where_claims_are_forbidden_that_is_said_first() -> None:
    """Article 18; the wedstrijdleider may still judge a deal that stopped."""
    forbidden = three_left(KLAVERJAS_DRIVE)
    claim = Claim(claimer=Seat.SOUTH, tricks=3)
    for judge in (agreed, contested, agreement_withdrawn, concession_cancelled):
        first, *others = judge(forbidden, claim).reasons
        assert first.code == "claims-forbidden"
        assert first.article.endswith("artikel 18")
        assert others == list(judge(three_left(), claim).reasons)


def stopped_deal(reglement: Reglement, seed: int, tricks: int) -> tuple[Deal, Ending]:
    """A deal after so many tricks, and what is left of it."""
    played = play_out(reglement, random.Random(seed)).deal
    ending = ending_of(reglement, seed, 8 - tricks)
    kept = [number for number, action in enumerate(played.actions) if isinstance(action, Play)][: 4 * tricks]
    deal = replace(played, actions=played.actions[: kept[-1] + 1])
    return deal, ending


@pytest.mark.parametrize("reglement", REGLEMENTEN.values(), ids=lambda reglement: reglement.name)
def test_an_agreed_claim_is_scored_as_if_played(reglement: Reglement) -> None:
    reached = 0
    for seed in range(12):
        deal, ending = stopped_deal(reglement, seed, tricks=5)
        before = deal.result().tricks_won[NS]
        for tricks in range(4):
            judgement = agreed(ending, Claim(claimer=Seat.SOUTH, tricks=tricks))
            if not judgement.line:
                with pytest.raises(ClaimError, match="no line of play gives these tricks"):
                    as_if_played(deal, judgement)
                continue
            reached += 1
            finished = as_if_played(deal, judgement)
            assert finished.is_complete
            assert finished.revokes == deal.revokes
            assert finished.result().tricks_won[NS] == before + tricks
            assert sum(finished.result().points.values()) == 162
    assert reached >= 12


def test_an_agreed_claim_gets_the_fewest_points_of_its_tricks() -> None:
    compared = 0
    for seed in range(12):
        deal, ending = stopped_deal(KLAVERJAS_DRIVE, seed, tricks=5)
        fewest: dict[int, int] = {}
        for tricks, points in every_line(ending):
            fewest[tricks] = min(points, fewest.get(tricks, points))
        for tricks, points in fewest.items():
            judgement = agreed(ending, Claim(claimer=Seat.NORTH, tricks=tricks))
            finished = as_if_played(deal, judgement).result()
            start = deal.result()
            assert finished.points[NS] + finished.roem[NS] - start.points[NS] - start.roem[NS] == points
            compared += 1
    assert compared >= 12


def test_a_void_claim_is_not_scored() -> None:
    deal, ending = stopped_deal(KLAVERJAS_DRIVE, 1, tricks=6)
    void = agreed(ending, concession(ending, Seat.NORTH, 1), partner_objects=True)
    with pytest.raises(ClaimError, match="the claim is void"):
        as_if_played(deal, void)


def test_hands_of_all_four_and_tricks_that_are_there_are_needed() -> None:
    with pytest.raises(ClaimError, match="hands must be given of N, E, S and W"):
        Ending(KLAVERJAS_DRIVE, Suit.HEARTS, {}, Seat.WEST)
    ending = ending_of(KLAVERJAS_DRIVE, 1, 2)
    for lost in (-1, 3):
        with pytest.raises(ClaimError, match=f"{lost} tricks conceded of 2"):
            concession(ending, Seat.NORTH, lost)


def test_a_claim_about_cards_already_played_is_not_scored() -> None:
    deal, _ = stopped_deal(KLAVERJAS_DRIVE, 1, tricks=7)
    played = {play.seat: (play.card,) for play in deal.tricks[0].plays}
    assert deal.trump is not None
    assert deal.turn is not None
    ending = Ending(KLAVERJAS_DRIVE, deal.trump, played, deal.turn)
    with pytest.raises(ClaimError, match=r"not about this deal: .* was already played"):
        as_if_played(deal, contested(ending, Claim(claimer=deal.turn, tricks=0)))
