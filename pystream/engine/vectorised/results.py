"""Validate the results of batch functions against the declared type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from pystream.engine.vectorised.arguments import ELEMENT
from pystream.engine.vectorised.column_validation import validated
from pystream.engine.vectorised.columns import ColumnValues, Layout
from pystream.engine.vectorised.vector_function import VectorisedError
from typeinfo.basic import BOOLEAN
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import has_columns
from typeinfo.serde.carried import CustomCodec
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for
from typeinfo.serde.row import RowCodec
from typeinfo.serde.text import EnumCodec, UuidCodec

__all__ = ["column_for_each", "is_columnar", "mask_of", "origins", "results_for_each", "results_of"]

_COLUMNS = (pd.Series, pa.Array, pa.ChunkedArray)
_TABLES = (pd.DataFrame, pa.RecordBatch, pa.Table)
_SINGLE = "a pd.Series or a pa.Array"
_SEVERAL = "a pd.DataFrame or a pa.RecordBatch"


def is_columnar(result: object) -> bool:
    """Return whether a result is a batch, and not an iterable of batches."""
    return isinstance(result, (*_COLUMNS, *_TABLES))


def results_of(result: Any, layout: Layout) -> ColumnValues:
    """Return a batch of results, validated by their type; no value is converted to another.

    A Series of dtype ``object`` holds values as a function on single elements would return them. Null is
    ``None``, ``pd.NA``, ``NaT`` and null in an Arrow array; ``NaN`` is a number, and in a column of any other
    type an error.

    Raises:
        TypeCheckError: the result is of another class, lacks a column or has one more, or holds values that
            are not of the type.
    """
    return ColumnValues(layout, pa.RecordBatch.from_arrays(_arrays(result, layout), schema=layout.schema))


def mask_of(result: Any, count: int) -> pa.Array:
    """Return the booleans of a predicate for a batch of ``count`` elements.

    Raises:
        TypeCheckError: the result holds other values than booleans.
        VectorisedError: its length differs from the batch's, or it contains nulls.
    """
    if not isinstance(result, _COLUMNS):
        raise TypeCheckError(
            f"the function returned {_described(result)}; a predicate returns {_SINGLE} of booleans"
        )
    _check_length(result, count)
    mask = _array(_PREDICATE, result)
    if mask.null_count:
        first = mask.is_null().to_pylist().index(True)
        raise VectorisedError(
            f"the predicate is null for {mask.null_count} of {count} elements, the first of them element"
            f" {first} of the batch: replace the nulls, e.g. with .fillna(False)"
        )
    return mask


def results_for_each(result: Any, count: int, layout: Layout) -> ColumnValues:
    """Return a validated batch of results, one per element.

    Raises:
        TypeCheckError: as ``results_of``.
        VectorisedError: there is not one for each element.
    """
    if is_columnar(result):
        _check_length(result, count)
    return results_of(result, layout)


def column_for_each(result: Any, count: int, codec: Codec) -> pa.Array:
    """Return a validated column of results, one per element, composites included.

    The rows of a DataFrame are the values of a column of rows.

    Raises:
        TypeCheckError: the result is no column, or holds values that are not of the codec's type.
        VectorisedError: there is not one for each element.
    """
    if isinstance(result, pd.DataFrame) and isinstance(codec, RowCodec):
        result = _rows(result, codec)
    if not isinstance(result, _COLUMNS):
        raise TypeCheckError(f"the function returned {_described(result)}; it must return {_SINGLE}")
    _check_length(result, count)
    return _array(codec, result)


def origins(result: Any, count: int) -> Sequence[int]:
    """Return the index of the input element of each result, from the result's index.

    Raises:
        VectorisedError: there is no index, or it does not match that of the input.
    """
    index = result.index if isinstance(result, (pd.Series, pd.DataFrame)) else None
    if index is None or index.name != ELEMENT or not pd.api.types.is_integer_dtype(index.dtype):
        raise VectorisedError(
            "the elements have times, and the results do not say which elements they come from: keep the"
            f" index {ELEMENT!r} of the Series or DataFrame the function was given (filter, take, repeat and"
            " explode do), or assign timestamps after this operator and not before it"
        )
    positions: list[int] = index.tolist()
    if positions and not 0 <= min(positions) <= max(positions) < count:
        raise VectorisedError(
            f"the index of the results names elements from {min(positions)} to {max(positions)}, and the"
            f" batch has the elements 0 to {count - 1}"
        )
    return positions


_PREDICATE = codec_for(BOOLEAN, nullable=True)


def _check_length(result: Any, count: int) -> None:
    if len(result) != count:
        raise VectorisedError(
            f"the function got {count} elements and returned {len(result)} results; there must be one for"
            " each, in their order"
        )


def _arrays(result: Any, layout: Layout) -> list[pa.Array]:
    names = layout.schema.names
    if not has_columns(layout.type):
        if not isinstance(result, _COLUMNS):
            raise TypeCheckError(f"the function returned {_described(result)}; {layout.type} takes {_SINGLE}")
        return [_array(layout.codecs[0], result)]
    if not isinstance(result, _TABLES):
        raise TypeCheckError(
            f"the function returned {_described(result)}; {layout.type} takes {_SEVERAL} with the "
            f"columns {names}"
        )
    given = list(result.columns if isinstance(result, pd.DataFrame) else result.schema.names)
    if not given and not len(result):  # a DataFrame or table created from no rows has no columns
        return [pa.nulls(0, codec.arrow) for codec in layout.codecs]
    if sorted(map(repr, given)) != sorted(map(repr, names)):
        raise TypeCheckError(
            f"the function returned the columns {given}; {layout.type} has the columns {names}, in any order"
        )
    arrays = []
    for name, codec, segment in zip(names, layout.codecs, layout.segments, strict=True):
        try:
            arrays.append(_array(codec, result[name]))
        except TypeCheckError as error:
            raise TypeCheckError(error.message, segment + error.path, error.index) from error
    return arrays


def _value(value: Any) -> Any:
    """Return an object of a Series as a value of Python."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return None if _is_missing(value) else value


