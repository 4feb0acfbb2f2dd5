"""What reaches the wedstrijdleider: both tricks of a verzaking, how sure it is, and all else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from dashboard.desk.alerts import Alert, AlertKind
from dashboard.desk.finding import alerts_of
from dashboard.desk.status import CALL_FROM
from dashboard.media import MediaKind
from rules import KLAVERJAS_DRIVE, Deal, Suit, parse_card
from tests.dashboard.conftest import Venue
from tests.dashboard.played_deals import played_deal, replayed, with_confidence
from tracker.events import (
    MIRROR_PRINTED,
    ONE_WAY,
    BackFlagged,
    CardCountWrong,
    CardExposed,
    CardPlayed,
    CardPlayedOutOfTurn,
    DirectorCalled,
    Event,
    PackBackJudged,
    RevokeAccused,
    SourceBack,
    SourceLost,
    TrumpDeclared,
    revoke_certainty,
)


def alerts_at(venue: Venue, table: str = "1") -> tuple[Alert, ...]:
    last_id = venue.services.hub.last_id(table)
    return alerts_of(venue.services.books.book(table).record(last_id))


def played(events: Sequence[Event], trick: int) -> list[CardPlayed]:
    return [event for event in events if isinstance(event, CardPlayed) and event.trick == trick]


def test_a_verzaking_is_told_with_both_tricks_and_both_cards(venue: Venue) -> None:
    events = played_deal(seed=5, revoking=True)
    (revoke,) = replayed(events).revokes
    venue.deliver(events)
    (alert,) = alerts_at(venue)
    assert alert.kind is AlertKind.REVOKE
    assert (alert.seat, alert.card) == (revoke.seat, revoke.card)
    assert alert.should_have_played == revoke.should_have_played
    assert alert.article == revoke.article
    assert [trick.number for trick in alert.tricks] == [revoke.trick, revoke.proven_trick]
    for trick in alert.tricks:
        shown = [(card.seat, card.card) for card in trick.cards]
        assert shown == [(event.seat, event.card) for event in played(events, trick.number)]
    marked = [[card.card for card in trick.cards if card.is_marked] for trick in alert.tricks]
    assert marked == [[revoke.card], [revoke.proven_card]]


def test_the_flag_comes_with_the_proving_card_and_not_before(venue: Venue) -> None:
    events = played_deal(seed=5, revoking=True)
    (revoke,) = replayed(events).revokes
    proving = next(
        place
        for place, event in enumerate(events)
        if isinstance(event, CardPlayed) and event.card == revoke.proven_card
    )
    venue.deliver(events[:proving])
    assert alerts_at(venue) == ()
    venue.deliver(events[proving : proving + 1])
    assert [alert.kind for alert in alerts_at(venue)] == [AlertKind.REVOKE]


def test_its_certainty_is_that_of_the_cards_it_rests_on(venue: Venue) -> None:
    events = played_deal(seed=5, revoking=True, confidence=0.9999)
    (revoke,) = replayed(events).revokes
    led = played(events, revoke.trick)[0].card
    venue.deliver(events)
    (sure,) = alerts_at(venue)
    venue.deliver([replace(event, table="2") for event in with_confidence(events, led, 0.70)])
    (doubtful,) = alerts_at(venue, "2")
    assert sure.certainty is not None
    assert doubtful.certainty is not None
    assert sure.is_sure
    assert sure.unsure == ()
    assert not doubtful.is_sure
    assert [card.card for card in doubtful.unsure] == [led]
    # The four cards of its trick and the proving one; a card read with 0.70 can make it no surer than that.
    assert doubtful.certainty < 0.70 < 0.95 < sure.certainty < 1
    record = venue.services.books.book("2").record(0).deals[0]
    assert doubtful.certainty == revoke_certainty(record, revoke)[0]


def test_verzaken_by_a_trump_told_wrongly_asks_for_the_trump_and_calls_nobody(venue: Venue) -> None:
    events = played_deal(seed=8)
    (told,) = [event for event in events if isinstance(event, TrumpDeclared)]
    wrong = next(
        suit
        for suit in Suit
        if len(replayed([replace(one, trump=suit) if one is told else one for one in events]).revokes) > 2
    )
    venue.deliver([replace(one, trump=wrong) if one is told else one for one in events])
    alerts = [alert for alert in alerts_at(venue) if alert.kind is AlertKind.REVOKE]
    assert len(alerts) > 2
    assert all(alert.certainty is not None and alert.certainty < CALL_FROM for alert in alerts)
    assert {alert.trump_instead is None or alert.trump_instead is wrong for alert in alerts} == {False}
    desk = venue.director().get("/wedstrijdleider?taal=nl").text
    assert f"Is {wrong.dutch} wel troef?" in desk
    assert 'href="/terugkijken/1/1.1/1/gegevens"' in desk


def test_what_is_not_sure_is_not_called_shown(venue: Venue) -> None:
    events = played_deal(seed=5, revoking=True, confidence=0.9999)
    venue.deliver(events)
    director = venue.director()
    assert "Verzaken aangetoond" in director.get("/wedstrijdleider?taal=nl").text
    (revoke,) = replayed(events).revokes
    venue.deliver([replace(event, table="2") for event in with_confidence(events, revoke.card, 0.8)])
    assert "Mogelijk verzaakt" in director.get("/wedstrijdleider?taal=nl").text


def test_the_desk_shows_it_in_words_and_cards(venue: Venue) -> None:
    events = played_deal(seed=5, revoking=True)
    (revoke,) = replayed(events).revokes
    led = played(events, revoke.trick)[0].card
    venue.deliver(with_confidence(events, led, 0.70))
    text = venue.director().get("/wedstrijdleider?taal=nl").text
    assert f"Slag {revoke.trick}: hier werd verzaakt" in text
    assert f"Slag {revoke.proven_trick}: hier bleek het" in text
    assert revoke.article in text.replace("&#34;", '"')
    assert "70% ?" in text
    assert len(re.findall('role="img"', text)) == 8
    english = venue.director().get("/wedstrijdleider?taal=en").text
    assert f"Trick {revoke.trick}: the revoke" in english


OTHERS: list[tuple[type[Event], dict[str, Any], str]] = [
    (CardExposed, {"card": parse_card("S8")}, "lag open buiten een slag"),
    (BackFlagged, {"reason": "vlek linksboven"}, "vlek linksboven"),
    (BackFlagged, {"reason": "fading"}, "aan de rug te herkennen: blekere inkt"),
    (PackBackJudged, {"printed": ONE_WAY}, "welke kant boven is"),
    (CardCountWrong, {"seat": None, "seen": 9, "expected": 8}, "9 kaarten in plaats van 8"),
    (DirectorCalled, {"reason": "<script>alert(1)</script>"}, "&lt;script&gt;alert(1)&lt;/script&gt;"),
    (SourceLost, {"reason": "geen beeld"}, "Deze tafel wordt nu niet gezien"),
]


@pytest.mark.parametrize(
    ("kind", "fields", "words"), OTHERS, ids=lambda value: getattr(value, "__name__", "")
)
def test_whatever_else_asks_for_the_wedstrijdleider_is_on_the_desk(
    venue: Venue, kind: type[Event], fields: dict[str, Any], words: str
) -> None:
    events = played_deal(seed=5)[:5]
    venue.deliver(events)
    assert alerts_at(venue) == ()
    venue.deliver([kind(table="1", deal=1, time_utc=events[-1].time_utc, confidence=0.9, **fields)])
    assert len(alerts_at(venue)) == 1
    assert words in venue.director().get("/wedstrijdleider?taal=nl").text


def test_a_back_is_shown_with_its_article_how_sure_it_is_and_its_picture(venue: Venue) -> None:
    events = played_deal(seed=5)
    flagged = BackFlagged(table="1", deal=1, time_utc=events[-1].time_utc, confidence=0.87, reason="mark")
    venue.deliver([*events, flagged])
    (alert,) = alerts_at(venue)
    assert alert.certainty == pytest.approx(0.87)
    page = venue.director().get("/wedstrijdleider?taal=en").text
    assert "87%" in page
    assert "Amsterdams met passen, artikel 1" in page
    assert "back-picture" not in page
    venue.services.media.put("1", MediaKind.CROP, alert.media_id, BytesIO(b"RIFF....WEBP"))
    page = venue.director().get("/wedstrijdleider?taal=en").text
    assert f"/wedstrijdleider/beeld/1/crop/{alert.media_id}" in page


@pytest.mark.parametrize("printed", [MIRROR_PRINTED, "unknown"])
def test_a_pack_as_it_should_be_or_hardly_seen_asks_for_nobody(venue: Venue, printed: str) -> None:
    events = played_deal(seed=8)
    venue.deliver([*events, PackBackJudged(table="1", deal=1, time_utc=events[-1].time_utc, printed=printed)])
    assert alerts_at(venue) == ()


def test_an_accusation_names_both(venue: Venue) -> None:
    events = played_deal(seed=5)[:5]
    dealer = replayed(events).dealer
    accusation = RevokeAccused(
        table="1", deal=1, time_utc=events[-1].time_utc, by=dealer, accused=dealer.left
    )
    venue.deliver([*events, accusation])
    text = venue.director().get("/wedstrijdleider?taal=nl").text
    assert f"{dealer.dutch} zegt dat {dealer.left.dutch} verzaakte." in text


def test_a_card_out_of_turn_is_told_once(venue: Venue) -> None:
    start, declared, lead, *_ = played_deal(seed=5)
    assert isinstance(lead, CardPlayed)
    wrong_seat = lead.seat.partner
    out_of_turn = replace(lead, position=2, seat=wrong_seat, card=parse_card("S7"))
    assert Deal(reglement=KLAVERJAS_DRIVE, dealer=replayed([start]).dealer).turn == lead.seat
    told = CardPlayedOutOfTurn(
        table="1", deal=1, time_utc=lead.time_utc, seat=wrong_seat, card=parse_card("S7"), trick=1
    )
    venue.deliver([start, declared, lead, out_of_turn])
    assert [alert.kind for alert in alerts_at(venue)] == [AlertKind.OUT_OF_TURN]
    venue.deliver([told])
    assert [alert.kind for alert in alerts_at(venue)] == [AlertKind.OUT_OF_TURN]


def test_a_camera_that_comes_back_needs_nobody(venue: Venue) -> None:
    events = played_deal(seed=5)[:5]
    lost = SourceLost(table="1", deal=1, time_utc=events[-1].time_utc, reason="geen beeld")
    venue.deliver([*events, lost])
    assert [alert.kind for alert in alerts_at(venue)] == [AlertKind.SOURCE_LOST]
    venue.deliver([SourceBack(table="1", deal=1, time_utc=events[-1].time_utc, away_s=4.0)])
    assert alerts_at(venue) == ()


def test_a_lawful_deal_asks_for_nobody(venue: Venue) -> None:
    venue.deliver(played_deal(seed=8))
    assert alerts_at(venue) == ()
