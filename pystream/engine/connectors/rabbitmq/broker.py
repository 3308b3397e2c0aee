"""Broker: how to connect to a RabbitMQ broker."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pystream.engine.connectors.packages import client_library, limit_logs

__all__ = ["Broker", "failures"]

_PORTS = {"amqp": 5672, "amqps": 5671}
_BLOCKED_SECONDS = 60  # while an alarm of the broker, such as a full disk, may hold back publishing
_NOT_FOUND = 404


@dataclass(frozen=True, slots=True)
class Broker:
    """The address of a broker, and settings of connections to it; ``None`` and 0 stand for the defaults.

    Attributes:
        host: its host.
        port: its port.
        virtual_host: the virtual host.
        user: the name of the user.
        password: the password of the user.
        uri: all of these as a URI, used instead of them unless empty.
        recovers: whether a lost connection is re-established.
        recovery_interval: the pause before that, in ms.
        connection_timeout: time limit for a connection to be made, in ms.
        heartbeat: interval in seconds after which a silent peer counts as lost; 0 for never.
        frame_max: the largest size of a frame in bytes.
        channel_max: the largest number of channels.
        prefetch_count: how many messages the consumer may have that are not acknowledged.
    """

    host: str = ""
    port: int = 0
    virtual_host: str = ""
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    uri: str = field(default="", repr=False)
    recovers: bool = True
    recovery_interval: int = 5_000
    connection_timeout: int | None = None
    heartbeat: int | None = None
    frame_max: int | None = None
    channel_max: int | None = None
    prefetch_count: int | None = None

    def __str__(self) -> str:
        if not self.uri:
            return f"{self.host}:{self.port}{_path(self.virtual_host)}"
        parts = urlsplit(self.uri)
        return f"{parts.hostname}:{parts.port or _PORTS[parts.scheme]}{parts.path}"

    def connect(self) -> Any:
        """Return a new connection, to be used by one thread at a time.

        Raises:
            DependencyError: the client library is not installed.
            Exception: one of `failures`.
        """
        pika = client_library("pika", "rabbitmq")
        limit_logs("pika", logging.CRITICAL)  # it logs several errors for each failure that it also raises
        if self.uri:
            parameters = pika.URLParameters(self.uri)
        else:
            credentials = pika.PlainCredentials(self.user, self.password)
            parameters = pika.ConnectionParameters(self.host, self.port, self.virtual_host, credentials)
        parameters.blocked_connection_timeout = _BLOCKED_SECONDS
        if self.heartbeat is not None:
            parameters.heartbeat = self.heartbeat
        if self.connection_timeout:
            seconds = self.connection_timeout / 1000
            parameters.socket_timeout = parameters.stack_timeout = seconds
        if self.frame_max:
            parameters.frame_max = self.frame_max
        if self.channel_max:
            parameters.channel_max = self.channel_max
        return pika.BlockingConnection(parameters)

    def queue_connection(self, queue: str) -> Any:
        """Return a new connection to a queue; a durable one is created if there is none of that name.

        Raises:
            Exception: one of `failures`.
        """
        connection = self.connect()
        closed_by_broker = client_library("pika", "rabbitmq").exceptions.ChannelClosedByBroker
        try:
            try:
                channel = connection.channel()
                channel.queue_declare(queue, passive=True)
            except closed_by_broker as error:
                if error.reply_code != _NOT_FOUND:
                    raise
                channel = connection.channel()
                channel.queue_declare(queue, durable=True)
            channel.close()
        except BaseException:
            connection.close()
            raise
        return connection


def failures() -> tuple[type[Exception], ...]:
    """Return the errors of the client library and of the network."""
    return client_library("pika", "rabbitmq").exceptions.AMQPError, OSError


def _path(virtual_host: str) -> str:
    return virtual_host if virtual_host.startswith("/") else f"/{virtual_host}"
