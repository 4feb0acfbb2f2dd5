"""The tables of an evening: who takes part, who sits where, and who changed what. No score is kept here."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Integer, String, Table, Text

from dashboard.store.schema import METADATA

EVENINGS: Final = Table(
    "evenings",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("title", String(80), nullable=False),
    Column("day", String(10), nullable=False),
    Column("season", String(40), nullable=False),
    Column("reglement", Text, nullable=False),
    Column("first_dealer", String(1), nullable=False),
    Column("created_utc", String(32), nullable=False),
    Column("ended_utc", String(32)),
)
"""``reglement`` is JSON: the name of a built-in one, or all settings of a club's own."""

PARTICIPANTS: Final = Table(
    "evening_participants",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("evening_id", Integer, ForeignKey("evenings.id"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("name", String(60), nullable=False),
    Column("players", Text, nullable=False),
    Column("from_round", Integer, nullable=False),
    Column("until_round", Integer),
    Column("withdrew_in_round", Integer),
)
"""A team, or a player of an individual drive. ``players`` is a JSON list of the names of the people."""

ROUNDS: Final = Table(
    "evening_rounds",
    METADATA,
    Column("evening_id", Integer, ForeignKey("evenings.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("started_utc", String(32)),
)

SEATS: Final = Table(
    "evening_seats",
    METADATA,
    Column("evening_id", Integer, ForeignKey("evenings.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("participant_id", Integer, ForeignKey("evening_participants.id"), primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("side", String(2), nullable=False),
    Column("place", Integer, nullable=False),
)
"""Where everybody sits in a round; ``table_name`` is empty and ``side`` is ``-`` for a zitbeurt."""

MATCH_BINDINGS: Final = Table(
    "evening_matches",
    METADATA,
    Column("evening_id", Integer, ForeignKey("evenings.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("table_name", String(32), primary_key=True),
    Column("match_key", String(64), nullable=False),
)
"""Which match of a table was this one, where the wedstrijdleider said so; else their order decides."""

ARCHIVED_MATCHES: Final = Table(
    "evening_archived_matches",
    METADATA,
    Column("evening_id", Integer, ForeignKey("evenings.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("table_name", String(32), primary_key=True),
    Column("events", Text, nullable=False),
)
"""The events of an evening that was read from a file; they stay out of the tables' own log."""

PAPER_FIGURES: Final = Table(
    "evening_paper_figures",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("evening_id", Integer, ForeignKey("evenings.id"), nullable=False, index=True),
    Column("round", Integer, nullable=False),
    Column("table_name", String(32), nullable=False),
    Column("writer", String(2), nullable=False),
    Column("deal", Integer, nullable=False),
    Column("figures", String(80), nullable=False),
    Column("by", String(80), nullable=False),
    Column("time_utc", String(32), nullable=False),
)
"""What stands on the players' own sheets; of two for the same line the last counts, the first stays."""

EVENING_LOG: Final = Table(
    "evening_log",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("evening_id", Integer, ForeignKey("evenings.id"), nullable=False, index=True),
    Column("time_utc", String(32), nullable=False),
    Column("by", String(80), nullable=False),
    Column("what", String(40), nullable=False),
    Column("detail", Text, nullable=False),
)
"""Who changed what when; never edited. ``detail`` is JSON."""
