"""How alembic reaches the database: by the connection that the store gives it, in the store's transaction."""

from __future__ import annotations

from alembic import context

from dashboard.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
