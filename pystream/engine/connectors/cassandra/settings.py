"""The settings of a sink of Cassandra."""

from __future__ import annotations

import logging
import pickle
import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pystream.engine.connectors.packages import client_library, limit_logs
from pystream.errors import DependencyError

__all__ = ["Contact", "Options", "Settings", "connect", "placeholders"]

_NO_PLACEHOLDER = re.compile(
    r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\$\$.*?\$\$|--[^\n]*|//[^\n]*|/\*.*?\*/", re.DOTALL
)


class Contact(NamedTuple):
    """A node to connect to."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Options:
    """How statements are executed.

    Attributes:
        consistency_level: the number of a consistency level; ``None`` for that of the session.
        timestamp: the time of all writes in microseconds; ``None`` for the time at which one is sent.
        tracing: whether the server traces statements.
        ignores_nulls: whether a null leaves its column as it is.
    """

    consistency_level: int | None = None
    timestamp: int | None = None
    tracing: bool = False
    ignores_nulls: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """What a sink does for each element.

    Attributes:
        query: the statement, with a placeholder for each field.
        contact: the node to connect to; ``None`` with a cluster builder.
        cluster: a pickled function that returns a cluster of the client library, or empty.
        handler: a pickled failure handler.
        options: how statements are executed.
        max_requests: how many may be in flight at once in a subtask.
        patience: how long to wait when there are as many, in seconds; ``None`` for any time.
    """

    query: str
    contact: Contact | None
    cluster: bytes = field(repr=False)
    handler: bytes = field(repr=False)
    options: Options
    max_requests: int
    patience: float | None

    @property
    def target(self) -> str:
        """The server, for messages."""
        return (
            "Cassandra" if self.contact is None else f"Cassandra at {self.contact.host}:{self.contact.port}"
        )


def connect(settings: Settings) -> Any:
    """Return a cluster of the client library, which is not connected yet.

    Raises:
        DependencyError: the library is not installed, or has no event loop on this machine.
    """
    library = client_library("cassandra", "cassandra")
    try:
        clusters = client_library("cassandra.cluster", "cassandra")
    except library.DependencyException as error:
        raise DependencyError(
            f"cassandra-driver has no event loop here: {error}; its wheels contain one, libev"
        ) from error
    limit_logs("cassandra", logging.CRITICAL)  # it logs each attempt to connect that it raises, too
    if settings.contact is None:
        return pickle.loads(settings.cluster)()
    host, port = settings.contact
    profile = clusters.ExecutionProfile(clusters.default_lbp_factory())
    profiles = {clusters.EXEC_PROFILE_DEFAULT: profile}
    return clusters.Cluster([host], port=port, execution_profiles=profiles)


def placeholders(query: str) -> int:
    """Return the number of placeholders in a statement."""
    return _NO_PLACEHOLDER.sub("", query).count("?")
