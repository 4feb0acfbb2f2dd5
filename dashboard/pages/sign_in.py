"""Logging in, logging out, and the first account."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.access import Role
from dashboard.errors import SignInRefusedError, TooManyAttemptsError
from dashboard.identity import COOKIE, drop_session_cookie, set_session_cookie
from dashboard.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD, hash_password, is_right_password
from dashboard.services import services
from dashboard.store import Account
from dashboard.translate import gettext

blueprint = Blueprint("sign_in", __name__)

_LONGEST_NAME = 64


@blueprint.get("/aanmelden")
def form() -> ResponseReturnValue:
    """The login page; the very first time it leads to the page for the first account."""
    if not services().accounts.exist():
        return redirect(url_for("sign_in.first_form"))
    return render_template("sign_in.html", fault=None)


@blueprint.post("/aanmelden")
def submit() -> ResponseReturnValue:
    """Log in with a name and a password."""
    name = request.form.get("name", "").strip()
    try:
        account = _checked_account(name, request.form.get("password", ""))
    except SignInRefusedError as refused:
        return render_template(
            "sign_in.html", fault=gettext("Naam of wachtwoord klopt niet.")
        ), refused.status
    except TooManyAttemptsError as many:
        return _try_later("sign_in.html", many)
    return _signed_in(account)


@blueprint.get("/eerste-keer")
def first_form() -> ResponseReturnValue:
    """The page that makes the first account; gone once there is one."""
    if services().accounts.exist():
        return redirect(url_for("sign_in.form"))
    return render_template("first_account.html", fault=None, shortest=SHORTEST_PASSWORD)


@blueprint.post("/eerste-keer")
def first_submit() -> ResponseReturnValue:
    """Make the first account with the code from the console."""
    code = request.form.get("code", "").strip().upper()
    name = request.form.get("name", "").strip()
    try:
        account = _first_account(code, name, request.form.get("password", ""))
    except SignInRefusedError as refused:
        page = render_template("first_account.html", fault=str(refused), shortest=SHORTEST_PASSWORD)
        return page, refused.status
    except TooManyAttemptsError as many:
        return _try_later("first_account.html", many)
    return _signed_in(account)


@blueprint.post("/afmelden")
def leave() -> ResponseReturnValue:
    """Log out here; the key is worth nothing afterwards."""
    services().accounts.end_session(request.cookies.get(COOKIE, ""))
    response = redirect(url_for("hall.show"))
    drop_session_cookie(response, services().config)
    return response


def _checked_account(name: str, password: str) -> Account:
    address = _count_attempt(name)
    account = services().accounts.by_name(name)
    fits = len(password) <= LONGEST_PASSWORD
    if not is_right_password(password if fits else "", account.password_hash if account else None):
        raise SignInRefusedError
    assert account is not None
    services().attempts_by_address.clear(address)
    return account


def _first_account(code: str, name: str, password: str) -> Account:
    """The first account.

    Raises:
        SignInRefusedError: with a sentence for the person who fills in the form.
    """
    _count_attempt("")
    if not 1 <= len(name) <= _LONGEST_NAME:
        raise SignInRefusedError(gettext("Vul een naam in."))
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise SignInRefusedError(
            gettext("Kies een wachtwoord van minstens %(number)d tekens.", number=SHORTEST_PASSWORD)
        )
    account = services().accounts.create_first(code, name, Role.ORGANISER.value, hash_password(password))
    if account is None:
        raise SignInRefusedError(
            gettext("Deze code klopt niet. De juiste staat op het scherm van de server.")
        )
    return account


def _count_attempt(name: str) -> str:
    """Count one attempt from this address and for this name; gives the address."""
    address = request.remote_addr or ""
    services().attempts_by_address.count(address)
    services().attempts_by_name.count(name.casefold())
    return address


def _try_later(template: str, many: TooManyAttemptsError) -> ResponseReturnValue:
    minutes = ((many.retry_after_s or 60) + 59) // 60
    fault = gettext("Te vaak geprobeerd. Probeer het over %(minutes)d min. opnieuw.", minutes=minutes)
    page = render_template(template, fault=fault, shortest=SHORTEST_PASSWORD)
    return page, many.status, {"Retry-After": str(many.retry_after_s)}


def _signed_in(account: Account) -> ResponseReturnValue:
    config = services().config
    key = services().accounts.start_session(account, timedelta(hours=config.session_hours))
    response = redirect(url_for("director.show"))
    set_session_cookie(response, key, config)
    return response
