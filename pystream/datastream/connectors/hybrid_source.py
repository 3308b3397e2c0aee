"""HybridSource: several sources, read one after the other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.connectors.base import Source, SplitSource
from pystream.datastream.connectors.data_generator import DataGeneratorSource
from pystream.engine.connectors.hybrid import HybridInput, HybridPart
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanTypeError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["HybridSource", "HybridSourceBuilder"]

OUT = TypeVar("OUT", covariant=True, default=Any)
T = TypeVar("T", default=Any)
V = TypeVar("V")


@checks_arguments(ArgumentTypeError)
class HybridSource(SplitSource[OUT], Generic[OUT]):
    """Several sources, read one after the other; made by ``HybridSource.builder(first_source)``.

    Bounded sources are followed by one that may be unbounded, such as files by a Kafka topic. The input of a
    source, such as a list of files or the latest offsets of a topic, is found when its turn comes. In an
    unbounded job, no subtask reads from the next source before the current one has been processed; a job that
    is resumed continues in the source where it was, exactly once if that source does. If all sources are
    bounded, so is the hybrid one: the input of all is found when the job starts, and each subtask reads its
    share of one source after the other, without waiting for other subtasks.

    Watermarks of ``from_source`` are generated for each source by itself, and by partition for Kafka. They
    do not go back: elements of the next source that are older than the watermark are late.

    Mirrors ``org.apache.flink.connector.base.source.hybrid.HybridSource``.

    Examples:
        >>> from pystream.common import WatermarkStrategy
        >>> from pystream.datastream.connectors import NumberSequenceSource
        >>> from pystream.datastream.connectors.hybrid_source import HybridSource
        >>> history, later = NumberSequenceSource(1, 2), NumberSequenceSource(7, 8)
        >>> source = HybridSource.builder(history).add_source(later).build()
        >>> env.from_source(source, WatermarkStrategy.no_watermarks(), "numbers").take(4)
        [1, 2, 7, 8]
    """

    def __init__(self, sources: tuple[Source[OUT], ...]) -> None:
        self._sources = sources

    @staticmethod
    def builder(first_source: Source[V]) -> HybridSourceBuilder[V]:
        """Return a builder of a source that starts with another one.

        Raises:
            PlanTypeError: it is not a Source.
        """
        return HybridSourceBuilder(first_source)

    def is_bounded(self) -> bool:
        """Return whether the last source is bounded."""
        return self._sources[-1].is_bounded()

    def is_parallel(self) -> bool:
        """Return whether several subtasks may read each of the sources at once."""
        return all(source.is_parallel() for source in self._sources)

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
        return self._sources[0].get_produced_type()

    def reader(self) -> HybridInput:
        """Return a reader of the sources."""
        return HybridInput(tuple(HybridPart(source.reader()) for source in self._sources))

    def split_reader(self) -> HybridInput:
        """Return a reader of the sources that yields elements with their splits."""
        return HybridInput(
            tuple(
                HybridPart(source.split_reader(), has_splits=True)
                if isinstance(source, SplitSource)
                else HybridPart(source.reader())
                for source in self._sources
            ),
            by_split=True,
        )


@checks_arguments(ArgumentTypeError)
class HybridSourceBuilder(Generic[T]):
    """Build a `HybridSource`; `add_source` returns the builder.

    Mirrors ``org.apache.flink.connector.base.source.hybrid.HybridSource.HybridSourceBuilder``.
    """

    def __init__(self, first_source: Source[T]) -> None:
        self._sources: list[Source[T]] = []
        self._add(first_source, "HybridSource.builder")

    def add_source(self, source: Source[T]) -> HybridSourceBuilder[T]:
        """Add the source that is read once all sources before have ended.

        Raises:
            PlanTypeError: it is not a Source.
        """
        self._add(source, "add_source")
        return self

    def build(self) -> HybridSource[T]:
        """Return the source.

        Raises:
            ConfigurationError: a source other than the last is unbounded.
            PlanTypeError: the elements of the sources are of different types.
            UnsupportedOperationError: a source needs an operator of its own after it: a DataGeneratorSource,
                or a KafkaSource with a side output of malformed records.
        """
        for number, source in enumerate(self._sources, start=1):
            _require_elements(source, number)
        for number, source in enumerate(self._sources[:-1], start=1):
            if not source.is_bounded():
                raise ConfigurationError(
                    f"HybridSource: source {_named(source, number)}, is unbounded, so that those after it "
                    "would never be read: make it bounded, or add it last"
                )
        for number, (before, source) in enumerate(pairwise(self._sources), start=1):
            types = before.get_produced_type(), source.get_produced_type()
            if types[0] != types[1]:
                raise PlanTypeError(
                    f"HybridSource: the elements of source {_named(before, number)}, are {types[0]}, and "
                    f"those of source {_named(source, number + 1)}, are {types[1]}: all sources need the "
                    "same type of elements"
                )
        return HybridSource(tuple(self._sources))

    def _add(self, source: Source[T], call: str) -> None:
        require(source, Source, call, "a Source such as a FileSource or a KafkaSource")
        self._sources.append(source)


def _require_elements(source: Source[Any], number: int) -> None:
    """Raise an error if a source does not yield elements by itself."""
    if isinstance(source, DataGeneratorSource):
        raise UnsupportedOperationError(
            f"HybridSource cannot read source {_named(source, number)}, whose function runs in an operator "
            "of its own: use NumberSequenceSources, and apply the function by map() after from_source()"
        )
    if isinstance(source, SplitSource) and source.deserializer(by_split=False) is not None:
        raise UnsupportedOperationError(
            f"HybridSource cannot read source {_named(source, number)}, with a side output of malformed "
            "records: leave out side_output_malformed_records(), and call skip_malformed_records() if they "
            "must not fail the job"
        )


def _named(source: Source[Any], number: int) -> str:
    return f"{number}, a {type(source).__name__}"
