"""The desk in tests: what an alert is called, what its page holds, and pressing what stands there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import unescape

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from dashboard.books import TableRecord
from dashboard.desk.alerts import Alert
from dashboard.desk.finding import alerts_of
from dashboard.tellijst import tellijst_of
from rules import Team
from tests.dashboard.conftest import Venue


@dataclass
class DeskPages:
    """What a wedstrijdleider does at the desk about one deal."""

    venue: Venue
    client: FlaskClient
    table: str = "1"
    deal: int = 1

    @property
    def match(self) -> str:
        """The key of the match that is being played."""
        return self.venue.services.desk_matches.current(self.table)

    @property
    def record(self) -> TableRecord:
        """The match now."""
        found = self.venue.services.desk_matches.find(self.table, self.match)
        assert found is not None
        return found.record

    @property
    def totals(self) -> dict[Team, int]:
        """Both sides' totals on the sheet."""
        sheet = tellijst_of(self.record.deals, 16)
        return {team: sheet.totals[team].all_together for team in Team}

    def alerts(self) -> tuple[Alert, ...]:
        """Everything that asks for somebody."""
        return alerts_of(self.record)

    def ruling_address(self) -> str:
        """Where is decided about the deal."""
        return f"/wedstrijdleider/beslissen/{self.table}/{self.match}/{self.deal}"

    def form(self, address: str) -> dict[str, str]:
        """The hidden fields of the last form on a page, as a browser would send them."""
        page = self.client.get(address).text
        form = page[page.rindex("<form") :]
        names = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
        return {name: unescape(value) for name, value in names}

    def press(self, decision: str, form: dict[str, str], reason: str = "gezien") -> TestResponse:
        """Press a ruling's button on a page that was looked at before."""
        return self.client.post(self.ruling_address(), data={**form, "beslissing": decision, "reden": reason})

    def rule(self, decision: str, query: str = "") -> TestResponse:
        """Look and press at once."""
        return self.press(decision, self.form(f"{self.ruling_address()}?{query}"))

    def decisions(self) -> Sequence[str]:
        """The rulings in force."""
        return [ruling.decision for deal in self.record.deals for ruling in deal.rulings]
