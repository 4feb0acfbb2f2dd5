"""Who may call what. Whatever does not stand in this table is refused.

A viewer is anybody: the pages of a hall are public. A table writes with its token, only for itself. The
wedstrijdleider logs in. A test walks the app's addresses against this table, both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class Role(Enum):
    """What somebody is to the dashboard; the value is what the store keeps."""

    VIEWER = "viewer"
    TABLE = "table"
    DIRECTOR = "wedstrijdleider"


EVERYBODY: Final = frozenset(Role)
PEOPLE: Final = frozenset({Role.VIEWER, Role.DIRECTOR})
ONLY_TABLE: Final = frozenset({Role.TABLE})
ONLY_DIRECTOR: Final = frozenset({Role.DIRECTOR})

ACCESS: Final[Mapping[str, frozenset[Role]]] = {
    "static": EVERYBODY,
    "health.show": EVERYBODY,
    "hall.show": EVERYBODY,
    "hall.stream": EVERYBODY,
    "table.show": EVERYBODY,
    "table.stream": EVERYBODY,
    "table.state": EVERYBODY,
    "ingest.receive": ONLY_TABLE,
    "sign_in.form": PEOPLE,
    "sign_in.submit": PEOPLE,
    "sign_in.first_form": PEOPLE,
    "sign_in.first_submit": PEOPLE,
    "sign_in.leave": ONLY_DIRECTOR,
    "director.show": ONLY_DIRECTOR,
    "director.stream": ONLY_DIRECTOR,
}


def may_call(role: Role, endpoint: str) -> bool:
    """Whether ``role`` may call ``endpoint``; an endpoint that is not in the table is closed to everybody."""
    return role in ACCESS.get(endpoint, frozenset())
