"""What the venue writes itself, the tablets of tables, and PostgreSQL guarding the events as SQLite does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_SQLITE_GUARD = """
CREATE TRIGGER venue_writes_no_{operation} BEFORE {operation} ON venue_writes
BEGIN SELECT RAISE(ABORT, 'venue_writes is append-only'); END
"""
_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_event_change() RETURNS trigger AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$ LANGUAGE plpgsql
"""
_POSTGRES_GUARD = """
CREATE TRIGGER {table}_no_change BEFORE UPDATE OR DELETE ON {table}
FOR EACH ROW EXECUTE FUNCTION refuse_event_change()
"""


def upgrade() -> None:
    """Make the tables; there is no way down, since nothing written is ever thrown away."""
    long_integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_index("events_of_table", "events", ["table_name", "id"])
    op.create_table(
        "venue_writes",
        sa.Column(
            "event_id", long_integer, sa.ForeignKey("events.id"), primary_key=True, autoincrement=False
        ),
        sa.Column("written_by", sa.String(80), nullable=False),
    )
    _make_tablets()
    _guard()


def _make_tablets() -> None:
    op.create_table(
        "pairing_codes",
        sa.Column("code_hash", sa.String(64), primary_key=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("expires_utc", sa.String(32), nullable=False),
    )
    op.create_table(
        "tablet_sessions",
        sa.Column("key_hash", sa.String(64), primary_key=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("expires_utc", sa.String(32), nullable=False),
    )


def _guard() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for operation in ("UPDATE", "DELETE"):
            op.execute(_SQLITE_GUARD.format(operation=operation))
    elif op.get_bind().dialect.name == "postgresql":
        op.execute(_POSTGRES_FUNCTION)
        for table in ("events", "venue_writes"):
            op.execute(_POSTGRES_GUARD.format(table=table))
