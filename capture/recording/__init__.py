"""Looking back: what a table's camera saw, kept on the table's own disk."""

from capture.recording.clips import AFTER_S, BEFORE_S, ClipMade, cut_clip
from capture.recording.media_keeper import MediaKeeper
from capture.recording.recorder import Recorder
from capture.recording.segments import KeepingRules, Segment, segments_in

__all__ = [
    "AFTER_S",
    "BEFORE_S",
    "ClipMade",
    "KeepingRules",
    "MediaKeeper",
    "Recorder",
    "Segment",
    "cut_clip",
    "segments_in",
]
