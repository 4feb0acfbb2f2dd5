"""What can be set, where it comes from, and what is taken when nothing is said."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy import make_url


def _known_timezone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError("not a known timezone; write it as Europe/Amsterdam") from error
    return name


class DashboardConfig(BaseSettings):
    """The settings of one venue; each can also be given as an environment variable ``KLAVEROOG_…``.

    database: an SQLAlchemy URL, or the path of an SQLite file, made when it is not there.
    https: browsers reach the venue by https, so cookies are marked ``Secure``.
    deals_in_match: 16 at a drive; a club may play 12.
    language: what people read when they ask for nothing else. timezone: for the times on the pages.
    media: the folder for crops and clips; by default beside the SQLite file, else ``klaveroog-media``.
    maximum_streams: live pages open at once; the next one is refused (503) while pages still work.
    spare_threads: threads kept free beside the streams, for pages and ingest.
    ping_seconds: how often a silent stream is kept alive.
    webhook_url: an https address that every new alert is posted to; empty: none. webhook_allow_private: it
        may be this machine or the local network, and there http too.
    push_contact: who the push services of phones can write to: ``mailto:`` or an https address.
    best_play_seconds: a search for the best play of one deal that takes longer is ended.
    """

    model_config = SettingsConfigDict(env_prefix="KLAVEROOG_", extra="forbid", frozen=True)

    database: str = "klaveroog.sqlite"
    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=8000, ge=0, le=65535)
    https: bool = False
    deals_in_match: int = Field(default=16, ge=1, le=64)
    language: Literal["nl", "en"] = "nl"
    timezone: Annotated[str, AfterValidator(_known_timezone)] = "Europe/Amsterdam"
    media: str = ""
    maximum_streams: int = Field(default=512, ge=1)
    spare_threads: int = Field(default=32, ge=1)
    ping_seconds: float = Field(default=10.0, gt=0)
    maximum_request_bytes: int = Field(default=1_000_000, ge=1_000)
    maximum_batch_events: int = Field(default=1_000, ge=1)
    session_hours: float = Field(default=12.0, gt=0)
    webhook_url: str = ""
    webhook_allow_private: bool = False
    push_contact: str = Field(default="mailto:klaveroog@example.org", pattern=r"^(mailto:|https://).+")
    best_play_seconds: float = Field(default=90.0, gt=0)

    @property
    def database_url(self) -> str:
        """``database`` as an SQLAlchemy URL."""
        if "://" in self.database:
            return self.database
        return f"sqlite:///{Path(self.database).expanduser()}"

    @property
    def media_path(self) -> Path:
        """The folder for crops and clips; made when the first one comes."""
        if self.media:
            return Path(self.media).expanduser()
        url = make_url(self.database_url)
        is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
        beside = Path(url.database or "") if is_file else Path("klaveroog")
        return beside.with_name(f"{beside.stem}-media")


def config_from_toml(path: Path) -> DashboardConfig:
    """The settings written in a TOML file.

    Raises:
        OSError: when the file cannot be read.
        tomllib.TOMLDecodeError, pydantic.ValidationError: when it is no TOML, or names an unknown setting.
    """
    return DashboardConfig(**tomllib.loads(path.read_text(encoding="utf-8-sig")))
