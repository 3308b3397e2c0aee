"""The single column of a table as the bytes of messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pystream.messages.raw import RawFormatDeserializationSchema, RawFormatSerializationSchema
from pystream.messages.schemas import DeserializationSchema, SerializationSchema
from pystream.settings.config_values import STRING, named
from pystream.table.connectors.options import Option
from pystream.table.formats.base import MessageFormat
from typeinfo.row import Row

__all__ = ["RawFormat"]


class RawFormat(MessageFormat):
    """Messages that hold nothing but the value of the only column: text, bytes, a boolean or a number.

    Mirrors Flink's format ``raw``.
    """

    name = "raw"
    options: ClassVar[Mapping[str, Option]] = {
        "charset": Option(STRING, default="UTF-8"),
        "endianness": Option(named("big-endian", "little-endian"), default="big-endian"),
    }

    def deserialization_schema(self) -> DeserializationSchema[Row[Any]]:
        """Return the schema that decodes messages to rows."""
        return self.declared(
            RawFormatDeserializationSchema(self.row_type, self.values["charset"], self._is_big_endian)
        )

    def serialization_schema(self) -> SerializationSchema[Row[Any]]:
        """Return the schema that encodes rows as messages."""
        return RawFormatSerializationSchema(self.row_type, self.values["charset"], self._is_big_endian)

    @property
    def _is_big_endian(self) -> bool:
        return str(self.values["endianness"]).lower().startswith("big")
