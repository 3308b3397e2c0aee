"""Base classes of message schemas."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from pystream.engine.formats.column_texts import ColumnsWriter
from pystream.engine.formats.columns_reader import ColumnsReader
from typeinfo.info import TypeInformation

__all__ = ["DeserializationSchema", "SerializationSchema", "decodes_as"]

# Contravariant: a writer of any object writes strings, too. Covariant: a reader of strings reads objects.
IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)


class SerializationSchema(ABC, Generic[IN]):
    """Encode elements as messages.

    Subclass it and implement ``serialize`` for your own format.
    Mirrors ``org.apache.flink.api.common.serialization.SerializationSchema``.
    """

    _example: ClassVar[str] = "SimpleStringSchema()"

    @abstractmethod
    def serialize(self, element: IN, /) -> bytes:
        """Encode an element as a message.

        Raises:
            SerializationError: the element cannot be written; the message names the field.
        """

    def of_columns(self) -> ColumnsWriter | None:
        """Return the writer of elements that are columns, ``None`` if they are encoded one by one."""
        return None


class DeserializationSchema(ABC, Generic[OUT]):
    """Decode messages to elements.

    Subclass it and implement ``deserialize`` and ``get_produced_type`` for your own format.
    Mirrors ``org.apache.flink.api.common.serialization.DeserializationSchema``.
    """

    _example: ClassVar[str] = "SimpleStringSchema()"

    @abstractmethod
    def deserialize(self, message: bytes, /) -> OUT | None:
        """Decode a message to an element, or ``None`` if it holds none.

        Raises:
            DeserializationError: the message is damaged; the error names the field.
        """

    def deserialize_all(self, message: bytes, /) -> Iterable[OUT]:
        """Decode a message to its elements: that of `deserialize`, unless the format has several in one.

        Raises:
            DeserializationError: the message is damaged; the error names the field.
        """
        element = self.deserialize(message)
        return () if element is None else (element,)

    def at_once(self) -> ColumnsReader | None:
        """Return the reader of many messages at once, ``None`` if they are decoded one by one."""
        return None

    @abstractmethod
    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""


def decodes_as(owner: type[DeserializationSchema[Any]], schema: DeserializationSchema[Any]) -> bool:
    """Return whether a schema decodes messages as a base class of it does, without methods of its own."""
    names = ("deserialize", "deserialize_all")
    return all(getattr(type(schema), name) is getattr(owner, name) for name in names)
