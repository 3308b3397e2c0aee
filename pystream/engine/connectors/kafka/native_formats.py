"""Schemas of Kafka's records, with those that Spark's connector reads and writes exactly as Python does."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = ["MessageSchema", "NativeFormat", "RecordSchemas"]


class NativeFormat(Enum):
    """A format of messages that Spark reads and writes exactly as Python does."""

    TEXT = "UTF-8 text"
    BYTES = "bytes"

    @property
    def type_info(self) -> TypeInformation[str] | TypeInformation[bytes]:
        """The type of the elements."""
        return Types.STRING() if self is NativeFormat.TEXT else Types.PRIMITIVE_ARRAY(Types.BYTE())


@dataclass(frozen=True, slots=True)
class MessageSchema:
    """The schema of keys or values.

    Attributes:
        name: the name of its class.
        format: its format, ``None`` if only Python knows it.
    """

    name: str
    format: NativeFormat | None

    def obstacle(self, type_info: TypeInformation[object]) -> str:
        """Return why Spark cannot write elements by this schema, empty if it can.

        Args:
            type_info: the type of the elements.
        """
        if self.format is None:
            return (
                f"{self.name} writes in Python; SimpleStringSchema in UTF-8 and ByteArraySchema do not need "
                "it"
            )
        if type_info != self.format.type_info:
            return f"{self.name} writes elements of type {self.format.type_info}, not {type_info}"
        return ""


@dataclass(frozen=True, slots=True)
class RecordSchemas:
    """The schemas by which the record serializer of a builder makes records of elements.

    Attributes:
        topic: the topic, ``None`` if a function selects it.
        value: the schema of values.
        key: the schema of keys, ``None`` for no keys.
        has_headers: whether records have headers.
    """

    topic: str | None
    value: MessageSchema
    key: MessageSchema | None = None
    has_headers: bool = False

    def obstacle(self, type_info: TypeInformation[object]) -> str:
        """Return why Spark cannot write elements as these records, empty if it can.

        Args:
            type_info: the type of the elements.
        """
        if self.topic is None:
            return "a Python function selects the topic; set_topic names one"
        if self.has_headers:
            return "a Python function provides the headers"
        of_key = "" if self.key is None else self.key.obstacle(type_info)
        return self.value.obstacle(type_info) or of_key
