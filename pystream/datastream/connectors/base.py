"""Base classes of sources and sinks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from enum import Enum
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.engine.io import BoundedSink, BoundedSource
from typeinfo.info import TypeInformation

__all__ = ["DeliveryGuarantee", "Sink", "Source"]

# A source of integers serves where objects are due; a sink of any object takes integers.
OUT = TypeVar("OUT", covariant=True, default=Any)
IN = TypeVar("IN", contravariant=True, default=Any)


class Source(ABC, Generic[OUT]):
    """An input of a program, given to ``StreamExecutionEnvironment.from_source``.

    Mirrors ``org.apache.flink.api.connector.source.Source``.
    """

    @abstractmethod
    def is_bounded(self) -> bool:
        """Tell whether the input ends."""

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


class DeliveryGuarantee(Enum):
    """Guarantee of how often an element reaches a sink if a job fails and restarts.

    Mirrors ``org.apache.flink.connector.base.DeliveryGuarantee``.
    """

    EXACTLY_ONCE = 0
    AT_LEAST_ONCE = 1
    NONE = 2
