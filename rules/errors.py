"""What can go wrong when the rules are given something that is not klaverjas.

    RulesError
    ├── NotationError      a text that names no card, suit or seat
    ├── ReglementError     a reglement that does not exist, or a setting that it does not have
    ├── DocumentError      a deal written down in a way that cannot be read
    ├── ScheduleError      an evening that cannot be planned
    ├── SolverError        a deal whose hands are not all known, or a search that is not installed
    └── ClaimError         a claim that is none: too many tricks, hands that do not fit

A fault *in play* (verzaken, out of turn, a card seen twice) is never an error: it is a value in the deal.
"""


class RulesError(ValueError):
    """The parent of everything that ``rules`` raises."""


class NotationError(RulesError):
    """A text that names no card, suit or seat; the message holds the text."""


class ReglementError(RulesError):
    """An unknown reglement, or a setting it does not have; the message names the nearest one known."""


class DocumentError(RulesError):
    """A written deal that cannot be read; the message says where and what was found."""


class ScheduleError(RulesError):
    """An evening that cannot be planned: too few participants, a name twice, fewer rounds than played."""


class SolverError(RulesError):
    """A deal that cannot be solved: not all hands seen, or a search asked for that is not installed."""


class ClaimError(RulesError):
    """Something that cannot be a claim: more tricks than are left, or hands that do not fit together."""
