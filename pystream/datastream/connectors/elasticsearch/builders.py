"""The sink of Elasticsearch, with PyFlink's builders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Self

from typing_extensions import TypeVar

from pystream.arguments.checks import require, require_int
from pystream.datastream.connectors.base import DeliveryGuarantee, Sink
from pystream.datastream.connectors.elasticsearch.emitter import ElasticsearchEmitter
from pystream.engine.connectors.elasticsearch.settings import Backoff, BulkLimits, Cluster, host_of
from pystream.engine.connectors.elasticsearch.sink import DocumentsOutput
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = [
    "Elasticsearch6SinkBuilder",
    "Elasticsearch7SinkBuilder",
    "ElasticsearchSink",
    "ElasticsearchSinkBuilderBase",
    "FlushBackoffType",
]

IN = TypeVar("IN", contravariant=True, default=Any)

_MEGABYTE = 1024 * 1024


class FlushBackoffType(Enum):
    """The delay before a bulk request is repeated.

    Mirrors ``org.apache.flink.connector.elasticsearch.sink.FlushBackoffType``.
    """

    CONSTANT = 0
    """The same time before each repetition."""

    EXPONENTIAL = 1
    """A time that doubles from one repetition to the next."""

    NONE = 2
    """Requests are not repeated: the job fails, and restarts if its restart strategy says so."""


@checks_arguments(ArgumentTypeError)
class ElasticsearchSink(Sink[IN]):
    """A sink of documents, at least once.

    Actions are buffered, and sent in bulk requests when there are enough of them, and at the end of each
    epoch, which ends only when the server has done them. An epoch that fails is repeated: documents with ids
    are then written again with the same content, so that each element takes effect exactly once if those of
    one id come through one subtask, as they do after ``key_by``. Documents whose id the server chooses may
    be there twice.

    A document that the server refuses fails the job; the error names its index, its id, the reason, and the
    element. Made by a builder. Mirrors ``org.apache.flink.connector.elasticsearch.sink.ElasticsearchSink``.
    """

    def __init__(
        self, cluster: Cluster, emitter: ElasticsearchEmitter, limits: BulkLimits, backoff: Backoff
    ) -> None:
        self._cluster = cluster
        self._format = emitter._format
        self._limits = limits
        self._backoff = backoff

    def bind(self, type_info: TypeInformation[IN]) -> DocumentsOutput:
        """Return the output that the runtime writes elements to.

        Raises:
            UnsupportedTypeError: elements are not maps, rows, tuples or records, or JSON has no such values.
            ConfigurationError: they have no such field as the emitter names.
        """
        self._format.check(type_info)
        return DocumentsOutput(self._cluster, self._format, self._limits, self._backoff, type_info)


@checks_arguments(ArgumentTypeError)
class ElasticsearchSinkBuilderBase:
    """Build a sink; the hosts and the emitter must be set.

    Mirrors ``org.apache.flink.connector.elasticsearch.sink.ElasticsearchSinkBuilderBase``.
    """

    def __init__(self) -> None:
        self._cluster = Cluster()
        self._limits = BulkLimits()
        self._backoff = Backoff()
        self._emitter: ElasticsearchEmitter | None = None

    def set_emitter(self, emitter: ElasticsearchEmitter) -> Self:
        """Set how documents are made of elements.

        Raises:
            PlanTypeError: it is not an emitter.
        """
        wanted = "an ElasticsearchEmitter such as ElasticsearchEmitter.static_index('orders')"
        require(emitter, ElasticsearchEmitter, "set_emitter", wanted)
        self._emitter = emitter
        return self

    def set_hosts(self, hosts: str | Sequence[str]) -> Self:
        """Set the nodes of the cluster, one of which takes each request.

        Args:
            hosts: one or several, such as ``http://localhost:9200``; ``http`` may be left out, and so may the
                port, 9200 by default, 443 with ``https``.

        Raises:
            ConfigurationError: one has no such form.
        """
        require(hosts, (str, Sequence), "set_hosts", "a str such as 'http://localhost:9200', or several")
        several = [hosts] if isinstance(hosts, str) else hosts
        self._cluster = replace(self._cluster, hosts=tuple(map(host_of, several)))
        return self

    def set_delivery_guarantee(self, delivery_guarantee: DeliveryGuarantee) -> Self:
        """Set the guarantee. `DeliveryGuarantee.NONE` is at least once, too, as epochs need no more for it.

        Raises:
            UnsupportedOperationError: it is exactly once.
        """
        require(delivery_guarantee, DeliveryGuarantee, "set_delivery_guarantee", "a DeliveryGuarantee")
        if delivery_guarantee is DeliveryGuarantee.EXACTLY_ONCE:
            raise UnsupportedOperationError(
                "EXACTLY_ONCE needs transactions, which the server does not have: use AT_LEAST_ONCE and an "
                "emitter with a key field, so that an element that is written again changes nothing"
            )
        return self

    def set_bulk_flush_max_actions(self, num_max_actions: int) -> Self:
        """Set the number of buffered actions at which they are sent, 1000 by default; -1 for no limit.

        Raises:
            ConfigurationError: it is neither -1 nor positive.
        """
        self._limits = replace(self._limits, actions=_limit(num_max_actions, "num_max_actions"))
        return self

    def set_bulk_flush_max_size_mb(self, max_size_mb: int) -> Self:
        """Set the size of buffered actions in MiB at which they are sent; -1, the default, for no limit.

        Raises:
            ConfigurationError: it is neither -1 nor positive.
        """
        size = _limit(max_size_mb, "max_size_mb")
        self._limits = replace(self._limits, size=size if size < 0 else size * _MEGABYTE)
        return self

    def set_bulk_flush_interval(self, interval_millis: int) -> Self:
        """Set how long the first buffered action may have waited when the next element comes.

        The end of an epoch, which sends all actions, is usually sooner.

        Args:
            interval_millis: the time in ms; -1, the default, for no limit.

        Raises:
            ConfigurationError: it is neither -1 nor positive.
        """
        self._limits = replace(self._limits, interval=_limit(interval_millis, "interval_millis"))
        return self

    def set_bulk_flush_backoff_strategy(
        self, flush_backoff_type: FlushBackoffType, max_retries: int, delay_millis: int
    ) -> Self:
        """Set how a request is repeated that the cluster does not answer, or cannot take at the moment.

        Only the actions that were rejected are sent again, with those after them that have the same id. A
        document that the server refuses for another reason fails the job at once.

        Args:
            flush_backoff_type: how the time before a repetition grows.
            max_retries: how often a request is repeated.
            delay_millis: the time before the first repetition, in ms.

        Raises:
            PlanTypeError: the type is not a FlushBackoffType.
            ConfigurationError: a number is not positive.
        """
        require(flush_backoff_type, FlushBackoffType, "set_bulk_flush_backoff_strategy", "a FlushBackoffType")
        if flush_backoff_type is FlushBackoffType.NONE:
            self._backoff = Backoff()
            return self
        self._backoff = Backoff(
            require_int(max_retries, "max_retries", 1),
            require_int(delay_millis, "delay_millis", 0),
            flush_backoff_type is FlushBackoffType.EXPONENTIAL,
        )
        return self

    def set_connection_username(self, username: str) -> Self:
        """Set the name of the user to log in as."""
        require(username, str, "set_connection_username", "a str")
        self._cluster = replace(self._cluster, username=username)
        return self

    def set_connection_password(self, password: str) -> Self:
        """Set the password of the user; it is not shown in messages and plans."""
        if not isinstance(password, str):
            raise PlanTypeError("set_connection_password takes a str")
        self._cluster = replace(self._cluster, password=password)
        return self

    def set_connection_path_prefix(self, prefix: str) -> Self:
        """Set the prefix of the paths of all requests, which a proxy may need."""
        require(prefix, str, "set_connection_path_prefix", "a str")
        self._cluster = replace(self._cluster, path_prefix=prefix.strip("/"))
        return self

    def set_connection_request_timeout(self, timeout: int) -> Self:
        """Set how long to wait for a connection of the pool, in ms; a subtask never does.

        Raises:
            ConfigurationError: it is not positive.
        """
        require_int(timeout, "timeout", 1)
        return self

    def set_connection_timeout(self, timeout: int) -> Self:
        """Set how long to wait until a connection is established, 1000 ms by default.

        Raises:
            ConfigurationError: it is not positive.
        """
        self._cluster = replace(self._cluster, connection_timeout=require_int(timeout, "timeout", 1))
        return self

    def set_socket_timeout(self, timeout: int) -> Self:
        """Set how long to wait for an answer, 30000 ms by default.

        Raises:
            ConfigurationError: it is not positive.
        """
        self._cluster = replace(self._cluster, socket_timeout=require_int(timeout, "timeout", 1))
        return self

    def build(self) -> ElasticsearchSink[Any]:
        """Return the sink.

        Raises:
            ConfigurationError: the hosts or the emitter are not set, or a password without a username.
        """
        name = type(self).__name__
        if self._emitter is None:
            raise ConfigurationError(f"{name} needs set_emitter(ElasticsearchEmitter.static_index(…))")
        if not self._cluster.hosts:
            raise ConfigurationError(f"{name} needs set_hosts('http://localhost:9200')")
        if self._cluster.password is not None and self._cluster.username is None:
            raise ConfigurationError(f"{name} needs set_connection_username with the password")
        return ElasticsearchSink(self._cluster, self._emitter, self._limits, self._backoff)


@checks_arguments(ArgumentTypeError)
class Elasticsearch6SinkBuilder(ElasticsearchSinkBuilderBase):
    """Build a sink of Elasticsearch 6, whose documents have a type, ``_doc`` unless the emitter names one.

    Mirrors ``org.apache.flink.connector.elasticsearch.sink.Elasticsearch6SinkBuilder``.
    """

    def set_emitter(self, emitter: ElasticsearchEmitter) -> Self:
        """Set how documents are made of elements.

        Raises:
            PlanTypeError: it is not an emitter.
        """
        super().set_emitter(emitter)
        format = emitter._format
        self._emitter = ElasticsearchEmitter(replace(format, doc_type=format.doc_type or "_doc"))
        return self


class Elasticsearch7SinkBuilder(ElasticsearchSinkBuilderBase):
    """Build a sink of Elasticsearch 7 and later, or of OpenSearch.

    Mirrors ``org.apache.flink.connector.elasticsearch.sink.Elasticsearch7SinkBuilder``.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.datastream.connectors.elasticsearch import (
        ...     Elasticsearch7SinkBuilder,
        ...     ElasticsearchEmitter,
        ... )
        >>> emitter = ElasticsearchEmitter.static_index("users", key_field="name")
        >>> sink = Elasticsearch7SinkBuilder().set_hosts("localhost:9200").set_emitter(emitter).build()
        >>> text = Types.MAP(Types.STRING(), Types.STRING())
        >>> handle = env.from_collection([{"name": "Ada", "role": "author"}], text).sink_to(sink)
    """


def _limit(value: int, name: str) -> int:
    return value if value == -1 else require_int(value, f"{name}, if it is not -1,", 1)
