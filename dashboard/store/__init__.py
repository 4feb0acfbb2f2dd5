"""What the venue keeps on disk: events (append-only), accounts, sessions and table tokens."""

from dashboard.store import desk_schema, evening_schema
from dashboard.store.accounts import Account, Accounts
from dashboard.store.database import Store, open_store, open_store_to_read
from dashboard.store.events import Appended, BrokenLink, Chain, EventLog, IncomingEvent, StoredEvent
from dashboard.store.tablets import Tablets
from dashboard.store.tokens import TableTokens

__all__ = [
    "Account",
    "Accounts",
    "Appended",
    "BrokenLink",
    "Chain",
    "EventLog",
    "IncomingEvent",
    "Store",
    "StoredEvent",
    "TableTokens",
    "Tablets",
    "desk_schema",
    "evening_schema",
    "open_store",
    "open_store_to_read",
]