def _array(codec: Codec, column: Any) -> pa.Array:
    """Return a validated column of results as an array."""
    if not isinstance(column, pd.Series):
        array = _whole(column)
        _refuse_pandas_types(codec, array.type, f"Arrow type {array.type}")
        return validated(codec, array)
    if column.dtype == object:
        return codec.conform_and_encode([_value(value) for value in column])
    try:
        array = _whole(pa.array(column, from_pandas=False))
    except pa.ArrowException as error:
        raise TypeCheckError(f"a column of dtype {column.dtype} does not hold {codec.type}") from error
    if type(codec) in _OBJECTS and not pa.types.is_null(array.type):
        raise _type_error(codec, f"dtype {column.dtype}")
    _refuse_pandas_types(codec, array.type, f"dtype {column.dtype}")
    try:
        return validated(codec, array)
    except TypeCheckError as error:
        hint = ""
        if error.index is None and array.type != codec.arrow:
            hint = f" (dtype {column.dtype}); convert it if that is intended, e.g. with .astype(…)"
        raise TypeCheckError(error.message + hint, error.path, error.index) from error


_OBJECTS = frozenset({EnumCodec, UuidCodec, CustomCodec})
"""Codecs of types that pandas holds only as objects: a UUID is not text, although Arrow stores it so."""

_PANDAS_TYPES = frozenset({"pandas.period", "pandas.interval"})
"""Arrow types in which pandas stores extension values, such as a month by its number since the Unix epoch."""


def _refuse_pandas_types(codec: Codec, dt: pa.DataType, written: str) -> None:
    while pa.types.is_dictionary(dt):
        dt = dt.value_type
    if getattr(dt, "extension_name", None) in _PANDAS_TYPES:
        raise _type_error(codec, written)


def _type_error(codec: Codec, written: str) -> TypeCheckError:
    return TypeCheckError(
        f"a column of {written} does not hold {codec.type}; convert it if that is intended, e.g. with .map(…)"
    )


def _rows(frame: pd.DataFrame, codec: RowCodec) -> pd.Series[Any]:
    """Return the rows of a DataFrame, whose columns are the fields of a row in order, as a Series."""
    if len(frame.columns) != codec.arity:
        raise TypeCheckError(
            f"the function returned {len(frame.columns)} columns; {codec.type} has {codec.arity}"
        )
    columns = [own.decode(_array(own, frame.iloc[:, position])) for position, own in enumerate(codec.codecs)]
    rows = pd.Series([None] * len(frame), dtype=object)
    rows[:] = list(zip(*columns, strict=True))
    return rows


def _whole(array: pa.Array | pa.ChunkedArray) -> pa.Array:
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _is_missing(value: object) -> bool:
    return value is pd.NA or value is pd.NaT


def _described(result: object) -> str:
    if result is None:
        return "None"
    cls = type(result)
    return f"an object of class {cls.__module__.partition('.')[0]}.{cls.__qualname__}"
