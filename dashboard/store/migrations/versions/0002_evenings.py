"""Evenings: who takes part, who sits where, the players' own figures, and who changed what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_ADDED_TO_ONLY = ("evening_log", "evening_paper_figures")

_SQLITE_GUARD = """
CREATE TRIGGER {table}_no_{operation} BEFORE {operation} ON {table}
BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END
"""
_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_evening_change() RETURNS trigger AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql
"""
_POSTGRES_GUARD = """
CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION refuse_evening_change()
"""


def upgrade() -> None:
    """Make the tables; there is no way down, since an evening is never thrown away."""
    _make_evenings()
    _make_rounds()
    _make_matches()
    _make_logs()
    _guard()


def _make_evenings() -> None:
    op.create_table(
        "evenings",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("title", sa.String(80), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("season", sa.String(40), nullable=False),
        sa.Column("reglement", sa.Text(), nullable=False),
        sa.Column("first_dealer", sa.String(1), nullable=False),
        sa.Column("created_utc", sa.String(32), nullable=False),
        sa.Column("ended_utc", sa.String(32)),
    )
    op.create_table(
        "evening_participants",
        sa.Column("id", sa.Integer(), primary_key=True),
        _evening(index=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("players", sa.Text(), nullable=False),
        sa.Column("from_round", sa.Integer(), nullable=False),
        sa.Column("until_round", sa.Integer()),
        sa.Column("withdrew_in_round", sa.Integer()),
    )


def _make_rounds() -> None:
    op.create_table(
        "evening_rounds",
        _evening(primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("started_utc", sa.String(32)),
    )
    op.create_table(
        "evening_seats",
        _evening(primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("participant_id", sa.Integer(), sa.ForeignKey("evening_participants.id"), primary_key=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("side", sa.String(2), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
    )


def _make_matches() -> None:
    op.create_table(
        "evening_matches",
        _evening(primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("table_name", sa.String(32), primary_key=True),
        sa.Column("match_key", sa.String(64), nullable=False),
    )
    op.create_table(
        "evening_archived_matches",
        _evening(primary_key=True),
        sa.Column("round", sa.Integer(), primary_key=True),
        sa.Column("table_name", sa.String(32), primary_key=True),
        sa.Column("events", sa.Text(), nullable=False),
    )


def _make_logs() -> None:
    op.create_table(
        "evening_paper_figures",
        sa.Column("id", sa.Integer(), primary_key=True),
        _evening(index=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("writer", sa.String(2), nullable=False),
        sa.Column("deal", sa.Integer(), nullable=False),
        sa.Column("figures", sa.String(80), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("time_utc", sa.String(32), nullable=False),
    )
    op.create_table(
        "evening_log",
        sa.Column("id", sa.Integer(), primary_key=True),
        _evening(index=True),
        sa.Column("time_utc", sa.String(32), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("what", sa.String(40), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
    )


def _evening(primary_key: bool = False, index: bool = False) -> sa.Column[int]:
    which = sa.ForeignKey("evenings.id")
    return sa.Column("evening_id", sa.Integer(), which, primary_key=primary_key, nullable=False, index=index)


def _guard() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in _ADDED_TO_ONLY:
            for operation in ("UPDATE", "DELETE"):
                op.execute(_SQLITE_GUARD.format(table=table, operation=operation))
    if op.get_bind().dialect.name == "postgresql":
        op.execute(_POSTGRES_FUNCTION)
        for table in _ADDED_TO_ONLY:
            op.execute(_POSTGRES_GUARD.format(table=table))
