"""Who is asking: a viewer, a table with its token, a table's tablet, or somebody who logged in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from flask import Request
from werkzeug.wrappers import Response

from dashboard.access import Role
from dashboard.config import DashboardConfig
from dashboard.store import Accounts, TableTokens, Tablets

COOKIE: Final = "klaveroog_session"
TABLET_COOKIE: Final = "klaveroog_tablet"


class Keys(Protocol):
    """Where it is looked up who a key belongs to; a venue's services are."""

    @property
    def accounts(self) -> Accounts: ...
    @property
    def tokens(self) -> TableTokens: ...
    @property
    def tablets(self) -> Tablets: ...


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking. ``table`` is set for a table and its tablet, ``name`` for a person who logged in."""

    role: Role
    table: str | None = None
    name: str | None = None

    @property
    def is_director(self) -> bool:
        """Whether this is a wedstrijdleider; the organiser is one too."""
        return self.role in (Role.DIRECTOR, Role.ORGANISER)


VIEWER: Final = Identity(Role.VIEWER)


def identify(request: Request, keys: Keys) -> Identity:
    """Who sent this request. A wrong token or an old cookie is nobody special: a viewer."""
    token = bearer_token(request)
    if token is not None:
        table = keys.tokens.table_of(token)
        return Identity(Role.TABLE, table=table) if table is not None else VIEWER
    key = request.cookies.get(COOKIE)
    account = keys.accounts.of_session(key) if key else None
    return Identity(Role(account.role), name=account.name) if account else _tablet(request, keys)


def _tablet(request: Request, keys: Keys) -> Identity:
    key = request.cookies.get(TABLET_COOKIE)
    table = keys.tablets.of_session(key) if key else None
    return Identity(Role.TABLET, table=table) if table is not None else VIEWER


def bearer_token(request: Request) -> str | None:
    """The token of an ``Authorization: Bearer …`` header; a browser never sends one by itself."""
    authorization = request.authorization
    if authorization is None or authorization.type != "bearer":
        return None
    return authorization.token


def set_session_cookie(response: Response, key: str, config: DashboardConfig, name: str = COOKIE) -> None:
    """Hand the key of a session to the browser, out of reach of scripts and of other sites' forms."""
    response.set_cookie(
        name,
        key,
        max_age=int(config.session_hours * 3600),
        httponly=True,
        samesite="Lax",
        secure=config.https,
    )


def drop_session_cookie(response: Response, config: DashboardConfig, name: str = COOKIE) -> None:
    """Tell the browser to forget the key."""
    response.delete_cookie(name, httponly=True, samesite="Lax", secure=config.https)
