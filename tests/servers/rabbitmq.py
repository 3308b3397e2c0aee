"""A RabbitMQ broker, from Debian's package."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import pika

from tests.servers.process import MissingProgramError, ServerProcess, free_port

__all__ = ["RabbitMQ"]

# Not /usr/sbin/rabbitmq-server, which changes to a user that cannot enter the directories of tests.
_PROGRAM = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
_PATIENCE = 30  # seconds until a queue must have a number of messages


class RabbitMQ:
    """A broker with its data in a directory, on ports of the loopback interface that stay the same.

    Args:
        directory: for its data, settings and logs.

    Raises:
        MissingProgramError: RabbitMQ is not installed.
    """

    def __init__(self, directory: Path) -> None:
        if not _PROGRAM.exists():
            raise MissingProgramError("RabbitMQ is not installed: apt-get install rabbitmq-server")
        directory.mkdir(parents=True, exist_ok=True)
        self.port: int = free_port()
        settings = directory / "rabbitmq.conf"
        settings.write_text(f"listeners.tcp.1 = 127.0.0.1:{self.port}\ndisk_free_limit.absolute = 1MB\n")
        names = free_port()
        # Erlang would start this daemon itself, and leave it behind.
        self._names = ServerProcess(
            ["epmd", "-address", "127.0.0.1", "-port", str(names)], directory / "epmd.log", _listens(names)
        )
        environment = {
            "HOME": str(directory),  # for the Erlang cookie
            "RABBITMQ_NODENAME": f"test{self.port}@localhost",
            "RABBITMQ_CONFIG_FILE": str(settings),
            "RABBITMQ_MNESIA_BASE": str(directory / "data"),
            "RABBITMQ_LOG_BASE": str(directory / "logs"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(directory / "enabled_plugins"),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "ERL_EPMD_PORT": str(names),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 1:1 +sbwt none",
        }
        self.process = ServerProcess([str(_PROGRAM)], directory / "server.log", self._answers, environment)

    @property
    def uri(self) -> str:
        """The URI for clients."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}/%2F"

    def __enter__(self) -> Self:
        self._names.start()
        self.process.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self._names.kill()

    def connection(self) -> Any:
        """Return a new connection."""
        return pika.BlockingConnection(pika.URLParameters(self.uri))

    def publish(self, queue: str, *bodies: str, with_ids: bool = False) -> None:
        """Publish persistent messages to a durable queue; their correlation ids are their bodies."""
        connection = self.connection()
        channel = connection.channel()
        channel.queue_declare(queue, durable=True)
        channel.confirm_delivery()
        for body in bodies:
            properties = pika.BasicProperties(delivery_mode=2, correlation_id=body if with_ids else None)
            channel.basic_publish("", queue, body.encode(), properties)
        connection.close()

    def take(self, queue: str, number: int) -> list[str]:
        """Return messages of a queue, as soon as it has that many."""
        connection = self.connection()
        channel = connection.channel()
        bodies: list[str] = []
        end = time.monotonic() + _PATIENCE
        while len(bodies) < number and time.monotonic() < end:
            method, _, body = channel.basic_get(queue, auto_ack=True)
            if method is None:
                time.sleep(0.02)
            else:
                bodies.append(body.decode())
        connection.close()
        return bodies

    def waiting(self, queue: str) -> int:
        """Return the number of messages of a queue that no consumer has."""
        connection = self.connection()
        count: int = connection.channel().queue_declare(queue, passive=True).method.message_count
        connection.close()
        return count

    def _answers(self) -> bool:
        with suppress(Exception):
            self.connection().close()
            return True
        return False


def _listens(port: int) -> Callable[[], bool]:
    def listens() -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
        return False

    return listens
