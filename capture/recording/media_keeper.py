"""What is kept of a running table for people to look back at: video, a crop of each card, clips.

    pictures ──► Recorder (a thread)          segments of video
             └─► CropKeeper                   the best look at each card
    events  ───► MediaKeeper (a thread)       crops and clips on disk, and to the venue

Nothing here holds up reading: what cannot be kept is dropped, and counted.
"""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from capture.errors import DeliveryError, RecordingError
from capture.frame import Frame
from capture.http_venue import LONGEST_CLIP_S, HttpVenue, MediaAnswer, WantedClip
from capture.recording.clips import AFTER_S, BEFORE_S, cut_clip
from capture.recording.crops import CropKeeper
from capture.recording.media_box import MediaBox, Medium
from capture.recording.recorder import Recorder
from capture.recording.segments import KeepingRules
from detector.types import CardDetection
from tracker.events import (
    BackFlagged,
    CardCountWrong,
    CardDoubtful,
    CardExposed,
    CardPlayed,
    CardPlayedOutOfTurn,
    CardsPlayedTogether,
    CardTakenBack,
    Correction,
    Event,
    ForeignCardSeen,
    TrickGatheredWrongly,
)

WITH_CLIP: Final = (
    BackFlagged,
    CardCountWrong,
    CardDoubtful,
    CardExposed,
    CardPlayedOutOfTurn,
    CardsPlayedTogether,
    CardTakenBack,
    ForeignCardSeen,
    TrickGatheredWrongly,
)
"""Events whose clip is sent unasked: a wedstrijdleider must look at them."""

WITH_CROP: Final = (CardPlayed, Correction, CardDoubtful, CardExposed, CardPlayedOutOfTurn, CardTakenBack)
"""Events about one card, which is shown."""

_AboutACard = CardPlayed | Correction | CardDoubtful | CardExposed | CardPlayedOutOfTurn | CardTakenBack

CROP_QUALITY: Final = 82
CLOSE_TIMEOUT_S: Final = 10.0
FIRST_PAUSE_S: Final = 1.0
LONGEST_PAUSE_S: Final = 30.0
MOST_CROPS_WAITING: Final = 200

_ROUND_S: Final = 0.5
_LATE_S: Final = 20.0
_EPOCH: Final = re.compile(r"(\d{8}T\d{6}Z-[0-9a-f]{8})-.+")


@dataclass(frozen=True, slots=True)
class _ClipJob:
    """A clip to be cut once it has been recorded, or by ``latest_s`` on the machine's clock at the latest."""

    identifier: str
    epoch: str
    from_s: float
    to_s: float
    latest_s: float
    wanted: bool


