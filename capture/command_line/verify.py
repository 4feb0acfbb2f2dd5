"""``klaveroog verify``: whether the events in a venue's database are still those that were stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from capture.command_line.venue import venue_settings, why_not_opened
from capture.errors import SettingsError

if TYPE_CHECKING:
    from dashboard.config import DashboardConfig
    from dashboard.store import Chain

_EXIT_BROKEN = 1
_LINK_LENGTH = 64


def verify(
    database: Annotated[str | None, typer.Option(help="SQLite-bestand of SQLAlchemy-adres")] = None,
    expect: Annotated[
        str, typer.Option(metavar="LINK", help="schakel die een eerdere controle gaf: moet er nog in staan")
    ] = "",
    config: Annotated[Path | None, typer.Option(help="instellingen in TOML")] = None,
) -> None:
    """Controleer de keten van gebeurtenissen. / Check the chain of events."""
    settings = venue_settings(config, {} if database is None else {"database": database})
    expected = expect.strip().lower()
    if expected and (len(expected) != _LINK_LENGTH or not expected.isalnum()):
        raise SettingsError(
            f"{expect[:80]!r} is geen schakel. Kopieer de 64 tekens die klaveroog verify eerder gaf.",
            "not a link. Copy the 64 characters that klaveroog verify gave before.",
        )
    chain = _check(settings, expected)
    typer.echo(_in_words(chain))
    if chain.broken is not None or not chain.has_expected:
        raise typer.Exit(_EXIT_BROKEN)


def _check(settings: DashboardConfig, expected: str) -> Chain:
    from sqlalchemy.exc import SQLAlchemyError

    from dashboard.store import EventLog, open_store_to_read

    try:
        store = open_store_to_read(settings.database_url)
        try:
            log = EventLog(store)
            return log.check_chain(expected) if expected else log.check_chain()
        finally:
            store.close()
    except (SQLAlchemyError, ModuleNotFoundError, FileNotFoundError) as error:
        raise SettingsError(
            f"De database {settings.database} kan niet worden gelezen. Controleer naam en rechten.",
            f"cannot read the database ({why_not_opened(error)}). Check its name and rights.",
        ) from error


def _in_words(chain: Chain) -> str:
    """One line, Dutch and English."""
    broken = chain.broken
    if broken is not None:
        where = f"{broken.id} (tafel {broken.table}, {broken.epoch} nummer {broken.sequence})"
        english = f"{broken.id} (table {broken.table}, {broken.epoch} number {broken.sequence})"
        return (
            f"De keten breekt bij gebeurtenis {where}; de {chain.count} ervoor kloppen. / "
            f"The chain breaks at event {english}; the {chain.count} before it hold."
        )
    if not chain.has_expected:
        return (
            f"Alle {chain.count} gebeurtenissen volgen op elkaar, maar de verwachte schakel ontbreekt: er is "
            f"iets weggehaald of vervangen. / All {chain.count} events follow on, but the expected link is "
            "not among them: something was taken away or replaced."
        )
    return (
        f"Alle {chain.count} gebeurtenissen kloppen; laatste schakel {chain.link}. / "
        f"All {chain.count} events hold; last link {chain.link}."
    )
