"""Sources in memory: a Python collection or an Arrow table, encoded in small pieces."""

from __future__ import annotations

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from pystream.engine.stored_data import DataError, dump_data, load_data
from pystream.kinds import SourceColumns
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ArrowSource", "CollectionSource", "MemorySource"]

P = TypeVar("P")

_Dump: TypeAlias = Callable[[Any], bytes]

_BATCH = 8_192
_LARGE_BATCH = 131_072  # of columns, if that leaves several batches for each subtask
_PIECE_BYTES = 4 << 20


class MemorySource(ABC):
    """A source whose elements are in the driver's memory; the host sends them to the workers in pieces.

    Workers get the source without its elements.
    """

    @property
    def is_bounded(self) -> bool:
        """True, as the input ends."""
        return True

    @property
    def columns(self) -> SourceColumns:
        """The process in which elements are available as columns."""
        return SourceColumns.NONE

    @abstractmethod
    def pieces(self, parallelism: int) -> Iterator[tuple[int, bytes]]:
        """Yield the encoded elements in pieces of bounded size, each with its subtask.

        The pieces of a subtask are in the order in which it reads them.
        """

    @abstractmethod
    def count_elements(self) -> int:
        """Return the number of elements; runs on the driver."""

    @abstractmethod
    def splits(self, parallelism: int) -> Sequence[Sequence[Any]]:
        """Return all elements in pieces of bounded size, by subtask, for workers in this process."""

    @abstractmethod
    def read(self, split: Any) -> Iterator[Sequence[Any]]:
        """Yield the elements of a piece, encoded or not."""


@dataclass(frozen=True, slots=True, eq=False)
class CollectionSource(MemorySource):
    """The elements of a Python collection, pickled when the source is made.

    With several subtasks they are distributed round-robin.

    Attributes:
        parts: the pickled elements.
        count: their number.
        is_data: whether all of them are data, so that nothing else is loaded.
    """

    parts: tuple[bytes, ...] = field(repr=False)
    count: int
    is_data: bool

    @staticmethod
    def of(elements: list[Any]) -> CollectionSource:
        """Return a source of pickled elements.

        Raises:
            Exception: the error of an element that cannot be pickled.
        """
        try:
            return CollectionSource(tuple(_pickled(elements, dump_data)), len(elements), is_data=True)
        except DataError:
            return CollectionSource(tuple(_pickled(elements, dumps)), len(elements), is_data=False)

    def __reduce__(self) -> tuple[type[CollectionSource], tuple[tuple[bytes, ...], int, bool]]:
        return CollectionSource, ((), self.count, self.is_data)

    def count_elements(self) -> int:
        """Return the number of elements."""
        return self.count

    def pieces(self, parallelism: int) -> Iterator[tuple[int, bytes]]:
        """Yield every n-th element for each subtask, pickled, in pieces."""
        if parallelism == 1:
            yield from ((0, part) for part in self.parts)
            return
        dump = dump_data if self.is_data else dumps
        first = 0  # the subtask of the part's first element
        for part in self.parts:
            elements = self._load(part)
            for offset in range(min(parallelism, len(elements))):
                subtask = (first + offset) % parallelism
                yield subtask, dump(elements[offset::parallelism])
            first += len(elements)

    def splits(self, parallelism: int) -> Sequence[Sequence[bytes]]:
        """Return all pieces, by subtask; they are pickled, as every run has elements of its own."""
        return _by_subtask(self.pieces(parallelism), parallelism)

    def read(self, split: bytes) -> Iterator[list[Any]]:
        """Decode the elements of a piece."""
        yield self._load(split)

    def _load(self, part: bytes) -> list[Any]:
        elements: list[Any] = (load_data if self.is_data else pickle.loads)(part)
        return elements


def _by_subtask(pieces: Iterable[tuple[int, P]], parallelism: int) -> list[list[P]]:
    shares: list[list[P]] = [[] for _ in range(parallelism)]
    for subtask, piece in pieces:
        shares[subtask].append(piece)
    return shares


def _pickled(elements: list[Any], dump: _Dump) -> Iterator[bytes]:
    start = 0
    while start < len(elements):
        first = dump(elements[start : start + 1])
        end = min(start + _BATCH, _end_of_piece(start, len(first)), len(elements))
        while end > start + 1:
            middle = (start + end) // 2
            largest = max(len(dump(elements[index])) for index in (middle, end - 1))
            if end <= _end_of_piece(start, largest):
                break
            end = middle
        if end > start + 1:
            yield from _in_pieces(elements[start:end], dump)
        else:
            yield first
        start = end


