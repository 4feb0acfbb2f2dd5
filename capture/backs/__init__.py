"""The backs that a table shows while it is played: collected, and examined beside the reading (article 1)."""

from capture.backs.collector import BackCollector, CollectedBack
from capture.backs.findings import BackFinding, DealEnd, FindingLog, is_mixed, pack_picture, side_by_side
from capture.backs.watch import BackWatch

__all__ = [
    "BackCollector",
    "BackFinding",
    "BackWatch",
    "CollectedBack",
    "DealEnd",
    "FindingLog",
    "is_mixed",
    "pack_picture",
    "side_by_side",
]
