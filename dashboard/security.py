"""What guards every request: roles, forged forms, and the headers that tell a browser what it may do."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, g, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.access import OF_A_TABLE, Role, may_call
from dashboard.failures import wants_page
from dashboard.identity import Identity, bearer_token, identify
from dashboard.services import services

_READING_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_FROM_OUR_PAGES: Final = frozenset({"same-origin", "none"})

_FOR_ANY_TABLE: Final = frozenset({"sign_in", "tablet"})
"""Where a browser says who it is; a tablet may become another table's there, with that table's code."""

CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "media-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

_HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def guard(app: Flask) -> None:
    """Put the guards before and after every request of ``app``."""
    app.before_request(_refuse_forged_form)
    app.before_request(_check_role)
    app.after_request(_add_headers)


def current_identity() -> Identity:
    """Who sent the request that is being answered."""
    identity: Identity = g.identity
    return identity


def is_forged(incoming: Request) -> bool:
    """Whether a browser sent this from a page of another site.

    ``Sec-Fetch-Site`` says so where the browser sends it (https, or the machine itself); ``Origin`` does
    elsewhere. A program that is no browser sends neither, and holds no cookie that it was not given.
    """
    if incoming.method in _READING_METHODS or bearer_token(incoming) is not None:
        return False
    site = incoming.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site not in _FROM_OUR_PAGES
    origin = incoming.headers.get("Origin")
    return origin is not None and _host_of(origin) != incoming.host


def _host_of(origin: str) -> str | None:
    """The host and port of an origin; None where there is none, as in ``null``."""
    try:
        return urlsplit(origin).netloc or None
    except ValueError:
        return None


def _refuse_forged_form() -> None:
    if is_forged(request):
        abort(403, "This form was sent from another site.")


def _check_role() -> ResponseReturnValue | None:
    """Deny by default. A person who is not logged in is led to the login page; a program gets its answer."""
    g.identity = identity = identify(request, services())
    endpoint = request.endpoint
    if endpoint is None:
        return None  # No such address: the router answers 404 or 405.
    if may_call(identity.role, endpoint) and _is_own_table(identity):
        return None
    is_for_people = may_call(Role.ORGANISER, endpoint) and not identity.is_director
    if request.method == "GET" and is_for_people and wants_page(request):
        return redirect(url_for("sign_in.form"))
    return abort(401 if identity.role is Role.VIEWER else 403)


def _is_own_table(identity: Identity) -> bool:
    if identity.role not in OF_A_TABLE or request.method in _READING_METHODS:
        return True
    if request.blueprint in _FOR_ANY_TABLE:
        return True
    return (request.view_args or {}).get("table") == identity.table


def _add_headers(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "no-store")
    return response
