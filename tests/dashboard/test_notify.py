"""Alerts on phones and at the webhook: signed, read by that phone only, told once, never in the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask.testing import FlaskClient

from dashboard import DashboardConfig, create_app
from dashboard.access import Role
from dashboard.desk.alerts import AlertKind
from dashboard.notify.messenger import Channels, Messenger
from dashboard.notify.outgoing import ForbiddenAddressError, Outgoing, OutgoingError
from dashboard.notify.phones import Phone, push_is_installed
from dashboard.notify.starting import make_messenger
from dashboard.passwords import hash_password
from dashboard.services import services
from rules import parse_card
from tests.dashboard.conftest import PASSWORD, Venue
from tests.dashboard.desk_venue import DeskPages
from tests.dashboard.played_deals import played_deal, replayed
from tracker.events import CardPlayed

if not push_is_installed():
    pytest.skip("pywebpush is not installed here: pip install 'klaveroog[push]'", allow_module_level=True)

from tests.dashboard.push_service import FakePhone, PushService

CONTACT = "mailto:wedstrijdleider@club.example"
HERE = Outgoing(allow_private=True, timeout_s=10)


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as started:
        yield started


@pytest.fixture
def secured(config: DashboardConfig) -> Iterator[Venue]:
    """A venue behind https, where browsers allow messages."""
    settings = config.model_copy(update={"https": True, "push_contact": CONTACT})
    venue = Venue(create_app(settings), settings)
    venue.app.extensions[
        "klaveroog-messenger"
    ].stop()  # Each test has its own, that may send to this machine.
    yield venue
    venue.services.store.close()


def ask_for_messages(venue: Venue, phone: FakePhone, language: str = "nl") -> None:
    """What the page does when the button is pressed."""
    director = logged_in(venue)
    answer = director.post(f"/wedstrijdleider/telefoon?taal={language}", json=phone.subscription())
    assert answer.status_code == 200, answer.text


def logged_in(venue: Venue) -> FlaskClient:
    """The wedstrijdleider's browser, which sends its ``Secure`` cookie only to https."""
    accounts = venue.services.accounts
    account = accounts.by_name("Anneke") or accounts.create(
        "Anneke", Role.DIRECTOR.value, hash_password(PASSWORD)
    )
    assert account is not None
    client = venue.app.test_client()
    client.set_cookie("klaveroog_session", accounts.start_session(account, timedelta(hours=1)))
    return client


def messenger_of(venue: Venue, webhook: str = "") -> Messenger:
    """The venue's own messenger, not started, that may send to this machine and does not wait long."""
    with venue.app.app_context():
        made = make_messenger(venue.app, services())
    channels: Channels = made._channels
    return Messenger(
        venue.services.store,
        venue.services.hub,
        made._read,
        made._phrase,
        replace(channels, phone_outgoing=HERE, webhook_outgoing=HERE, webhook=webhook),
        retry_after_s=(0.0, 0.0),
    )


def test_a_verzaking_reaches_the_phone_that_asked_and_only_it_can_read_it(
    secured: Venue, service: PushService
) -> None:
    phone = FakePhone(service, "anneke")
    ask_for_messages(secured, phone)
    events = played_deal(seed=5, revoking=True, confidence=0.9999)
    (revoke,) = replayed(events).revokes
    secured.deliver(events)
    assert messenger_of(secured).tell_new() == 1
    (received,) = service.received
    assert received.path == "/send/anneke"
    assert received.claims is not None
    assert received.claims["sub"] == CONTACT
    assert received.claims["aud"] == service.address
    assert int(received.headers["ttl"]) > 0
    assert received.headers["urgency"] == "high"
    for secret in (revoke.seat.dutch, "erzak", "Tafel"):
        assert secret.encode() not in received.body
    message = phone.read(received)
    assert message["title"].startswith("Tafel 1: ")
    assert revoke.seat.dutch in message["body"]
    assert logged_in(secured).get(message["url"]).status_code == 200  # Its evidence is one press away.


def test_what_is_told_is_told_once_also_after_a_restart(secured: Venue, service: PushService) -> None:
    ask_for_messages(secured, FakePhone(service, "anneke"))
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    assert messenger_of(secured).tell_new() == 1
    assert messenger_of(secured).tell_new() == 0
    assert len(service.received) == 1


def test_somebody_is_at_it_so_nobody_is_called(secured: Venue, service: PushService) -> None:
    ask_for_messages(secured, FakePhone(service, "anneke"))
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    desk = DeskPages(secured, logged_in(secured))
    (alert,) = desk.alerts()
    desk.client.post(f"/wedstrijdleider/melding/1/{desk.match}/1", data={"melding": alert.key})
    assert messenger_of(secured).tell_new() == 0


def test_what_is_more_likely_a_misreading_calls_nobody(secured: Venue, service: PushService) -> None:
    ask_for_messages(secured, FakePhone(service, "anneke"))
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.5))
    assert messenger_of(secured).tell_new() == 0


