"""``klaveroog demo``: three simulated deals, read by their pixels, live on the dashboard."""

from __future__ import annotations

import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from capture.command_line.results import results_in_words
from capture.command_line.table import stopped_by_signals
from capture.demo import TABLE, DemoVenue, HappeningNow
from capture.demo_check import check_demo
from capture.settings import TableConfig
from capture.sources import PacedSource, SimulatorSource
from capture.table_process import TableOutcome, run_table

if TYPE_CHECKING:
    from capture.simulator import Film

DEALS: Final = 3
DEAL_WITH_VERZAKING: Final = 2
DEFAULT_PORT: Final = 8000

_WAIT_S: Final = 0.5


def demo(
    headless: Annotated[
        bool, typer.Option("--headless", help="zo snel mogelijk, controleer de uitslagen en stop")
    ] = False,
    seed: Annotated[int, typer.Option(help="hetzelfde getal geeft dezelfde spellen", min=0)] = 1,
    port: Annotated[
        int | None,
        typer.Option(help="poort van het dashboard (8000; met --headless een vrije)", min=0, max=65535),
    ] = None,
) -> None:
    """Laat alles zien: drie gesimuleerde spellen, van beeld tot tellijst. / Three simulated deals, live.

    In het tweede spel wordt verzaakt; dat ziet alleen de wedstrijdleider.
    """
    # Drawing needs time to load, and only this command and simulate draw.
    from capture.simulator import Film, Irregularity

    film = Film(seed, DEALS, irregularities={DEAL_WITH_VERZAKING: Irregularity.VERZAKEN})
    wanted_port = port if port is not None else 0 if headless else DEFAULT_PORT
    with (
        stopped_by_signals() as stop,
        tempfile.TemporaryDirectory(prefix="klaveroog-demo-") as folder,
        DemoVenue(Path(folder), wanted_port) as venue,
    ):
        _say_where(venue)
        outcome = _play(film, seed, venue, Path(folder), stop, at_real_speed=not headless)
        _say_results(outcome)
        if headless:
            _check(film, venue, outcome, stop)
        else:
            _stay(venue, stop)


def _say_where(venue: DemoVenue) -> None:
    address, code = venue.address, venue.first_run_code
    typer.echo(f"Tafel / table:         {address}/tafel/{TABLE}")
    typer.echo(f"Wedstrijdleider:       {address}/wedstrijdleider")
    typer.echo(f"  eerste keer / first: {address}/eerste-keer   code {code}")


def _play(
    film: Film, seed: int, venue: DemoVenue, folder: Path, stop: threading.Event, at_real_speed: bool
) -> TableOutcome:
    """Read the film's pictures; nothing else of it is looked at.

    When people watch, it is as at a real table: the clock is theirs, and the film and the cards are kept to
    look back at.
    """
    name = f"simulator:{seed}"
    pictures = SimulatorSource(film, name)
    config = TableConfig(
        source=name,
        table=TABLE,
        venue=venue.address,
        token=venue.token,
        journal=folder / "journal.sqlite",
        record=at_real_speed,
        recordings=folder / "recordings",
    )
    shown = HappeningNow(PacedSource(pictures)) if at_real_speed else pictures
    return run_table(config, source=shown, stop=stop)


def _say_results(outcome: TableOutcome) -> None:
    for line in results_in_words(outcome.events):
        typer.echo(line)
    if outcome.delivery_error is not None:
        raise outcome.delivery_error


def _check(film: Film, venue: DemoVenue, outcome: TableOutcome, stop: threading.Event) -> None:
    if stop.is_set():
        raise KeyboardInterrupt
    check = check_demo(venue.address, venue.first_run_code, film.events, outcome.events)
    typer.echo("Het dashboard toont / the dashboard shows:")
    for line in check.shown:
        typer.echo(f"  {line}")
    for line in check.wrong:
        typer.echo(f"klaveroog: {line}", err=True)
    if check.wrong:
        raise typer.Exit(1)
    typer.echo("Alles klopt met wat er gespeeld is. / All agrees with what was played.")


def _stay(venue: DemoVenue, stop: threading.Event) -> None:
    if stop.is_set():
        # Broken off before its end: what was shown is not all there was.
        raise KeyboardInterrupt
    typer.echo(
        "Klaar. Het dashboard blijft staan; Ctrl-C stopt. / Done. The dashboard stays up; Ctrl-C stops."
    )
    while venue.is_running and not stop.wait(_WAIT_S):
        pass
