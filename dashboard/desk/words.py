"""The words of the desk: decisions, certainty, scores, and who did what."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Final

from flask import Flask
from flask_babel import format_date

from dashboard.desk.alerts import Alert, AlertKind
from dashboard.desk.effects import DealScore
from dashboard.language import percent, seat_name, suit_name
from dashboard.presence import Lamp, TablePresence
from dashboard.store.desk_log import DeskEntry
from dashboard.table_state import FAIRLY_SURE_FROM, SURE_FROM
from dashboard.tellijst import RowState
from dashboard.translate import gettext
from rules import (
    FULL_DECK,
    Decision,
    Measure,
    OffenceKind,
    Reglement,
    RoemKind,
    Seat,
    Source,
    Suit,
    Team,
    parse_card,
)
from rules.articles import Topic, article

_AMSTERDAMS: Final = article(Source.AMSTERDAMS, Topic.DIRECTOR_DECIDES).partition(",")[0]
"""How an article of Amsterdams met passen begins."""


def install_words(app: Flask) -> None:
    """Teach the templates these words."""
    app.jinja_env.globals.update(
        decision_name=decision_name,
        certainty_text=certainty_text,
        certainty_level=certainty_level,
        score_cell=score_cell,
        roem_name=roem_name,
        offence_name=offence_name,
        measure_name=measure_name,
        action_name=action_name,
        article_of=article_of,
        cited=cited,
        alert_title=alert_title,
        back_flaw=back_flaw,
        entry_detail=entry_detail,
        day=day,
        health_text=health_text,
        suits=lambda: tuple(Suit),
        pack=lambda: FULL_DECK,
    )


def article_of(reglement: Reglement, topic: str) -> str:
    """Where a rule is written in the text that ``reglement`` rests on; ``topic`` is the name of a topic."""
    return article(reglement.basis, Topic[topic])


def cited(written: str, basis: Source | None) -> str:
    """An article as people are shown it: one that comes from another text than is played by says so.

    The Reglement Klaverjas Drive is short; where it is silent the articles of Amsterdams fill the gap.
    """
    if basis is not Source.DRIVE or not written.startswith(_AMSTERDAMS):
        return written
    return gettext("%(article)s, want het Reglement Klaverjas Drive zegt hier niets over", article=written)


def alert_title(alert: Alert) -> str:
    """What an alert is, in a few words."""
    if alert.kind is AlertKind.REVOKE:
        return gettext("Verzaken aangetoond") if alert.is_sure else gettext("Mogelijk verzaakt")
    return {
        AlertKind.REVOKE_ACCUSED: gettext("Beschuldiging van verzaken"),
        AlertKind.DIRECTOR_CALLED: gettext("Wedstrijdleider gevraagd"),
        AlertKind.OUT_OF_TURN: gettext("Voor de beurt gespeeld"),
        AlertKind.CARD_EXPOSED: gettext("Kaart buiten een slag gezien"),
        AlertKind.TAKEN_BACK: gettext("Kaart teruggenomen"),
        AlertKind.CARDS_TOGETHER: gettext("Meer kaarten tegelijk gespeeld"),
        AlertKind.FOREIGN_CARD: gettext("Vreemde kaart op tafel"),
        AlertKind.GATHERED_WRONGLY: gettext("Slag naar de verkeerde kant"),
        AlertKind.SLOW_PLAY: gettext("Lang nagedacht"),
        AlertKind.BACK_FLAGGED: gettext("Rug te herkennen"),
        AlertKind.ONE_WAY_PACK: gettext("Ruggen niet in spiegeldruk"),
        AlertKind.CARD_COUNT: gettext("Aantal kaarten klopt niet"),
        AlertKind.FAULT: gettext("Onregelmatigheid"),
        AlertKind.DISAGREED: gettext("Stand klopt niet volgens een kant"),
        AlertKind.CLAIM: gettext("Rest van de slagen geclaimd"),
        AlertKind.SOURCE_LOST: gettext("Camera ziet de tafel niet"),
        AlertKind.TABLE_SILENT: gettext("Tafel meldt zich niet"),
        AlertKind.TABLE_TWICE: gettext("Twee programma's voor één tafel"),
    }[alert.kind]


def back_flaw(alert: Alert) -> str:
    """By what a card's back can be told, in words; what a person wrote as it was written."""
    return {
        "mark": gettext("een merkteken, kras, vlek of beschadigde hoek"),
        "fading": gettext("blekere inkt"),
        "print": gettext("een andere opdruk"),
    }.get(alert.detail, alert.detail)


def decision_name(decision: Decision) -> str:
    """What a button or a line of the log says."""
    return {
        Decision.REVOKE_PAIRS: gettext("Verzaakt (koppel)"),
        Decision.REVOKE_INDIVIDUAL: gettext("Verzaakt (individueel)"),
        Decision.WRONG_ACCUSATION: gettext("Onjuiste beschuldiging"),
        Decision.PENALTY_CARD: gettext("Strafkaart"),
        Decision.REDEAL: gettext("Opnieuw delen"),
        Decision.NEW_PACK: gettext("Nieuw spel kaarten"),
        Decision.NO_ACTION: gettext("Geen actie"),
        Decision.UNDO: gettext("Ongedaan maken"),
    }[decision]


