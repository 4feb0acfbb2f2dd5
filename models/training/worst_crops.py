"""A page of what went wrong: each mistake's crop, the surest mistakes first. They tell what to draw next."""

from __future__ import annotations

import base64
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2

from models.training.tally import Mistake, Tally

_MOST: Final = 120
"""Mistakes a set; more are only counted."""

_STYLE: Final = (
    "body{font:15px sans-serif;margin:2em;background:#222;color:#eee}"
    "figure{display:inline-block;margin:6px;width:150px;vertical-align:top}"
    "img{width:150px;display:block}figcaption{font-size:12px;overflow-wrap:anywhere}pre{color:#bbb}"
)


def write_page(file: Path, tallies: Mapping[str, Tally], reports: Mapping[str, str]) -> None:
    """Write one HTML file with every set's figures and mistakes; it needs nothing beside it."""
    sections = [_section(name, tally.mistakes, reports[name]) for name, tally in tallies.items()]
    file.write_text(
        "<!doctype html><html lang=en><meta charset=utf-8><title>Worst crops</title>"
        f"<style>{_STYLE}</style><h1>Worst crops</h1>{''.join(sections)}</html>\n",
        encoding="utf-8",
    )


def _section(name: str, mistakes: Sequence[Mistake], figures: str) -> str:
    surest = sorted(mistakes, key=lambda mistake: -mistake.certainty)[:_MOST]
    left_out = len(mistakes) - len(surest)
    more = f"<p>and {left_out} less sure ones</p>" if left_out else ""
    figures = html.escape(figures)
    return f"<h2>{html.escape(name)}</h2><pre>{figures}</pre>{''.join(map(_figure, surest))}{more}"


def _figure(mistake: Mistake) -> str:
    data = cv2.imencode(".jpg", mistake.crop, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    caption = f"{mistake.true} read as {mistake.read}, {mistake.certainty:.0%}; {mistake.where}"
    picture = base64.b64encode(data).decode()
    return (
        f'<figure><img alt="" src="data:image/jpeg;base64,{picture}">'
        f"<figcaption>{html.escape(caption)}</figcaption></figure>"
    )
