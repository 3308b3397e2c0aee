"""Exactly-once delivery: the records of an epoch in one transaction, which also marks the epoch as written.

The workers serialize records, which the job stores with the commit of the epoch. The driver writes them in a
transaction, together with the number of the epoch as the committed offset of a consumer group of its own. If
the outcome of a transaction is not known, that offset tells it: so a commit that is repeated writes nothing
twice, and no transaction has to stay open while the job is down.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.connectors.kafka.client_library import client_errors, is_permanent, kafka, reason_of
from pystream.engine.connectors.kafka.client_settings import consumer_settings
from pystream.engine.connectors.kafka.producer import DeliveryError, RecordProducer
from pystream.engine.connectors.kafka.producer_records import ProducerRecord, serialized
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.stored_data import dump_data, load_data
from pystream.errors import SinkError

__all__ = ["StagingWriter", "TransactionCommitter"]

_LOG = logging.getLogger(__name__)

_TIMEOUT = 30.0  # seconds for a request of a transaction
_MARK_TIMEOUT = 15.0  # seconds for the mark of a transaction
_PATIENCE = 120.0  # seconds in which a transaction must succeed
_TRANSACTION_MS = 60_000  # after which the broker ends a transaction
_PAUSE = 1.0  # seconds between two tries
_MAX_BYTES = 1 << 30


class StagingWriter:
    """Serialize the records of a subtask, for the commit of the epoch.

    Args:
        serialize: returns the record of an element.
    """

    def __init__(self, serialize: Callable[[Any, int | None], ProducerRecord | None]) -> None:
        self._serialize = serialize
        self._records: list[tuple[Any, ...]] = []

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Serialize elements.

        Raises:
            ElementFailure: one cannot be serialized.
        """
        self._records.extend(map(tuple, serialized(self._serialize, values, timestamps)))

    def finish(self, *, end_of_input: bool = True) -> bytes | None:
        """Return the records since the last call; ``None`` for none.

        Raises:
            SinkError: they are too large for one transaction.
        """
        records, self._records = self._records, []
        if not records:
            return None
        staged = dump_data(records)
        if len(staged) > _MAX_BYTES:
            raise SinkError(
                f"{len(records)} records of one subtask, {len(staged) >> 20} MiB, are to be written to Kafka "
                "in one transaction, which are too many: use DeliveryGuarantee.AT_LEAST_ONCE, or read the "
                "input as an unbounded source, with shorter epochs (pystream.batch-interval)"
            )
        return staged

    def abort(self) -> None:
        """Drop the records."""
        self._records = []

    def close(self) -> None:
        """Do nothing: there is no connection."""


