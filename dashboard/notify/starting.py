"""Starting the messages of a venue: only where somebody can get them."""

from __future__ import annotations

from flask import Flask, url_for
from flask_babel import force_locale

from dashboard.config import DashboardConfig
from dashboard.desk.sources import rows_now
from dashboard.desk.status import Case
from dashboard.desk.words import alert_title, certainty_text
from dashboard.language import card_name, seat_name
from dashboard.notify.messenger import Channels, Messenger
from dashboard.notify.outgoing import Outgoing
from dashboard.notify.phones import push_is_possible
from dashboard.services import Services, services
from dashboard.translate import gettext

_KEY = "klaveroog-messenger"


def start_messages(app: Flask, config: DashboardConfig) -> None:
    """Watch for alerts in the background, where there is a webhook or phones can be reached."""
    if not config.webhook_url and not push_is_possible(config):
        return
    with app.app_context():
        messenger = make_messenger(app, services())
    app.extensions[_KEY] = messenger
    messenger.start()


def make_messenger(app: Flask, venue: Services) -> Messenger:
    """The messenger of a venue, not started."""
    config = venue.config

    def read() -> list[Case]:
        with app.test_request_context():
            return [case for row in rows_now() for case in row.cases]

    def phrase(case: Case, language: str) -> dict[str, str]:
        with app.test_request_context(), force_locale(language):
            return _phrased(case)

    channels = Channels(
        phones=venue.phones if push_is_possible(config) else None,
        webhook=config.webhook_url,
        phone_outgoing=Outgoing(),
        webhook_outgoing=Outgoing(allow_private=config.webhook_allow_private),
        contact=config.push_contact,
        language=config.language,
    )
    return Messenger(venue.store, venue.hub, read, phrase, channels)


def _phrased(case: Case) -> dict[str, str]:
    """What somebody reads on a phone: where, what, and how sure."""
    alert = case.alert
    parts = [gettext("spel %(number)d", number=alert.deal)]
    if alert.seat is not None:
        parts.append(seat_name(alert.seat))
    if alert.card is not None:
        parts.append(card_name(alert.card))
    if alert.certainty is not None:
        parts.append(certainty_text(alert.certainty))
    return {
        "title": f"{gettext('Tafel %(table)s', table=alert.table)}: {alert_title(alert)}",
        "body": " · ".join(parts),
        "url": url_for(
            "ruling.show", table=alert.table, match=case.match, deal=alert.deal, melding=alert.key
        ),
        "tag": f"{alert.table}/{case.match}/{alert.key}",
    }
