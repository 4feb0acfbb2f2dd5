"""Which tables live: what each said of itself last, and when that is too long ago. Kept in memory only.

A table's process tells every two seconds that it lives (``capture/README.md`` has the contract). One that
falls silent is noticed by a small thread that runs only as long as there is a table to watch.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final

from dashboard.errors import MalformedRequestError

SILENT_AFTER_S: Final = 7.0
"""Three statuses missed."""
STALE_PICTURE_S: Final = 5.0
"""A table without a new picture for so long is not being watched."""
TWICE_FOR_S: Final = 15.0
"""So long after a run was heard again while another one spoke, the table counts as told by two programs."""
_LOOK_EVERY_S: Final = 1.0
_LONGEST_TEXT: Final = 300
_LONGEST_NUMBER: Final = 1e12


class Lamp(Enum):
    """How a table is, at a glance; the value is also the name of its wording."""

    UNKNOWN = "unknown"
    WATCHING = "watching"
    SILENT = "silent"
    STOPPED = "stopped"
    CAMERA = "camera"
    OLD_PICTURE = "old_picture"
    TWICE = "twice"

    @property
    def is_trouble(self) -> bool:
        """Whether somebody should go and look."""
        return self in (Lamp.SILENT, Lamp.CAMERA, Lamp.OLD_PICTURE, Lamp.TWICE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus:
    """What a table says of itself; ages in seconds. ``camera_fault`` and messages: None when all is well."""

    epoch: str
    sequence: int
    state: str
    sent_utc: datetime | None
    started_utc: datetime | None
    deal: int | None
    camera_state: str
    camera_fault: str | None
    camera_message_nl: str | None
    camera_message_en: str | None
    camera_since_utc: datetime | None
    picture_age_s: float | None
    frames_per_second: float | None
    calibrated: bool | None
    recording: bool
    recording_problem_nl: str | None
    recording_problem_en: str | None
    undelivered_events: int
    undelivered_media: int


@dataclass(frozen=True, slots=True)
class TablePresence:
    """A table as it is now: its lamp, what it said last, and how many seconds ago (None: never)."""

    lamp: Lamp
    status: TableStatus | None = None
    silent_s: float | None = None

    @property
    def picture_age_s(self) -> float | None:
        """How old the picture is now, silence counted."""
        if self.status is None or self.status.picture_age_s is None or self.silent_s is None:
            return None
        return self.status.picture_age_s + self.silent_s

    @property
    def is_recording(self) -> bool:
        """Whether pictures are being kept, as far as is known; a silent table is not believed."""
        return self.status is not None and self.status.recording and self.lamp is not Lamp.SILENT


NEVER_HEARD: Final = TablePresence(Lamp.UNKNOWN)


class Presence:
    """The tables that said something. ``changed(table)`` is called when what is shown of one changes."""

    def __init__(self, changed: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._changed = changed
        self._clock = clock
        self._lock = threading.Lock()
        self._heard: dict[str, tuple[float, TableStatus]] = {}
        self._twice_s: dict[str, float] = {}
        self._runs: dict[str, dict[str, float]] = {}
        self._shown: dict[str, object] = {}
        self._watch: threading.Thread | None = None

    def heard(self, table: str, status: TableStatus) -> None:
        """A table said how it is. An older word of the same run that comes later is forgotten."""
        with self._lock:
            known = self._heard.get(table)
            if known and known[1].epoch == status.epoch and known[1].sequence >= status.sequence:
                return
            self._note_run(table, status.epoch, known)
            self._heard[table] = (self._clock(), status)
            if self._watch is None:
                self._watch = threading.Thread(target=self._look, name="presence of tables", daemon=True)
                self._watch.start()
        self.look_once()

    def _note_run(self, table: str, epoch: str, known: tuple[float, TableStatus] | None) -> None:
        """See whether a run speaks again after another one did: a run that was started anew never does.

        Only those heard lately are remembered: two programs that both live speak every few seconds.
        """
        now_s = self._clock()
        runs = {run: at_s for run, at_s in self._runs.get(table, {}).items() if now_s - at_s < TWICE_FOR_S}
        if known and known[1].epoch != epoch and known[1].state != "stopped" and epoch in runs:
            self._twice_s[table] = now_s
        runs[epoch] = now_s
        self._runs[table] = runs

    def of(self, table: str) -> TablePresence:
        """How a table is now."""
        with self._lock:
            known = self._heard.get(table)
            twice_s = self._twice_s.get(table)
        if known is None:
            return NEVER_HEARD
        silent_s = self._clock() - known[0]
        is_twice = twice_s is not None and self._clock() - twice_s < TWICE_FOR_S
        lamp = Lamp.TWICE if is_twice else _lamp(known[1], silent_s)
        return TablePresence(lamp, known[1], silent_s)

    def all(self) -> Mapping[str, TablePresence]:
        """Every table that ever said something since the venue started."""
        with self._lock:
            tables = list(self._heard)
        return {table: self.of(table) for table in tables}

    def look_once(self) -> None:
        """Tell of every table that is shown otherwise than the last time."""
        for table, presence in self.all().items():
            shown = _as_shown(presence)
            with self._lock:
                is_other = self._shown.get(table) != shown
                self._shown[table] = shown
            if is_other:
                self._changed(table)

    def _look(self) -> None:
        while True:
            time.sleep(_LOOK_EVERY_S)
            self.look_once()
            with self._lock:
                if all(self._clock() - heard_s > 2 * SILENT_AFTER_S for heard_s, _ in self._heard.values()):
                    self._watch = None
                    return


def parse_status(value: Any) -> TableStatus:
    """What a table posts. Fields that are not known are passed over: a newer table may say more.

    Raises:
        MalformedRequestError: for another shape, or a value of another kind.
    """
    status = _Reader(value, "the status")
    camera, recording = status.inner("camera"), status.inner("recording")
    return TableStatus(
        epoch=status.text("epoch") or "",
        sequence=status.whole("sequence") or 0,
        state=status.text("state") or "running",
        sent_utc=status.time("sent_utc"),
        started_utc=status.time("started_utc"),
        deal=status.whole("deal"),
        camera_state=camera.text("state") or "ok",
        camera_fault=camera.text("fault"),
        camera_message_nl=camera.text("message_nl"),
        camera_message_en=camera.text("message_en"),
        camera_since_utc=camera.time("since_utc"),
        picture_age_s=camera.number("picture_age_s"),
        frames_per_second=camera.number("frames_per_second"),
        calibrated=camera.flag("calibrated"),
        recording=recording.flag("on") or False,
        recording_problem_nl=recording.text("problem_nl"),
        recording_problem_en=recording.text("problem_en"),
        undelivered_events=status.whole("undelivered_events") or 0,
        undelivered_media=status.whole("undelivered_media") or 0,
    )


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the fields of one JSON object; a field that is absent or null is None."""

    value: Any
    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.value, dict):
            raise MalformedRequestError(f"{self.name} must be an object")

    def inner(self, name: str) -> _Reader:
        return _Reader(self.value.get(name) or {}, name)

    def text(self, name: str) -> str | None:
        value = self.value.get(name)
        if value is not None and (not isinstance(value, str) or len(value) > _LONGEST_TEXT):
            raise self._refused(name, f"text of at most {_LONGEST_TEXT} characters")
        return value

    def number(self, name: str) -> float | None:
        value = self.value.get(name)
        if value is None:
            return None
        if type(value) not in (int, float) or not (math.isfinite(value) and 0 <= value < _LONGEST_NUMBER):
            raise self._refused(name, "a number of 0 or more")
        return float(value)

    def whole(self, name: str) -> int | None:
        value = self.number(name)
        return None if value is None else int(value)

    def flag(self, name: str) -> bool | None:
        value = self.value.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._refused(name, "true or false")
        return value

    def time(self, name: str) -> datetime | None:
        text = self.text(name)
        if text is None:
            return None
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            raise self._refused(name, "a UTC time") from error
        if moment.tzinfo is None:
            raise self._refused(name, "a UTC time")
        return moment

    def _refused(self, name: str, wants: str) -> MalformedRequestError:
        return MalformedRequestError(f"{self.name}.{name} must be {wants}")


def _lamp(status: TableStatus, silent_s: float) -> Lamp:
    if status.state == "stopped":
        return Lamp.STOPPED
    if silent_s > SILENT_AFTER_S:
        return Lamp.SILENT
    if status.camera_state != "ok":
        return Lamp.CAMERA
    age_s = status.picture_age_s
    return Lamp.OLD_PICTURE if age_s is not None and age_s > STALE_PICTURE_S else Lamp.WATCHING


def _as_shown(presence: TablePresence) -> object:
    """What pages are drawn anew for; that a second went by is not among it."""
    status = presence.status
    if status is None:
        return presence.lamp
    return (
        presence.lamp,
        status.recording,
        status.camera_state,
        status.camera_fault,
        status.recording_problem_nl,
        status.undelivered_events > 0,
    )