class TransactionCommitter:
    """Write the records of each epoch in a transaction.

    Args:
        properties: those of the program.
        identity: the transactional id, which is also the name of the consumer group.
    """

    def __init__(self, properties: Mapping[str, str], identity: str) -> None:
        self._properties = properties
        self._servers = properties.get("bootstrap.servers", "")
        self._identity = identity
        self._producer: RecordProducer | None = None
        self._marks: Any = None

    def open(self) -> None:
        """Connect, and end what an earlier process left open.

        Raises:
            SinkError: the cluster cannot be reached, or refuses transactions.
        """
        self._retried("cannot begin transactions", self._connected)

    def last_committed(self) -> int:
        """Return the last epoch that a transaction has marked as written; -1 for none.

        Raises:
            SinkError: the cluster cannot be reached.
        """
        last = -1

        def attempt() -> None:
            nonlocal last
            self._connected()
            # The client has a call for the marks on all topics, but crashes if the coordinator is not ready.
            last = self._last_mark(self._marks.list_topics(timeout=_TIMEOUT).topics) - 1

        self._retried("the last epoch that was written cannot be read", attempt)
        return max(last, -1)

    def prepare(self, end: EpochEnd, state: object, messages: Sequence[bytes | None]) -> PreparedCommit:
        """Return the commit of an epoch, whether or not it is a checkpoint of the program."""
        staged = tuple(message for message in messages if message is not None)
        return PreparedCommit(None, staged or None)

    def commit(self, epoch: int, action: tuple[bytes, ...], *, repeated: bool = False) -> None:
        """Write the records of an epoch, unless that is done already.

        Raises:
            SinkError: they cannot be written.
        """
        records = [ProducerRecord(*each) for staged in action for each in load_data(staged)]
        is_known = not repeated

        def attempt() -> None:
            nonlocal is_known
            producer = self._connected()
            if not is_known and self._is_written(epoch, records[0].topic):
                return
            is_known = False
            self._write(producer, epoch, records)

        self._retried(f"the records of epoch {epoch} cannot be written", attempt)

    def restore(self, state: object) -> None:
        """Do nothing: transactions that were not committed are ended when the next one connects."""

    def next_time(self, state: object) -> int | None:
        """Return ``None``: nothing waits for a checkpoint."""
        return None

    def end(self, *, complete: bool) -> None:
        """Do nothing: the broker drops the group when its offsets expire."""

    def close(self) -> None:
        """Close the connections."""
        producer, self._producer = self._producer, None
        marks, self._marks = self._marks, None
        if producer is not None:
            producer.close()
        if marks is not None:
            marks.close()

    def _connected(self) -> RecordProducer:
        """Return the producer; a new one ends the transactions of those before it."""
        if self._producer is None:
            timeout = int(self._properties.get("transaction.timeout.ms", _TRANSACTION_MS))
            producer = RecordProducer(
                self._properties,
                transactional_id=self._identity,
                transaction_timeout_ms=timeout,
                delivery_timeout_ms=timeout,
            )
            producer.client.init_transactions(_TIMEOUT)
            with client_errors():
                self._marks = kafka().Consumer(
                    consumer_settings(
                        self._properties, group_id=self._identity, isolation_level="read_committed"
                    )
                )
            self._producer = producer
        return self._producer

    def _write(self, producer: RecordProducer, epoch: int, records: Sequence[ProducerRecord]) -> None:
        client = producer.client
        client.begin_transaction()
        for record in records:
            producer.write(record)
        mark = kafka().TopicPartition(records[0].topic, 0, epoch + 1)
        group = self._marks.consumer_group_metadata()
        _in_time(lambda: client.send_offsets_to_transaction([mark], group, _MARK_TIMEOUT))
        client.commit_transaction(_TIMEOUT)
        producer.check()

    def _is_written(self, epoch: int, topic: str) -> bool:
        return self._last_mark([topic]) > epoch

    def _last_mark(self, topics: Iterable[str]) -> int:
        """Return the latest mark on one of some topics; negative for none."""
        marked = [kafka().TopicPartition(topic, 0) for topic in topics]
        marks = self._marks.committed(marked, timeout=_TIMEOUT) if marked else []
        for mark in marks:
            if mark.error is not None:
                raise kafka().KafkaException(mark.error)
        return max((mark.offset for mark in marks), default=-1)

    def _retried(self, problem: str, attempt: Callable[[], object]) -> None:
        """Try something until it succeeds, each time with a new connection.

        Raises:
            SinkError: it does not in time.
        """
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                attempt()
            except (kafka().KafkaException, DeliveryError) as error:
                self.close()
                is_delivery = isinstance(error, DeliveryError)
                reason = str(error) if is_delivery else reason_of(error)
                is_final = error.is_permanent if is_delivery else is_permanent(error)
                if is_final or time.monotonic() > end:
                    raise SinkError(f"Kafka at {self._servers}: {problem}: {reason}") from None
                _LOG.warning("Kafka at %s: %s: %s; it is tried again", self._servers, problem, reason)
                time.sleep(_PAUSE)
            else:
                return


def _in_time(call: Callable[[], object]) -> None:
    """Call the client, and give up what does not return in time.

    librdkafka does not observe the time limit of offsets in transactions while their coordinator is away.

    Raises:
        KafkaException: it has failed, or not returned; then its thread waits until the process ends.
    """
    errors: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:  # noqa: BLE001 - raised by the caller
            errors.append(error)

    thread = threading.Thread(target=run, name="kafka-mark", daemon=True)
    thread.start()
    thread.join(_MARK_TIMEOUT + _PAUSE)
    if thread.is_alive():
        error = kafka().KafkaError
        raise kafka().KafkaException(error(error._TIMED_OUT, "the transaction cannot be marked in time"))
    if errors:
        raise errors[0]
