"""What a deal or a match brings, as JSON."""

from __future__ import annotations

from collections.abc import Mapping

from rules.cards import Seat, Team
from rules.deal import Deal
from rules.document import ruling_to_document
from rules.faults import Fault
from rules.match import Match, TellijstRow
from rules.reasons import Reason
from rules.result import DealResult
from rules.revokes import Doubt, PossibleRevoke, Revoke


def result_to_document(result: DealResult, deal: Deal | None = None) -> dict[str, object]:
    """A result as JSON; with ``deal`` also its faults, proven and possible verzaken, and doubts.

    Numbers per team stand under ``NS`` and ``EW``; ``score`` is what goes on the tellijst, ``of_which_pit``
    how much of it is the extra of a pit.
    """
    document: dict[str, object] = {
        "score": {team.value: _score(result, team) for team in Team},
        "points": _by_team(result.points),
        "roem": _by_team(result.roem),
        "roem_seen": _by_team(result.roem_seen),
        "roem_called": _by_team(result.roem_called),
        "tricks_won": _by_team(result.tricks_won),
        "kruizen": _by_team(result.kruizen),
        "playing_team": result.playing_team.value if result.playing_team else None,
        "nat": result.nat,
        "pit": result.pit,
        "pit_team": result.pit_team.value if result.pit_team else None,
        "complete": result.complete,
        "replayed": result.replayed,
        "stopped_by": ruling_to_document(result.stopped_by) if result.stopped_by else None,
        "revoking_team": result.revoking_team.value if result.revoking_team else None,
        "player_penalties": {seat.value: points for seat, points in result.player_penalties.items()},
        "reasons": [_reason(reason) for reason in result.reasons],
    }
    if deal is not None:
        document |= _judgements(deal)
    return document


def _score(result: DealResult, team: Team) -> dict[str, int]:
    return {
        "points": result.score_points[team],
        "roem": result.score_roem[team],
        "total": result.total(team),
        "of_which_pit": result.score_pit[team],
    }


def _by_team(numbers: Mapping[Team, int]) -> dict[str, int]:
    return {team.value: numbers[team] for team in Team}


def _reason(reason: Reason) -> dict[str, str]:
    return {
        "code": reason.code,
        "dutch": reason.dutch,
        "english": reason.english,
        "article": reason.article,
    }


def _judgements(deal: Deal) -> dict[str, object]:
    return {
        "faults": [_fault(fault) for fault in deal.faults],
        "revokes": [_revoke(revoke) for revoke in deal.revokes],
        "possible_revokes": [_possible(possible) for possible in deal.possible_revokes],
        "doubts": [_doubt(doubt) for doubt in deal.doubts],
    }


def _fault(fault: Fault) -> dict[str, object]:
    return {
        "kind": fault.kind.value,
        "trick": fault.trick,
        "seat": fault.seat.value if fault.seat else None,
        "card": fault.card.code if fault.card else None,
        "reason": _reason(fault.reason),
    }


def _revoke(revoke: Revoke) -> dict[str, object]:
    return {
        "seat": revoke.seat.value,
        "trick": revoke.trick,
        "card": revoke.card.code,
        "proven_trick": revoke.proven_trick,
        "proven_card": revoke.proven_card.code,
        "should_have_played": [card.code for card in revoke.should_have_played],
        "reason": _reason(revoke.reason),
    }


def _possible(possible: PossibleRevoke) -> dict[str, object]:
    return {
        "seat": possible.seat.value,
        "trick": possible.trick,
        "card": possible.card.code,
        "if_held": [card.code for card in possible.if_held],
    }


def _doubt(doubt: Doubt) -> dict[str, object]:
    return {
        "seat": doubt.seat.value,
        "trick": doubt.trick,
        "card": doubt.card.code,
        "reason": _reason(doubt.reason),
    }


def match_to_document(match: Match) -> dict[str, object]:
    """The tellijst of a match as JSON: totals, a row for each deal that counts, and what is wrong with it."""
    return {
        "reglement": match.reglement.name,
        "totals": _by_team(match.totals),
        "kruizen": _by_team(match.kruizen),
        "pits": _by_team(match.pits),
        "revokes": _by_team(match.revokes),
        "player_penalties": {seat.value: match.player_penalties[seat] for seat in Seat},
        "complete": match.is_complete,
        "rows": [_row(row) for row in match.rows if row.counts],
        "faults": [
            {"kind": fault.kind.value, "deal": fault.deal, "reason": _reason(fault.reason)}
            for fault in match.faults
        ],
    }


def _row(row: TellijstRow) -> dict[str, object]:
    scores = {} if row.result is None else {team.value: _score(row.result, team) for team in Team}
    return {"deal": row.deal, "dealer": row.dealer.value, **scores, "totals": _by_team(row.totals)}
