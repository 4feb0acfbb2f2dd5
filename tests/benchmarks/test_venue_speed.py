"""How soon open pages show an event, measured against how long a page takes in the same run."""

from __future__ import annotations

from collections.abc import Callable

from tests.benchmarks.venue_load import measure, percentile


def test_an_event_is_on_every_open_page_within_the_time_of_a_few_pages(
    record_testsuite_property: Callable[[str, object], None],
) -> None:
    load = measure(streams=60, tables=4, events=24)
    assert load.missed == 0
    assert (load.refused_status, load.page_status_when_full) == (503, 200)
    ratio = percentile(load.event_delays_s, 0.5) / percentile(load.page_times_s, 0.5)
    record_testsuite_property("event_delay_in_page_times", round(ratio, 2))
    assert ratio < 15
