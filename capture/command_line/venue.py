"""``klaveroog venue``: the dashboard of a hall."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import ValidationError

from capture.errors import SettingsError

if TYPE_CHECKING:
    from dashboard.config import DashboardConfig


def venue(
    database: Annotated[str | None, typer.Option(help="SQLite-bestand of SQLAlchemy-adres")] = None,
    host: Annotated[str | None, typer.Option(help="0.0.0.0 om het hele netwerk toe te laten")] = None,
    port: Annotated[int | None, typer.Option(help="poort")] = None,
    https: Annotated[bool | None, typer.Option(help="browsers komen binnen met https")] = None,
    new_token: Annotated[
        str | None, typer.Option(metavar="TABLE", help="maak een sleutel voor deze tafel, en stop")
    ] = None,
    new_password: Annotated[
        str | None, typer.Option(metavar="NAME", help="geef een nieuw wachtwoord aan wie zo heet, en stop")
    ] = None,
    config: Annotated[Path | None, typer.Option(help="instellingen in TOML")] = None,
) -> None:
    """Start het dashboard van de zaal. / Start the hall's dashboard."""
    given = {"database": database, "host": host, "port": port, "https": https}
    settings = venue_settings(config, {name: value for name, value in given.items() if value is not None})
    from sqlalchemy.exc import SQLAlchemyError

    from dashboard.server import create_table_token, renew_password, run_dashboard

    try:
        if new_token is not None:
            typer.echo(create_table_token(settings, new_token))
        elif new_password is not None:
            typer.echo(_given(renew_password(settings, new_password), new_password))
        else:
            run_dashboard(settings)
    except (SQLAlchemyError, ModuleNotFoundError, FileNotFoundError) as error:
        raise SettingsError(
            f"De database {settings.database} kan niet worden geopend. Controleer naam en rechten.",
            f"cannot open the database ({why_not_opened(error)}). Check its name and rights.",
        ) from error
    except OSError as error:
        raise SettingsError(
            f"Op {settings.host}, poort {settings.port}, kan het dashboard niet staan. Kies een ander adres.",
            f"cannot serve there ({error.strerror or error}). Choose another --port or --host.",
        ) from error
    except ValueError as error:
        raise SettingsError(
            f"{new_token!r} is geen naam van een tafel. Gebruik letters, cijfers, - en _.", str(error)
        ) from error


def _given(password: str | None, name: str) -> str:
    """The new password, or a refusal when nobody is called so."""
    if password is None:
        raise SettingsError(
            f"Niemand heet hier {name!r}. Schrijf de naam zoals bij het aanmelden.",
            f"nobody is called {name!r} here. Write the name as at the login.",
        )
    return password


def why_not_opened(error: Exception) -> str:
    """Why a database cannot be opened, in English and without its address, which may hold a password."""
    if isinstance(error, ModuleNotFoundError):
        return f"this kind of database needs the Python module {error.name}"
    if isinstance(error, FileNotFoundError):
        return str(error)
    return str(getattr(error, "orig", None) or type(error).__name__)


def venue_settings(file: Path | None, given: dict[str, Any]) -> DashboardConfig:
    """The settings of a venue as a file and the command line give them.

    Raises:
        SettingsError: when one is unknown or wrong, or the file cannot be read.
    """
    from capture.settings import read_toml
    from dashboard.config import DashboardConfig

    try:
        written = {} if file is None else read_toml(file)
        return DashboardConfig(**written | given)
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0]) if fault["loc"] else ""
        raise SettingsError(
            f"De instelling {name!r} klopt niet. Bekend zijn {', '.join(DashboardConfig.model_fields)}.",
            f"a wrong setting {name!r}: {fault['msg']}.",
        ) from error
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"Het instellingenbestand {file} is niet te lezen. Controleer naam en schrijfwijze (TOML).",
            f"cannot read the settings file ({error}).",
        ) from error
