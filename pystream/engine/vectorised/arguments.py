"""Convert batches to the pandas or Arrow arguments of batch functions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pystream.engine.local_times import in_zone
from pystream.engine.vectorised.columns import ColumnValues
from pystream.engine.vectorised.vector_function import Form, VectorisedError
from typeinfo.serde.codec import Codec, Dtype
from typeinfo.serde.collection import ListCodec
from typeinfo.serde.row import RowCodec
from typeinfo.temporal import INSTANT

__all__ = ["ELEMENT", "NULLABLE_DTYPES", "argument", "column", "series"]

ELEMENT = "pystream.element"
"""Name of the index of pandas arguments, by which results name the elements they come from.

pandas takes the names of an index and of columns for one another, so it must be the name of no field.
"""

NULLABLE_DTYPES: dict[pa.DataType, Any] = {
    pa.bool_(): pd.BooleanDtype(),
    pa.int8(): pd.Int8Dtype(),
    pa.int16(): pd.Int16Dtype(),
    pa.int32(): pd.Int32Dtype(),
    pa.int64(): pd.Int64Dtype(),
    pa.float32(): pd.Float32Dtype(),
    pa.float64(): pd.Float64Dtype(),
}
"""The dtypes of pandas for columns that may have nulls, by the type in Arrow."""

_TEXT: Any = pd.StringDtype("pyarrow")


def argument(form: Form, values: ColumnValues) -> Any:
    """Return a batch in the function's batch format; it must not be modified in place.

    The dtype of a column depends only on its type, never on the values in the batch: numpy's for numbers and
    booleans that cannot be null, pandas' nullable ones (``Int64``, ``boolean``, …) for those that can, so
    that an integer stays one beside a null; ``string`` for STRING; ``datetime64[us]``, with UTC for INSTANT,
    and ``timedelta64[us]``, null being ``NaT``. All other columns are of dtype ``object`` and hold the Python
    values that a function on single elements gets.
    """
    batch, codecs = values.batch, values.layout.codecs
    match form:
        case Form.BATCH:
            return batch
        case Form.ARRAY:
            return batch.column(0)
        case Form.SERIES:
            return series(codecs[0], batch.column(0))
    columns = {
        name: _column(codec, array)
        for name, codec, array in zip(batch.schema.names, codecs, batch.columns, strict=True)
    }
    return pd.DataFrame(columns, _index(batch.num_rows), copy=False)


def series(codec: Codec, array: pa.Array, zone: tzinfo | None = None) -> pd.Series[Any]:
    """Return a column as a Series, with the dtypes of `argument`.

    Args:
        codec: the codec of its values.
        array: the values, in a layout that the codec reads.
        zone: the time zone of the times in place of instants; ``None`` if these stay as they are.
    """
    change = None if zone is None else in_zone(codec.type)
    if zone is None or change is None:
        return pd.Series(_column(codec, codec.adopt(array)), _index(len(array)), copy=False)
    if codec.dtype is Dtype.TIME:
        times: pd.Series[Any] = series(codec, array).dt.tz_convert(zone)
        return times
    return pd.Series(_values(codec, array, zone), _index(len(array)), dtype=object)


def column(codec: Codec, array: pa.Array, zone: tzinfo | None = None) -> pd.Series[Any] | pd.DataFrame:
    """Return a column as a Series, or that of rows as a DataFrame of their fields.

    Arrays, also those that are fields of the rows, are ndarrays: of numbers and times if none of their
    elements is null, else of objects, as those of instants are.

    Args:
        codec: the codec of its values.
        array: the values, in a layout that the codec reads.
        zone: the time zone of the times in place of instants; ``None`` if these stay as they are.
    """
    if not isinstance(codec, RowCodec):
        return _with_ndarrays(codec, array, zone)
    rows = codec.adopt(array)
    assert isinstance(rows, pa.StructArray)
    fields = zip(rows.type.names, codec.codecs, rows.flatten(), strict=True)
    columns = {name: _with_ndarrays(own, part, zone) for name, own, part in fields}
    return pd.DataFrame(columns, _index(len(array)))


def _with_ndarrays(codec: Codec, array: pa.Array, zone: tzinfo | None) -> pd.Series[Any]:
    """Return a column as a Series, in which arrays are ndarrays."""
    if not isinstance(codec, ListCodec):
        return series(codec, array, zone)
    arrays = [_ndarray(codec.elements, value) for value in _values(codec, array, zone)]
    return pd.Series(arrays, _index(len(array)), dtype=object)


def _values(codec: Codec, array: pa.Array, zone: tzinfo | None) -> list[Any]:
    """Return the values of a column, with datetimes of a time zone in place of instants."""
    values: list[Any] = codec.decode(codec.adopt(array))
    change = in_zone(codec.type)
    return values if zone is None or change is None else [change(zone, value) for value in values]


def _ndarray(codec: Codec, values: Sequence[Any] | None) -> np.ndarray[Any, Any] | None:
    if values is None:
        return None
    if codec.dtype is Dtype.NUMBER and None not in values:
        return np.array(values, dtype=codec.arrow.to_pandas_dtype())
    if codec.dtype is Dtype.TIME and codec.type != INSTANT and None not in values:
        return np.array(values, dtype="datetime64[us]")
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    return objects


def _index(count: int) -> pd.RangeIndex:
    return pd.RangeIndex(count, name=ELEMENT)


def _column(codec: Codec, array: pa.Array) -> Any:
    """Return a column as the array of a Series or of a DataFrame column."""
    if codec.dtype is Dtype.NUMBER:
        if codec.nullable:
            return NULLABLE_DTYPES[array.type].__from_arrow__(array)
        return array.to_numpy(zero_copy_only=False)
    if codec.dtype is Dtype.TEXT:
        return _TEXT.__from_arrow__(array)
    if codec.dtype is Dtype.TIME:
        times = array.to_pandas().array
        if times.isna().sum() != array.null_count:
            raise VectorisedError(
                "-2^63 microseconds stand for NaT in pandas, and so would be null; take elements with such a"
                " time as pa.Array or pa.RecordBatch"
            )
        return times
    return pd.Series(codec.decode(array), dtype=object).array
