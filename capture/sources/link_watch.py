"""What to do about a camera: a pure state machine that is told what happened and when, and says what to do.

good picture ─────────────────► give it
bad picture, silence, an error ► tell that it is lost, connect again, until enough pictures are good
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from capture.sources.faults import Fault
from capture.sources.picture_watch import Verdict


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """How patient to be, in seconds.

    silent_s: how long a connected camera may give nothing. connect_s: how long connecting may take.
    first_pause_s, longest_pause_s: before connecting again; the pause doubles with each failure.
    reconnect_each_s: with a connection that gives bad pictures, try another this often.
    good_pictures: how many good ones in a row bring a lost camera back.
    """

    silent_s: float = 2.5
    connect_s: float = 4.5
    first_pause_s: float = 0.2
    longest_pause_s: float = 1.0
    reconnect_each_s: float = 10.0
    good_pictures: int = 3


_BROKEN_OFF: Final = (Fault.ENDED, Fault.GONE, Fault.SILENT)


@dataclass(frozen=True, slots=True)
class Actions:
    """What to do now. lost: tell that the camera is lost. back_after_s: tell that it is back.

    give: hand on the picture. drop: give up the present connection. connect: begin another.
    """

    lost: Fault | None = None
    back_after_s: float | None = None
    give: bool = False
    drop: bool = False
    connect: bool = False


@dataclass(slots=True)
class LinkWatch:
    """Whether the camera is lost, since when, and when to connect again."""

    settings: LinkSettings = field(default_factory=LinkSettings)
    fault: Fault | None = field(default=None, init=False)
    _lost_at_s: float = field(default=0.0, init=False)
    _good: int = field(default=0, init=False)
    _pause_s: float = field(default=0.0, init=False)
    _connected_at_s: float | None = field(default=None, init=False)
    _asked_at_s: float | None = field(default=None, init=False)
    _last_picture_s: float | None = field(default=None, init=False)
    _connect_at_s: float = field(default=0.0, init=False)

    def __post_init__(self) -> None:
        self._pause_s = self.settings.first_pause_s

    def connecting(self, now_s: float) -> None:
        """A connection was asked for."""
        self._asked_at_s, self._connected_at_s, self._last_picture_s = now_s, None, None

    def connected(self, now_s: float) -> None:
        """The camera answered; the first call for a connection counts."""
        if self._connected_at_s is None:
            self._connected_at_s = now_s

    def picture(self, verdict: Verdict, now_s: float) -> Actions:
        """A picture came in and was judged."""
        self._last_picture_s = now_s
        if self.fault is None:
            return self._while_well(verdict, now_s)
        return self._while_lost(verdict, now_s)

    def _while_well(self, verdict: Verdict, now_s: float) -> Actions:
        if verdict.fault is not None:
            self._lose(verdict.fault, now_s)
            # Some cameras only come to their senses when they are asked anew; not one whose lens is covered.
            drop = verdict.fault in (Fault.FROZEN, Fault.REPEATING, Fault.GARBAGE)
            return self._reconnect(now_s, lost=verdict.fault) if drop else Actions(lost=verdict.fault)
        if verdict.clock_jumped:
            return Actions(lost=Fault.CLOCK, back_after_s=0.0, give=True)
        return Actions(give=True)

    def _while_lost(self, verdict: Verdict, now_s: float) -> Actions:
        if verdict.suspicion is None:
            self._good += 1
        elif verdict.suspicion is not Fault.FROZEN:
            # One picture just like the one before proves nothing: a still table on a thrifty camera.
            self._good = 0
        if self._good >= self.settings.good_pictures:
            away_s = now_s - self._lost_at_s
            self.fault, self._pause_s = None, self.settings.first_pause_s
            return Actions(back_after_s=away_s, give=True)
        began_s = self._connected_at_s if self._connected_at_s is not None else now_s
        if now_s - began_s >= self.settings.reconnect_each_s:
            return self._reconnect(now_s)
        return Actions()

    def nothing(self, now_s: float, *, garbled: bool) -> Actions:
        """No picture came in for a moment. garbled: what did come in since the last could not be read."""
        if self._asked_at_s is None:
            return Actions(connect=now_s >= self._connect_at_s)
        if self._connected_at_s is None:
            late = now_s - self._asked_at_s >= self.settings.connect_s
            return self.failed(Fault.REFUSED, now_s) if late else Actions()
        since_s = self._last_picture_s if self._last_picture_s is not None else self._connected_at_s
        if now_s - since_s < self.settings.silent_s:
            return Actions()
        return self.failed(Fault.GARBAGE if garbled else Fault.SILENT, now_s)

    def failed(self, fault: Fault, now_s: float) -> Actions:
        """The connection broke, or could not be made."""
        if self.fault is None:
            self._lose(fault, now_s)
            return self._reconnect(now_s, lost=fault)
        if fault is Fault.REFUSED and self.fault in _BROKEN_OFF:
            # That it cannot be reached at all says more than how it went away.
            self.fault = fault
            return self._reconnect(now_s, lost=fault)
        return self._reconnect(now_s)

    def _lose(self, fault: Fault, now_s: float) -> None:
        self.fault, self._lost_at_s, self._good = fault, now_s, 0

    def _reconnect(self, now_s: float, lost: Fault | None = None) -> Actions:
        self._asked_at_s, self._good = None, 0
        self._connect_at_s = now_s + self._pause_s
        self._pause_s = min(self._pause_s * 2, self.settings.longest_pause_s)
        return Actions(lost=lost, drop=True)
