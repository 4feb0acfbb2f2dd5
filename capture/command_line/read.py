"""``klaveroog read``: the cards in photos."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import numpy.typing as npt
import typer

from capture.annotate import annotate, dutch_name
from capture.command_line.picture_folder import make_folder, write_picture
from capture.command_line.results import card_in_words
from capture.errors import PictureError
from capture.pictures import read_picture
from detector.types import CLASS_NAMES, FOREIGN, CardDetection, Side
from rules import parse_card

ALTERNATIVES: Final = 3
"""How many other names the JSON gives for each card."""


def read(
    pictures: Annotated[list[Path], typer.Argument(help="de foto's", metavar="PICTURE...")],
    as_json: Annotated[bool, typer.Option("--json", help="één JSON-object per foto, één per regel")] = False,
    annotated: Annotated[
        Path | None,
        typer.Option("--annotate", help="schrijf de foto's met de kaarten erin getekend naar deze map"),
    ] = None,
    models: Annotated[Path | None, typer.Option(help="map met andere modellen")] = None,
) -> None:
    """Noem de kaarten in foto's. / Name the cards in photos.

    Een foto die niet gelezen kan worden geeft één regel; de andere worden wel gelezen.
    """
    from detector.card_detector import CardDetector

    detector = CardDetector.load(models)
    if annotated is not None:
        make_folder(annotated, "--annotate")
    failed = False
    for number, path in enumerate(pictures, start=1):
        try:
            image = read_picture(path)
        except PictureError as error:
            typer.echo(f"klaveroog: {error}", err=True)
            failed = True
            continue
        detections = detector.detect(image)
        typer.echo(_as_json(path, image, detections) if as_json else _as_text(path, detections))
        if annotated is not None:
            write_picture(annotated / f"{number:03d}-{path.stem}.jpg", annotate(image, detections))
    if failed:
        raise typer.Exit(1)


def _as_text(path: Path, detections: tuple[CardDetection, ...]) -> str:
    faces = sum(detection.side is Side.FACE for detection in detections)
    backs = len(detections) - faces
    dutch = f"{faces} {'kaart' if faces == 1 else 'kaarten'}, {backs} {'rug' if backs == 1 else 'ruggen'}"
    english = f"{faces} {'face' if faces == 1 else 'faces'}, {backs} {'back' if backs == 1 else 'backs'}"
    lines = [f"{path}: {dutch} / {english}"]
    return "\n".join([*lines, *(_line(detection) for detection in detections)])


def _line(detection: CardDetection) -> str:
    corners = " ".join(f"{x:.0f},{y:.0f}" for x, y in detection.quad)
    place = f"score {detection.score:.2f}  hoeken/corners {corners}"
    if detection.side is Side.BACK:
        return f"  rug / back                                    {place}"
    code, words = "--", "vreemde kaart / foreign card"
    if detection.name != FOREIGN:
        code, words = detection.name, card_in_words(parse_card(detection.name))
    probability = f"{detection.name_probability:6.1%}"
    return f"  {dutch_name(detection):6} {code:2}  {words:30} {probability}  {place}"


def _as_json(path: Path, image: npt.NDArray[np.uint8], detections: tuple[CardDetection, ...]) -> str:
    height, width = image.shape[:2]
    cards = [_card_json(detection) for detection in detections]
    return json.dumps({"picture": str(path), "width": width, "height": height, "cards": cards})


def _card_json(detection: CardDetection) -> dict[str, Any]:
    """``card`` is null for a back, and ``"foreign"`` for a face that is none of the 32."""
    document: dict[str, Any] = {
        "side": detection.side.value,
        "card": None,
        "score": round(detection.score, 4),
        "quad": [[round(float(x), 1), round(float(y), 1)] for x, y in detection.quad],
    }
    if detection.side is Side.FACE:
        order = np.argsort(-detection.log_probs, kind="stable")
        named = [(CLASS_NAMES[index], round(float(np.exp(detection.log_probs[index])), 4)) for index in order]
        document |= {
            "card": named[0][0],
            "dutch": dutch_name(detection),
            "probability": named[0][1],
            "alternatives": named[1 : 1 + ALTERNATIVES],
        }
    return document
