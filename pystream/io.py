"""Source, Sink and InputFormat: base classes of a program's inputs and outputs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from pystream.engine.connectors.interfaces import BoundedSink, BoundedSource, EpochSink, UnboundedSource
from typeinfo.info import TypeInformation

__all__ = ["InputFormat", "ResultTypeQueryable", "Sink", "Source", "SplitSource"]

# Covariant: a source of integers is a source of objects. Contravariant: a sink of objects takes integers.
OUT = TypeVar("OUT", covariant=True, default=Any)
IN = TypeVar("IN", contravariant=True, default=Any)


class Source(ABC, Generic[OUT]):
    """An input of a program, for ``StreamExecutionEnvironment.from_source``.

    Mirrors ``org.apache.flink.api.connector.source.Source``.
    """

    _example: ClassVar[str] = "a FileSource"

    @abstractmethod
    def is_bounded(self) -> bool:
        """Return whether the input is bounded."""

    @abstractmethod
    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""

    def is_parallel(self) -> bool:
        """Return whether several subtasks may read it at once; True unless a source says otherwise."""
        return True

    @abstractmethod
    def reader(self) -> BoundedSource | UnboundedSource:
        """Return the reader of the source on the workers: a bounded one if the source is bounded."""


class SplitSource(Source[OUT]):
    """A source with splits that each have watermarks of their own, such as the partitions of topics.

    It may yield records that a function turns into elements, if that function has side outputs.
    """

    @abstractmethod
    def split_reader(self) -> BoundedSource | UnboundedSource:
        """Return a reader that yields tuples: the name of a split, the number of splits of the subtask, and
        what the other reader yields.
        """

    def record_type(self) -> TypeInformation[Any]:
        """Return the type of what the reader yields."""
        return self.get_produced_type()

    def deserializer(self, *, by_split: bool) -> Any:
        """Return the process function that turns records into elements; ``None`` if they are elements.

        Args:
            by_split: whether it gets and emits what `split_reader` yields.
        """
        return None


class Sink(ABC, Generic[IN]):
    """An output of a program, for ``DataStream.sink_to``.

    Mirrors ``org.apache.flink.api.connector.sink2.Sink``.
    """

    _example: ClassVar[str] = "a FileSink"

    @abstractmethod
    def bind(self, type_info: TypeInformation[IN]) -> BoundedSink | EpochSink:
        """Return the writer of the sink for elements of a type.

        Raises:
            UnsupportedTypeError: elements of that type cannot be written.
        """


class InputFormat(ABC, Generic[OUT]):
    """Reads the records of an input; ``AvroInputFormat`` is one.

    Mirrors ``org.apache.flink.api.common.io.InputFormat``.
    """

    _example: ClassVar[str] = "an AvroInputFormat"

    @abstractmethod
    def source(self) -> Source[OUT]:
        """Return the source of the records."""


class ResultTypeQueryable(ABC, Generic[OUT]):
    """Declares the type of its results.

    Mirrors ``org.apache.flink.api.java.typeutils.ResultTypeQueryable``.
    """

    @abstractmethod
    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the results."""
