"""A PostgreSQL of the tests' own: made in a temporary folder, reached by a socket in it, gone afterwards."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import create_engine

from dashboard.store.database import open_store

_TIMEOUT_S: Final = 60
_IN_MEMORY: Final = Path("/dev/shm")
_ROOM_BYTES: Final = 2_000_000_000
_FOR_TESTS: Final = "-c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=200"
"""No port, so that none is ever taken; and no waiting for a disk that nobody will read again."""


def missing_reason() -> str | None:
    """Why PostgreSQL cannot be tried here; None when it can."""
    if _program("initdb") is None:
        return "PostgreSQL is not installed here: sudo apt install postgresql"
    if os.geteuid() == 0 and "postgres" not in {user.pw_name for user in pwd.getpwall()}:
        return "PostgreSQL will not run as root, and there is no user postgres: sudo apt install postgresql"
    return None


class PostgresqlServer:
    """Start it, ask it for empty databases with all tables made, stop it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="klaveroog-pg-", dir=_memory()))
        self._folder.chmod(0o700)
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres")
        self._data = self._folder / "data"
        self._run("initdb", "--auth=trust", "--username=klaveroog", "--encoding=UTF8", "--no-sync")
        options = f"-k {self._folder} {_FOR_TESTS}"
        self._run("pg_ctl", "--wait", f"--log={self._folder / 'log'}", f"--options={options}", "start")
        self._template = self._create("made", "template0")
        open_store(self._template).close()

    def new_database(self) -> str:
        """The URL of a database that holds the tables and nothing else."""
        return self._create(f"venue_{secrets.token_hex(6)}", "made")

    def stop(self) -> None:
        """Stop it and take its folder away."""
        self._run("pg_ctl", "--wait", "--mode=immediate", "stop")
        shutil.rmtree(self._folder)

    def _create(self, name: str, template: str) -> str:
        engine = create_engine(self._url("postgres", "postgresql+psycopg"), isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        engine.dispose()
        return self._url(name, "postgresql")

    def _url(self, name: str, driver: str) -> str:
        return f"{driver}://klaveroog@/{name}?host={quote(str(self._folder))}"

    def _run(self, program: str, *arguments: str) -> None:
        path = _program(program)
        assert path is not None
        as_postgres = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        command = [*(as_postgres if os.geteuid() == 0 else []), path, f"--pgdata={self._data}", *arguments]
        # To a file: the server keeps its outputs open, and a pipe would never end.
        with (self._folder / "output").open("ab") as output:
            subprocess.run(
                command, cwd=self._folder, check=True, timeout=_TIMEOUT_S, stdout=output, stderr=output
            )


def _memory() -> Path | None:
    """A folder in memory when it has room: each database is some three hundred files."""
    has_room = _IN_MEMORY.is_dir() and shutil.disk_usage(_IN_MEMORY).free > _ROOM_BYTES
    return _IN_MEMORY if has_room and os.access(_IN_MEMORY, os.W_OK) else None


def _program(name: str) -> str | None:
    """Debian keeps the server's programs out of the path."""
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return shutil.which(name) or (str(installed[-1]) if installed else None)
