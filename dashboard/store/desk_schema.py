"""The tables of the wedstrijdleider's desk: who did what, and whom to call. No score is kept here."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, ForeignKey, Integer, String, Table, Text

from dashboard.store.schema import METADATA

DESK_LOG: Final = Table(
    "desk_log",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("time_utc", String(32), nullable=False),
    Column("by", String(80), nullable=False),
    Column("table_name", String(32), nullable=False, index=True),
    Column("match_key", String(64), nullable=False),
    Column("deal", Integer),
    Column("what", String(40), nullable=False),
    Column("alert_key", String(120), nullable=False),
    Column("reason", Text, nullable=False),
    Column("detail", Text, nullable=False),
)
"""Who did what when and why; added to, never edited. ``detail`` is JSON; ``alert_key`` may be empty."""

TOLD_ALERTS: Final = Table(
    "desk_told_alerts",
    METADATA,
    Column("table_name", String(32), primary_key=True),
    Column("match_key", String(64), primary_key=True),
    Column("alert_key", String(120), primary_key=True),
    Column("time_utc", String(32), nullable=False),
)
"""Alerts that went out to phones and to the webhook, so that a restart does not send them again."""

PUSH_KEYS: Final = Table(
    "push_keys",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("private_key", Text, nullable=False),
    Column("public_key", String(120), nullable=False),
    Column("created_utc", String(32), nullable=False),
)
"""At most one row: the key pair (VAPID) with which this venue signs what it sends to phones."""

PUSH_SUBSCRIPTIONS: Final = Table(
    "push_subscriptions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("account_id", Integer, ForeignKey("accounts.id"), nullable=False),
    Column("endpoint_hash", String(64), nullable=False, unique=True),
    Column("subscription", Text, nullable=False),
    Column("language", String(2), nullable=False),
    Column("created_utc", String(32), nullable=False),
)
"""The phones that asked for messages. ``subscription`` is the JSON that the browser gave."""
