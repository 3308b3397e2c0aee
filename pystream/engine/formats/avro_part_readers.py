"""Read the same part of many Avro messages as an Arrow array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pystream.engine.formats.columns_reader import UnreadError

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.formats.avro_cursor import AvroCursor, Longs

__all__ = [
    "Read",
    "read_booleans",
    "read_bytes",
    "read_dates",
    "read_fixed",
    "read_lists",
    "read_longs",
    "read_numbers",
    "read_record",
    "read_symbols",
    "read_texts",
    "read_times",
    "read_union",
    "read_uuids",
]

Read: TypeAlias = "Callable[[AvroCursor], pa.Array]"

_UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
_FEWEST_A_ROUND = 16  # elements of arrays or maps on average; reading fewer at once takes longer


def read_fixed(size: int, cursor: AvroCursor) -> pa.Array:
    """Read bytes of a fixed size."""
    return cursor.parts(size)


def read_bytes(cursor: AvroCursor) -> pa.Array:
    """Read bytes after their length."""
    return cursor.parts(cursor.longs())


def read_texts(cursor: AvroCursor) -> pa.Array:
    """Read texts; bytes that are not UTF-8 are an error of Arrow."""
    import pyarrow as pa

    return read_bytes(cursor).cast(pa.string())


def read_uuids(cursor: AvroCursor) -> pa.Array:
    """Read UUIDs in the form of Python as texts; other forms are read one by one."""
    import pyarrow.compute as pc

    texts = read_texts(cursor)
    _require(pc.all(pc.match_substring_regex(texts, _UUID)).as_py() is not False)
    return texts


def read_symbols(symbols: list[str], cursor: AvroCursor) -> pa.Array:
    """Read symbols of an enum."""
    import pyarrow as pa

    return pa.array(symbols, pa.string()).take(pa.array(cursor.longs()))


def read_booleans(cursor: AvroCursor) -> pa.Array:
    """Read booleans; bytes above 1 are read one by one."""
    import pyarrow as pa

    values = cursor.numbers("u1")
    _require(not (values > 1).any())
    return pa.array(values == 1)


def read_longs(arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    """Read integers as a type of Arrow, of whose range they must be."""
    import pyarrow as pa

    return pa.array(cursor.longs()).cast(arrow)


def read_numbers(dtype: str, arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    """Read floating-point numbers of a NumPy type as a type of Arrow."""
    import pyarrow as pa

    return pa.array(cursor.numbers(dtype)).cast(arrow)


def read_dates(arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    """Read dates from numbers of days."""
    import pyarrow as pa

    return pa.array(cursor.longs()).cast(pa.int32()).cast(arrow)


def read_times(unit: int, arrow: pa.DataType, cursor: AvroCursor) -> pa.Array:
    """Read times from numbers of a unit in microseconds."""
    import numpy as np
    import pyarrow as pa

    units = cursor.longs()
    limit = np.iinfo(np.int64).max // unit
    _require(not ((units > limit) | (units < -limit)).any())
    return pa.array(units * unit).cast(arrow)


def read_record(reads: Sequence[Read], arrow: Any, cursor: AvroCursor) -> pa.Array:
    """Read the fields of records in turn."""
    import pyarrow as pa

    return pa.StructArray.from_arrays([read(cursor) for read in reads], fields=list(arrow))


def read_union(read: Read, count: int, null: int | None, cursor: AvroCursor) -> pa.Array:
    """Read values after the position of their branch, null for that of null."""
    import numpy as np
    import pyarrow as pa

    branches = cursor.longs()
    _require(not ((branches < 0) | (branches >= count)).any())
    present = np.flatnonzero(branches != (-1 if null is None else null)).astype(np.int64)
    if len(present) == len(branches):
        return read(cursor)
    chosen = cursor.taken(present)
    values = read(chosen)
    cursor.put(present, chosen)
    positions = np.zeros(len(branches), np.int64)
    positions[present] = np.arange(len(present))
    return values.take(pa.array(positions, mask=branches == null))


def read_lists(reads: Sequence[Read], arrow: Any, cursor: AvroCursor) -> pa.Array:
    """Read arrays, or maps by the readers of their keys and values.

    They come in blocks, each after the number of its elements; the last one is empty. What is read at once
    is the next element of every message that has one.
    """
    import numpy as np
    import pyarrow as pa

    rounds: list[tuple[Longs, list[pa.Array]]] = []
    every = np.arange(len(cursor))
    open_ones, left, count = every, np.zeros(len(cursor), np.int64), 0
    while len(open_ones):
        starting = open_ones[left[open_ones] == 0]
        left[starting] = _block_lengths(cursor, starting)
        open_ones = open_ones[left[open_ones] > 0]
        count += len(open_ones)
        _require(len(rounds) < _FEWEST_A_ROUND or count >= len(rounds) * _FEWEST_A_ROUND)
        if len(open_ones):
            inner = cursor.taken(open_ones)
            rounds.append((open_ones, [read(inner) for read in reads]))
            cursor.put(open_ones, inner)
            left[open_ones] -= 1
    owners = np.concatenate([each for each, _ in rounds]) if rounds else every[:0]
    offsets = np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=len(every)))))
    if not rounds:
        return pa.array([[]] * len(every), arrow)
    order = pa.array(np.argsort(owners, kind="stable"))
    parts = [pa.concat_arrays(list(each)).take(order) for each in zip(*(p for _, p in rounds), strict=True)]
    if pa.types.is_map(arrow):
        return pa.MapArray.from_arrays(pa.array(offsets, pa.int32()), *parts).cast(arrow)
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), *parts).cast(arrow)


def _block_lengths(cursor: AvroCursor, positions: Longs) -> Longs:
    """Read the numbers of elements of the next blocks; the size in bytes follows a negative one."""
    import numpy as np

    inner = cursor.taken(positions)
    lengths = inner.longs()
    negative = np.flatnonzero(lengths < 0)
    if len(negative):
        sized = inner.taken(negative)
        sized.longs()
        inner.put(negative, sized)
    cursor.put(positions, inner)
    found = np.abs(lengths)
    _require(not (found < 0).any())  # the least integer has no opposite
    return found


def _require(holds: bool) -> None:
    """Raise the error by which messages are read one by one, unless a condition holds."""
    if not holds:
        raise UnreadError
