"""The reduce functions of sum, min, max, min_by and max_by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as with_fields
from operator import add
from typing import Any, Literal

from typeinfo.errors import PyStreamError
from typeinfo.records import attribute_names, with_attributes
from typeinfo.row import Row

__all__ = ["FieldAggregation", "AggregationError", "AggregationKind"]

AggregationKind = Literal["sum", "min", "max", "min_by", "max_by"]


class AggregationError(PyStreamError, TypeError):
    """Elements do not have the field to aggregate."""


@dataclass(frozen=True, slots=True)
class FieldAggregation:
    """Reduce elements by one field, or as a whole if they have no fields.

    ``sum``, ``min`` and ``max`` replace that field in a copy of the first element; ``min_by`` and ``max_by``
    return a whole element, among equal ones the first. Elements are not modified.

    Attributes:
        kind: the aggregation.
        field: its position or name.
    """

    kind: AggregationKind
    field: int | str

    def reduce(self, value1: Any, value2: Any) -> Any:
        """Return the accumulator with a new element added.

        Raises:
            AggregationError: the field does not exist.
        """
        choose = _CHOICES[self.kind]
        access = _access(value1)
        if access is None:
            if self.field != 0:
                raise AggregationError(f"{self.kind}({self.field!r}): {value1!r} has no fields")
            return choose(value1, value2)
        get, put = access
        try:
            field1, field2 = get(value1, self.field), get(value2, self.field)
        except (LookupError, AttributeError, TypeError) as error:
            raise AggregationError(f"{self.kind}({self.field!r}): no such field in {value1!r}") from error
        chosen = choose(field1, field2)
        if self.kind == "min_by" or self.kind == "max_by":
            return value1 if chosen is field1 else value2
        return value1 if chosen is field1 else put(value1, self.field, chosen)


def _lower(value1: Any, value2: Any) -> Any:
    return value2 if value2 < value1 else value1


def _higher(value1: Any, value2: Any) -> Any:
    return value2 if value2 > value1 else value1


_CHOICES: dict[AggregationKind, Callable[[Any, Any], Any]] = {
    "sum": add,
    "min": _lower,
    "max": _higher,
    "min_by": _lower,
    "max_by": _higher,
}

_Access = tuple[Callable[[Any, Any], Any], Callable[[Any, Any, Any], Any]]


def _access(value: Any) -> _Access | None:
    """Return the functions that read and replace fields of an element, or ``None`` if it has no fields."""
    if isinstance(value, Row):
        return _item, _row_with
    if isinstance(value, tuple):
        return (_tuple_field, _named_tuple_with) if hasattr(value, "_replace") else (_item, _tuple_with)
    if isinstance(value, list):
        return _item, _list_with
    if isinstance(value, dict):
        return _item, _dict_with
    if hasattr(value, "__dataclass_fields__"):
        return _attribute, _dataclass_with
    if attribute_names(type(value)) is not None:
        return _attribute, _model_with
    return None


def _item(value: Any, field: Any) -> Any:
    return value[field]


def _row_with(value: Row[Any], field: Any, new: Any) -> Row[Any]:
    changed = Row(*value)
    names = value._fields
    if names is not None:
        changed.set_field_names(list(names))
    changed.set_row_kind(value.get_row_kind())
    changed[field] = new
    return changed


def _tuple_field(value: Any, field: Any) -> Any:
    return getattr(value, field) if isinstance(field, str) else value[field]


def _named_tuple_with(value: Any, field: Any, new: Any) -> Any:
    return value._replace(**{field if isinstance(field, str) else value._fields[field]: new})


def _tuple_with(value: tuple[Any, ...], field: int, new: Any) -> tuple[Any, ...]:
    changed = list(value)
    changed[field] = new
    return tuple(changed)


def _list_with(value: list[Any], field: int, new: Any) -> list[Any]:
    changed = list(value)
    changed[field] = new
    return changed


def _dict_with(value: dict[Any, Any], field: Any, new: Any) -> dict[Any, Any]:
    return {**value, field: new}


def _name(value: Any, field: str | int) -> str:
    return field if isinstance(field, str) else (attribute_names(type(value)) or [])[field]


def _attribute(value: Any, field: Any) -> Any:
    return getattr(value, _name(value, field))


def _dataclass_with(value: Any, field: Any, new: Any) -> Any:
    return with_fields(value, **{_name(value, field): new})


def _model_with(value: Any, field: Any, new: Any) -> Any:
    changed = {_name(value, field): new}
    return (
        value.model_copy(update=changed) if hasattr(value, "model_copy") else with_attributes(value, changed)
    )
