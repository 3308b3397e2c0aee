"""Key selectors as expressions whose values are equal where the keys are."""

from __future__ import annotations

from typing import Any

from pystream.expressions.expression import Expression, Op
from pystream.lifting.building import not_null
from pystream.lifting.composites import argument, field
from pystream.lifting.conforming import conform
from pystream.lifting.kinds import Kind, NotExact, kind_of
from pystream.lifting.lift import attempted, lifted_call
from pystream.lifting.members import fields_of
from typeinfo import TypeInformation
from typeinfo.composite import FieldsTypeInfo
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["fixed_by_key", "lift_key"]

_KEYS = (Kind.BOOL, Kind.INT, Kind.STR, Kind.BYTES, Kind.DATE, Kind.TIME, Kind.DATETIME)
"""Kinds of values that Spark and Python compare alike."""


@attempted
def lift_key(selector: Any, element_type: TypeInformation[Any], key_type: TypeInformation[Any]) -> Expression:
    """Turn a key selector into an expression that is never null, equal for equal keys and for no others.

    Args:
        selector: a function, an object with ``get_key``, or the name or position of a field.
        element_type: type of the elements.
        key_type: declared type of the keys; pickled if there is none.
    """
    key = not_null(_selected(selector, element_type))
    if not isinstance(key_type, PickledBytesTypeInfo):
        key = not_null(conform(key, key_type))
    parts = fields_of(key) if kind_of(key) is Kind.TUPLE else [key]
    if parts is None or not all(kind_of(part) in _KEYS for part in parts):
        raise NotExact(f"returns keys of {key.type}, which Spark may compare otherwise than Python")
    return key


def _selected(selector: Any, element_type: TypeInformation[Any]) -> Expression:
    if not isinstance(selector, (str, int)):
        return lifted_call(getattr(selector, "get_key", selector), [element_type])
    assert isinstance(element_type, FieldsTypeInfo)
    if isinstance(selector, str):
        selector = element_type.get_field_names().index(selector)
    return field(argument(element_type, 0), selector)


def fixed_by_key(key: Expression) -> tuple[Expression, ...]:
    """Return expressions of an element that have the same value for all elements of a key."""
    value = key.parts[0] if key.op is Op.NOT_NULL else key
    return (value, *(value.parts if value.op is Op.STRUCT else ()))
