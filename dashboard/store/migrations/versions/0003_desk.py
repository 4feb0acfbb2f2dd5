"""The wedstrijdleider's desk: its log, what was told to phones, and the phones."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SQLITE_GUARD = """
CREATE TRIGGER desk_log_no_{operation} BEFORE {operation} ON desk_log
BEGIN SELECT RAISE(ABORT, 'desk_log is append-only'); END
"""
_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_desk_log_change() RETURNS trigger AS
$$ BEGIN RAISE EXCEPTION 'desk_log is append-only'; END $$ LANGUAGE plpgsql
"""
_POSTGRES_GUARD = """
CREATE TRIGGER desk_log_no_change BEFORE UPDATE OR DELETE ON desk_log
FOR EACH ROW EXECUTE FUNCTION refuse_desk_log_change()
"""


def upgrade() -> None:
    """Make the tables; there is no way down, since a log is never thrown away."""
    _make_log()
    _make_told_alerts()
    _make_push()


def _make_log() -> None:
    op.create_table(
        "desk_log",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("time_utc", sa.String(32), nullable=False),
        sa.Column("by", sa.String(80), nullable=False),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("match_key", sa.String(64), nullable=False),
        sa.Column("deal", sa.Integer()),
        sa.Column("what", sa.String(40), nullable=False),
        sa.Column("alert_key", sa.String(120), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
    )
    op.create_index("ix_desk_log_table_name", "desk_log", ["table_name"])
    if op.get_bind().dialect.name == "sqlite":
        for operation in ("UPDATE", "DELETE"):
            op.execute(_SQLITE_GUARD.format(operation=operation))
    else:
        op.execute(_POSTGRES_FUNCTION)
        op.execute(_POSTGRES_GUARD)


def _make_told_alerts() -> None:
    op.create_table(
        "desk_told_alerts",
        sa.Column("table_name", sa.String(32), primary_key=True),
        sa.Column("match_key", sa.String(64), primary_key=True),
        sa.Column("alert_key", sa.String(120), primary_key=True),
        sa.Column("time_utc", sa.String(32), nullable=False),
    )


def _make_push() -> None:
    op.create_table(
        "push_keys",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("private_key", sa.Text(), nullable=False),
        sa.Column("public_key", sa.String(120), nullable=False),
        sa.Column("created_utc", sa.String(32), nullable=False),
    )
    op.create_table(
        "push_subscriptions",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("endpoint_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("subscription", sa.Text(), nullable=False),
        sa.Column("language", sa.String(2), nullable=False),
        sa.Column("created_utc", sa.String(32), nullable=False),
    )
