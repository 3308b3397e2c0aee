"""Sources, sinks and input formats: the inputs and outputs of a program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.engine.connectors.interfaces import BoundedSink, BoundedSource
from typeinfo.info import TypeInformation

__all__ = ["InputFormat", "ResultTypeQueryable", "Sink", "Source"]

# A source of integers serves where objects are due; a sink of any object takes integers.
OUT = TypeVar("OUT", covariant=True, default=Any)
IN = TypeVar("IN", contravariant=True, default=Any)


class Source(ABC, Generic[OUT]):
    """An input of a program, given to ``StreamExecutionEnvironment.from_source``.

    Mirrors ``org.apache.flink.api.connector.source.Source``.
    """

    @abstractmethod
    def is_bounded(self) -> bool:
        """Return whether the input ends."""

    @abstractmethod
    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""

    @abstractmethod
    def reader(self) -> BoundedSource:
        """Return the reader that the runtime uses.

        Raises:
            UnsupportedOperationError: the input does not end and the engine has no way to read it.
        """


class Sink(ABC, Generic[IN]):
    """An output of a program, given to ``DataStream.sink_to``.

    Mirrors ``org.apache.flink.api.connector.sink2.Sink``.
    """

    @abstractmethod
    def bind(self, type_info: TypeInformation[IN]) -> BoundedSink:
        """Return the output that the runtime writes elements of a type to.

        Raises:
            UnsupportedTypeError: elements of that type cannot be written.
        """


class InputFormat(ABC, Generic[OUT]):
    """Reads the records of an input, as ``AvroInputFormat`` those of Avro files.

    Mirrors ``org.apache.flink.api.common.io.InputFormat``.
    """

    @abstractmethod
    def source(self) -> Source[OUT]:
        """Return the source that reads the records."""


class ResultTypeQueryable(ABC, Generic[OUT]):
    """Declares the type of its records.

    Mirrors ``org.apache.flink.api.java.typeutils.ResultTypeQueryable``.
    """

    @abstractmethod
    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the records."""
