"""The law of data written by another version or another program: schema evolution."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pyarrow as pa

from typeinfo.composite import FieldsTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.testing.laws.law import assert_same, law, require
from typeinfo.testing.laws.subject import Subject

__all__ = ["check_evolution"]


@law()
def check_evolution(subject: Subject, values: list[Any]) -> None:
    """Columns in another order or layout give the same values; missing, unknown or null ones are refused."""
    t, serializer = subject.type, subject.serializer
    batch = serializer.to_batch(copy.deepcopy(values))
    arrays, fields = batch.columns, list(batch.schema)
    for what, layout in _LAYOUTS.items():
        columns = [layout(array) for array in arrays]
        foreign = pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
        assert_same(serializer.from_batch(foreign), values, f"{what} columns of {t} differ", kinds=False)
    turned = pa.RecordBatch.from_arrays(arrays[::-1], schema=pa.schema(fields[::-1]))
    assert_same(serializer.from_batch(turned), values, f"columns of {t} in another order differ", kinds=False)

    more = pa.RecordBatch.from_arrays(
        [*arrays, pa.nulls(len(values))], names=[*batch.schema.names, "a column too many"]
    )
    _refused(subject, more, "a column too many")
    for index, field in enumerate(fields):
        if len(fields) > 1:
            rest = [position for position in range(len(fields)) if position != index]
            less = pa.RecordBatch.from_arrays(
                [arrays[position] for position in rest], schema=pa.schema([fields[p] for p in rest])
            )
            _refused(subject, less, f"no column {field.name!r}")
        if values and not field.nullable and isinstance(t, FieldsTypeInfo):
            columns = [pa.nulls(len(values), a.type) if p == index else a for p, a in enumerate(arrays)]
            nulls = pa.RecordBatch.from_arrays(columns, names=batch.schema.names)
            _refused(subject, nulls, f"nulls in the column {field.name!r}")


def _refused(subject: Subject, batch: pa.RecordBatch, what: str) -> None:
    try:
        read = subject.serializer.from_batch(batch)
    except TypeCheckError:
        return
    require(False, f"a batch of {subject.type} with {what} is read as {read!r}")


def _as_it_is(array: pa.Array) -> pa.Array:
    return array


def _widened(array: pa.Array) -> pa.Array:
    return array.cast(pa.int64()) if pa.types.is_integer(array.type) else array


def _large(array: pa.Array) -> pa.Array:
    if pa.types.is_string(array.type):
        return array.cast(pa.large_string())
    return array.cast(pa.large_binary()) if pa.types.is_binary(array.type) else array


def _dictionary(array: pa.Array) -> pa.Array:
    is_text = pa.types.is_string(array.type) or pa.types.is_integer(array.type)
    return array.dictionary_encode() if is_text else array


def _sliced(array: pa.Array) -> pa.Array:
    return pa.concat_arrays([array, array]).slice(len(array))


_LAYOUTS: dict[str, Callable[[pa.Array], pa.Array]] = {
    "unlabelled": _as_it_is,
    "wider": _widened,
    "large": _large,
    "dictionary encoded": _dictionary,
    "sliced": _sliced,
}
