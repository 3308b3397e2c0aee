"""Shapes of records, and the generator of the same records in every run.

The number of a record, from 0, is its event time in milliseconds. Its key is ``number * 7919 % 1000``, which
is even where the number is: the records of a key come from one file only, in order, whoever reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

KEYS = 1_000
WINDOW_MILLIS = 10_000

SHAPES = ("long", "row5", "row30", "nested", "text", "dataclass")
OPERATORS = ("map", "filter", "flat_map", "reduce", "window")

TITLES = {
    "long": "long",
    "row5": "row of 5 fields",
    "row30": "row of 30 fields",
    "nested": "nested row, list and map",
    "text": "text of 1 kB",
    "dataclass": "dataclass of 4 fields",
}
OPERATOR_TITLES = {
    "map": "map",
    "filter": "filter",
    "flat_map": "flat_map, 2 for 1",
    "reduce": "key_by + rolling reduce, 1,000 keys",
    "window": "tumbling event-time windows, 1,000 keys",
}

_TEXT_LENGTH = 1_000


@dataclass
class Reading:
    """A measurement of a sensor: the one class of elements in the benchmarks."""

    sensor: int
    celsius: float
    millis: int
    place: str


@dataclass(frozen=True, slots=True)
class Records:
    """The numbers of some records, and columns derived from them.

    Attributes:
        numbers: the numbers, int64.
    """

    numbers: pa.Array

    def modulo(self, divisor: int, factor: int = 1) -> pa.Array:
        """Return ``number * factor % divisor``."""
        product = pc.multiply(self.numbers, factor)
        return pc.subtract(product, pc.multiply(pc.divide(product, divisor), divisor))

    def key(self) -> pa.Array:
        """Return a column of keys."""
        return self.modulo(KEYS, 7919)

    def double(self, divisor: int, step: float) -> pa.Array:
        """Return a column of ``divisor`` different doubles."""
        return pc.multiply(pc.cast(self.modulo(divisor), pa.float64()), step)

    def word(self, divisor: int, prefix: str) -> pa.Array:
        """Return a column of ``divisor`` different words."""
        return pa.array([f"{prefix}-{i}" for i in range(divisor)]).take(self.modulo(divisor))


def _long(records: Records) -> dict[str, pa.Array]:
    return {"value": records.numbers}


def _row5(records: Records) -> dict[str, pa.Array]:
    return {
        "id": records.numbers,
        "key": records.key(),
        "amount": records.double(10_007, 0.25),
        "name": records.word(100, "name"),
        "flag": pc.equal(records.modulo(3), 0),
    }


def _row30(records: Records) -> dict[str, pa.Array]:
    columns = {"a0": records.numbers, "a1": records.key()}
    columns |= {f"a{i}": records.modulo(1_000 + i, i) for i in range(2, 10)}
    columns |= {f"d{i}": records.double(1_000 + i, 0.25) for i in range(10)}
    return columns | {f"s{i}": records.word(100 + i, f"word{i}") for i in range(10)}


def _nested(records: Records) -> dict[str, pa.Array]:
    count = len(records.numbers)
    point = pa.StructArray.from_arrays([records.double(1_001, 0.5), records.double(1_003, 0.25)], ["x", "y"])
    lengths = records.modulo(4).to_pylist()
    offsets = [0]
    for length in lengths:
        offsets.append(offsets[-1] + length + 1)
    tags = pa.array([f"tag-{i}" for i in range(50)])
    words = tags.take(pa.array([i % 50 for i in range(offsets[-1])]))
    names = pa.array(["low", "high"] * count)
    scores = pa.array([i % 1_000 * 0.5 for i in range(2 * count)])
    return {
        "id": records.numbers,
        "point": point,
        "tags": pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), words),
        "scores": pa.MapArray.from_arrays(pa.array(range(0, 2 * count + 1, 2), pa.int32()), names, scores),
    }


@cache
def _filler() -> pa.Array:
    letters = "abcdefghijklmnopqrstuvwxyz ,."
    return pa.array(
        "".join(letters[(i * 31 + j * (j + i) * 7) % len(letters)] for j in range(_TEXT_LENGTH - 10))
        for i in range(1_000)
    )


def _text(records: Records) -> dict[str, pa.Array]:
    numbers = pc.utf8_lpad(pc.cast(records.numbers, pa.string()), 10, "0")
    return {"value": pc.binary_join_element_wise(numbers, _filler().take(records.modulo(1_000)), "")}


def _dataclass(records: Records) -> dict[str, pa.Array]:
    return {
        "sensor": records.key(),
        "celsius": records.double(401, 0.125),
        "millis": records.numbers,
        "place": records.word(20, "place"),
    }


_COLUMNS: dict[str, Callable[[Records], dict[str, pa.Array]]] = {
    "long": _long,
    "row5": _row5,
    "row30": _row30,
    "nested": _nested,
    "text": _text,
    "dataclass": _dataclass,
}


def table(shape: str, first: int, end: int, step: int = 1) -> pa.Table:
    """Return the records of a shape with every ``step``-th number from ``first`` to before ``end``."""
    return pa.table(_COLUMNS[shape](Records(pa.array(range(first, end, step), pa.int64()))))


def elements(shape: str, batch: Any) -> list[Any]:
    """Return the records of an Arrow batch or table as plain Python values: tuples where they have fields."""
    columns = [column.to_pylist() for column in batch.columns]
    if shape in ("long", "text"):
        return columns[0]
    if shape == "dataclass":
        return list(map(Reading, *columns))
    if shape == "nested":
        columns[1] = [(point["x"], point["y"]) for point in columns[1]]
        columns[3] = list(map(dict, columns[3]))
    return list(zip(*columns, strict=True))
