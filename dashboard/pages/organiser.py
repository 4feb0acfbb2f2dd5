"""The organiser's page: who may lead the evening, and which table may deliver."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.access import Role
from dashboard.live import ALL_TABLES
from dashboard.passwords import hash_password, new_password
from dashboard.security import current_identity
from dashboard.services import services
from dashboard.store import KnownToken, is_table_name
from dashboard.translate import gettext

blueprint = Blueprint("organiser", __name__, url_prefix="/beheer")

LONGEST_NAME: Final = 64
_NOT_DONE: Final = 409


@dataclass(frozen=True, slots=True)
class TableKeys:
    """A table with its tokens, the oldest first."""

    table: str
    tokens: tuple[KnownToken, ...]

    @property
    def in_force(self) -> tuple[KnownToken, ...]:
        """Those with which it may deliver now."""
        return tuple(token for token in self.tokens if token.revoked_utc is None)


@blueprint.get("")
def show() -> ResponseReturnValue:
    """Every account and every table."""
    return _page()


@blueprint.post("/wedstrijdleiders")
def add_account() -> ResponseReturnValue:
    """An account for a wedstrijdleider; the password is shown once."""
    name, password = _name(), new_password()
    if not 1 <= len(name) <= LONGEST_NAME:
        fault = gettext("Vul een naam in van hoogstens %(number)d tekens.", number=LONGEST_NAME)
        return _page(fault), _NOT_DONE
    hashed = hash_password(password)
    if not services().organising.add_account(name, Role.DIRECTOR.value, hashed, _by()):
        return _page(gettext("%(name)s heeft al een account. Kies een andere naam.", name=name)), _NOT_DONE
    return render_template("organiser/password.html", name=name, password=password)


@blueprint.post("/wedstrijdleiders/wachtwoord")
def renew_password() -> ResponseReturnValue:
    """Another password for a wedstrijdleider who forgot it, shown once; the old one no longer works."""
    name, password = _name(), new_password()
    is_other = name != _by()
    if not is_other or not services().organising.renew_password(name, hash_password(password), _by()):
        return _page(_nobody(name)), _NOT_DONE
    services().hub.refresh(ALL_TABLES)
    return render_template("organiser/password.html", name=name, password=password)


@blueprint.post("/wedstrijdleiders/weg")
def take_account() -> ResponseReturnValue:
    """Somebody is no wedstrijdleider any more, also where a page of theirs is still open."""
    name = _name()
    if not services().organising.take_account(name, Role.DIRECTOR.value, _by()):
        return _page(_nobody(name)), _NOT_DONE
    services().hub.refresh(ALL_TABLES)
    return redirect(url_for("organiser.show"))


@blueprint.post("/sleutels")
def new_token() -> ResponseReturnValue:
    """A token for a table, shown once; those that it has stay in force."""
    table = request.form.get("tafel", "").strip()
    if not is_table_name(table):
        fault = gettext("Een tafel heet naar een nummer of een naam van letters, cijfers, - en _.")
        return _page(fault), _NOT_DONE
    token = services().organising.new_token(table, _by())
    services().hub.refresh(table)
    return render_template("organiser/token.html", table=table, token=token)


@blueprint.post("/sleutels/intrekken")
def revoke_tokens() -> ResponseReturnValue:
    """A table's tokens and tablets are worth nothing from now on, also where a page is still open."""
    table = request.form.get("tafel", "")
    if all(one.table != table for one in _tables()):
        return _page(gettext("Deze tafel is er niet (meer). Ververs de pagina.")), _NOT_DONE
    services().organising.revoke_tokens(table, _by())
    services().hub.refresh(table)
    return redirect(url_for("organiser.show", _anchor="tafels"))


def _page(fault: str | None = None) -> str:
    return render_template(
        "organiser/manage.html",
        accounts=services().accounts.all(),
        tables=_tables(),
        fault=fault,
        me=_by(),
        organiser=Role.ORGANISER.value,
        longest_name=LONGEST_NAME,
    )


def _tables() -> list[TableKeys]:
    """Every table that ever had a token or told something, in the order of the hall."""
    venue = services()
    tokens = venue.tokens.all()
    names = venue.books.in_order({*venue.books.tables(), *(token.table for token in tokens)})
    return [TableKeys(name, tuple(token for token in tokens if token.table == name)) for name in names]


def _name() -> str:
    return request.form.get("naam", "").strip()


def _by() -> str:
    return current_identity().name or ""


def _nobody(name: str) -> str:
    return gettext("%(name)s is geen wedstrijdleider (meer). Ververs de pagina.", name=name)
