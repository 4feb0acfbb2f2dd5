"""What the wedstrijdleider decided: which rulings stand, and which stops the deal (articles 3, 13, 14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rules.actions import Action, Decision, Ruling
from rules.faults import FaultKind, FaultLog
from rules.reglement import Drive, Reglement

STOPPING: Final = frozenset(
    {Decision.REVOKE_PAIRS, Decision.REVOKE_INDIVIDUAL, Decision.WRONG_ACCUSATION, Decision.REDEAL}
)
"""The decisions after which no more is played in the deal."""

_NEEDS_SEAT: Final = frozenset(
    {Decision.REVOKE_PAIRS, Decision.REVOKE_INDIVIDUAL, Decision.WRONG_ACCUSATION, Decision.PENALTY_CARD}
)


_DRIVES: Final = {Decision.REVOKE_PAIRS: Drive.PAIRS, Decision.REVOKE_INDIVIDUAL: Drive.INDIVIDUAL}
"""The kind of drive that a penalty is written for (article 13)."""


def standing_rulings(actions: Sequence[Action]) -> frozenset[int]:
    """The indices of the rulings that no later standing ruling undoes."""
    rulings = [(index, action) for index, action in enumerate(actions) if isinstance(action, Ruling)]
    if not rulings:
        return frozenset()
    indices = {action.number or place: index for place, (index, action) in enumerate(rulings, 1)}
    standing = {index for index, _ in rulings}
    # From the last back: an undoing that was itself undone does nothing.
    for index, action in reversed(rulings):
        if index in standing and action.decision is Decision.UNDO:
            undone = indices.get(action.undoes or 0, index)
            if undone < index:
                standing.discard(undone)
    return frozenset(standing)


class RulingLog:
    """The standing rulings of a deal as they come, with how many tricks were covered at each."""

    def __init__(self, reglement: Reglement, standing: frozenset[int], log: FaultLog) -> None:
        self._reglement = reglement
        self._standing = standing
        self._log = log
        self._numbers: set[int] = set()
        self._count = 0
        self.rulings: list[Ruling] = []
        self.covered: list[int] = []

    def take(self, index: int, action: Ruling, covered: int, trick: int) -> bool:
        """Note a ruling; whether it stands and does something."""
        self._count += 1
        known = action.undoes in self._numbers
        number = action.number or self._count
        if number in self._numbers:
            self._report_number_twice(number, trick)
        self._numbers.add(number)
        if index not in self._standing:
            return False
        if action.decision is Decision.UNDO:
            if not known:
                self._report_unknown(action, trick)
            return False
        if action.decision in _NEEDS_SEAT and action.seat is None:
            self._log.add(
                FaultKind.RULING_NEEDS_SEAT,
                f"de beslissing “{action.decision.value}” zegt niet wie het betreft en telt niet",
                f"the ruling “{action.decision.value}” does not say whom it is about and has no effect",
                trick=trick,
            )
            return False
        if action.decision is Decision.PENALTY_CARD and action.card is None:
            self._log.add(
                FaultKind.RULING_NEEDS_CARD,
                "de beslissing “strafkaart” zegt niet welke kaart en doet niets",
                "the ruling “strafkaart” does not say which card and has no effect",
                trick=trick,
                seat=action.seat,
            )
        self._report_misfits(action, covered, trick)
        self._report_conflict(action, trick)
        self.rulings.append(action)
        self.covered.append(covered)
        return True

    def _report_number_twice(self, number: int, trick: int) -> None:
        """An undoing takes back the last one of its number; who wrote two must be told."""
        self._log.add(
            FaultKind.RULING_NUMBER_TWICE,
            f"twee beslissingen hebben nummer {number}; ongedaan maken treft alleen de laatste",
            f"two rulings have number {number}; an undoing takes back only the last",
            trick=trick,
        )

    def _report_misfits(self, action: Ruling, covered: int, trick: int) -> None:
        """What the reglement or the cards do not know; the decision counts, for it is binding (article 2)."""
        drive = _DRIVES.get(action.decision, self._reglement.drive)
        misfits = []
        if drive is not self._reglement.drive:
            misfits.append(("een straf voor een andere soort drive", "a penalty of another kind of drive"))
        about, found = action.trick, action.found_after_trick
        if about is not None and about > max(trick, 1):
            misfits.append((f"over slag {about}, die er niet is", f"about trick {about}, never played"))
        if found is not None and found > covered:
            misfits.append(
                (f"gevonden na slag {found}, nog niet gedekt", f"found after trick {found}, not covered")
            )
        for dutch, english in misfits:
            self._log.add(
                FaultKind.RULING_DOES_NOT_FIT,
                f"“{action.decision.value}” is {dutch}; de beslissing telt wel",
                f"“{action.decision.value}” is {english}; the ruling counts all the same",
                trick=trick,
                seat=action.seat,
            )

    def _report_unknown(self, action: Ruling, trick: int) -> None:
        self._log.add(
            FaultKind.NO_SUCH_RULING,
            f"er is geen beslissing {action.undoes} om ongedaan te maken",
            f"there is no ruling {action.undoes} to undo",
            trick=trick,
        )

    def _report_conflict(self, action: Ruling, trick: int) -> None:
        stopping = [ruling for ruling in self.rulings if ruling.decision in STOPPING]
        if action.decision in STOPPING and stopping:
            self._log.add(
                FaultKind.RULINGS_CONFLICT,
                f"“{action.decision.value}” na “{stopping[-1].decision.value}”; de laatste beslissing telt",
                f"“{action.decision.value}” after “{stopping[-1].decision.value}”; the last ruling counts",
                trick=trick,
                seat=action.seat,
            )


def stopping_ruling(rulings: Sequence[Ruling]) -> int | None:
    """The place among the standing rulings of the one that ends the deal, the last where there are more."""
    places = [place for place, ruling in enumerate(rulings) if ruling.decision in STOPPING]
    return places[-1] if places else None