def health_text(presence: TablePresence) -> str:
    """How a table's camera is, in a few words; empty where the table never said."""
    return {
        Lamp.UNKNOWN: "",
        Lamp.WATCHING: gettext("beeld is vers"),
        Lamp.SILENT: gettext("meldt zich niet"),
        Lamp.STOPPED: gettext("gestopt"),
        Lamp.CAMERA: gettext("camera ziet niets"),
        Lamp.OLD_PICTURE: gettext("beeld is oud"),
        Lamp.TWICE: gettext("twee programma's"),
    }[presence.lamp]


def day(moment: datetime) -> str:
    """The day in the hall."""
    return str(format_date(moment, "d MMMM y"))


def certainty_level(share: float) -> str:
    """``sure``, ``fair`` or ``unsure``."""
    if share >= SURE_FROM:
        return "sure"
    return "fair" if share >= FAIRLY_SURE_FROM else "unsure"


def certainty_text(share: float) -> str:
    """A probability from 0 to 1 as a figure with a plain word: ``28%, onzeker``."""
    words = {
        "sure": gettext("zeker"),
        "fair": gettext("vrij zeker"),
        "unsure": gettext("onzeker"),
    }
    return gettext("%(share)s, %(words)s", share=percent(share), words=words[certainty_level(share)])


def score_cell(score: DealScore, team: Team) -> str:
    """What a side gets for the deal: points and roem, or why there is nothing yet."""
    if score.row.state is not RowState.SETTLED:
        return {
            RowState.EMPTY: "–",
            RowState.RUNNING: gettext("loopt (%(points)d)", points=score.running[team]),
            RowState.UNCLEAR: gettext("niet alles gezien"),
            RowState.REPLAYED: gettext("telt niet"),
        }[score.row.state]
    side = score.row.sides[team]
    return f"{side.points} + {side.roem}" if side.roem else str(side.points)


def roem_name(kind: RoemKind) -> str:
    """What a piece of roem is called."""
    return {
        RoemKind.ROW_OF_THREE: gettext("driekaart"),
        RoemKind.ROW_OF_FOUR: gettext("vierkaart"),
        RoemKind.STUK: gettext("stuk"),
        RoemKind.FOUR_EQUAL: gettext("vier gelijke"),
    }[kind]


def offence_name(kind: OffenceKind) -> str:
    """What somebody was warned for."""
    return {
        OffenceKind.FORBIDDEN_REMARK: gettext("Ongeoorloofde mededeling"),
        OffenceKind.SLOW_PLAY: gettext("Te lang wachten"),
        OffenceKind.REVOKE: gettext("Verzaken"),
    }[kind]


def measure_name(measure: Measure) -> str:
    """What must follow."""
    return {
        Measure.ASK_TO_DECIDE: gettext("de tegenpartij mag om een besluit vragen"),
        Measure.PENALTY_ONLY: gettext("alleen de straf van het spel"),
        Measure.WARNING: gettext("waarschuwing"),
        Measure.TELL_DIRECTOR: gettext("de wedstrijdleider beslist"),
        Measure.EXCLUDE: gettext("uitsluiting, met een vervanger"),
    }[measure]


def action_name(what: str) -> str:
    """The first words of a line of the log."""
    return {
        "acknowledged": gettext("Melding in behandeling"),
        "released": gettext("Melding weer open"),
        "ruled": gettext("Beslissing"),
        "undone": gettext("Beslissing ongedaan gemaakt"),
        "corrected": gettext("Kaart gecorrigeerd"),
        "confirmed": gettext("Kaart bevestigd"),
        "declared": gettext("Troef en speler gezegd"),
        "dealer": gettext("Deler gecorrigeerd"),
        "warned": gettext("Waarschuwing"),
        "account_made": gettext("Wedstrijdleider toegevoegd"),
        "account_taken": gettext("Wedstrijdleider verwijderd"),
        "password_renewed": gettext("Nieuw wachtwoord gegeven"),
        "token_made": gettext("Sleutel voor een tafel gemaakt"),
        "tokens_revoked": gettext("Sleutels van een tafel ingetrokken"),
    }.get(what, what)


def entry_detail(entry: DeskEntry) -> str:
    """What exactly was done, for a line of the log; empty where its first words say it all."""
    detail = entry.detail
    if entry.what in ("ruled", "undone"):
        return _ruling_detail(detail)
    if entry.what in ("corrected", "confirmed"):
        return gettext(
            "slag %(trick)s, kaart %(position)s: %(before)s → %(after)s",
            trick=detail["trick"],
            position=detail["position"],
            before=_seat_and_card(detail["from"]),
            after=_seat_and_card(detail["to"]),
        )
    if entry.what == "declared":
        suit, seat = suit_name(Suit(detail["trump"])), seat_name(Seat(detail["seat"]))
        return gettext("troef %(suit)s, %(seat)s speelt", suit=suit, seat=seat)
    if entry.what == "dealer":
        return gettext("deler %(seat)s", seat=seat_name(Seat(detail["seat"])))
    if entry.what == "warned":
        return f"{offence_name(OffenceKind(detail['offence']))}: {detail['player']}"
    return detail.get("name", "")


def _ruling_detail(detail: Mapping[str, str]) -> str:
    parts = [decision_name(Decision(detail["decision"]))]
    if detail.get("seat"):
        parts.append(seat_name(Seat(detail["seat"])))
    if detail.get("trick"):
        parts.append(gettext("slag %(number)d", number=int(detail["trick"])))
    return " · ".join(parts)


def _seat_and_card(text: str) -> str:
    """``E HT`` in words; nothing was there when it is empty."""
    if not text:
        return gettext("niets")
    seat, card = text.split()
    return f"{seat_name(Seat(seat))} {parse_card(card)}"