def _end_of_piece(start: int, size: int) -> int:
    """Return the end of a piece of bounded size, of at least one element."""
    return start + max(1, _PIECE_BYTES // size)


def _in_pieces(elements: list[Any], dump: _Dump) -> Iterator[bytes]:
    piece = dump(elements)
    if len(piece) <= 2 * _PIECE_BYTES or len(elements) == 1:
        yield piece
        return
    middle = len(elements) // 2  # some elements are larger than the samples
    yield from _in_pieces(elements[:middle], dump)
    yield from _in_pieces(elements[middle:], dump)


@dataclass(frozen=True, slots=True, eq=False)
class ArrowSource(MemorySource):
    """The rows of an Arrow table; batches are distributed round-robin to subtasks."""

    table: pa.Table | None = field(repr=False)
    type_info: TypeInformation[Any]

    def __reduce__(self) -> tuple[type[ArrowSource], tuple[None, TypeInformation[Any]]]:
        return ArrowSource, (None, self.type_info)

    @property
    def columns(self) -> SourceColumns:
        """The process with columns: the driver, if the table has the canonical layout of its type."""
        return SourceColumns.NONE if self.not_columns else SourceColumns.DRIVER

    @property
    def not_columns(self) -> str:
        """Why the elements are not columns; empty if they are."""
        from typeinfo.formats.arrow import to_arrow_schema

        assert self.table is not None
        pairs = zip(self.table.schema, to_arrow_schema(self.type_info), strict=True)
        others = [
            f"column {own.name!r} is {own.type}; cast it to {canonical.type}"
            for own, canonical in pairs
            if own.type != canonical.type
        ]
        return others[0] if others else ""

    def count_elements(self) -> int:
        """Return the number of rows."""
        assert self.table is not None
        return self.table.num_rows

    def pieces(self, parallelism: int) -> Iterator[tuple[int, bytes]]:
        """Yield slices of the table, each as an Arrow stream of its own."""
        import pyarrow as pa

        for subtask, batch in self._slices(parallelism):
            stream = pa.BufferOutputStream()
            with pa.ipc.new_stream(stream, batch.schema) as writer:
                writer.write_batch(batch)
            yield subtask, stream.getvalue().to_pybytes()

    def splits(self, parallelism: int) -> Sequence[Sequence[pa.RecordBatch]]:
        """Return slices of the table, by subtask; most types need no copy."""
        return _by_subtask(self._slices(parallelism), parallelism)

    def _slices(self, parallelism: int) -> Iterator[tuple[int, pa.RecordBatch]]:
        assert self.table is not None
        count = self.table.num_rows
        most = min(_LARGE_BATCH, max(_BATCH, count // (4 * parallelism)))
        rows = min(most, max(1, _PIECE_BYTES * count // max(1, self.table.nbytes)))
        for number, batch in enumerate(self.table.to_batches(rows)):
            yield number % parallelism, self._detached(batch)

    def _detached(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Convert dictionaries and views of a slice to layouts that Arrow writes without the rest."""
        import pyarrow as pa

        from typeinfo.serde import serializer_for

        columns = [_detached_column(column) for column in batch.columns]
        if all(map(_is_detached, (column.type for column in columns))):
            return pa.RecordBatch.from_arrays(columns, batch.schema.names) if columns else batch
        serializer = serializer_for(self.type_info)
        return serializer.to_batch(serializer.from_batch(batch), conformed=True)

    def read(self, split: bytes | pa.RecordBatch) -> Iterator[Sequence[Any]]:
        """Yield the rows of a slice, as columns if they can be validated as columns."""
        import pyarrow as pa

        if isinstance(split, pa.RecordBatch):
            yield from self._read(split)
            return
        with pa.ipc.open_stream(split) as reader:
            for batch in reader:
                yield from self._read(batch)

    def _read(self, batch: pa.RecordBatch) -> Iterator[Sequence[Any]]:
        from pystream.engine.vectorised.columns import layout_of
        from pystream.engine.vectorised.parts import elements_of

        layout = layout_of(self.type_info)
        if layout.direct:
            yield from (elements.values for elements in elements_of(layout, batch.columns))
        else:
            yield layout.decode(batch)


def _detached_column(column: pa.Array) -> pa.Array:
    import pyarrow as pa

    if isinstance(column, pa.DictionaryArray):
        return _detached_column(column.dictionary_decode())
    if pa.types.is_string_view(column.type):
        return column.cast(pa.large_string())
    if pa.types.is_binary_view(column.type):
        return column.cast(pa.large_binary())
    return column


def _is_detached(dt: pa.DataType) -> bool:
    import pyarrow as pa

    types = pa.types
    if isinstance(dt, pa.BaseExtensionType):
        return _is_detached(dt.storage_type)
    if types.is_dictionary(dt) or types.is_string_view(dt) or types.is_binary_view(dt):
        return False
    if types.is_list_view(dt) or types.is_large_list_view(dt) or types.is_run_end_encoded(dt):
        return False
    return all(_is_detached(dt.field(index).type) for index in range(dt.num_fields))
