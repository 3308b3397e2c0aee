"""Conversions of columns: by kernels, or else value by value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from pystream.engine.operators.column_map import ColumnResults
from pystream.engine.vectorised.columns import Column, ColumnValues, layout_of
from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.compiled import kernel_of_value
from pystream.table.functions.kernels.faults import REFUSALS, naming_faults
from pystream.table.functions.values.cast_call import CastCall
from pystream.table.functions.values.composites import converted_fields
from pystream.table.functions.values.conversions import converted_items, or_null, same
from typeinfo.formats.layout import columns_of
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec

__all__ = ["ColumnConversion", "cast_array"]


def cast_array(convert: Callable[[Any], Any], array: pa.Array, codec: Codec) -> pa.Array | None:
    """Return the results of a conversion of the values of an array, ``None`` if no kernel computes them.

    Raises:
        KernelError: a kernel fails.
    """
    try:
        with naming_faults(f"values of {codec.type}"):
            return _cast(convert, array, codec.arrow)
    except REFUSALS:
        return None


def _cast(convert: Callable[[Any], Any], array: pa.Array, arrow: pa.DataType) -> pa.Array:
    """Return the results of a conversion in a type.

    Raises:
        NotComputedError: no kernel computes them.
        ArrowException: they are not of the type.
    """
    if isinstance(convert, CastCall):
        return _cast(convert.convert, array, arrow)
    if isinstance(convert, partial) and convert.func is or_null:
        return _cast(convert.args[0], array, arrow)  # kernels compute values only
    if isinstance(convert, partial) and convert.func is converted_fields:
        _, parts, _ = convert.args
        return _cast_fields(parts, array, arrow)
    if isinstance(convert, partial) and convert.func is converted_items:
        return _cast_items(convert.args[0], array, arrow)
    results = array
    if convert is not same:
        kernel = kernel_of_value(convert)
        if kernel is None:
            raise NotComputedError("no kernel converts the values")
        results = kernel(array)
    return results if results.type == arrow else results.cast(arrow)


def _cast_fields(
    parts: Sequence[tuple[int, Callable[[Any], Any]]], array: pa.Array, arrow: pa.DataType
) -> pa.Array:
    if not isinstance(array, pa.StructArray) or not pa.types.is_struct(arrow):
        raise NotComputedError("fields that are not in a struct")
    nulls = array.null_count
    columns = []
    for (position, convert), field in zip(parts, arrow, strict=True):
        column = _cast(convert, array.field(position), field.type)
        if column.null_count and not field.nullable:
            raise NotComputedError("nulls in a field without nulls")
        columns.append(column)
    return pa.StructArray.from_arrays(columns, fields=list(arrow), mask=array.is_null() if nulls else None)


def _cast_items(convert: Callable[[Any], Any], array: pa.Array, arrow: pa.DataType) -> pa.Array:
    if not isinstance(array, pa.ListArray) or not pa.types.is_list(arrow):
        raise NotComputedError("items that are not in a list")
    items = _cast(convert, array.values, arrow.value_type)
    mask = array.is_null() if array.null_count else None
    return pa.ListArray.from_arrays(array.offsets, items, arrow, mask=mask)


class ColumnConversion:
    """Makes elements of one type from some fields of elements of another, column by column.

    Args:
        source: the type of the elements that are converted.
        positions: the field of ``source`` for each field of ``target``.
        target: the type of the results.
        converters: for each field of ``target``, the function that converts values that are not null,
            ``None`` if they stay the same.
    """

    def __init__(
        self,
        source: TypeInformation[Any],
        positions: Sequence[int],
        target: TypeInformation[Any],
        converters: Sequence[Callable[[Any], Any] | None],
    ) -> None:
        self._source = layout_of(source)
        self._target = layout_of(target)
        self._parts = list(zip(positions, converters, self._target.codecs, strict=True))
        self._is_wrapped = any(field.wrapped for t in (source, target) for field in columns_of(t))

    def columns(self, values: ColumnValues) -> list[Column] | None:
        """Return the columns of the results, ``None`` if elements must be converted one by one.

        Raises:
            Exception: a value cannot be converted, or is not of its type.
        """
        if self._is_wrapped or values.layout is not self._source:
            return None
        return [
            self._converted(values.columns[position], convert, codec)
            for position, convert, codec in self._parts
        ]

    def results(self, values: ColumnValues) -> ColumnResults | None:
        """Return the results as `columns` does."""
        columns = self.columns(values)
        if columns is None:
            return None
        return ColumnResults(ColumnValues.of_columns(self._target, columns, len(values)))

    @staticmethod
    def _converted(column: Column, convert: Callable[[Any], Any] | None, codec: Codec) -> Column:
        if convert is None and (not column.is_array or column.array.type == codec.arrow):
            if column.codec.type == codec.type:
                return column.with_codec(codec)
        elif convert is not None and column.is_array:
            array = cast_array(convert, column.array, codec)
            if array is not None:
                return Column(codec, array)
        values = column.values
        if convert is not None:
            values = [None if value is None else convert(value) for value in values]
        return Column(codec, values=codec.conform(values))
