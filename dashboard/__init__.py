"""The venue: events in, the live tellijst and the wedstrijdleider's desk out. See README.md here."""

from dashboard.app import create_app
from dashboard.config import DashboardConfig, config_from_toml
from dashboard.server import create_table_token, renew_password, run_dashboard, serve

__all__ = [
    "DashboardConfig",
    "config_from_toml",
    "create_app",
    "create_table_token",
    "renew_password",
    "run_dashboard",
    "serve",
]
