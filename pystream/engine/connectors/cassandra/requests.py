"""Requests: statements for elements, several of them in flight at once."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from pystream.engine.connectors.cassandra.settings import Settings, connect
from pystream.engine.connectors.packages import client_library
from pystream.engine.failure import ElementFailure
from pystream.errors import SinkError
from typeinfo.instant import Instant

__all__ = ["Requests"]


class Requests:
    """Execute the statement of a sink.

    Args:
        settings: what the sink does.

    Raises:
        SinkError: the server cannot be reached, or does not accept the statement.
    """

    def __init__(self, settings: Settings) -> None:
        self._target = settings.target
        self._on_failure: Callable[[Exception], None] = pickle.loads(settings.handler).on_failure
        self._tracing = settings.options.tracing
        self._patience = settings.patience
        self._permits = threading.BoundedSemaphore(settings.max_requests)
        self._idle = threading.Condition()
        self._in_flight = 0
        self._failed: list[tuple[Any, Exception]] = []
        self._cluster = connect(settings)
        self._unfit = client_library("cassandra", "cassandra").InvalidRequest
        if settings.options.timestamp is not None:
            self._cluster.timestamp_generator = partial(int, settings.options.timestamp)
        try:
            self._session = self._cluster.connect()
            self._statement = self._session.prepare(settings.query)
        except Exception as error:
            self._cluster.shutdown()
            raise SinkError(
                f"{self._target} is not ready for {settings.query!r}: {type(error).__name__}: {error}"
            ) from error
        if settings.options.consistency_level is not None:
            self._statement.consistency_level = settings.options.consistency_level
        self._values_of = _set_values if settings.options.ignores_nulls else _all_values

    def start(self, element: Any, fields: Sequence[Any]) -> None:
        """Start the statement for an element, once fewer statements than the maximum are in flight.

        Args:
            element: the element, for messages.
            fields: its fields.

        Raises:
            ElementFailure: the element does not fit the statement, or an earlier one failed.
            SinkError: the statements in flight are not answered in time.
        """
        self._raise_failure()
        try:
            bound = self._statement.bind(self._values_of(fields))
        except (TypeError, ValueError, OverflowError, self._unfit) as error:
            raise ElementFailure(element) from SinkError(
                f"it does not fit the statement {self._statement.query_string!r}: {error}"
            )
        if not self._permits.acquire(timeout=self._patience):
            raise SinkError(
                f"{self._target} has not answered any of the statements in flight for {self._patience:g} s"
            )
        with self._idle:
            self._in_flight += 1
        future = self._session.execute_async(bound, trace=self._tracing)
        future.add_callbacks(self._done, partial(self._done, element=element))

    def finish(self) -> None:
        """Wait until no statement is in flight.

        Raises:
            ElementFailure: one failed.
        """
        with self._idle:
            self._idle.wait_for(lambda: not self._in_flight)
        self._raise_failure()

    def close(self) -> None:
        """Close the connections."""
        self._cluster.shutdown()

    def _done(self, outcome: Any, element: Any = None) -> None:
        """Note the end of a statement; called by a thread of the client library."""
        with self._idle:
            if isinstance(outcome, Exception):
                self._failed.append((element, outcome))
            self._in_flight -= 1
            self._idle.notify_all()
        self._permits.release()

    def _raise_failure(self) -> None:
        """Pass failed statements to the failure handler, which raises or drops them."""
        with self._idle:
            failed, self._failed = self._failed, []
        for element, error in failed:
            try:
                self._on_failure(error)
            except Exception as raised:
                if raised is not error:
                    raise ElementFailure(element) from raised
                reason = f"{type(error).__name__}: {error}"
                raise ElementFailure(element) from SinkError(f"{self._target} failed to write: {reason}")


def _all_values(fields: Sequence[Any]) -> list[Any]:
    return [_moment(value) if isinstance(value, Instant) else value for value in fields]


def _set_values(fields: Sequence[Any]) -> list[Any]:
    unset = client_library("cassandra.query", "cassandra").UNSET_VALUE
    return [unset if value is None else value for value in _all_values(fields)]


def _moment(value: Instant) -> datetime:
    return value.to_datetime()
