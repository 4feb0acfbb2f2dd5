"""Reading server-sent events in tests, as a browser would."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from flask.testing import FlaskClient


@dataclass(frozen=True)
class Message:
    """One event of a stream."""

    event: str
    id: int | None
    data: str


class OpenStream:
    """A stream that is being read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._buffer = ""
        self.comments: list[str] = []

    def next(self) -> Message:
        """The next message; ``StopIteration`` when the server ended the stream."""
        while "\n\n" not in self._buffer:
            self._buffer += next(self._chunks).decode()
        block, self._buffer = self._buffer.split("\n\n", 1)
        return self._parse(block)

    def rest(self) -> Iterator[Message]:
        """Every message until the server ends the stream."""
        while True:
            try:
                yield self.next()
            except StopIteration:
                return

    def wait_for_end(self, within: int = 3) -> None:
        """Read until the server ends the stream, which it must after few messages."""
        for _ in range(within):
            try:
                self.next()
            except StopIteration:
                return
        raise AssertionError("the stream goes on")

    def next_picture(self, within: int = 40) -> Message:
        """The next message with a picture, heartbeats skipped."""
        for _ in range(within):
            message = self.next()
            if message.event == "picture":
                return message
        raise AssertionError("no picture came")

    def _parse(self, block: str) -> Message:
        event, event_id, data = "message", None, []
        for line in block.split("\n"):
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if name == "":
                self.comments.append(value)
            elif name == "event":
                event = value
            elif name == "id":
                event_id = int(value)
            elif name == "data":
                data.append(value)
        return Message(event, event_id, "\n".join(data))


@contextmanager
def open_stream(client: FlaskClient, address: str, last_event_id: int | None = None) -> Iterator[OpenStream]:
    """Open a stream, and close it as a browser does: without asking."""
    headers = {} if last_event_id is None else {"Last-Event-ID": str(last_event_id)}
    answer = client.get(address, headers=headers)
    try:
        assert answer.status_code == 200, answer.status
        assert answer.mimetype == "text/event-stream"
        yield OpenStream(iter(answer.response))  # type: ignore[arg-type] # Werkzeug allows text too; this is bytes.
    finally:
        answer.close()


def first_picture(client: FlaskClient, address: str) -> str:
    """What a page gets that opens the stream now."""
    with open_stream(client, address) as stream:
        return stream.next_picture().data
