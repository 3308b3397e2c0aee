"""Functions of an Arrow batch, for vectorised streams and for ``mapInArrow`` of PySpark."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


def _remainder(numbers: pa.Array, divisor: int) -> pa.Array:
    return pc.subtract(numbers, pc.multiply(pc.divide(numbers, divisor), divisor))


def _replace_columns(batch: pa.RecordBatch, **columns: pa.Array) -> pa.RecordBatch:
    arrays = [columns.get(name, batch.column(name)) for name in batch.schema.names]
    return pa.RecordBatch.from_arrays(arrays, names=batch.schema.names)


def _concatenate(first: pa.RecordBatch, second: pa.RecordBatch) -> pa.RecordBatch:
    arrays = [pa.concat_arrays(pair) for pair in zip(first.columns, second.columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=first.schema.names)


def _swap_xy(point: Any) -> pa.StructArray:
    x, y = point.flatten()
    return pa.StructArray.from_arrays([y, x], ["x", "y"])


def map_long(numbers: pa.Array) -> pa.Array:
    return pc.add(pc.multiply(_remainder(numbers, 1000), 3), 1)


def map_row5(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _replace_columns(
        batch,
        id=pc.add(_remainder(batch.column("id"), 1000), 1),
        amount=pc.multiply(batch.column("amount"), 1.5),
        name=pc.binary_join_element_wise(batch.column("name"), "!", ""),
        flag=pc.invert(batch.column("flag")),
    )


def map_row30(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _replace_columns(
        batch,
        a0=pc.add(_remainder(batch.column("a0"), 1000), 1),
        d0=pc.multiply(batch.column("d0"), 1.5),
        s0=pc.binary_join_element_wise(batch.column("s0"), "!", ""),
    )


def map_nested(batch: pa.RecordBatch) -> pa.RecordBatch:
    number = pc.add(_remainder(batch.column("id"), 1000), 1)
    return _replace_columns(batch, id=number, point=_swap_xy(batch.column("point")))


def map_text(texts: pa.Array) -> pa.Array:
    return pc.binary_join_element_wise(texts, "!", "")


def map_reading(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _replace_columns(
        batch,
        celsius=pc.add(pc.multiply(batch.column("celsius"), 1.8), 32.0),
        millis=_remainder(batch.column("millis"), 1000),
        place=pc.binary_join_element_wise(batch.column("place"), "!", ""),
    )


def keep_long(numbers: pa.Array) -> pa.Array:
    return pc.equal(_remainder(numbers, 3), 0)


def keep_row(batch: pa.RecordBatch) -> pa.Array:
    return pc.equal(_remainder(batch.column(0), 3), 0)


def keep_text(texts: pa.Array) -> pa.Array:
    return pc.equal(pc.utf8_slice_codeunits(texts, 9, 10), "0")


def keep_reading(batch: pa.RecordBatch) -> pa.Array:
    return pc.equal(_remainder(batch.column("millis"), 3), 0)


def both_long(numbers: pa.Array) -> pa.Array:
    return pa.concat_arrays([numbers, _remainder(numbers, 1000)])


def both_row5(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _concatenate(batch, _replace_columns(batch, amount=pc.multiply(batch.column("amount"), 0.5)))


def both_row30(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _concatenate(batch, batch)


def both_nested(batch: pa.RecordBatch) -> pa.RecordBatch:
    return _concatenate(batch, _replace_columns(batch, point=_swap_xy(batch.column("point"))))


def both_text(texts: pa.Array) -> pa.Array:
    halves = pc.utf8_slice_codeunits(texts, 0, 500), pc.utf8_slice_codeunits(texts, 500)
    return pa.concat_arrays(halves)


def both_reading(batch: pa.RecordBatch) -> pa.RecordBatch:
    fahrenheit = pc.add(pc.multiply(batch.column("celsius"), 1.8), 32.0)
    return _concatenate(batch, _replace_columns(batch, celsius=fahrenheit))


FUNCTIONS = {
    "map": {
        "long": map_long,
        "row5": map_row5,
        "row30": map_row30,
        "nested": map_nested,
        "text": map_text,
        "dataclass": map_reading,
    },
    "filter": {
        "long": keep_long,
        "row5": keep_row,
        "row30": keep_row,
        "nested": keep_row,
        "text": keep_text,
        "dataclass": keep_reading,
    },
    "flat_map": {
        "long": both_long,
        "row5": both_row5,
        "row30": both_row30,
        "nested": both_nested,
        "text": both_text,
        "dataclass": both_reading,
    },
}
SINGLE = frozenset({"long", "text"})
"""Shapes of a single column; functions take the column instead of the batch."""


class InArrow:
    """A function for ``mapInArrow``, which applies one of this module to each batch."""

    def __init__(self, operator: str, shape: str) -> None:
        self._operator = operator
        self._single = shape in SINGLE
        self._function: Any = FUNCTIONS[operator][shape]

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield a batch of results for each batch."""
        for batch in batches:
            result = self._function(batch.column(0) if self._single else batch)
            if self._operator == "filter":
                yield batch.filter(result)
            else:
                yield pa.RecordBatch.from_arrays([result], names=["value"]) if self._single else result
