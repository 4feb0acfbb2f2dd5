"""``klaveroog simulate``: a film of the simulated table."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from capture.errors import SettingsError
from rules import parse_seat, reglement_named


def simulate(
    output: Annotated[Path, typer.Option("--output", "-o", help="de film, bijvoorbeeld film.mp4")],
    seed: Annotated[int, typer.Option(help="hetzelfde getal geeft dezelfde film", min=0)] = 1,
    deals: Annotated[int, typer.Option(help="aantal spellen", min=1, max=64)] = 1,
    verzaken: Annotated[
        list[int] | None, typer.Option(help="in dit spel wordt verzaakt; mag vaker gegeven worden")
    ] = None,
    dealer: Annotated[str, typer.Option(help="wie het eerste spel geeft: N, O, Z of W")] = "Z",
    reglement: Annotated[str, typer.Option(help="de spelregels")] = "klaverjas-drive",
    fps: Annotated[float, typer.Option(help="beelden per seconde", min=1, max=60)] = 10.0,
) -> None:
    """Maak een film van de gesimuleerde tafel. / Make a film of the simulated table.

    Naast film.mp4 komt film.truth.json, met wat er werkelijk gebeurde.
    """
    first_dealer, rules_of_play = parse_seat(dealer), reglement_named(reglement)
    if output.suffix.lower() != ".mp4":
        raise SettingsError(
            f"{output} moet op .mp4 eindigen. Kies een andere naam.", "must end in .mp4. Choose another name."
        )
    if not output.absolute().parent.is_dir():
        raise SettingsError(
            f"De map van {output} bestaat niet. Maak hem eerst, of kies een andere plek.",
            "there is no such folder. Choose another place.",
        )
    truth = output.with_suffix(".truth.json")
    for path in (output, truth):
        if os.path.isdir(path):  # noqa: PTH112 - path.is_dir() raises for a name that no disk can hold
            raise _cannot_write(path, "it is a folder")
    outside = [number for number in verzaken or () if not 1 <= number <= deals]
    if outside:
        raise SettingsError(
            f"Er is geen spel {outside[0]}; de film heeft er {deals}. Kies met --verzaken een van die.",
            f"there is no deal {outside[0]}; the film has {deals}. Choose one of them with --verzaken.",
        )
    from capture.simulator import Film, Irregularity, SimulationError, write_film

    try:
        film = Film(
            seed,
            deals,
            frames_per_second=fps,
            reglement=rules_of_play,
            first_dealer=first_dealer,
            irregularities=dict.fromkeys(verzaken or (), Irregularity.VERZAKEN),
        )
    except SimulationError as error:
        raise SettingsError(
            f"Met --seed {seed} lukt dit niet. Kies een ander getal.", f"{error}. Choose another --seed."
        ) from error
    try:
        pictures = write_film(film, output, truth)
    except OSError as error:
        raise _cannot_write(output, error.strerror or str(error)) from error
    typer.echo(f"{output}: {pictures} beelden / pictures; {truth}: de waarheid / the truth")


def _cannot_write(path: Path, reason: str) -> SettingsError:
    return SettingsError(
        f"{path} kan niet worden geschreven. Controleer schijfruimte en rechten, of kies een andere -o.",
        f"cannot write it ({reason}). Check disk space and rights, or choose another -o.",
    )
