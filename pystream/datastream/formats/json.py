"""JSON formats: rows as messages."""

from __future__ import annotations

from pystream.messages.json import JsonRowDeserializationSchema, JsonRowSerializationSchema

__all__ = ["JsonRowDeserializationSchema", "JsonRowSerializationSchema"]
