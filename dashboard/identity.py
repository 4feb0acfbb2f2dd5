"""Who is asking: a viewer, a table with its token, or somebody who logged in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import Request
from werkzeug.wrappers import Response

from dashboard.access import Role
from dashboard.config import DashboardConfig
from dashboard.store import Accounts, TableTokens

COOKIE: Final = "klaveroog_session"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking. ``table`` is set for a table, ``name`` for somebody who logged in."""

    role: Role
    table: str | None = None
    name: str | None = None


VIEWER: Final = Identity(Role.VIEWER)


def identify(request: Request, accounts: Accounts, tokens: TableTokens) -> Identity:
    """Who sent this request. A wrong token or an old cookie is nobody special: a viewer."""
    token = bearer_token(request)
    if token is not None:
        table = tokens.table_of(token)
        return Identity(Role.TABLE, table=table) if table is not None else VIEWER
    key = request.cookies.get(COOKIE)
    account = accounts.of_session(key) if key else None
    return Identity(Role(account.role), name=account.name) if account else VIEWER


def bearer_token(request: Request) -> str | None:
    """The token of an ``Authorization: Bearer …`` header; a browser never sends one by itself."""
    authorization = request.authorization
    if authorization is None or authorization.type != "bearer":
        return None
    return authorization.token


def set_session_cookie(response: Response, key: str, config: DashboardConfig) -> None:
    """Hand the key of a session to the browser, out of reach of scripts and of other sites' forms."""
    response.set_cookie(
        COOKIE,
        key,
        max_age=int(config.session_hours * 3600),
        httponly=True,
        samesite="Lax",
        secure=config.https,
    )


def drop_session_cookie(response: Response, config: DashboardConfig) -> None:
    """Tell the browser to forget the key."""
    response.delete_cookie(COOKIE, httponly=True, samesite="Lax", secure=config.https)
