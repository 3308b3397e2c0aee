"""Base classes of schemas, which turn elements into messages and back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic

from typing_extensions import TypeVar

from typeinfo.info import TypeInformation

__all__ = ["DeserializationSchema", "SerializationSchema"]

# A writer of any object writes texts, too; a reader of texts serves where objects are read.
IN = TypeVar("IN", contravariant=True)
OUT = TypeVar("OUT", covariant=True)


class SerializationSchema(ABC, Generic[IN]):
    """Serializes elements as messages.

    Subclass it and write ``serialize`` for a format of your own.
    Mirrors ``org.apache.flink.api.common.serialization.SerializationSchema``.
    """

    @abstractmethod
    def serialize(self, element: IN, /) -> bytes:
        """Return the message for an element.

        Raises:
            SerializationError: the element cannot be written; the message names the field.
        """


class DeserializationSchema(ABC, Generic[OUT]):
    """Deserializes messages as elements.

    Subclass it and write ``deserialize`` and ``get_produced_type`` for a format of your own.
    Mirrors ``org.apache.flink.api.common.serialization.DeserializationSchema``.
    """

    @abstractmethod
    def deserialize(self, message: bytes, /) -> OUT | None:
        """Return the element in a message, or ``None`` for a message that holds none.

        Raises:
            DeserializationError: the message is damaged; the error names the field.
        """

    @abstractmethod
    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the elements."""
