"""``klaveroog bench``: how fast this machine follows a table, and how many tables it can carry."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from capture.errors import SourceUnreadableError
from capture.look_pace import LOOKS_PER_SECOND

if TYPE_CHECKING:
    from capture.bench import KeptFilm, TableCost

RATES: Final = (10.0, 30.0)
"""Pictures a second, as slow and as fast cameras give them."""

_SIMULATED: Final = "simulator:9001"
_DEALING_S: Final = 12.0
"""Of a simulated film, which is no part of it that keeps the reader busy."""

_WORDS: Final = {
    "source": "beeld halen / source",
    "gate": "beweging / gate",
    "finder": "vinden / finder",
    "corners": "hoeken / corners",
    "namer": "benoemen / namer",
    "reading": "overig lezen / rest of reading",
    "tracker": "volgen / tracker",
}


def bench(
    source: Annotated[
        str, typer.Option(help="cameranummer, rtsp://…, film, map met foto's, of simulator:GETAL")
    ] = _SIMULATED,
    pictures: Annotated[int, typer.Option(help="zoveel beelden, van tevoren gelezen", min=2, max=5000)] = 600,
    looks: Annotated[
        float, typer.Option(help="zoveel beelden per seconde worden bekeken", min=1, max=60)
    ] = LOOKS_PER_SECOND,
    models: Annotated[Path | None, typer.Option(help="map met andere modellen")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="één JSON-object")] = False,
) -> None:
    """Meet hoeveel tafels deze computer aankan. / Measure how many tables this machine can carry.

    De beelden worden eerst gelezen of getekend; dat telt niet mee. Gemeten wordt op één thread, bij 10 en bij
    30 beelden per seconde. / The pictures are read or drawn beforehand, which is not counted.
    """
    from capture.bench import at_rate, follow

    film = _film(source, pictures)
    own = film.pictures_per_second
    rates = [rate for rate in RATES if rate < 0.9 * own] + [own if own < 0.9 * RATES[-1] else RATES[-1]]
    costs = [
        follow(film if rate >= 0.9 * own else at_rate(film, rate), models, looks)
        for rate in sorted(set(rates))
    ]
    typer.echo(_as_json(source, film, costs) if as_json else _in_words(source, film, costs))


def _film(source: str, pictures: int) -> KeptFilm:
    import cv2

    from capture.bench import keep_film
    from capture.sources import open_source
    from capture.sources.open_source import SIMULATOR_PREFIX

    cv2.setNumThreads(1)
    is_drawn = source.startswith(SIMULATOR_PREFIX)
    with open_source(source, frames_per_second=RATES[-1]) as camera:
        film = keep_film(camera, pictures, is_drawn=is_drawn, skip_s=_DEALING_S if is_drawn else 0.0)
    if not film.pictures_per_second:
        raise SourceUnreadableError(
            f"{source} gaf minder dan twee beelden. Kies een andere bron.",
            "the source gave fewer than two pictures. Choose another.",
        )
    return film


def _machine_cores() -> int:
    return len(os.sched_getaffinity(0))


def _in_words(source: str, film: KeptFilm, costs: list[TableCost]) -> str:
    height, width = film.pictures[0].image().shape[:2]
    lines = [
        f"{source}: {len(film.pictures)} beelden van {width} x {height}, één thread / "
        f"{len(film.pictures)} pictures, one thread"
    ]
    for cost in costs:
        lines += _cost_in_words(cost)
    if film.source_s is None:
        lines.append(
            "Getekend: het uitpakken van camerabeelden komt er nog bij. / "
            "Drawn: unpacking the pictures of a camera is not in it."
        )
    cores, tables = _machine_cores(), min(cost.tables(_machine_cores()) for cost in costs)
    lines.append(
        f"Deze computer ({cores} kernen) kan {tables} tafels aan, met een vijfde over. / "
        f"This machine ({cores} cores) can carry {tables} tables, with a fifth to spare."
    )
    return "\n".join(lines)


def _cost_in_words(cost: TableCost) -> list[str]:
    rate = f"{cost.pictures_per_second:.0f}"
    looked = f"{cost.looked_at} van/of {cost.pictures}"
    lines = [
        f"Bij {rate} beelden per seconde, {looked} bekeken / At {rate} pictures a second, {looked} looked at:"
    ]
    for stage, words in _WORDS.items():
        if cost.stages_s[stage]:
            lines.append(f"  {words:32}{cost.picture_ms(stage):8.2f} ms")
    lines.append(f"  {'samen / in whole':32}{cost.picture_ms():8.2f} ms per beeld / a picture")
    per_second = cost.pictures / cost.wall_s
    lines.append(f"  {per_second:.0f} beelden per seconde gelezen / pictures read a second")
    lines.append(f"  {cost.cores:.0%} van een kern per tafel / of a core a table")
    return lines


def _as_json(source: str, film: KeptFilm, costs: list[TableCost]) -> str:
    height, width = film.pictures[0].image().shape[:2]
    cores = _machine_cores()
    return json.dumps(
        {
            "source": source,
            "width": width,
            "height": height,
            "cores": cores,
            "tables": min(cost.tables(cores) for cost in costs),
            "films": [_cost_json(cost, cores) for cost in costs],
        }
    )


def _cost_json(cost: TableCost, cores: int) -> dict[str, Any]:
    return {
        "pictures_per_second": round(cost.pictures_per_second, 2),
        "pictures": cost.pictures,
        "looked_at": cost.looked_at,
        "read_per_second": round(cost.pictures / cost.wall_s, 1),
        "milliseconds": {stage: round(cost.picture_ms(stage), 3) for stage in cost.stages_s}
        | {"in_whole": round(cost.picture_ms(), 3)},
        "cores_per_table": round(cost.cores, 4),
        "tables": cost.tables(cores),
    }
