"""What the templates of an evening need beside the words of the game."""

from __future__ import annotations

from datetime import UTC, date, datetime

from flask import Flask
from flask_babel import format_date, format_time

from dashboard.evening.matches import SeatedMatch
from dashboard.evening.model import Evening, Participant, Phase
from dashboard.evening.standing import MatchResult
from dashboard.evening.words import log_line
from dashboard.translate import gettext
from rules import REGLEMENTEN, MatchScore, Outcome, Reglement, SeasonCounts, Source, reglement_to_toml


def install_phrases(app: Flask) -> None:
    """Give the templates the words of an evening."""
    app.jinja_env.globals.update(
        reglementen=lambda: tuple(REGLEMENTEN.values()),
        day_text=day_text,
        phase_name=phase_name,
        today=lambda: date.today().isoformat(),
        now_utc=lambda: datetime.now(UTC),
        presence=presence,
        settings_of=settings_fields,
        short_clock=short_clock,
        log_line=log_line,
        played_share=played_share,
        outcome_text=outcome_text,
        result_text=result_text,
        rules_text=rules_text,
        season_text=season_text,
        short_day=short_day,
        signed=signed,
    )


def day_text(day: str) -> str:
    """A day in words, in the language of the page."""
    return str(format_date(date.fromisoformat(day), "EEEE d MMMM y"))


def short_day(day: str) -> str:
    """A day in few words."""
    return str(format_date(date.fromisoformat(day), "d MMM"))


def short_clock(moment: datetime) -> str:
    """Hours and minutes in the hall."""
    return str(format_time(moment, "HH:mm"))


def phase_name(phase: Phase) -> str:
    """How far an evening is."""
    return {
        Phase.PREPARING: gettext("wordt voorbereid"),
        Phase.RUNNING: gettext("bezig"),
        Phase.ENDED: gettext("afgelopen"),
        Phase.FROZEN: gettext("vastgesteld"),
    }[phase]


def presence(one: Participant) -> str:
    """In which matches somebody takes part."""
    if one.withdrew_in_round is not None:
        return gettext("opgave in partij %(round)d", round=one.withdrew_in_round)
    if one.until_round == 0:
        return gettext("komt niet")
    if one.until_round is not None:
        return gettext("tot en met partij %(round)d", round=one.until_round)
    if one.from_round > 1:
        return gettext("vanaf partij %(round)d", round=one.from_round)
    return gettext("ja")


def settings_fields(evening: Evening) -> dict[str, str]:
    """The settings of an evening as its form holds them."""
    reglement = evening.reglement
    return {
        "title": evening.title,
        "day": evening.day,
        "season": evening.season,
        "reglement": reglement.basis.value,
        "own_reglement": "" if _is_near_built_in(reglement) else reglement_to_toml(reglement),
        "drive": reglement.drive.value,
        "first_dealer": evening.first_dealer.value,
        "match_count": str(reglement.matches_per_evening),
        "deals": str(reglement.deals_per_match),
    }


def played_share(seated: SeatedMatch | None) -> float:
    """How far a match is, 0 to 1."""
    if seated is None:
        return 0.0
    return seated.deals_done / seated.match.reglement.deals_per_match


def _is_near_built_in(reglement: Reglement) -> bool:
    """Whether it is a built-in one with at most other numbers of deals and matches, or single players."""
    return reglement.title == REGLEMENTEN[Source(reglement.basis).value].title


def outcome_text(score: MatchScore) -> str:
    """How a match ended for somebody."""
    return {
        Outcome.WON: gettext("gewonnen"),
        Outcome.DRAWN: gettext("gelijk"),
        Outcome.LOST: gettext("verloren"),
        Outcome.BYE: gettext("zitbeurt"),
        Outcome.OPPONENT_WITHDREW: gettext("opgave tegenstander"),
        Outcome.WITHDREW: gettext("opgave"),
    }[score.outcome]


def result_text(result: MatchResult) -> str:
    """The points of a match, and what they are made of."""
    parts = [f"{result.evening_points:+d}" if result.evening_points < 0 else str(result.evening_points)]
    score = result.score
    if score is not None and score.pits:
        parts.append(gettext("%(number)d× pit", number=score.pits))
    if score is not None and score.revokes:
        parts.append(gettext("%(number)d× verzaakt", number=score.revokes))
    return ", ".join(parts)


def signed(number: int) -> str:
    """A balance with its sign; a real minus, which is as wide as the plus."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def rules_text(reglement: Reglement) -> str:
    """How the points of an evening are counted."""
    return gettext(
        "Gewonnen %(won)d, gelijk %(drawn)d, verloren %(lost)d, elke pit %(pit)+d, verzaakt %(revoke)+d, "
        "zitbeurt %(bye)d, opgave tegenstander %(gained)d, opgave %(lost_by)d. "
        "Bij gelijke punten telt het saldo.",
        won=reglement.won_evening_points,
        drawn=reglement.drawn_evening_points,
        lost=reglement.lost_evening_points,
        pit=reglement.pit_evening_points,
        revoke=reglement.revoke_evening_points,
        bye=reglement.bye_evening_points,
        gained=reglement.opponent_withdrew_evening_points,
        lost_by=reglement.withdrew_evening_points,
    )


def season_text(reglement: Reglement) -> str:
    """Which evenings of a season count."""
    if reglement.season_counts is SeasonCounts.BEST:
        return gettext("de beste %(number)d avonden tellen", number=reglement.season_evenings)
    return gettext("de eerste %(number)d avonden tellen", number=reglement.season_evenings)
