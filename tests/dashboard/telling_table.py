"""A table without its camera, as a process that can be killed: the real journal and the real delivery.

``python -m tests.dashboard.telling_table JOURNAL ADDRESS TOKEN SEED`` tells of deal after deal as fast as its
disk allows. Each event is in the journal before it counts; then ``<epoch> <sequence>`` is printed.
With SEED 0 it tells nothing, delivers what is left and ends.
"""

from __future__ import annotations

import sys
from pathlib import Path

from capture.delivery import Delivery
from capture.http_venue import HttpVenue
from capture.journal import Journal
from tests.dashboard.played_deals import played_deal

_DELIVERED_WITHIN_S = 60.0
_MOST_DEALS = 1_000


def main() -> int:
    """How many events were not delivered."""
    path, address, token, seed = sys.argv[1:]
    with Journal(Path(path)) as journal:
        delivery = Delivery(journal, HttpVenue(address, token), "1", address, longest_pause_s=0.5)
        if int(seed):
            _tell(journal, delivery, address, int(seed))
        return min(delivery.close(_DELIVERED_WITHIN_S), 100)


def _tell(journal: Journal, delivery: Delivery, address: str, seed: int) -> None:
    epoch = journal.start_epoch("1", "film", address)
    for number in range(1, _MOST_DEALS):
        for event in played_deal(seed=seed, number=number):
            first = journal.append(epoch, [event])
            delivery.wake()
            sys.stdout.write(f"{epoch} {first}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
