"""What can be set, where it comes from, and what is taken when nothing is said."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field
from pydantic_settings import BaseSettings, SettingsConfigDict


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
    maximum_streams: live pages open at once; the next one is refused (503) while pages still work.
    spare_threads: threads kept free beside the streams, for pages and ingest.
    ping_seconds: how often a silent stream is kept alive.
    """

    model_config = SettingsConfigDict(env_prefix="KLAVEROOG_", extra="forbid", frozen=True)

    database: str = "klaveroog.sqlite"
    host: str = Field(default="127.0.0.1", min_length=1)
    port: int = Field(default=8000, ge=0, le=65535)
    https: bool = False
    deals_in_match: int = Field(default=16, ge=1, le=64)
    language: Literal["nl", "en"] = "nl"
    timezone: Annotated[str, AfterValidator(_known_timezone)] = "Europe/Amsterdam"
    maximum_streams: int = Field(default=512, ge=1)
    spare_threads: int = Field(default=32, ge=1)
    ping_seconds: float = Field(default=10.0, gt=0)
    maximum_request_bytes: int = Field(default=1_000_000, ge=1_000)
    maximum_batch_events: int = Field(default=1_000, ge=1)
    session_hours: float = Field(default=12.0, gt=0)

    @property
    def database_url(self) -> str:
        """``database`` as an SQLAlchemy URL."""
        if "://" in self.database:
            return self.database
        return f"sqlite:///{Path(self.database).expanduser()}"


def config_from_toml(path: Path) -> DashboardConfig:
    """The settings written in a TOML file.

    Raises:
        OSError: when the file cannot be read.
        tomllib.TOMLDecodeError, pydantic.ValidationError: when it is no TOML, or names an unknown setting.
    """
    return DashboardConfig(**tomllib.loads(path.read_text(encoding="utf-8")))
