"""Schemas that are lists of names or of data types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.errors import PlanTypeError
from typeinfo.errors import short_repr

__all__ = ["listed", "schema_refusal"]


def listed(schema: object, cls: type) -> list[Any] | None:
    """Return the parts of a list or tuple if all are of a class, else ``None``; a text is no list.

    Args:
        schema: the schema.
        cls: the class of the parts.
    """
    if isinstance(schema, str) or not isinstance(schema, Sequence):
        return None
    parts = [part for part in schema if isinstance(part, cls)]
    return parts if len(parts) == len(schema) else None


def schema_refusal(call: str, wanted: str, schema: object) -> PlanTypeError:
    """Return the error of a schema of another class.

    Args:
        call: the call that takes it.
        wanted: what it takes.
        schema: the schema.
    """
    given = f"{short_repr(schema)} ({type(schema).__name__})"
    return PlanTypeError(f"{call} takes {wanted} as schema, not {given}")
