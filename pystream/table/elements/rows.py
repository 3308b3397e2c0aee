"""The fields of rows that a program gives as rows, tuples, lists, dicts or objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.errors import PlanError, PlanTypeError
from typeinfo.errors import short_repr
from typeinfo.row import Row

__all__ = ["field_values"]


def field_values(value: Any, names: Sequence[str], place: str) -> Sequence[Any]:
    """Return the fields of a row, tuple, list, dict or object.

    Those of a dict, an object, or a row with these names are found by name, and null where they are missing
    in a dict or object; all others by position.

    Args:
        value: the row.
        names: the names of the fields.
        place: the field that it is, for messages.

    Raises:
        PlanError: there are more or less fields, or a row has some of the names but not all.
        PlanTypeError: the value has no fields.
    """
    match value:
        case dict():
            return [value.get(name) for name in names]
        case Row() if not {*names}.isdisjoint(value.get_field_names() or ()):
            missing = {*names} - {*(value.get_field_names() or ())}
            if missing:
                raise PlanError(f"{place} has no field {sorted(missing)[0]!r}: {short_repr(value)}")
            return [value[name] for name in names]
        case tuple() | list() | Row():
            if len(value) != len(names):
                raise PlanError(
                    f"{place} has {len(value)} fields, but the schema has {len(names)}: {short_repr(value)}"
                )
            return list(value)
    attributes = getattr(value, "__dict__", None)
    if attributes is None:
        raise PlanTypeError(
            f"{place} is {short_repr(value)} ({type(value).__name__}), but a ROW takes a Row, tuple, list, "
            "dict or object with attributes"
        )
    return [attributes.get(name) for name in names]
