"""Convert rows, tuples and records, field by field."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pystream.engine.formats.fields import MISSING

__all__ = ["converted_fields"]


def converted_fields(
    opened: Callable[[Any], Any],
    parts: Sequence[tuple[int, Callable[[Any], Any]]],
    made: Callable[[Any], Any],
    element: Any,
) -> Any:
    """Return a composite of converted fields of another.

    Args:
        opened: returns the fields of the element.
        parts: for each field of the result the field that it is made of, and its conversion.
        made: makes the result of its fields.
        element: the element.
    """
    values = opened(element)
    return made(
        [
            None if (value := values[position]) is None or value is MISSING else convert(value)
            for position, convert in parts
        ]
    )
