"""What the venue keeps on disk: events (append-only), accounts, sessions and table tokens."""

from dashboard.store import desk_schema, evening_schema
from dashboard.store.accounts import Account, Accounts, KnownAccount
from dashboard.store.database import Store, open_store, open_store_to_read
from dashboard.store.events import Appended, BrokenLink, Chain, EventLog, IncomingEvent, StoredEvent
from dashboard.store.organising import Organising
from dashboard.store.tablets import Tablets
from dashboard.store.tokens import KnownToken, TableTokens, is_table_name

__all__ = [
    "Account",
    "Accounts",
    "Appended",
    "BrokenLink",
    "Chain",
    "EventLog",
    "IncomingEvent",
    "KnownAccount",
    "KnownToken",
    "Organising",
    "Store",
    "StoredEvent",
    "TableTokens",
    "Tablets",
    "desk_schema",
    "evening_schema",
    "is_table_name",
    "open_store",
    "open_store_to_read",
]
