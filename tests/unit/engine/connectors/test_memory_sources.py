"""Elements of the driver's memory in pieces, which together take no more than the elements do."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import chain
from typing import Any

import pyarrow as pa
import pytest

from pystream.common import Row
from pystream.engine.connectors.collection import ArrowSource, CollectionSource, MemorySource
from pystream.engine.vectorised.columns import ColumnValues
from typeinfo.errors import TypeCheckError
from typeinfo.formats.arrow import from_arrow_schema

ROWS = 20_000
TEXTS = [f"a text that is not inlined in a view, number {n}" for n in range(ROWS)]
PLAIN = pa.array(TEXTS)
LAYOUTS: dict[str, tuple[pa.Array, Callable[[str], Any]]] = {
    "plain": (PLAIN, str),
    "large": (PLAIN.cast(pa.large_string()), str),
    "view": (PLAIN.cast(pa.string_view()), str),
    "bytes view": (PLAIN.cast(pa.binary()).cast(pa.binary_view()), str.encode),
    "dictionary": (PLAIN.dictionary_encode(), str),
    "large dictionary": (PLAIN.cast(pa.large_string()).dictionary_encode(), str),
    "struct": (
        pa.StructArray.from_arrays([PLAIN, PLAIN.dictionary_encode()], ["a", "b"]),
        lambda text: Row(a=text, b=text),
    ),
    "list": (pa.array([[text] for text in TEXTS]), lambda text: [text]),
    "list of dictionary": (
        pa.ListArray.from_arrays(range(ROWS + 1), PLAIN.dictionary_encode()),
        lambda text: [text],
    ),
    "list view": (pa.array([[text] for text in TEXTS], pa.list_view(pa.string())), lambda text: [text]),
    "map": (
        pa.array([[(text, 1)] for text in TEXTS], pa.map_(pa.string(), pa.int64())),
        lambda text: {text: 1},
    ),
    "run end": (pa.RunEndEncodedArray.from_arrays(pa.array(range(1, ROWS + 1), pa.int32()), PLAIN), str),
}


def read(source: MemorySource, parallelism: int) -> tuple[list[list[Any]], int]:
    """Return the elements that each subtask reads from the pickled source, and the bytes of all pieces."""
    worker: MemorySource = pickle.loads(pickle.dumps(source))
    shares: list[list[Any]] = [[] for _ in range(parallelism)]
    size = 0
    for subtask, piece in source.pieces(parallelism):
        size += len(piece)
        for values in worker.read(piece):
            shares[subtask] += values
    return shares, size


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("slices", [1, 1_000])
def test_a_table_is_read_in_pieces_of_its_own_size(layout: str, slices: int) -> None:
    column, expected = LAYOUTS[layout]
    length = ROWS // slices
    starts = [0] if slices == 1 else range(0, 20 * length, length)
    table = pa.table({"c": pa.chunked_array([column.slice(start, length) for start in starts])})
    source = ArrowSource(table, from_arrow_schema(table.schema))
    (elements,), size = read(source, 1)
    assert [row.c for row in elements] == list(map(expected, TEXTS[: table.num_rows]))
    (slices_in_process,) = source.splits(1)
    assert [row for split in slices_in_process for rows in source.read(split) for row in rows] == elements
    assert size < 200 * table.num_rows  # a text takes some 55 bytes, and no row has more than two


def test_a_table_is_dealt_out_batch_by_batch() -> None:
    table = pa.table({"n": range(50_000)})
    shares, _ = read(ArrowSource(table, from_arrow_schema(table.schema)), 3)
    assert sorted(row.n for share in shares for row in share) == list(range(50_000))
    assert all(share == sorted(share, key=lambda row: row.n) for share in shares)
    assert [share[0].n for share in shares] == [0, 8_192, 16_384]


def test_in_its_own_process_a_table_is_read_without_a_copy() -> None:
    table = pa.table({"n": range(50_000), "s": pa.array(map(str, range(50_000)))})
    source = ArrowSource(table, from_arrow_schema(table.schema))
    shares = source.splits(3)
    assert [[split["n"][0].as_py() for split in share] for share in shares] == [
        [0, 24_576, 49_152],
        [8_192, 32_768],
        [16_384, 40_960],
    ]
    addresses = [[buffer and buffer.address for buffer in column.chunk(0).buffers()] for column in table]
    for split in chain.from_iterable(shares):
        (values,) = source.read(split)
        assert isinstance(values, ColumnValues)
        assert [[b and b.address for b in column.buffers()] for column in values.batch.columns] == addresses


def test_a_table_without_columns_or_rows() -> None:
    for table in (pa.table({}), pa.table({"n": pa.array([], pa.int64())})):
        source = ArrowSource(table, from_arrow_schema(table.schema))
        assert read(source, 2)[0] == [[], []]
        assert not any(
            list(values) for share in source.splits(2) for split in share for values in source.read(split)
        )


def test_text_that_is_not_utf_8_is_refused() -> None:
    table = pa.table({"n": [1, 2], "s": pa.array([b"a", b"\xff"]).view(pa.string())})
    source = ArrowSource(table, from_arrow_schema(table.schema))
    for reading in (lambda: read(source, 1), lambda: list(source.read(source.splits(1)[0][0]))):
        with pytest.raises(TypeCheckError, match=r"s: b'\\xff' of Arrow type string does not fit STRING"):
            reading()


@pytest.mark.parametrize("parallelism", [1, 2, 3])
def test_a_collection_is_dealt_out_in_turn(parallelism: int) -> None:
    elements = [*range(10_000), *(bytes([n]) * 1_000_000 for n in range(20)), *range(9_000)]
    source = CollectionSource.of(elements)
    shares, size = read(source, parallelism)
    assert shares == [elements[index::parallelism] for index in range(parallelism)]
    assert size < 21_000_000
    assert max(len(piece) for _, piece in source.pieces(parallelism)) < 9_000_000


def test_a_large_element_is_a_piece_of_its_own() -> None:
    source = CollectionSource.of([b"a" * 20_000_000, b"b" * 20_000_000])
    assert [len(piece) < 20_001_000 for _, piece in source.pieces(1)] == [True, True]


class Large:
    """Counts how often it is pickled."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pickled = 0

    def __reduce__(self) -> Any:
        self.pickled += 1
        return bytes, (b"a" * self.size,)


@pytest.mark.parametrize("size", [3_000_000, 5_000_000])
def test_a_large_element_is_pickled_once(size: int) -> None:
    elements = [Large(size) for _ in range(10)]
    assert len(CollectionSource.of(elements).parts) == 10
    assert [element.pickled for element in elements] == [1] * 10


def test_a_large_element_after_small_ones_does_not_cut_them_up() -> None:
    large = Large(5_000_000)
    assert len(CollectionSource.of([*range(8_000), large]).parts) < 20
    assert large.pickled < 20


def test_an_empty_collection() -> None:
    assert read(CollectionSource.of([]), 2)[0] == [[], []]