def test_one_verzaking_calls_once_however_its_cards_are_read_meanwhile(
    secured: Venue, service: PushService
) -> None:
    """It was told at 28 % and again at 96 %: the wedstrijdleider ran twice for one thing."""
    ask_for_messages(secured, FakePhone(service, "anneke"))
    events = played_deal(seed=5, revoking=True, confidence=0.9999)
    (revoke,) = replayed(events).revokes
    (card,) = (event for event in events if isinstance(event, CardPlayed) and event.card == revoke.card)
    calls = []
    secured.deliver(events[:-1])
    for confidence in (0.5, 0.9999, 0.98, 0.9999):
        secured.deliver([replace(card, confidence=confidence)])
        calls.append(messenger_of(secured).tell_new())
    assert calls == [0, 1, 0, 0]
    # The queen and king of clubs turn out to have been taken for each other.
    king = parse_card("CK")
    (later,) = (event for event in events if isinstance(event, CardPlayed) and event.card == king)
    secured.deliver([replace(card, card=king), replace(later, card=card.card)])
    assert messenger_of(secured).tell_new() == 0
    alerts = DeskPages(secured, logged_in(secured)).alerts()
    assert [alert.card for alert in alerts if alert.kind is AlertKind.REVOKE] == [king]


def test_each_phone_reads_its_own_language(secured: Venue, service: PushService) -> None:
    phones = [FakePhone(service, "nl"), FakePhone(service, "en")]
    for phone, language in zip(phones, ("nl", "en"), strict=True):
        ask_for_messages(secured, phone, language)
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    messenger_of(secured).tell_new()
    titles = [phone.read(received)["title"] for phone, received in zip(phones, service.received, strict=True)]
    assert titles[0].startswith("Tafel 1: ")
    assert titles[1].startswith("Table 1: ")


@pytest.mark.parametrize("status", [404, 410])
def test_a_phone_that_is_gone_is_forgotten(secured: Venue, service: PushService, status: int) -> None:
    ask_for_messages(secured, FakePhone(service, "weg"))
    service.statuses = [status]
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    messenger_of(secured).tell_new()
    assert secured.services.phones.all() == ()
    assert len(service.received) == 1


def test_a_service_in_trouble_is_tried_again_and_the_phone_is_kept(
    secured: Venue, service: PushService
) -> None:
    ask_for_messages(secured, FakePhone(service, "anneke"))
    service.statuses = [503, 429]
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    messenger_of(secured).tell_new()
    assert len(service.received) == 3
    assert len(secured.services.phones.all()) == 1


def test_a_phone_that_cannot_be_reached_keeps_no_other_from_its_message(
    secured: Venue, service: PushService
) -> None:
    with PushService() as away:
        ask_for_messages(secured, FakePhone(away, "weg"))
    phone = FakePhone(service, "anneke")
    ask_for_messages(secured, phone)
    secured.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    messenger_of(secured).tell_new()
    assert phone.read(service.received[0])["title"].startswith("Tafel 1: ")


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": ""},
        {"endpoint": 5},
        {"keys": {}},
        {"keys": {"p256dh": "BA" + "A" * 85, "auth": "A" * 22}},  # 65 bytes, but no point on the curve.
        {"keys": {"p256dh": "A" * 87, "auth": "A" * 22}},
    ],
)
def test_what_is_no_subscription_is_refused(
    secured: Venue, service: PushService, change: dict[str, Any]
) -> None:
    subscription = FakePhone(service, "x").subscription() | change
    assert logged_in(secured).post("/wedstrijdleider/telefoon", json=subscription).status_code == 400
    assert secured.services.phones.all() == ()


def test_a_phone_is_told_nothing_more_when_it_asks_so(secured: Venue, service: PushService) -> None:
    phone = FakePhone(service, "anneke")
    ask_for_messages(secured, phone)
    logged_in(secured).post("/wedstrijdleider/telefoon/uit", json={"endpoint": phone.endpoint})
    assert secured.services.phones.all() == ()


def test_without_leave_nothing_is_sent_to_this_machine_or_without_https(
    secured: Venue, service: PushService
) -> None:
    phone = Phone(1, FakePhone(service, "x").subscription(), "nl")
    with pytest.raises(ForbiddenAddressError):
        secured.services.phones.send(phone, {"title": "x"}, Outgoing(), CONTACT)
    private = Phone(1, dict(phone.subscription) | {"endpoint": "https://127.0.0.1/x"}, "nl")
    with pytest.raises(ForbiddenAddressError):
        secured.services.phones.send(private, {"title": "x"}, Outgoing(), CONTACT)
    assert service.received == []


def test_the_webhook_gets_the_alert_once_and_may_be_slow_to_wake(venue: Venue, service: PushService) -> None:
    service.statuses = [500]
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    assert messenger_of(venue, f"{service.address}/club").tell_new() == 1
    assert messenger_of(venue, f"{service.address}/club").tell_new() == 0
    assert [received.path for received in service.received] == ["/club"] * 2
    document = json.loads(service.received[1].body)
    assert (document["table"], document["deal"], document["kind"]) == ("1", 1, "revoke")
    assert 0.9 < document["certainty"] <= 1


def test_what_happened_long_before_the_start_is_not_told(venue: Venue, service: PushService) -> None:
    venue.deliver(played_deal(seed=5, revoking=True, confidence=0.9999))
    messenger = messenger_of(venue, f"{service.address}/club")
    messenger.pass_over_old(datetime.now(UTC))  # The deal is of January.
    assert messenger.tell_new() == 0
    assert service.received == []


def test_the_key_of_a_venue_stays_the_same(secured: Venue) -> None:
    keys = secured.services.phones.keys()
    assert secured.services.phones.keys() == keys
    assert keys.public in logged_in(secured).get("/wedstrijdleider/telefoon").text
    assert keys.private not in logged_in(secured).get("/wedstrijdleider/telefoon").text


def test_nobody_answers(secured: Venue) -> None:
    with PushService() as away:
        phone = Phone(1, FakePhone(away, "weg").subscription(), "nl")
    with pytest.raises(OutgoingError):
        secured.services.phones.send(phone, {"title": "x"}, HERE, CONTACT)
