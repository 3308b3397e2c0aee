"""The digits of decimals in columns that functions of the program get."""

from __future__ import annotations

import pyarrow as pa

from pystream.sql_types.data_types import ArrayType, DataType, DecimalType, MapType, RowType

__all__ = ["with_digits"]


def with_digits(array: pa.Array, data_type: DataType) -> pa.Array:
    """Return a column whose decimals have the digits of their types in SQL, those in collections, too.

    Args:
        array: the column, in the layout of the values in a stream.
        data_type: the type of its values.
    """
    return array.cast(_with_digits(array.type, data_type))


def _with_digits(arrow: pa.DataType, data_type: DataType) -> pa.DataType:
    match data_type:
        case DecimalType(precision=precision, scale=scale):
            return pa.decimal128(precision, scale)
        case ArrayType(element):
            assert isinstance(arrow, pa.ListType)
            return pa.list_(_with_digits(arrow.value_type, element))
        case MapType(key, value):
            assert isinstance(arrow, pa.MapType)
            return pa.map_(_with_digits(arrow.key_type, key), _with_digits(arrow.item_type, value))
        case RowType(fields):
            parts = [arrow.field(number) for number in range(arrow.num_fields)]
            pairs = zip(parts, fields, strict=True)
            return pa.struct([part.with_type(_with_digits(part.type, own.data_type)) for part, own in pairs])
    return arrow