class MediaKeeper:
    """Keeps the media of one epoch of a table below ``recordings``, and sends them to its venue."""

    def __init__(
        self,
        recordings: Path,
        table: str,
        epoch: str,
        venue: HttpVenue | None = None,
        rules: KeepingRules | None = None,
    ) -> None:
        self._recordings = recordings
        self._table = table
        self._epoch = epoch
        self._venue = venue
        self._recorder = Recorder(recordings, epoch, rules)
        self._crops = CropKeeper()
        self._box = MediaBox(recordings, venue is not None)
        self._new_crops: deque[tuple[str, npt.NDArray[np.uint8]]] = deque()
        self._jobs: dict[str, _ClipJob] = {}
        self._changed = threading.Condition()
        self._give_up_s: float | None = None
        self._send_at_s, self._pause_s = 0.0, FIRST_PAUSE_S
        self._problem: RecordingError | None = None
        self._crops_dropped = 0
        self._thread = threading.Thread(target=self._run, name=f"media of table {table}", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> RecordingError | None:
        """Why not everything is being kept; None when all is well."""
        return self._recorder.problem or self._problem

    @property
    def frames_dropped(self) -> int:
        """How many pictures should have been kept and were not."""
        return self._recorder.frames_dropped

    @property
    def undelivered(self) -> int:
        """How many pictures and clips the venue does not have yet."""
        return len(self._box.waiting()) + len(self._jobs) if self._venue is not None else 0

    def record(self, frame: Frame) -> None:
        """Take in a picture; before it is read, which takes a while."""
        self._recorder.record(frame)

    def see(self, frame: Frame, detections: Iterable[CardDetection]) -> None:
        """Take in what was found in a picture."""
        self._crops.see(frame.monotonic_s, frame.image, detections)

    def told(
        self,
        first_sequence: int,
        events: Sequence[Event],
        pictures: Mapping[int, npt.NDArray[np.uint8]] | None = None,
    ) -> None:
        """These events were told, numbered from ``first_sequence`` on.

        pictures: of an event that brings its own, by its place among ``events``, from 0.
        """
        for place, event in enumerate(events):
            identifier = f"{self._epoch}-{first_sequence + place}"
            if pictures is not None and place in pictures:
                self._add_crop(identifier, pictures[place])
            if isinstance(event, WITH_CROP):
                self._keep_crop(identifier, event)
            if isinstance(event, WITH_CLIP) and event.video is not None:
                from_s, to_s = event.video.from_s - BEFORE_S, event.video.to_s + AFTER_S
                self._add_job(identifier, self._epoch, max(from_s, to_s - LONGEST_CLIP_S), to_s, wanted=False)

    def want(self, clips: Iterable[WantedClip]) -> None:
        """The venue asks for these clips."""
        for clip in clips:
            match = _EPOCH.fullmatch(clip.identifier)
            epoch = match.group(1) if match else ""
            self._add_job(clip.identifier, epoch, clip.from_s, clip.to_s, wanted=True)

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> int:
        """Keep what there is, try for ``timeout_s`` to send it, and stop; gives how many were not sent."""
        self._recorder.close()
        with self._changed:
            self._give_up_s = time.monotonic() + timeout_s
            self._changed.notify()
        self._thread.join(timeout_s + 1.0)
        return self.undelivered

    def _keep_crop(self, identifier: str, event: _AboutACard) -> None:
        if event.video is None:
            return
        crop = self._crops.find(event.card.code, event.video.from_s, event.video.to_s)
        if crop is not None:
            self._add_crop(identifier, crop)

    def _add_crop(self, identifier: str, crop: npt.NDArray[np.uint8]) -> None:
        with self._changed:
            if len(self._new_crops) >= MOST_CROPS_WAITING:
                self._crops_dropped += 1
                return
            self._new_crops.append((identifier, crop))
            self._changed.notify()

    def _add_job(self, identifier: str, epoch: str, from_s: float, to_s: float, *, wanted: bool) -> None:
        with self._changed:
            if identifier not in self._jobs:
                latest_s = time.monotonic() + max(0.0, to_s - from_s) + _LATE_S
                self._jobs[identifier] = _ClipJob(identifier, epoch, from_s, to_s, latest_s, wanted)

    # ------------------------------------------------------------------------------- the thread's own

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._new_crops or self._give_up_s is not None, _ROUND_S)
            self._write_crops()
            self._cut_clips()
            sent_all = self._send()
            if self._give_up_s is not None and (sent_all or time.monotonic() >= self._give_up_s):
                return
            if self._give_up_s is not None:
                time.sleep(min(_ROUND_S, FIRST_PAUSE_S))

    def _write_crops(self) -> None:
        while self._new_crops:
            identifier, crop = self._new_crops.popleft()
            _, data = cv2.imencode(".webp", crop, [cv2.IMWRITE_WEBP_QUALITY, CROP_QUALITY])
            try:
                self._box.write("crop", identifier, data.tobytes())
                self._problem = None
            except RecordingError as error:
                self._problem = error

    def _cut_clips(self) -> None:
        for job in list(self._jobs.values()):
            if self._is_due(job):
                self._cut(job)
                with self._changed:
                    self._jobs.pop(job.identifier, None)

    def _is_due(self, job: _ClipJob) -> bool:
        if job.epoch != self._epoch or self._give_up_s is not None or time.monotonic() >= job.latest_s:
            return True
        # The last half second is on its way to the disk.
        recorded_s = self._recorder.recorded_until_s
        return recorded_s is not None and recorded_s >= job.to_s + 1.0

    def _cut(self, job: _ClipJob) -> None:
        try:
            if not self._box.send_again("clip", job.identifier):
                output = self._box.new_path("clip", job.identifier)
                cut_clip(self._recordings, job.epoch, job.from_s, job.to_s, output)
        except RecordingError:
            if job.wanted and self._venue is not None:
                # Away for a moment, it will ask again.
                with contextlib.suppress(DeliveryError):
                    self._venue.withdraw_clip(self._table, job.identifier)

    def _send(self) -> bool:
        """Send what waits; False when something still does."""
        if self._venue is None:
            return True
        waiting = self._box.waiting()
        if time.monotonic() < self._send_at_s and self._give_up_s is None:
            return not waiting
        return all(self._send_one(self._venue, medium) for medium in waiting)

    def _send_one(self, venue: HttpVenue, medium: Medium) -> bool:
        if self._give_up_s is not None and time.monotonic() >= self._give_up_s:
            return False
        try:
            content = medium.path.read_bytes()
            answer = venue.put_media(
                self._table, medium.kind, medium.identifier, content, medium.content_type
            )
            if answer is MediaAnswer.NOT_NOW:
                return self._pause()
            self._box.done(medium)
        except (DeliveryError, OSError):
            return self._pause()
        self._pause_s = FIRST_PAUSE_S
        return True

    def _pause(self) -> bool:
        self._send_at_s = time.monotonic() + self._pause_s
        self._pause_s = min(self._pause_s * 2, LONGEST_PAUSE_S)
        return False
