"""Codecs of rows and tuples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from typeinfo.composite import FieldsTypeInfo, RowTypeInfo
from typeinfo.errors import TypeCheckError, misfit, names_fault, short_repr
from typeinfo.row import Row, RowKind, make_row, make_rows, row_class
from typeinfo.serde.codec import Codec, Column, are_new, distinct, per_element
from typeinfo.serde.composite import FieldsCodec, columns_of_rows, kept_rows

__all__ = ["RowCodec", "TupleCodec", "names_of"]


class TupleCodec(FieldsCodec):
    """Codec of tuples; lists and rows are accepted and become tuples."""

    def __init__(self, t: FieldsTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, codecs, nullable=nullable)
        self.plain: bool = self.parts_plain

    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        if types != {tuple}:
            values = per_element(self._open, values)
        return values, self.columns_of(values, values)

    def _open(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, (tuple, list, Row)):
            return value if type(value) is tuple else tuple(value)
        raise misfit(value, self.type, f"give a tuple of {self.arity}")

    def kept_columns(self, values: Column, types: set[type], seen: set[int]) -> Sequence[Column] | None:
        return kept_rows(values, self.arity) if types == {tuple} else None

    def columns(self, values: Column) -> list[Sequence[Any]]:
        return columns_of_rows(values, self.arity)

    def built(self, columns: Sequence[Column], like: Column | None, count: int) -> list[Any]:
        return list(zip(*columns, strict=True)) if columns else [()] * count


@cache
def names_of(t: RowTypeInfo[Any]) -> tuple[str, ...]:
    """Return the field names of a type: the same tuple each time, for fast comparison."""
    return tuple(t.get_field_names())


# Twice as fast as with attrgetter: Python specialises slot access for a repeated class.
def _values_of(rows: Iterable[Row[Any]]) -> list[tuple[Any, ...]]:
    return [row._values for row in rows]


def _written_values_of(rows: Iterable[Row[Any] | tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return the values of rows to write; a copied row may be the tuple of its values."""
    return [row if type(row) is tuple else row._values for row in rows]  # type: ignore[union-attr]


def _kinds_of(rows: Iterable[Row[Any]]) -> list[RowKind]:
    return [row._row_kind for row in rows]


class RowCodec(FieldsCodec):
    """Codec of rows; tuples, lists and dicts are accepted and become rows.

    Rows get the declared names and keep their kind. Named values are matched by name if the type has names.
    The rows of a type without names get the names ``f0``, ``f1``, …, as in Flink.
    """

    def __init__(self, t: RowTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, codecs, nullable=nullable)
        self._names = names_of(t)
        self._is_named = t.field_names is not None
        self._class = row_class(self._names)

    @property
    def is_only_fields(self) -> bool:
        return isinstance(self.type, RowTypeInfo) and self.type.field_names is not None

    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        rows = self._named(values, types)
        return rows, self.columns_of(_values_of(rows), values)

    def opened_columns(self, values: Column, types: set[type]) -> list[Sequence[Any]]:
        if types == {tuple}:
            return self.columns_of(values, values)
        if types <= {self._class, Row}:
            return self.columns_of(_values_of(values), values)
        return super().opened_columns(values, types)

    def _named(self, values: Column, types: set[type]) -> Column:
        """Return rows with the declared names, in the declared order."""
        names = self._names
        if types == {tuple}:
            return make_rows(values, names)
        if types == {self._class}:
            return values
        if types <= {self._class, Row}:
            return make_rows(_values_of(values), names, _kinds_of(values))
        return per_element(self._open, values)

    def _open(self, value: Any) -> Row[Any]:
        names = self._names
        if isinstance(value, Row):
            if type(value) is self._class:
                return value
            given = value._fields
            if given is None or given == names:
                return make_row(value._values, names, value._row_kind)
            named = dict(zip(given, value._values, strict=False))
            if len(named) != len(given) or len(value._values) > len(given):
                raise TypeCheckError(
                    f"{short_repr(value)} has {len(value._values)} values under the names {list(given)};"
                    " give each its own"
                )
            return make_row(self._by_name(named, value), names, value._row_kind)
        if isinstance(value, (tuple, list)):
            if self._is_named and hasattr(value, "_fields"):
                return make_row(self._by_name(value._asdict(), value), names)  # type: ignore[union-attr]
            return make_row(value, names)
        if isinstance(value, dict):
            return make_row(self._by_name(value, value), names)
        raise misfit(value, self.type, f"give a Row of {self.arity} fields")

    def kept_columns(self, values: Column, types: set[type], seen: set[int]) -> Sequence[Column] | None:
        if types != {self._class} or not are_new(values, seen):
            return None
        is_inserted = set(_kinds_of(values)) == {RowKind.INSERT}
        return kept_rows(_values_of(values), self.arity) if is_inserted else None

    def kept_parts(self, value: Any) -> Sequence[Any] | None:
        is_kept = (
            type(value) is self._class
            and value._row_kind is RowKind.INSERT
            and len(value._values) == self.arity
        )
        return value._values if is_kept else None

    def _by_name(self, given: dict[str, Any], value: Any) -> list[Any]:
        names = self._names
        missing = [name for name in names if name not in given]
        unknown = [name for name in given if name not in names]
        if missing or unknown:
            raise TypeCheckError(f"{names_fault(value, missing, unknown)}; the fields are {list(names)}")
        return [given[name] for name in names]

    def columns(self, values: Column) -> list[Sequence[Any]]:
        return columns_of_rows(_written_values_of(values), self.arity)

    def built(self, columns: Sequence[Column], like: Column | None, count: int) -> list[Any]:
        rows: Iterable[tuple[Any, ...]] = zip(*columns, strict=True) if columns else [()] * count
        return make_rows(rows, self._names, None if like is None else _kinds_of(like))

    def write_plain(self, column: Column) -> Column:
        """Return the values as a tuple; a kind other than INSERT is appended."""
        plain: Column = _written_values_of(column) if self.parts_plain else super().write_plain(column)
        kinds = [RowKind.INSERT if type(row) is tuple else row._row_kind for row in column]
        if kinds.count(RowKind.INSERT) == len(kinds):
            return plain
        return [
            values if kind is RowKind.INSERT else (*values, kind.value)
            for values, kind in zip(plain, kinds, strict=True)
        ]

    def read_plain(self, column: Column) -> Column:
        arity = self.arity
        kinds = None
        if distinct(len, column) - {arity}:
            kinds = [RowKind.INSERT if len(values) == arity else RowKind(values[arity]) for values in column]
            column = [values[:arity] for values in column]
        rows: Any = column
        if not self.parts_plain:
            rows = zip(
                *self.each([codec.from_plain for codec in self.codecs], columns_of_rows(column, arity)),
                strict=True,
            )
        return make_rows(rows, self._names, kinds)
