"""A MariaDB server, from the Debian package ``mariadb-server-core``."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pymysql

from tests.servers.database_server import DatabaseServer
from tests.servers.process import MissingProgramError, ServerProcess, free_port

__all__ = ["MariadbServer"]

USER, PASSWORD = "tester", "s3cr3t-of-the-tests"
_START_LIMIT = 60  # seconds for mariadb-install-db


class MariadbServer(DatabaseServer):
    """A server with its data in a temporary directory, on a port of loopback that stays the same."""

    unavailable = pymysql.err.OperationalError

    def __init__(self) -> None:
        server = shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        install = shutil.which("mariadb-install-db")
        if server is None or install is None or shutil.which("my_print_defaults") is None:
            raise MissingProgramError(
                "MariaDB is not installed: mariadb-server-core and mariadb-client-core of Debian"
            )
        self.directory = Path(tempfile.mkdtemp(prefix="mariadb-", dir="/tmp"))
        self.port = free_port()
        data = self.directory / "data"
        as_root = ["--user=root"] if os.getuid() == 0 else []
        done = subprocess.run(
            [
                install,
                "--no-defaults",
                f"--datadir={data}",
                "--auth-root-authentication-method=normal",
                *as_root,
            ],
            capture_output=True,
            text=True,
            timeout=_START_LIMIT,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"mariadb-install-db failed:\n{done.stdout}{done.stderr}")
        users = self.directory / "users.sql"
        users.write_text(
            "CREATE DATABASE IF NOT EXISTS shop CHARACTER SET utf8mb4;\n"
            f"CREATE USER IF NOT EXISTS '{USER}'@'127.0.0.1' IDENTIFIED BY '{PASSWORD}';\n"
            f"GRANT ALL ON *.* TO '{USER}'@'127.0.0.1';\n"
        )
        settings = {
            "datadir": data,
            "port": self.port,
            "bind-address": "127.0.0.1",
            "socket": self.directory / "socket",
            "pid-file": self.directory / "pid",
            "init-file": users,
            "innodb-flush-log-at-trx-commit": 2,  # what is committed survives a kill
            "innodb-buffer-pool-size": "32M",
            "innodb-log-file-size": "16M",
            "default-time-zone": "+09:00",
            "skip-name-resolve": "ON",
        }
        options = [f"--{key}={value}" for key, value in settings.items()]
        log = self.directory / "server.log"
        self.process = ServerProcess([server, "--no-defaults", *options, *as_root], log, self.answers)

    @property
    def url(self) -> str:
        """The JDBC URL, without credentials."""
        return f"jdbc:mariadb://127.0.0.1:{self.port}/shop"

    def connect(self) -> Any:
        """Open a connection that commits each statement."""
        return pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user=USER,
            password=PASSWORD,
            database="shop",
            connect_timeout=5,
            autocommit=True,
        )
