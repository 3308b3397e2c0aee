"""Records that cannot be deserialized, as a side output of a Kafka source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pystream.datastream.functions import ProcessFunction
from pystream.engine.connectors.kafka.records import ConsumerRecord, Deserialization
from pystream.engine.exception_encoding import summarize
from pystream.engine.output_tag import OutputTag

__all__ = ["MalformedRecord"]


class MalformedRecord(NamedTuple):
    """A record that cannot be deserialized.

    Attributes:
        topic: its topic.
        partition: the number of its partition.
        offset: its position in the partition.
        timestamp: in ms since the Unix epoch, -2**63 if it has none.
        key: its key, ``None`` for none.
        value: its value, ``None`` for none.
        error: the reason.
    """

    topic: str
    partition: int
    offset: int
    timestamp: int
    key: bytes | None
    value: bytes | None
    error: str


class RecordParser(ProcessFunction[Any, Any]):
    """Turn records into elements, and emit malformed ones to a side output.

    Args:
        deserialization: turns records into elements.
        tag: the side output.
        by_split: whether records and elements are in tuples with their splits.
    """

    def __init__(
        self, deserialization: Deserialization, tag: OutputTag[MalformedRecord], *, by_split: bool
    ) -> None:
        self._deserialization = deserialization
        self._tag = tag
        self._by_split = by_split

    def process_element(self, value: Any, ctx: ProcessFunction.Context) -> Iterator[Any]:
        """Yield the elements in a record."""
        record: ConsumerRecord = value[2] if self._by_split else value
        try:
            elements: Iterable[Any] = self._deserialization.of_one(record)
        except Exception as error:  # noqa: BLE001 - schemas of programs may raise anything
            yield self._tag, MalformedRecord(*record[:6], summarize(error))
            return
        if self._by_split:
            elements = ((value[0], value[1], element) for element in elements)
        yield from elements
