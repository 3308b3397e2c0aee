"""The settings of a sink of Elasticsearch or OpenSearch."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from pystream.engine.connectors.packages import client_library, limit_logs
from pystream.errors import ConfigurationError

__all__ = ["Backoff", "BulkLimits", "Cluster", "host_of"]

_PORTS = {"http": 9200, "https": 443}

NO_LIMIT = -1


@dataclass(frozen=True, slots=True)
class Cluster:
    """How to connect to a cluster.

    Attributes:
        hosts: scheme, host and port of its nodes.
        username: the name of the user, ``None`` for no login.
        password: the password of the user.
        path_prefix: the prefix of the paths of all requests.
        connection_timeout: how long to wait for a connection, in ms.
        socket_timeout: how long to wait for data, in ms.
        verifies_certificates: whether the certificate of a node is verified.
    """

    hosts: tuple[tuple[str, str, int], ...] = ()
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    path_prefix: str = ""
    connection_timeout: int = 1_000
    socket_timeout: int = 30_000
    verifies_certificates: bool = True

    def __str__(self) -> str:
        return ", ".join(f"{scheme}://{host}:{port}" for scheme, host, port in self.hosts)

    def connect(self) -> Any:
        """Return a client, which opens its connections when they are needed.

        Raises:
            DependencyError: the client library is not installed.
        """
        library = client_library("opensearchpy", "opensearch")
        from urllib3 import Timeout

        limit_logs("opensearch", logging.ERROR)  # it logs a traceback at each request that is repeated later
        timeout = Timeout(connect=self.connection_timeout / 1000, read=self.socket_timeout / 1000)
        return library.OpenSearch(
            hosts=[
                {"host": host, "port": port, "use_ssl": scheme == "https", "url_prefix": self.path_prefix}
                for scheme, host, port in self.hosts
            ],
            http_auth=None if self.username is None else (self.username, self.password or ""),
            timeout=timeout,
            max_retries=len(self.hosts) - 1,  # each node is tried; the backoff strategy does the rest
            retry_on_status=(),
            verify_certs=self.verifies_certificates,
            ssl_show_warn=False,
        )


@dataclass(frozen=True, slots=True)
class BulkLimits:
    """When buffered actions are sent, at the latest; -1 for no limit.

    Attributes:
        actions: how many there are.
        size: the size of the request in bytes.
        interval: how long the first one has waited when an element comes, in ms.
    """

    actions: int = 1_000
    size: int = NO_LIMIT
    interval: int = NO_LIMIT

    def are_reached(self, actions: int, size: int, waited: float) -> bool:
        """Return whether actions must be sent.

        Args:
            actions: how many there are.
            size: their size in bytes.
            waited: how long the first one has waited, in ms.
        """
        return 0 <= self.actions <= actions or 0 <= self.size <= size or 0 <= self.interval <= waited


@dataclass(frozen=True, slots=True)
class Backoff:
    """How often a request is repeated, and how long to wait before.

    Attributes:
        max_retries: how often.
        delay: the time before the first repetition, in ms.
        grows: whether the time doubles each time.
    """

    max_retries: int = 0
    delay: int = 0
    grows: bool = False

    def wait_before(self, retry: int) -> float | None:
        """Return how long to wait before a repetition, in seconds; ``None`` if there is none.

        Args:
            retry: its number, from 0.
        """
        if retry >= self.max_retries:
            return None
        return self.delay * (2**retry if self.grows else 1) / 1000


def host_of(text: object) -> tuple[str, str, int]:
    """Return the scheme, host and port of a node.

    Raises:
        ConfigurationError: it is not a text of the form ``scheme://host:port``.
    """
    form = "a host has the form 'http://localhost:9200'"
    if not isinstance(text, str):
        raise ConfigurationError(f"{form}, not {text!r}")
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        port = parts.port
    except ValueError:
        raise ConfigurationError(f"{form}, not {text.rpartition('@')[2]!r}") from None
    if parts.username is not None:
        raise ConfigurationError(f"{form}; set_connection_username and set_connection_password log in")
    if parts.scheme not in _PORTS or not parts.hostname or parts.query or parts.fragment:
        raise ConfigurationError(f"{form}, not {text!r}")
    if parts.path.strip("/"):
        raise ConfigurationError(f"{form}, not {text!r}; set_connection_path_prefix sets a path")
    return parts.scheme, parts.hostname, port or _PORTS[parts.scheme]
