"""Requests that nobody should send: what is wrong with each is known, so only a refusal is right."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from werkzeug.routing import Map

from tests.dashboard.played_deals import played_deal
from tests.dashboard.test_access import address_of
from tracker.events import event_to_json

_GOOD_BATCH: Final[dict[str, Any]] = {
    "epoch": "journal-1",
    "events": [
        {"sequence": place, "event": event_to_json(event)}
        for place, event in enumerate(played_deal(seed=1)[:3], start=1)
    ],
}
_GOOD_STATUS: Final[dict[str, Any]] = {"epoch": "journal-1"}
_WRONG: Final[tuple[object, ...]] = (
    2**60, -1, 10**400, float("nan"), float("inf"), 0.5, "\x00", "\ud800", "", "💥" * 40, "1" * 5000,
    {"x": 1}, [1], [], True, "../../etc/passwd", "<script>alert(1)</script>", "' OR 1=1 --",
)  # fmt: skip
_METHODS: Final = ("PATCH", "TRACE", "PUT", "DELETE", "POST", "GET", "KLAVER", "CONNECT", "PROPFIND")


@dataclass(frozen=True)
class Sent:
    """One request; ``asker`` is ``table``, ``viewer`` or ``director``."""

    method: str
    path: str
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    asker: str = "viewer"


def malformed_requests(addresses: Map, count: int, seed: int) -> Iterator[Sent]:
    """``count`` requests that a venue at ``addresses`` must refuse."""
    generator = random.Random(seed)
    kinds: tuple[Callable[[random.Random, Map], Sent], ...] = (
        _bytes_as_batch, _spoiled_batch, _spoiled_batch, _strange_json, _wrong_key, _media,
        _no_such_address, _number_too_large, _wrong_method, _forged_form, _without_login, _wrong_sign_in,
    )  # fmt: skip
    for _ in range(count):
        yield generator.choice(kinds)(generator, addresses)


def _bytes_as_batch(generator: random.Random, _: Map) -> Sent:
    body = generator.randbytes(generator.randrange(200))
    return _to_table(generator, body)


def _spoiled_batch(generator: random.Random, _: Map) -> Sent:
    """A batch that is right but for one value, or for one that is missing, or cut off."""
    batch = copy.deepcopy(_GOOD_BATCH)
    if generator.random() < 0.2:
        text = json.dumps(batch).encode()
        return _to_table(generator, text[: generator.randrange(len(text))], "events")
    holder: Any = batch
    key: Any = generator.choice(list(holder))
    while isinstance(holder[key], dict | list) and holder[key] and generator.random() < 0.85:
        holder = holder[key]
        key = generator.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    kept = holder[key]
    choices = [wrong for wrong in _WRONG if _cannot_be(kept, wrong)]
    holder[key] = generator.choice(choices)
    return _to_table(generator, json.dumps(batch).encode(), "events")


def _cannot_be(kept: object, wrong: object) -> bool:
    """Whether ``wrong`` is something that no field of this kind may hold."""
    if isinstance(kept, str):
        return not isinstance(wrong, str) or wrong in ("\x00", "\ud800", "💥" * 40)
    if isinstance(kept, float):
        return not isinstance(wrong, float | int) or wrong != wrong or not 0 <= wrong <= 1
    if isinstance(kept, list):
        return not isinstance(wrong, list) or bool(wrong)
    return wrong != kept and wrong not in (0.5, True)


def _strange_json(generator: random.Random, _: Map) -> Sent:
    return _to_table(generator, json.dumps(_value(generator, 4)).encode())


def _value(generator: random.Random, depth: int) -> Any:
    if depth == 0 or generator.random() < 0.3:
        return generator.choice((None, *_WRONG))
    if generator.random() < 0.5:
        return [_value(generator, depth - 1) for _ in range(generator.randrange(4))]
    names = ("epoch", "events", "sequence", "event", "type", "x", "")
    return {name: _value(generator, depth - 1) for name in generator.sample(names, generator.randrange(5))}


def _to_table(generator: random.Random, body: bytes, where: str = "") -> Sent:
    where = where or generator.choice(("events", "status"))
    kind = generator.choice(("application/json", "text/plain", "multipart/form-data", ""))
    return Sent(
        "POST",
        f"/api/tafels/1/{where}",
        b"\xff" + body if where == "status" else body,
        {"Content-Type": kind},
        "table",
    )


def _wrong_key(generator: random.Random, _: Map) -> Sent:
    """A right batch from somebody who may not."""
    key = generator.choice(("", "x", "9" * 5000, "é", "Basic YTpi", "\x7f"))
    headers = {
        "Authorization": f"Bearer {key}".encode().decode("latin-1"),
        "Content-Type": "application/json",
    }
    where = generator.choice(("1/events", "2/events", "1/status", "../1/events"))
    return Sent("POST", f"/api/tafels/{where}", json.dumps(_GOOD_BATCH).encode(), headers)


def _media(generator: random.Random, _: Map) -> Sent:
    """No picture, or one that is named as a path, or of another kind."""
    name = generator.choice(("..", "..%2f..%2fvenue", "a.b", "%00", "a" * 100, "a%20b", "-x", "goed"))
    kind = generator.choice(("crop", "clip", "film"))
    headers = {
        "Content-Type": generator.choice(("text/html", "image/svg+xml", "image/webp", "video/mp4", ""))
    }
    return Sent("PUT", f"/api/tafels/1/media/{kind}/{name}", generator.randbytes(20), headers, "table")


def _no_such_address(generator: random.Random, _: Map) -> Sent:
    ends = (
        "wp-login.php",
        "../../etc/passwd",
        "%2e%2e/%2e%2e",
        "\u202e",
        "%00",
        "tafel/",
        "x" * 3000,
        "static/../app.py",
    )
    path = "/" + generator.choice(("", "api/", "tafel/1/", "static/")) + generator.choice(ends)
    return Sent(generator.choice(("GET", "POST")), path + str(generator.randrange(10**6)))


def _number_too_large(generator: random.Random, addresses: Map) -> Sent:
    """A page of an evening, a match or a deal of a number that none can have."""
    rules = [rule for rule in addresses.iter_rules() if "<int:" in rule.rule]
    rule = generator.choice(rules)
    number = str(generator.choice((2**31, 2**63, 2**64 + 1, 10**30)))
    path = re.sub(r"<int:[^>]+>", number, rule.rule)
    path = re.sub(r"<any\(([^,)]+)[^>]*>", r"\1", path)
    path = re.sub(r"<[^>]+>", "1", path)
    method = sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})[0]
    body = _form(generator) if method == "POST" else b""
    return Sent(method, path, body, _FORM if body else {}, generator.choice(("viewer", "director")))


def _wrong_method(generator: random.Random, addresses: Map) -> Sent:
    rules = list(addresses.iter_rules())
    while True:
        rule, method = generator.choice(rules), generator.choice(_METHODS)
        taken = {one for other in rules if other.rule == rule.rule for one in other.methods or ()}
        if method not in taken:
            return Sent(method, address_of(rule), generator.randbytes(10), asker="director")


def _forged_form(generator: random.Random, addresses: Map) -> Sent:
    """A form that a page of another site sends with the browser of the wedstrijdleider."""
    rules = [rule for rule in addresses.iter_rules() if "POST" in (rule.methods or ())]
    headers = generator.choice(({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://elders.example"}))
    return Sent(
        "POST", address_of(generator.choice(rules)), _form(generator), {**headers, **_FORM}, "director"
    )


_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded"}


def _form(generator: random.Random) -> bytes:
    names = ("name", "password", "code", "beslissing", "melding", "reden", "tafel", "wie", "nummer")
    return b"&".join(
        name.encode() + b"=" + generator.choice((b"%ff", b"1", b"%00", b"a" * 900, b"<b>", b"%", b""))
        for name in generator.sample(names, generator.randrange(len(names)))
    )


def _without_login(generator: random.Random, addresses: Map) -> Sent:
    """Somebody with a made-up cookie at what is not for everybody."""
    rules = [rule for rule in addresses.iter_rules() if rule.rule.startswith("/wedstrijdleider")]
    rule = generator.choice(rules)
    cookie = generator.choice(
        ("klaveroog_session=x", "klaveroog_session=" + "9" * 3000, "=;=;=", "klaveroog_tablet=\x01")
    )
    method = sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})[0]
    return Sent(
        method, address_of(rule), _form(generator) if method == "POST" else b"", {"Cookie": cookie, **_FORM}
    )


def _wrong_sign_in(generator: random.Random, _: Map) -> Sent:
    path = generator.choice(("/aanmelden", "/eerste-keer", "/tafel/1/aanmelden"))
    kind = generator.choice(
        (*_FORM.values(), "multipart/form-data; boundary=x", "multipart/form-data", "application/json")
    )
    return Sent("POST", path, _form(generator), {"Content-Type": kind})
