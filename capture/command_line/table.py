"""``klaveroog table``: one table, from its camera or film to its results."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from capture.command_line.results import results_in_words
from capture.settings import load_table_config
from capture.table_process import TableOutcome, run_table


def table(
    source: Annotated[
        str | None,
        typer.Option(help="cameranummer, rtsp://…, film, map met foto's, of simulator:GETAL"),
    ] = None,
    dealer: Annotated[str | None, typer.Option(help="wie het eerste spel geeft: N, O, Z of W")] = None,
    trump: Annotated[
        list[str] | None,
        typer.Option(help="troef van het eerste spel (K R H S); herhaal voor de volgende spellen"),
    ] = None,
    declarer: Annotated[str | None, typer.Option(help="wie het eerste spel speelt: N, O, Z of W")] = None,
    reglement: Annotated[str | None, typer.Option(help="de spelregels, bijvoorbeeld klaverjas-drive")] = None,
    deal: Annotated[int | None, typer.Option(help="nummer van het eerste spel")] = None,
    deals: Annotated[int | None, typer.Option(help="aantal spellen van de simulator")] = None,
    fps: Annotated[float | None, typer.Option(help="foto's per seconde van een map of de simulator")] = None,
    events: Annotated[
        Path | None, typer.Option(help="schrijf de gebeurtenissen hierheen (JSON-regels)")
    ] = None,
    journal: Annotated[Path | None, typer.Option(help="SQLite-bestand met alles wat gezien is")] = None,
    venue: Annotated[
        str | None, typer.Option(help="adres van de zaal, bijvoorbeeld http://zaal:8000")
    ] = None,
    token: Annotated[str | None, typer.Option(help="sleutel van deze tafel bij de zaal")] = None,
    table: Annotated[str | None, typer.Option(help="naam van de tafel")] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="waar de tafel ligt, gemaakt door klaveroog calibrate")
    ] = None,
    record: Annotated[bool | None, typer.Option(help="neem op; anders alleen camera's")] = None,
    config: Annotated[Path | None, typer.Option(help="instellingen in TOML")] = None,
) -> None:
    """Lees één tafel: van camera of film naar slagen en score. / Read one table, to its score.

    Een film wordt zo snel gelezen als het gaat; een camera tot Ctrl-C.
    """
    given: dict[str, Any] = {
        "source": source,
        "dealer": dealer,
        "trump": tuple(trump) if trump else None,
        "declarer": declarer,
        "reglement": reglement,
        "deal": deal,
        "simulated_deals": deals,
        "frames_per_second": fps,
        "events": events,
        "journal": journal,
        "venue": venue,
        "token": token,
        "table": table,
        "calibration": calibration,
        "record": record,
    }
    settings = load_table_config(config, {name: value for name, value in given.items() if value is not None})
    with stopped_by_signals() as stop:
        # At once and not at the end: a lost camera or venue is something to walk over for.
        outcome = run_table(
            settings, stop=stop, notice=lambda sentence: typer.echo(f"klaveroog: {sentence}", err=True)
        )
    report(outcome)


def report(outcome: TableOutcome) -> None:
    """Tell how the run went; an error of source or delivery ends the command.

    Raises:
        SourceError, DeliveryError: what the outcome tells of.
    """
    lines = list(results_in_words(outcome.events))
    for line in lines or ["Geen spel gezien. / No deal seen."]:
        typer.echo(line)
    typer.echo(
        f"{outcome.frames_read} beelden gelezen, {outcome.detections_reused} zonder beweging, "
        f"{outcome.frames_dropped} overgeslagen / {outcome.frames_read} pictures read, "
        f"{outcome.detections_reused} without motion, {outcome.frames_dropped} dropped"
    )
    if outcome.undelivered:
        typer.echo(
            f"{outcome.undelivered} gebeurtenissen zijn nog niet bij de zaal; ze staan in {outcome.journal} "
            "en gaan de volgende keer mee / they are not at the venue yet and go along next time"
        )
    if outcome.source_error is not None:
        raise outcome.source_error
    if outcome.delivery_error is not None:
        raise outcome.delivery_error


@contextmanager
def stopped_by_signals() -> Iterator[threading.Event]:
    """An event that the first Ctrl-C or SIGTERM sets; a second Ctrl-C ends at once."""
    stop = threading.Event()

    def on_signal(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
