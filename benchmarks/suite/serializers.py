"""Serializers alone, without Spark: nanoseconds per record to write and to read, and bytes per record.

pystream has ``batch`` (Arrow columns, for tables and vectorised functions), ``bytes`` (between two Python
stages) and ``pickled`` (for elements of unknown type). pickle, cloudpickle and msgpack write one record at a
time. For every shape msgpack writes tuples, and Arrow's ``from_pylist`` dicts.
"""

from __future__ import annotations

import gc
import pickle
import statistics
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from time import perf_counter
from typing import Any

import cloudpickle
import msgpack
import pyarrow as pa

from benchmarks.suite.shapes import SHAPES, elements, table
from pystream import compat
from typeinfo.serde import serializer_for
from typeinfo.types import Types

compat.install()  # the programs import pyflink
from benchmarks.suite.programs import ELEMENT_TYPES, element  # noqa: E402

RECORDS = 10_000


@dataclass(frozen=True, slots=True)
class Codec:
    """A way to write and read a list of records.

    Attributes:
        name: name in the results.
        values: the records in the form that ``write`` takes.
        write: encodes them.
        read: decodes them.
        size: returns the number of encoded bytes.
    """

    name: str
    values: list[Any]
    write: Callable[[list[Any]], Any]
    read: Callable[[Any], Any]
    size: Callable[[Any], int]


def measure(rounds: int) -> list[dict[str, Any]]:
    """Measure each codec for each shape, in turns.

    The garbage collector is disabled, as by ``timeit``, because a collection would count for an arbitrary
    codec.
    """
    gc.collect()
    gc.disable()
    try:
        return list(_measured(rounds))
    finally:
        gc.enable()


def _measured(rounds: int) -> Iterator[dict[str, Any]]:
    for shape in SHAPES:
        codecs = list(_codecs(shape))
        taken: dict[str, tuple[list[float], list[float]]] = {codec.name: ([], []) for codec in codecs}
        for number in range(rounds + 1):
            for codec in codecs:
                started = perf_counter()
                written = codec.write(codec.values)
                between = perf_counter()
                codec.read(written)
                ended = perf_counter()
                if number:  # the first round warms up
                    taken[codec.name][0].append(between - started)
                    taken[codec.name][1].append(ended - between)
        for codec in codecs:
            write, read = (statistics.median(times) / RECORDS * 1e9 for times in taken[codec.name])
            size = codec.size(codec.write(codec.values)) / RECORDS
            yield {"shape": shape, "codec": codec.name, "write_ns": write, "read_ns": read, "bytes": size}


def _codecs(shape: str) -> Iterator[Codec]:
    rows = table(shape, 0, RECORDS)
    plain = elements(shape, rows)
    values = [element(shape, value) for value in plain]
    ours = serializer_for(ELEMENT_TYPES[shape])
    pickled = serializer_for(Types.PICKLED_BYTE_ARRAY())
    yield Codec("pystream batch", values, ours.to_batch, ours.from_batch, _nbytes)
    yield Codec("pystream bytes", ours.conform(values), ours.serialize, ours.deserialize, len)
    yield Codec("pystream pickled", values, pickled.to_batch, pickled.from_batch, _nbytes)
    yield Codec("pickle", values, _pickle, _unpickle, _total)
    yield Codec("cloudpickle", values, _cloudpickle, _unpickle, _total)
    tuples = list(map(astuple, values)) if shape == "dataclass" else plain
    yield Codec("msgpack", tuples, _pack, _unpack, _total)
    dicts = rows.to_pylist()
    batch = _FromDicts(rows.schema)
    yield Codec("Arrow pylist", dicts, batch, pa.RecordBatch.to_pylist, _nbytes)


class _FromDicts:
    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema

    def __call__(self, values: list[Any]) -> pa.RecordBatch:
        return pa.RecordBatch.from_pylist(values, self._schema)


def _nbytes(batch: pa.RecordBatch) -> int:
    return int(batch.nbytes)


def _total(parts: list[bytes]) -> int:
    return sum(map(len, parts))


def _pickle(values: list[Any]) -> list[bytes]:
    return [pickle.dumps(value, pickle.HIGHEST_PROTOCOL) for value in values]


def _unpickle(parts: list[bytes]) -> list[Any]:
    return list(map(pickle.loads, parts))


def _cloudpickle(values: list[Any]) -> list[bytes]:
    return list(map(cloudpickle.dumps, values))


def _pack(values: list[Any]) -> list[bytes]:
    return list(map(msgpack.packb, values))


def _unpack(parts: list[bytes]) -> list[Any]:
    return list(map(msgpack.unpackb, parts))
