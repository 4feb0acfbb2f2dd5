"""Events, table tokens, accounts and sessions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_APPEND_ONLY = """
CREATE TRIGGER events_no_{operation} BEFORE {operation} ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END
"""


def upgrade() -> None:
    """Make the tables; there is no way down, since events are never thrown away."""
    _make_events()
    _make_tokens()
    _make_accounts()


def _make_events() -> None:
    long_integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "events",
        sa.Column("id", long_integer, primary_key=True, autoincrement=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("epoch", sa.String(64), nullable=False),
        sa.Column("sequence", long_integer, nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("chain", sa.String(64), nullable=False),
        sa.Column("received_utc", sa.String(32), nullable=False),
        sa.UniqueConstraint("table_name", "epoch", "sequence", name="events_key"),
        sqlite_autoincrement=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        for operation in ("UPDATE", "DELETE"):
            op.execute(_APPEND_ONLY.format(operation=operation))


def _make_tokens() -> None:
    op.create_table(
        "table_tokens",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created_utc", sa.String(32), nullable=False),
        sa.Column("revoked_utc", sa.String(32)),
    )


def _make_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, unique=True),
        sa.Column("role", sa.String(32), nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=False),
        sa.Column("created_utc", sa.String(32), nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("key_hash", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.Integer(), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("expires_utc", sa.String(32), nullable=False),
    )
    op.create_table(
        "first_run_codes",
        sa.Column("code_hash", sa.String(64), primary_key=True),
        sa.Column("created_utc", sa.String(32), nullable=False),
    )
