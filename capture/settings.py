"""What can be set for one table, from the command line, the environment or a TOML file.

What the command line says goes before the environment (``KLAVEROOG_TABLE_…``), which goes before the file.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_core import ErrorDetails
from pydantic_settings import (
    BaseSettings,
    InitSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from pydantic_settings import (
    SettingsError as SourceSettingsError,
)

from capture.errors import SettingsError
from capture.look_pace import LOOKS_PER_SECOND
from capture.sources.camera_mode import CameraMode
from rules import Reglement, RulesError, Seat, Suit, parse_seat, parse_suit, reglement_named

SETTINGS_PREFIX: Final = "KLAVEROOG_TABLE_"


def _parsed_by(parse: Callable[[str], object]) -> BeforeValidator:
    return BeforeValidator(lambda value: parse(value) if isinstance(value, str) else value)


def _listed(value: object) -> object:
    """``"H"`` and ``"H K"`` as lists: most people know the trump of one deal, and type that."""
    return tuple(value.replace(",", " ").split()) if isinstance(value, str) else value


SeatSetting = Annotated[Seat, _parsed_by(parse_seat)]
SuitSetting = Annotated[Suit, _parsed_by(parse_suit)]
ReglementSetting = Annotated[Reglement, _parsed_by(reglement_named)]


class TableConfig(BaseSettings):
    """The settings of one table; the same names in the TOML file and, after the prefix, in the environment.

    source: device number, ``rtsp://…``, video file, folder of pictures, or ``simulator:SEED``.
    table: the table's name, as the venue knows it.
    reglement: the rules of play, by name.
    dealer: who deals the first deal (N O Z W).
    trump: the trumps of the first, second, … deal as far as they are known; told from the play where not.
    declarer: who made trump in the first deal, under a reglement where that can be anyone.
    deal: the number of the first deal within the match.
    frames_per_second: how fast the pictures of a folder or of the simulator follow one another.
    looks_per_second: how many pictures a second are looked at, of a source that gives more.
    simulated_deals: how many deals the simulator plays.
    events: a file to write the events to as well, one JSON object per line.
    journal: the SQLite file in which the events are kept; None takes a file of the table's own where the
        events could not be had again (a live camera, or a venue to deliver to).
    venue, token: where to deliver the events, and the table's own key for it.
    camera: how a USB camera is to take its pictures: a section ``[camera]`` with width, height,
        frames_per_second, pixels, exposure and focus (``capture/sources/camera_mode.py``).
    calibration: what klaveroog calibrate made of this camera; without it North must be at the top.
    reconnect: take up a lost camera again; without it a run ends with its camera.
    frames_waiting: how many pictures of a camera may wait to be read; 1 always reads the newest.
    record: keep video and a picture of each card; None does so for cameras and not for films.
    recordings: the folder for them; None takes one of the table's own.
    record_days, record_gigabytes: how long they are kept at most, and how much.
    watch_backs: look whether the pack, or one card of it, can be told by its back.
    models: a folder with other models than those that come with this version.
    threads: processor threads for reading the cards.
    """

    model_config = SettingsConfigDict(
        env_prefix=SETTINGS_PREFIX, extra="forbid", frozen=True, arbitrary_types_allowed=True
    )

    source: str = Field(min_length=1)
    table: str = Field(default="1", pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$")
    reglement: ReglementSetting = Field(default_factory=lambda: reglement_named("klaverjas-drive"))
    dealer: SeatSetting = Seat.SOUTH
    trump: Annotated[tuple[SuitSetting, ...], BeforeValidator(_listed)] = ()
    declarer: SeatSetting | None = None
    deal: int = Field(default=1, ge=1, le=1000)
    frames_per_second: float = Field(default=10.0, gt=0, le=240)
    looks_per_second: float = Field(default=LOOKS_PER_SECOND, gt=0, le=240)
    simulated_deals: int = Field(default=1, ge=1, le=64)
    events: Path | None = None
    journal: Path | None = None
    venue: str | None = None
    token: str = Field(default="", repr=False)
    camera: CameraMode = CameraMode()
    calibration: Path | None = None
    reconnect: bool = True
    frames_waiting: int = Field(default=1, ge=1, le=1000)
    record: bool | None = None
    recordings: Path | None = None
    record_days: float = Field(default=14.0, gt=0)
    record_gigabytes: float = Field(default=20.0, gt=0)
    watch_backs: bool = True
    models: Path | None = None
    threads: int = Field(default=2, ge=1, le=64)

    _written: ClassVar[Mapping[str, Any]] = {}
    """What stands in the TOML file."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Command line, then environment, then the TOML file."""
        return init_settings, env_settings, InitSettingsSource(settings_cls, dict(cls._written))


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as people save it, also with the mark of its encoding that Windows puts before it.

    Raises:
        OSError, UnicodeDecodeError, tomllib.TOMLDecodeError: when it is not there, no text, or no TOML.
    """
    return tomllib.loads(path.read_text(encoding="utf-8-sig"))


def load_table_config(file: Path | None, given: Mapping[str, Any]) -> TableConfig:
    """The settings from ``file``, the environment, and what was ``given``; the last goes first.

    Raises:
        SettingsError: when the file cannot be read, or a setting does not exist or holds a wrong value.
    """
    if file is not None and not file.is_file():
        raise SettingsError(
            f"Er is geen instellingenbestand {file}. Controleer de naam.",
            "there is no such settings file. Check its name.",
        )

    try:

        class ConfigFromFile(TableConfig):
            _written = {} if file is None else read_toml(file)

        return ConfigFromFile(**given)
    except ValidationError as error:
        raise _explained(error.errors()[0]) from error
    except SourceSettingsError as error:
        raise SettingsError(
            f'Een van de omgevingsvariabelen {SETTINGS_PREFIX}… klopt niet. Schrijf een lijst zo: ["H"].',
            f'a wrong environment variable ({error}). Write a list as ["H"].',
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise SettingsError(
            f"Het instellingenbestand {file} kan niet worden gelezen. Controleer de schrijfwijze (TOML).",
            f"cannot read the settings file ({error}). Check that it is TOML.",
        ) from error


def _explained(error: ErrorDetails) -> SettingsError:
    place = [str(part) for part in error["loc"]]
    name = ".".join(place[: 2 if place[:1] == ["camera"] else 1])
    if error["type"] == "extra_forbidden":
        of_camera = [f"camera.{field}" for field in CameraMode.model_fields]
        near = difflib.get_close_matches(name, [*TableConfig.model_fields, *of_camera], n=1, cutoff=0.0)[0]
        return SettingsError(
            f"Er is geen instelling {name!r}. Bedoelt u {near!r}?",
            f"there is no such setting. Do you mean {near!r}?",
        )
    if error["type"] == "missing":
        return SettingsError(
            f"De instelling {name!r} ontbreekt. Geef --{name}.", f"the setting is missing. Give --{name}."
        )
    cause = error.get("ctx", {}).get("error")
    reason = str(cause) if isinstance(cause, RulesError) else error["msg"]
    dutch = _DUTCH.get(error["type"], "").format(**error.get("ctx", {}))
    return SettingsError(
        f"De instelling {name!r} klopt niet{dutch and ': ' + dutch}", f"a wrong value for {name!r}: {reason}"
    )


_DUTCH: Final = {
    "bool_parsing": "kies true of false",
    "bool_type": "kies true of false",
    "float_parsing": "geef een getal",
    "float_type": "geef een getal",
    "greater_than": "geef meer dan {gt}",
    "greater_than_equal": "geef {ge} of meer",
    "int_from_float": "geef een heel getal",
    "int_parsing": "geef een heel getal",
    "int_type": "geef een heel getal",
    "less_than": "geef minder dan {lt}",
    "less_than_equal": "geef {le} of minder",
    "literal_error": "kies uit {expected}",
    "list_type": 'geef een lijst, zoals ["H"]',
    "path_type": "geef de naam van een bestand of map",
    "string_type": "geef tekst tussen aanhalingstekens",
}
"""What a setting should be, by pydantic's name of what is wrong with it."""
