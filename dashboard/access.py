"""Who may call what. Whatever does not stand in this table is refused.

A viewer is anybody: the pages of a hall are public. A table's process writes with its token, and its tablet
with the session that a code or that token gave it, both only for their own table. The wedstrijdleider logs
in, and the organiser, who is a wedstrijdleider too, says who else may. A test walks the app's addresses
against this table, both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class Role(Enum):
    """What somebody is to the dashboard; the value is what the store keeps."""

    VIEWER = "viewer"
    TABLE = "table"
    TABLET = "tablet"
    DIRECTOR = "wedstrijdleider"
    ORGANISER = "organisator"


OF_A_TABLE: Final = frozenset({Role.TABLE, Role.TABLET})
"""Those who may write for one table only."""


EVERYBODY: Final = frozenset(Role)
PEOPLE: Final = frozenset({Role.VIEWER, Role.TABLET, Role.DIRECTOR, Role.ORGANISER})
ONLY_TABLE: Final = frozenset({Role.TABLE})
ONLY_TABLET: Final = frozenset({Role.TABLET})
ONLY_DIRECTOR: Final = frozenset({Role.DIRECTOR, Role.ORGANISER})
ONLY_ORGANISER: Final = frozenset({Role.ORGANISER})

ACCESS: Final[Mapping[str, frozenset[Role]]] = {
    "static": EVERYBODY,
    "health.show": EVERYBODY,
    "hall.show": EVERYBODY,
    "hall.stream": EVERYBODY,
    "hall.screen": EVERYBODY,
    "hall.screen_stream": EVERYBODY,
    "together.stream": EVERYBODY,
    "table.show": EVERYBODY,
    "table.stream": EVERYBODY,
    "table.state": EVERYBODY,
    "ingest.receive": ONLY_TABLE,
    "status.receive": ONLY_TABLE,
    "media.receive": ONLY_TABLE,
    "media.withdraw": ONLY_TABLE,
    "media.show": ONLY_DIRECTOR,
    "table_input.show": ONLY_TABLET,
    "table_input.stream": ONLY_TABLET,
    "table_input.say": ONLY_TABLET,
    "tablet.form": PEOPLE,
    "tablet.submit": PEOPLE,
    "tablet.leave": ONLY_TABLET,
    "tablet.pair": ONLY_DIRECTOR,
    "sign_in.form": PEOPLE,
    "sign_in.submit": PEOPLE,
    "sign_in.first_form": PEOPLE,
    "sign_in.first_submit": PEOPLE,
    "sign_in.leave": ONLY_DIRECTOR,
    "director.show": ONLY_DIRECTOR,
    "director.stream": ONLY_DIRECTOR,
    "ruling.show": ONLY_DIRECTOR,
    "ruling.decide": ONLY_DIRECTOR,
    "ruling.acknowledge": ONLY_DIRECTOR,
    "replay.show": ONLY_DIRECTOR,
    "replay.best_play": ONLY_DIRECTOR,
    "replay.protest": ONLY_DIRECTOR,
    "replay.film": ONLY_DIRECTOR,
    "replay.ask_film": ONLY_DIRECTOR,
    "correction.card": ONLY_DIRECTOR,
    "correction.save_card": ONLY_DIRECTOR,
    "correction.facts": ONLY_DIRECTOR,
    "correction.save_facts": ONLY_DIRECTOR,
    "desk.log": ONLY_DIRECTOR,
    "desk.warnings": ONLY_DIRECTOR,
    "desk.warn": ONLY_DIRECTOR,
    "phone.show": ONLY_DIRECTOR,
    "phone.worker": ONLY_DIRECTOR,
    "phone.subscribe": ONLY_DIRECTOR,
    "phone.unsubscribe": ONLY_DIRECTOR,
    "organiser.show": ONLY_ORGANISER,
    "organiser.add_account": ONLY_ORGANISER,
    "organiser.renew_password": ONLY_ORGANISER,
    "organiser.take_account": ONLY_ORGANISER,
    "organiser.new_token": ONLY_ORGANISER,
    "organiser.revoke_tokens": ONLY_ORGANISER,
    "standings.show": EVERYBODY,
    "standings.season": EVERYBODY,
    "schedule.show": EVERYBODY,
    "tellijst.show": EVERYBODY,
    "tellijst.paper": EVERYBODY,
    "tellijst.round_paper": EVERYBODY,
    "evenings.overview": ONLY_DIRECTOR,
    "evenings.create": ONLY_DIRECTOR,
    "evenings.show": ONLY_DIRECTOR,
    "evenings.set_up": ONLY_DIRECTOR,
    "evenings.add": ONLY_DIRECTOR,
    "evenings.rename": ONLY_DIRECTOR,
    "evenings.participant": ONLY_DIRECTOR,
    "evenings.draw": ONLY_DIRECTOR,
    "evenings.start": ONLY_DIRECTOR,
    "evenings.unstart": ONLY_DIRECTOR,
    "evenings.finish": ONLY_DIRECTOR,
    "paper.show": ONLY_DIRECTOR,
    "paper.write": ONLY_DIRECTOR,
    "exchange.send": ONLY_DIRECTOR,
    "exchange.receive": ONLY_DIRECTOR,
}


def may_call(role: Role, endpoint: str) -> bool:
    """Whether ``role`` may call ``endpoint``; an endpoint that is not in the table is closed to everybody."""
    return role in ACCESS.get(endpoint, frozenset())
