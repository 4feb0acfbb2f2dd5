"""Watches for new alerts and tells them, once each: to phones, and to the club's own program (webhook).

In a thread of its own: whoever is slow or away holds up nobody. What is told is written down, so that a
restart tells nothing twice.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import insert, select

from dashboard.desk.status import Case
from dashboard.live import ALL_TABLES, LiveHub
from dashboard.notify.outgoing import ForbiddenAddressError, Outgoing, OutgoingError
from dashboard.notify.phones import Phones
from dashboard.store import Store
from dashboard.store.database import utc_text
from dashboard.store.desk_schema import TOLD_ALERTS

_LOOK_EVERY_S: Final = 10.0
_TOO_OLD_AT_START: Final = timedelta(minutes=15)
_RETRY_AFTER_S: Final = (1.0, 5.0, 20.0)

AlertKey = tuple[str, str, str]
"""Table, match and what somebody is called for (``Alert.call_key``)."""

CaseReader = Callable[[], Iterable[Case]]
Phrasing = Callable[[Case, str], dict[str, str]]
"""A case in a language to ``title``, ``body``, ``url`` and ``tag``."""


@dataclass(frozen=True, slots=True)
class Channels:
    """Where alerts are told. webhook: an address, empty when there is none. contact: who runs this venue."""

    phones: Phones | None
    webhook: str
    phone_outgoing: Outgoing
    webhook_outgoing: Outgoing
    contact: str
    language: str


class Messenger:
    """Tells each new alert once.

    retry_after_s: how long to wait before the second, third … try to reach the webhook or a phone.
    """

    def __init__(
        self,
        store: Store,
        hub: LiveHub,
        read: CaseReader,
        phrase: Phrasing,
        channels: Channels,
        retry_after_s: tuple[float, ...] = _RETRY_AFTER_S,
    ) -> None:
        self._store = store
        self._hub = hub
        self._read = read
        self._phrase = phrase
        self._channels = channels
        self._retry_after_s = retry_after_s
        self._stopping = threading.Event()
        self._told = self._told_before()

    def start(self) -> None:
        """Watch in the background, until the process ends or ``stop`` is called."""
        threading.Thread(target=self._watch, name="messenger", daemon=True).start()

    def stop(self) -> None:
        """Tell nothing more."""
        self._stopping.set()

    def pass_over_old(self, now: datetime) -> None:
        """At the start: what happened long ago is not told any more."""
        for case in self._read():
            if now - case.alert.time_utc > _TOO_OLD_AT_START:
                self._mark(key_of(case))

    def tell_new(self) -> int:
        """Tell everything that is new; how many alerts that were."""
        fresh = [
            case
            for case in self._read()
            if case.is_fresh and case.is_worth_calling_for and key_of(case) not in self._told
        ]
        by_call = {key_of(case): case for case in fresh}
        for key, case in by_call.items():
            self._tell(case)
            self._mark(key)
        return len(by_call)

    def _watch(self) -> None:
        self.pass_over_old(datetime.now(UTC))
        known = -1
        while not self._stopping.is_set():
            last = self._hub.wait_beyond(ALL_TABLES, known, _LOOK_EVERY_S)
            if last != known and not self._stopping.is_set():  # It may have been stopped while it waited.
                self.tell_new()
            known = last

    def _tell(self, case: Case) -> None:
        channels = self._channels
        for phone in channels.phones.all() if channels.phones else ():
            message = self._phrase(case, phone.language)
            phones = channels.phones
            assert phones is not None
            self._insist(
                lambda phones=phones, phone=phone, message=message: phones.send(  # type: ignore[misc]
                    phone, message, channels.phone_outgoing, channels.contact
                )
            )
        if channels.webhook:
            body = json.dumps(self._document(case), ensure_ascii=False).encode()
            self._insist(lambda: self._post(body))

    def _document(self, case: Case) -> dict[str, object]:
        """What a webhook gets."""
        alert = case.alert
        return {
            "event": "alert",
            "table": alert.table,
            "match": case.match,
            "deal": alert.deal,
            "kind": alert.kind.value,
            "key": alert.key,
            "time_utc": utc_text(alert.time_utc),
            "certainty": alert.certainty,
            **self._phrase(case, self._channels.language),
        }

    def _post(self, body: bytes) -> None:
        headers = {"Content-Type": "application/json", "User-Agent": "klaveroog"}
        status = self._channels.webhook_outgoing.post(self._channels.webhook, body, headers)
        if not 200 <= status < 300:
            raise OutgoingError(f"the webhook answered {status}")

    def _insist(self, send: Callable[[], None]) -> None:
        """Try, and try again a few times; then it stays on the desk alone."""
        for wait_s in (*self._retry_after_s, None):
            try:
                return send()
            except ForbiddenAddressError:
                return None
            except OutgoingError:
                if wait_s is None or self._stopping.wait(wait_s):
                    return None
        return None

    def _told_before(self) -> set[AlertKey]:
        query = select(TOLD_ALERTS.c.table_name, TOLD_ALERTS.c.match_key, TOLD_ALERTS.c.alert_key)
        with self._store.reading() as connection:
            return {(row.table_name, row.match_key, row.alert_key) for row in connection.execute(query)}

    def _mark(self, key: AlertKey) -> None:
        if key in self._told:
            return
        self._told.add(key)
        table, match, alert = key
        with self._store.writing() as connection:
            connection.execute(
                insert(TOLD_ALERTS).values(
                    table_name=table, match_key=match, alert_key=alert, time_utc=utc_text()
                )
            )


def key_of(case: Case) -> AlertKey:
    """What tells a case apart from every other that somebody is called for."""
    return case.alert.table, case.match, case.alert.call_key
