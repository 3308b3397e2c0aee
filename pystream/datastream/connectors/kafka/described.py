"""Descriptions of message schemas for Spark's connector of Kafka."""

from __future__ import annotations

import codecs

from pystream.common.serialization import ByteArraySchema, SimpleStringSchema
from pystream.engine.connectors.kafka.native_formats import MessageSchema, NativeFormat
from pystream.messages.schemas import DeserializationSchema, SerializationSchema

__all__ = ["described"]


def described(schema: SerializationSchema[object] | DeserializationSchema[object]) -> MessageSchema:
    """Return the description of a schema; a subclass may read and write differently from its base."""
    name = type(schema).__name__
    if type(schema) is ByteArraySchema:
        return MessageSchema(name, NativeFormat.BYTES)
    if type(schema) is SimpleStringSchema:
        is_utf8 = codecs.lookup(schema.charset).name == "utf-8"
        return MessageSchema(f"{name}({schema.charset!r})", NativeFormat.TEXT if is_utf8 else None)
    return MessageSchema(name, None)
