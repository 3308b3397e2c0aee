"""Parts of arrays, columns and tables of numpy, pandas and pyarrow, for comparison."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

__all__ = ["array_parts"]


def array_parts(value: Any) -> tuple[Any, ...] | None:
    """Return the parts that distinguish an array, column, table or numpy scalar from others of its class.

    That are its element type, shape and names, and its elements as lists of Python values; how it lies in
    memory, as strides and chunks, is left out.

    Args:
        value: anything; libraries that are not loaded are not asked, as nothing is of their classes.

    Returns:
        the parts, or ``None`` for what is none of these.
    """
    for module, name, parts in _PARTS:
        cls = getattr(sys.modules.get(module), name, None)
        if isinstance(cls, type) and isinstance(value, cls):
            return parts(value)
    return None


def _of_ndarray(array: Any) -> tuple[Any, ...]:
    return array.dtype, array.shape, array.ravel().tolist()


def _of_scalar(scalar: Any) -> tuple[Any, ...]:
    item = scalar.item()  # itself where Python has no such number
    return scalar.dtype, repr(scalar) if type(item) is type(scalar) else item


def _of_index(index: Any) -> tuple[Any, ...]:
    return index.dtype, list(index.names), list(index)


def _of_series(series: Any) -> tuple[Any, ...]:
    return series.dtype, series.name, series.index, dict(series.attrs), list(series.array)


def _of_frame(frame: Any) -> tuple[Any, ...]:
    columns = [frame.iloc[:, i] for i in range(frame.shape[1])]  # by position, as names may occur twice
    return frame.columns, frame.index, dict(frame.attrs), columns


def _of_extension_array(array: Any) -> tuple[Any, ...]:
    return array.dtype, list(array)


def _of_arrow_array(array: Any) -> tuple[Any, ...]:
    return array.type, array.to_pylist()


def _of_arrow_scalar(scalar: Any) -> tuple[Any, ...]:
    return scalar.type, scalar.as_py()


def _of_arrow_table(table: Any) -> tuple[Any, ...]:
    return table.schema, table.num_rows, table.columns


def _of_arrow_schema(schema: Any) -> tuple[Any, ...]:
    return schema.metadata, list(schema)


def _of_arrow_field(field: Any) -> tuple[Any, ...]:
    return field.name, field.type, field.nullable, field.metadata


_PARTS: tuple[tuple[str, str, Callable[[Any], tuple[Any, ...]]], ...] = (
    ("numpy", "ndarray", _of_ndarray),
    ("numpy", "generic", _of_scalar),
    ("pandas", "Series", _of_series),
    ("pandas", "DataFrame", _of_frame),
    ("pandas", "Index", _of_index),
    ("pandas.api.extensions", "ExtensionArray", _of_extension_array),
    ("pyarrow", "Array", _of_arrow_array),
    ("pyarrow", "ChunkedArray", _of_arrow_array),
    ("pyarrow", "Scalar", _of_arrow_scalar),
    ("pyarrow", "RecordBatch", _of_arrow_table),
    ("pyarrow", "Table", _of_arrow_table),
    ("pyarrow", "Schema", _of_arrow_schema),
    ("pyarrow", "Field", _of_arrow_field),
)
