"""The dashboard as one Flask app: made from a config, with nothing kept outside it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from functools import cache
from pathlib import Path

from flask import Flask, url_for
from werkzeug.routing import IntegerConverter, Map

from dashboard.config import DashboardConfig
from dashboard.desk.sources import install_sources
from dashboard.desk.words import install_words
from dashboard.drawing import install_drawing
from dashboard.evening.phrases import install_phrases
from dashboard.failures import answer_failures
from dashboard.language import speak
from dashboard.notify.starting import start_messages
from dashboard.pages import (
    correction,
    desk,
    director,
    evenings,
    exchange,
    hall,
    health,
    ingest,
    media,
    organiser,
    paper,
    phone,
    replay,
    ruling,
    schedule,
    sign_in,
    standings,
    status,
    table,
    table_input,
    tablet,
    tellijst,
    together,
)
from dashboard.security import guard
from dashboard.services import install_services
from dashboard.store import open_store
from rules import CLOCKWISE, Team

_BLUEPRINTS = (
    health.blueprint,
    hall.blueprint,
    table.blueprint,
    together.blueprint,
    director.blueprint,
    ruling.blueprint,
    replay.blueprint,
    correction.blueprint,
    desk.blueprint,
    phone.blueprint,
    sign_in.blueprint,
    ingest.blueprint,
    status.blueprint,
    media.blueprint,
    tablet.blueprint,
    table_input.blueprint,
    evenings.blueprint,
    exchange.blueprint,
    standings.blueprint,
    schedule.blueprint,
    tellijst.blueprint,
    paper.blueprint,
    organiser.blueprint,
)


def create_app(config: DashboardConfig, clock: Callable[[], datetime] | None = None) -> Flask:
    """The app for one venue. Opens the store at ``config.database`` and brings it up to date.

    clock: the time, with its zone, by which evenings begin, end and freeze; by default that of the machine.

    Raises:
        sqlalchemy.exc.OperationalError: when the database cannot be opened.
    """
    app = Flask("dashboard")
    app.config["MAX_CONTENT_LENGTH"] = config.maximum_request_bytes
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 3600
    app.url_map.converters["int"] = _StoredNumber
    _prepare_templates(app)
    install_services(app, config, open_store(config.database_url), clock)
    speak(app, config)
    install_drawing(app)
    install_words(app)
    install_sources(app)
    install_phrases(app)
    guard(app)
    answer_failures(app)
    for blueprint in _BLUEPRINTS:
        app.register_blueprint(blueprint)
    start_messages(app, config)
    return app


class _StoredNumber(IntegerConverter):
    """A number in an address, as far as a database can hold one; nothing has a larger number."""

    def __init__(self, url_map: Map) -> None:
        super().__init__(url_map, max=2**31 - 1)


def _prepare_templates(app: Flask) -> None:
    app.jinja_env.trim_blocks = True
    app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(asset=_asset, teams=lambda: tuple(Team), seats=lambda: CLOCKWISE)


def _asset(name: str) -> str:
    """The address of a static file; it changes with the content, so no browser keeps an old one."""
    return url_for("static", filename=name, v=_content_hash(name))


@cache
def _content_hash(name: str) -> str:
    content = (Path(__file__).parent / "static" / name).read_bytes()
    return hashlib.sha256(content).hexdigest()[:10]
