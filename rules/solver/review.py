"""A deal looked back at: what best play would have brought, and what each card that was played cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.actions import Action, Covered, Declaration, RoemCall
from rules.cards import FULL_DECK, Card, Seat, Team
from rules.deal import Deal
from rules.errors import SolverError
from rules.result import DealResult
from rules.roem import roem_in_trick
from rules.solver.board import Board, Objective, Search, State, north_south_plays
from rules.solver.hands import NOTHING_LAID_OPEN, Held, ending_after
from rules.solver.search import Engine, best_line, card_values, search_for, turn_of
from rules.table import TRICKS_IN_DEAL
from rules.trick import Play


@dataclass(frozen=True)
class Turn:
    """One turn of a deal: what each card would have brought there.

    trick: from 1. position: the place in the trick, 1 to 4. cards: for each legal card what the seat's team
    gets over the whole deal less what the others get, when nobody errs after it. played: what was played,
    None where the deal stopped before. worth: the same for that card, legal or not; None with it.
    """

    trick: int
    position: int
    seat: Seat
    cards: Mapping[Card, int]
    played: Card | None
    worth: int | None

    @property
    def best(self) -> int:
        """What the best card brings."""
        return max(self.cards.values())

    @property
    def best_cards(self) -> tuple[Card, ...]:
        """The cards that lose nothing, in the order of ``FULL_DECK``."""
        return tuple(card for card, value in self.cards.items() if value == self.best)

    @property
    def lost(self) -> int:
        """What the card that was played cost against the best one; below 0 where an illegal card gained."""
        return 0 if self.worth is None else self.best - self.worth


@dataclass(frozen=True)
class BestPlay:
    """What best play of both sides makes of a deal, and what every card was worth at its turn.

    from_trick: the tricks before it are taken as they were played. line: one best way to play from there.
    result: what the deal with that line brings on the tellijst, nat and pit and all roem in it; rulings and
    penalties are left out. turns: every turn from there, the last one unplayed where the deal stopped.
    """

    objective: Objective
    from_trick: int
    line: tuple[Play, ...]
    result: DealResult
    turns: tuple[Turn, ...]

    def value(self, team: Team) -> int:
        """What ``team`` gets over the whole deal less what the others get, before nat and pit."""
        best = self.turns[0].best
        return best if self.turns[0].seat.team is team else -best


def best_play(
    deal: Deal,
    held: Held = NOTHING_LAID_OPEN,
    *,
    from_trick: int = 1,
    objective: Objective = Objective.DIFFERENCE,
    engine: Engine = Engine.FASTEST,
) -> BestPlay:
    """Look back at a deal with all hands known.

    A deal played to its end needs nothing else. For one that stopped, ``held`` has the cards that each seat
    still held. Cards that were illegal are reviewed too; the deal is then judged as if they were allowed.

    Takes some tenths of a second with numba, after some seconds of compiling in each process (see
    :func:`rules.solver.prepare`); without it seconds, for whole deals up to a minute: ``from_trick=3`` brings
    it under two.

    Raises:
        SolverError: when the hands are not all known (see :func:`rules.solver.dealt_hands`), or when nothing
            was played of ``from_trick`` or the trick before it.
    """
    if not 1 <= from_trick <= TRICKS_IN_DEAL:
        raise SolverError(f"a deal has tricks 1 to 8; best play cannot begin at {from_trick}")
    begin = 4 * (from_trick - 1)
    ending = ending_after(deal, begin, held)
    board = Board(ending, objective)
    search = search_for(ending, objective, engine)
    won = _won_before(board, deal, from_trick)
    turns = tuple(_turns(board, search, deal.plays[begin:], won, begin))
    seat, best = turns[0].seat, turns[0].best
    line = best_line(board, search, board.start(), (best if seat.team is Team.NORTH_SOUTH else -best) - won)
    result = _replayed(deal, (*deal.plays[:begin], *line)).result()
    return BestPlay(objective, from_trick, line, result, turns)


def _won_before(board: Board, deal: Deal, from_trick: int) -> int:
    """What N and S less E and W had won before ``from_trick``."""
    return sum(
        board.won(tuple(play.card.index for play in trick.plays), winner)
        for trick, winner in zip(deal.tricks[: from_trick - 1], deal.winners, strict=False)
        if winner is not None
    )


def _turns(
    board: Board, search: Search, plays: tuple[Play, ...], won: int, cards_before: int
) -> Iterator[Turn]:
    state = board.start()
    for number, play in enumerate(plays, cards_before):
        following, gain = board.after(state, play.card.index)
        worth = won + gain + search.difference(following, 0)
        yield _turn(board, search, state, won, number, (play.card, worth))
        state, won = following, won + gain
    if cards_before + len(plays) < len(FULL_DECK):
        yield _turn(board, search, state, won, cards_before + len(plays), None)


def _turn(
    board: Board, search: Search, state: State, won: int, number: int, played: tuple[Card, int] | None
) -> Turn:
    sign = 1 if north_south_plays(state) else -1
    values = card_values(board, search, state)
    return Turn(
        trick=number // 4 + 1,
        position=number % 4 + 1,
        seat=turn_of(state),
        cards={FULL_DECK[card]: sign * (won + value) for card, value in values.items()},
        played=played[0] if played else None,
        worth=sign * played[1] if played else None,
    )


def _replayed(deal: Deal, plays: tuple[Play, ...]) -> Deal:
    """The deal with these plays, every trick covered and all roem called."""
    assert deal.declarer is not None
    assert deal.trump is not None
    actions: list[Action] = [Declaration(deal.declarer, deal.trump)]
    for begin in range(0, len(plays), 4):
        trick = plays[begin : begin + 4]
        roem = roem_in_trick([play.card for play in trick], deal.trump, deal.reglement).total
        called = [RoemCall(trick[0].seat, begin // 4 + 1, roem)] if roem else []
        actions += [*trick, *called, Covered()]
    return Deal(deal.reglement, deal.dealer, deal.number, tuple(actions))
