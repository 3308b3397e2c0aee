"""FieldsCodec: base class of the codecs of rows, tuples and records, with one column per field."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from operator import is_
from types import NoneType
from typing import Any, TypeVar

import pyarrow as pa

from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import TypeCheckError, short_repr
from typeinfo.formats.layout import CarriedField, carried_fields
from typeinfo.serde.codec import Codec, Column, distinct, index_of_none, null_error

__all__ = ["FieldsCodec", "columns_of_rows", "kept_rows"]

R = TypeVar("R")
_CHUNK = 1024  # zip(*rows) creates an iterator per row, which pays off while they fit the CPU cache


def columns_of_rows(rows: Sequence[Sequence[Any]], arity: int) -> list[Sequence[Any]]:
    """Transpose rows to columns.

    Raises:
        ValueError: a row has more or fewer parts than ``arity``.
    """
    columns: list[Any]
    if 0 < len(rows) <= _CHUNK:
        columns = list(zip(*rows, strict=True))
        if len(columns) != arity:
            raise ValueError(f"rows of {len(columns)} parts, not of {arity}")
        return columns
    columns = [[] for _ in range(arity)]
    for start in range(0, len(rows), _CHUNK):
        for column, part in zip(columns, zip(*rows[start : start + _CHUNK], strict=True), strict=True):
            column += part
    return columns


def kept_rows(rows: Sequence[Sequence[Any]], arity: int) -> Sequence[Column] | None:
    """Return the columns of rows, ``None`` if one has more or fewer parts than ``arity``."""
    if distinct(len, rows) != {arity}:
        return None
    return columns_of_rows(rows, arity) if arity else []


class FieldsCodec(Codec):
    """Base class of the codecs of composites.

    Attributes:
        fields: the fields as carried.
        codecs: one codec per field.
    """

    def __init__(self, t: FieldsTypeInfo[Any], codecs: Sequence[Codec], *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self.fields: tuple[CarriedField, ...] = carried_fields(t)
        self.codecs: tuple[Codec, ...] = tuple(codecs)
        self._struct = list(self.arrow) if pa.types.is_struct(self.arrow) else []
        self.arity: int = len(self.codecs)
        self.parts_plain: bool = all(codec.plain for codec in codecs)
        self.can_keep: bool = self.is_only_fields and all(codec.can_keep for codec in codecs)

    # Implemented by each kind of composite.

    @property
    def is_only_fields(self) -> bool:
        """Whether values of the declared class may be nothing but their fields, also when pickled."""
        return True

    @abstractmethod
    def opened(self, values: Column, types: set[type]) -> tuple[Column, list[Sequence[Any]]]:
        """Return values of the declared class, together with their columns.

        If all values have the declared class, they are the same object as given; it is the result if no
        column changes.

        Raises:
            TypeCheckError: the value at the index is not a composite of this type.
        """

    def opened_columns(self, values: Column, types: set[type]) -> list[Sequence[Any]]:
        """Return the columns of values as ``opened`` does, where the values themselves are not needed."""
        return self.opened(values, types)[1]

    @abstractmethod
    def columns(self, values: Column) -> list[Sequence[Any]]:
        """Return the columns of conformed values."""

    @abstractmethod
    def built(self, columns: Sequence[Column], like: Column | None, count: int) -> list[Any]:
        """Build ``count`` values from columns; anything besides the fields is copied from ``like``."""

    def kept_columns(self, values: Column, types: set[type], seen: set[int]) -> Sequence[Column] | None:
        """Return the columns of values of the declared class that hold nothing else; ``None`` if one does.

        Args:
            values: values, none of them ``None``, not conformed.
            types: the set of their classes.
            seen: the ids of the objects found so far that can be changed; new ones are added.
        """
        return None

    def kept_parts(self, value: Any) -> Sequence[Any] | None:
        """Return the fields of a value, ``None`` if it holds anything else; faster than ``kept_columns``."""
        columns = self.kept_columns([value], {type(value)}, set())
        return None if columns is None else [part for (part,) in columns]

    # Derived from the above.

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        columns = self.kept_columns(column, types, seen)
        return columns is not None and all(
            codec.keeps(part, seen) for codec, part in zip(self.codecs, columns, strict=True)
        )

    def check(self, column: Column, types: set[type]) -> Column:
        values, columns = self.opened(column, types)
        checked = self.each([codec.conform for codec in self.codecs], columns)
        if all(map(is_, checked, columns)):
            return values
        return self.built(checked, values, len(column))

    def conform_and_encode(self, column: Column) -> pa.Array:
        if NoneType in distinct(type, column):
            return super().conform_and_encode(column)
        return self.struct(self.conform_and_write_columns(column), len(column))

    def conform_and_write_columns(self, column: Column) -> list[pa.Array]:
        """Validate values other than ``None``, and write their columns."""
        types = distinct(type, column)
        if NoneType in types:
            raise null_error(self.type).within("", index_of_none(column))
        return self.each(
            [codec.conform_and_encode for codec in self.codecs], self.opened_columns(column, types)
        )

    def write(self, column: Column) -> pa.Array:
        return self.struct(self.write_columns(column), len(column))

    def write_columns(self, column: Column) -> list[pa.Array]:
        """Write the columns of conformed values."""
        return self.each([codec.encode for codec in self.codecs], self.columns(column))

    def struct(self, arrays: list[pa.Array], count: int) -> pa.Array:
        """Return the values as a struct array of their columns."""
        if not arrays:
            return pa.repeat(True, count)
        return pa.StructArray.from_arrays(arrays, fields=self._struct)

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_struct(dt) if self.arity else pa.types.is_boolean(dt) or pa.types.is_struct(dt)

    def recast(self, array: pa.Array) -> pa.Array:
        return array  # the fields' codecs adopt them

    def read(self, array: Any) -> list[Any]:
        if not self.arity:
            return self.built((), None, len(array))
        names = [field.name for field in array.type]
        return self.read_columns(names, array.flatten(), len(array))

    def read_columns(self, names: list[str], arrays: Sequence[pa.Array], count: int) -> list[Any]:
        """Build ``count`` values from arrays, matched by name if they are not in the declared order."""
        ordered = self._ordered(names, arrays)
        return self.built(self.each([codec.decode for codec in self.codecs], ordered), None, count)

    def with_parts(self, function: Callable[[Codec, pa.Array], pa.Array], array: Any) -> pa.Array:
        """Return a readable array with a function applied to each field.

        Args:
            function: takes the codec of a field and its array; returns the array as the codec writes it.
            array: the composites, without nulls; they have fields.
        """
        arrays = self._ordered([field.name for field in array.type], array.flatten())
        return self.struct(self.each([partial(function, codec) for codec in self.codecs], arrays), len(array))

    def _ordered(self, names: list[str], arrays: Sequence[pa.Array]) -> Sequence[pa.Array]:
        declared = [field.name for field in self.fields]
        if names == declared:
            return arrays
        if sorted(names) != sorted(declared):
            raise TypeCheckError(f"the columns {names} are not the fields {declared}")
        return [arrays[names.index(name)] for name in declared]

    def write_plain(self, column: Column) -> Column:
        if not self.arity:
            return [()] * len(column)
        return list(
            zip(*self.each([codec.to_plain for codec in self.codecs], self.columns(column)), strict=True)
        )

    def read_plain(self, column: Column) -> Column:
        return self.built(
            self.each([codec.from_plain for codec in self.codecs], columns_of_rows(column, self.arity)),
            None,
            len(column),
        )

    def each(self, methods: Sequence[Callable[[Any], R]], columns: Sequence[Any]) -> list[R]:
        """Call a method of each field's codec with the field's column; errors get the field's path."""
        results = []
        for method, column, field in zip(methods, columns, self.fields, strict=True):
            try:
                results.append(method(column))
            except TypeCheckError as error:
                path = error.path.removeprefix("[0]") if field.wrapped else error.path
                raise TypeCheckError(error.message, field.segment + path, error.index) from None
        return results

    def columns_of(self, rows: Sequence[Sequence[Any]], values: Column) -> list[Sequence[Any]]:
        """Transpose rows, given as the parts of values, to columns.

        Raises:
            TypeCheckError: a value has more or fewer parts than the type has fields.
        """
        try:
            return columns_of_rows(rows, self.arity)
        except ValueError:
            index = next(index for index, row in enumerate(rows) if len(row) != self.arity)
            raise TypeCheckError(
                f"{short_repr(values[index])} has {len(rows[index])} fields, {self.type} has {self.arity}",
                "",
                index,
            ) from None
