"""Row: a record with positional and, optionally, named fields, and the kind of change it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from typing import Any, Generic, Literal, SupportsIndex, overload

from typing_extensions import TypeVar

from typeinfo.errors import PyStreamError

__all__ = ["Row", "RowFieldError", "RowKind", "make_row"]

F = TypeVar("F", default=Any)
A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
D = TypeVar("D")


class RowKind(Enum):
    """What change of a table a row stands for.

    Mirrors ``org.apache.flink.types.RowKind``.
    """

    INSERT = 0
    UPDATE_BEFORE = 1
    UPDATE_AFTER = 2
    DELETE = 3

    def __str__(self) -> str:
        return ("+I", "-U", "+U", "-D")[self.value]


class RowFieldError(PyStreamError, KeyError, ValueError):
    """Report a field name that a row does not have."""

    def __str__(self) -> str:
        return str(self.args[0])


class Row(Generic[F]):
    """A mutable record: ``Row(1, "a")`` by position or ``Row(id=1, name="a")`` by name.

    Fields are read and written as ``row[0]`` and ``row["id"]``, read as ``row.id``; names keep the order
    given. A row made of strings also serves as a factory of named rows: ``Row("id", "name")(1, "a")``. Rows
    are equal when kind, names (in any order) and the values under them are equal. A hash covers the values in
    order, so do not change a row that is a dict key.

    Raises:
        ValueError: positional and named fields are given together.

    Mirrors ``org.apache.flink.types.Row`` and ``pyflink.common.Row``.
    """

    __slots__ = ("_fields", "_row_kind", "_values")
    _values: list[Any]
    _fields: list[str] | None
    _row_kind: RowKind

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args and kwargs:
            raise ValueError("a Row takes positional or named fields, not both")
        _set(self, "_values", list(kwargs.values()) if kwargs else list(args))
        _set(self, "_fields", list(kwargs) if kwargs else None)
        _set(self, "_row_kind", RowKind.INSERT)

    @staticmethod
    def of_kind(row_kind: RowKind, *args: Any, **kwargs: Any) -> Row[Any]:
        """Return a row of a given kind, its fields given as to ``Row``."""
        row: Row[Any] = Row(*args, **kwargs)
        row.set_row_kind(row_kind)
        return row

    def get_row_kind(self) -> RowKind:
        """Return the kind of change; INSERT unless set."""
        return self._row_kind

    def set_row_kind(self, row_kind: RowKind) -> None:
        """Set the kind of change in place."""
        _set(self, "_row_kind", row_kind)

    def get_field_names(self) -> list[str] | None:
        """Return the field names in order, or ``None`` for an unnamed row."""
        return None if self._fields is None else list(self._fields)

    def set_field_names(self, field_names: Sequence[str]) -> None:
        """Name the fields in place, in order."""
        _set(self, "_fields", list(field_names))

    def get_fields_by_names(self, names: Sequence[str]) -> list[Any]:
        """Return the values under the names given, in their order; all values for an unnamed row.

        Raises:
            RowFieldError: a name the row does not have.
        """
        if self._fields is None:
            return list(self._values)
        return [self[name] for name in names]

    def as_dict(self, recursive: bool = False) -> dict[str, Any]:
        """Return the fields as a dict in field order.

        Args:
            recursive: turn rows inside (also in lists and dict values) into dicts as well.

        Raises:
            TypeError: the row has no field names.
        """
        if self._fields is None:
            raise TypeError(f"{self!r} has no field names, so it has no dict form")
        values = map(_dict_form, self._values) if recursive else self._values
        return dict(zip(self._fields, values, strict=False))

    def __call__(self, *args: Any) -> Row[Any]:
        if len(args) > len(self._values):
            raise ValueError(f"{self!r} names {len(self._values)} fields but got {len(args)} values")
        return make_row(list(args), list(self._values), self._row_kind)

    def _index(self, name: object) -> int:
        if self._fields is None:
            raise RowFieldError(f"the row has no field names, so there is no field {name!r}")
        try:
            return self._fields.index(name)  # type: ignore[arg-type]
        except ValueError:
            raise RowFieldError(f"no field {name!r} among {self._fields}") from None

    @overload
    def __getitem__(self: Row[tuple[A, *tuple[Any, ...]]], item: Literal[0]) -> A: ...
    @overload
    def __getitem__(self: Row[tuple[Any, B, *tuple[Any, ...]]], item: Literal[1]) -> B: ...
    @overload
    def __getitem__(self: Row[tuple[Any, Any, C, *tuple[Any, ...]]], item: Literal[2]) -> C: ...
    @overload
    def __getitem__(self: Row[tuple[Any, Any, Any, D, *tuple[Any, ...]]], item: Literal[3]) -> D: ...
    @overload
    def __getitem__(self, item: slice) -> list[Any]: ...
    @overload
    def __getitem__(self, item: SupportsIndex | str) -> Any: ...
    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, (int, slice)):
            return self._values[item]
        return self._values[self._index(item)]

    def __setitem__(self, key: int | slice | str, value: Any) -> None:
        if isinstance(key, (int, slice)):
            self._values[key] = value
        else:
            self._values[self._index(key)] = value

    def __getattr__(self, item: str) -> Any:
        if item.startswith("_") or self._fields is None or item not in self._fields:
            raise AttributeError(f"the row has no field {item!r}", name=item, obj=self)
        return self._values[self._fields.index(item)]

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError(f'set a field as row["{key}"] = …; attributes of a row are read-only')

    def __contains__(self, item: object) -> bool:
        return item in (self._values if self._fields is None else self._fields)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Callable[..., Row[Any]], tuple[Any, ...]]:
        if self._fields is None and self._row_kind is RowKind.INSERT:
            return Row, tuple(self._values)
        return make_row, (self._values, self._fields, self._row_kind)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return NotImplemented
        if self._row_kind is not other._row_kind:
            return False
        if self._fields == other._fields:
            return self._values == other._values
        if self._fields is None or other._fields is None:
            return False
        return sorted(self._fields) == sorted(other._fields) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    def __repr__(self) -> str:
        if self._fields is None:
            return f"<Row({', '.join(map(repr, self._values))})>"
        pairs = zip(self._fields, self._values, strict=False)
        return f"Row({', '.join(f'{name}={value!r}' for name, value in pairs)})"


_set = object.__setattr__
_new = object.__new__


def make_row(values: list[Any], fields: list[str] | None, row_kind: RowKind = RowKind.INSERT) -> Row[Any]:
    """Return a row that owns the lists given, without copying them."""
    row: Row[Any] = _new(Row)
    _set(row, "_values", values)
    _set(row, "_fields", fields)
    _set(row, "_row_kind", row_kind)
    return row


def _dict_form(value: Any) -> Any:
    if isinstance(value, Row):
        return value.as_dict(recursive=True)
    if isinstance(value, list):
        return [_dict_form(v) for v in value]
    if isinstance(value, dict):
        return {k: _dict_form(v) for k, v in value.items()}
    return value
