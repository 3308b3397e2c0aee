"""Input formats, which ``StreamExecutionEnvironment.create_input`` reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

if TYPE_CHECKING:
    from pystream.datastream.connectors.base import Source
    from typeinfo.info import TypeInformation

__all__ = ["InputFormat", "ResultTypeQueryable"]

OUT = TypeVar("OUT", covariant=True, default=Any)


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
