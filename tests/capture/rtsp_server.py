"""A real, small RTSP server for one film: RTP over the same TCP connection (RFC 2326, RFC 6184)."""

from __future__ import annotations

import base64
import contextlib
import socket
import struct
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import av
from av.bitstream import BitStreamFilterContext

RTP_CHANNEL, RTCP_CHANNEL = 0, 1
LONGEST_PAYLOAD = 1400
TICKS_PER_SECOND = 90_000
FIRST_STAMP = 1_234_567
SOURCE_ID = (0x4B4C4156).to_bytes(4, "big")


@dataclass(frozen=True)
class Behaviour:
    """What this camera does: how fast it sends, and after how many pictures it falls silent, hangs up or
    breaks the connection."""

    frames_per_second: float = 10.0
    answers: bool = True
    silent_after: int | None = None
    hangs_up_after: int | None = None
    resets_after: int | None = None
    password_wanted: bool = False


@dataclass(frozen=True)
class CodedPicture:
    """The H.264 units of one picture, and when it is shown, in pictures from the start."""

    units: tuple[bytes, ...]
    shown_at: float


class RtspServer:
    """Serves ``film`` in real time to whoever connects, as often as they like.

    pictures_sent: how many pictures of it went out, over all connections.
    """

    def __init__(self, film: Path, behaviour: Behaviour = Behaviour()) -> None:
        self.pictures_sent = 0
        self._pictures = coded_pictures(film)
        self._behaviour = behaviour
        self._stop = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """The address of the film."""
        return f"rtsp://127.0.0.1:{self._listener.getsockname()[1]}/film"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stop.set()
        # On Linux only a shutdown wakes a thread that waits in accept.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(5.0)

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.settimeout(0.2)
            if not self._behaviour.answers:
                self._stop.wait(30)
                return
            self._converse(connection)

    def _converse(self, connection: socket.socket) -> None:
        buffer = b""
        while not self._stop.is_set():
            try:
                received = connection.recv(4096)
            except TimeoutError:
                continue
            if not received:
                return
            buffer += received
            while b"\r\n\r\n" in buffer:
                request, _, buffer = buffer.partition(b"\r\n\r\n")
                if not self._answer(connection, request.decode()):
                    return

    def _answer(self, connection: socket.socket, request: str) -> bool:
        """Answer one request; False when the conversation is over."""
        method = request.split()[0]
        number = next(line for line in request.split("\r\n") if line.lower().startswith("cseq"))
        if method == "DESCRIBE" and self._behaviour.password_wanted:
            connection.sendall(f"RTSP/1.0 401 Unauthorized\r\n{number}\r\n\r\n".encode())
            return True
        headers, body = self._headers_and_body(method)
        answer = [
            "RTSP/1.0 200 OK",
            number,
            "Session: 1;timeout=60",
            *headers,
            f"Content-Length: {len(body)}",
        ]
        connection.sendall(("\r\n".join(answer) + "\r\n\r\n" + body).encode())
        if method == "PLAY":
            self._play(connection)
        return method not in ("PLAY", "TEARDOWN")

    def _headers_and_body(self, method: str) -> tuple[list[str], str]:
        if method == "DESCRIBE":
            return [f"Content-Base: {self.url}/", "Content-Type: application/sdp"], self._description()
        if method == "SETUP":
            return ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1"], ""
        return ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN"], ""

    def _description(self) -> str:
        sets = [unit for unit in self._pictures[0].units if unit[0] & 0x1F in (7, 8)]
        coded = ",".join(base64.b64encode(unit).decode() for unit in sets)
        return (
            "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=film\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
            "m=video 0 RTP/AVP 96\r\na=rtpmap:96 H264/90000\r\n"
            f"a=fmtp:96 packetization-mode=1;sprop-parameter-sets={coded}\r\na=control:track1\r\n"
        )

    def _play(self, connection: socket.socket) -> None:
        connection.settimeout(5.0)
        packer = _Packer(connection)
        started_s = time.monotonic()
        for count, picture in enumerate(self._pictures):
            if count == self._behaviour.silent_after:
                self._stop.wait(30)
                return
            if count == self._behaviour.hangs_up_after:
                return
            if count == self._behaviour.resets_after:
                # A reset throws away what has not been read yet; a slow reader is not what is tested.
                self._stop.wait(0.5)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            due_s = started_s + count / self._behaviour.frames_per_second
            if self._stop.wait(max(0.0, due_s - time.monotonic())):
                return
            packer.send(picture, self._behaviour.frames_per_second)
            self.pictures_sent += 1
        packer.say_goodbye()
        self._stop.wait(30)


class _Packer:
    """Cuts pictures into RTP packets."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._sequence = 0

    def send(self, picture: CodedPicture, frames_per_second: float) -> None:
        stamp = FIRST_STAMP + round(picture.shown_at / frames_per_second * TICKS_PER_SECOND)
        payloads = [payload for unit in picture.units for payload in _fragments(unit)]
        for payload in payloads:
            self._send_packet(payload, stamp, is_last=payload is payloads[-1])

    def _send_packet(self, payload: bytes, stamp: int, is_last: bool) -> None:
        header = bytes([0x80, (0x80 if is_last else 0) | 96])
        header += (self._sequence & 0xFFFF).to_bytes(2, "big") + stamp.to_bytes(4, "big") + SOURCE_ID
        self._sequence += 1
        self._interleave(RTP_CHANNEL, header + payload)

    def say_goodbye(self) -> None:
        """RTCP BYE after an empty receiver report, as RFC 3550 wants it: the proper end of a stream."""
        report, goodbye = bytes([0x80, 201, 0, 1]), bytes([0x81, 203, 0, 1])
        self._interleave(RTCP_CHANNEL, report + SOURCE_ID + goodbye + SOURCE_ID)

    def _interleave(self, channel: int, packet: bytes) -> None:
        self._connection.sendall(b"$" + bytes([channel]) + len(packet).to_bytes(2, "big") + packet)


def _fragments(unit: bytes) -> list[bytes]:
    """One H.264 unit as RTP payloads: whole when it is small, else cut up (FU-A)."""
    if len(unit) <= LONGEST_PAYLOAD:
        return [unit]
    pieces = [unit[start : start + LONGEST_PAYLOAD] for start in range(1, len(unit), LONGEST_PAYLOAD)]
    fragments = []
    for index, piece in enumerate(pieces):
        place = (0x80 if index == 0 else 0) | (0x40 if index == len(pieces) - 1 else 0)
        fragments.append(bytes([unit[0] & 0xE0 | 28, place | unit[0] & 0x1F]) + piece)
    return fragments


def coded_pictures(film: Path) -> list[CodedPicture]:
    """The pictures of an MP4 film as they are coded, in the order of decoding."""
    pictures = []
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        to_units = BitStreamFilterContext("h264_mp4toannexb", stream)
        step_s = 1.0 / float(stream.average_rate or 10)
        for packet in container.demux(stream):
            for filtered in to_units.filter(packet if packet.dts is not None else None):
                shown_s = float((filtered.pts or 0) * filtered.time_base)
                pictures.append(CodedPicture(_units(bytes(filtered)), shown_s / step_s))
    return pictures


def _units(data: bytes) -> tuple[bytes, ...]:
    parts = data.replace(b"\0\0\0\1", b"\0\0\1").split(b"\0\0\1")
    return tuple(part for part in parts if part)
