"""JSON formats: rows as messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import re_exports
from pystream.messages.json import JsonRowDeserializationSchema, JsonRowSerializationSchema

if TYPE_CHECKING:
    from pystream.common.serialization import DeserializationSchema as DeserializationSchema
    from pystream.common.serialization import SerializationSchema as SerializationSchema
    from pystream.common.typeinfo import TypeInformation as TypeInformation
else:
    __getattr__ = re_exports(__name__)


__all__ = ["JsonRowDeserializationSchema", "JsonRowSerializationSchema"]
