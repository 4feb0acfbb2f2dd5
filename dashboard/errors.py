"""What can go wrong in the dashboard, each with the status and the code that a caller sees.

DashboardError
├── MalformedRequestError 400  not the JSON that is asked for
├── EventConflictError    409  a key that is already stored, with other content
├── MediaRefusedError     4xx, 507  a crop or clip that is not kept; it carries its own status
├── WrongTableError       403  an event or a token of another table
├── TooManyStreamsError   503  every place for a live page is taken
├── TooManyAttemptsError  429  logging in was tried too often
├── EveningError          409  an evening that cannot be changed like that
├── PrintingError         503  what makes a PDF is not installed
├── AlreadyDecidedError   409  somebody decided about this deal meanwhile
├── ChangedMeanwhileError 409  what was shown before pressing is no longer so
└── SignInRefusedError    403  a wrong name, password or first-run code
"""

from __future__ import annotations

from typing import ClassVar


class DashboardError(Exception):
    """The parent; ``str(error)`` is one plain sentence for whoever called."""

    status: int = 500
    code: ClassVar[str] = "internal"
    retry_after_s: int | None = None


class MalformedRequestError(DashboardError):
    """The request is not what the address asks for; the message says where."""

    status = 400
    code = "malformed"


class MediaRefusedError(DashboardError):
    """A crop or clip is not kept: too large (413), another kind (415), no length (411), disk full (507)."""

    code = "media_refused"

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class EventConflictError(DashboardError):
    """The key (table, epoch, sequence) is stored already, and says something else."""

    status = 409
    code = "conflict"

    def __init__(self, table: str, epoch: str, sequence: int) -> None:
        super().__init__(f"table {table}, epoch {epoch}, sequence {sequence} is stored with other content")
        self.sequence = sequence


class WrongTableError(DashboardError):
    """A table may write only for itself."""

    status = 403
    code = "wrong_table"


class TooManyStreamsError(DashboardError):
    """Every place for a live page is taken; ordinary pages still work."""

    status = 503
    code = "too_many_streams"
    retry_after_s = 15


class TooManyAttemptsError(DashboardError):
    """Logging in was tried too often."""

    status = 429
    code = "too_many_attempts"

    def __init__(self, retry_after_s: int) -> None:
        super().__init__(f"too many attempts; try again in {retry_after_s} seconds")
        self.retry_after_s = retry_after_s


class SignInRefusedError(DashboardError):
    """A wrong name, password or first-run code; the message does not say which."""

    status = 403
    code = "sign_in_refused"


class EveningError(DashboardError):
    """An evening cannot be changed like that.

    reason: a short name for why, which the pages put into words. subject: the name or number it is about.
    """

    status = 409
    code = "evening"

    def __init__(self, reason: str, subject: str = "") -> None:
        super().__init__(f"{reason}: {subject}" if subject else reason)
        self.reason = reason
        self.subject = subject


class PrintingError(DashboardError):
    """What makes a PDF is not installed; the message says what to install."""

    status = 503
    code = "printing"


class AlreadyDecidedError(DashboardError):
    """Somebody decided about this deal between looking and pressing; the message says who and what."""

    status = 409
    code = "already_decided"


class ChangedMeanwhileError(DashboardError):
    """What was shown before pressing is no longer so; nothing was written."""

    status = 409
    code = "changed_meanwhile"
