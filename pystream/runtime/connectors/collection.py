"""Elements that are in memory already: a Python collection or an Arrow table, sent along with the task."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ArrowSource", "CollectionSource"]

_BATCH = 8_192


@dataclass(frozen=True, slots=True, eq=False)
class CollectionSource:
    """The elements of a Python collection, as they were when the source was made.

    With several subtasks they are dealt out in turn.
    """

    elements: bytes = field(repr=False)

    @staticmethod
    def of(elements: list[Any]) -> CollectionSource:
        """Pickle the elements.

        Raises:
            Exception: whatever an element raises that cannot be pickled.
        """
        import cloudpickle

        return CollectionSource(cloudpickle.dumps(elements, protocol=pickle.HIGHEST_PROTOCOL))

    def __reduce__(self) -> tuple[type[CollectionSource], tuple[bytes]]:
        # Workers read splits, which hold all the elements: sent along, they would travel twice.
        return CollectionSource, (b"",)

    def splits(self, parallelism: int) -> Sequence[Sequence[bytes]]:
        """Return one split a subtask: every n-th element, pickled."""
        if parallelism == 1:
            return [[self.elements]]
        import cloudpickle

        elements = pickle.loads(self.elements)
        return [[cloudpickle.dumps(elements[index::parallelism])] for index in range(parallelism)]

    def read(self, split: bytes) -> Iterator[list[Any]]:
        """Yield the elements of a split."""
        elements = pickle.loads(split)
        for start in range(0, len(elements), _BATCH):
            yield elements[start : start + _BATCH]


@dataclass(frozen=True, slots=True, eq=False)
class ArrowSource:
    """The rows of an Arrow table as elements of a type."""

    batches: tuple[pa.RecordBatch, ...] = field(repr=False)
    type_info: TypeInformation[Any]

    @staticmethod
    def of(table: pa.Table, type_info: TypeInformation[Any]) -> ArrowSource:
        """Cut a table into batches."""
        return ArrowSource(tuple(table.to_batches(_BATCH)), type_info)

    def is_canonical(self) -> bool:
        """Tell whether the table is laid out as one of elements of its type."""
        from typeinfo.formats.arrow import to_arrow_schema

        canonical = to_arrow_schema(self.type_info)
        return all(
            [(own.name, own.type) for own in batch.schema] == [(own.name, own.type) for own in canonical]
            for batch in self.batches
        )

    def splits(self, parallelism: int) -> Sequence[Sequence[pa.RecordBatch]]:
        """Deal the batches out to the subtasks in turn."""
        return [self.batches[index::parallelism] for index in range(parallelism)]

    def read(self, split: pa.RecordBatch) -> Iterator[list[Any]]:
        """Yield the rows of a batch."""
        from typeinfo.serde import serializer_for  # loads Arrow, which building a program must not

        yield serializer_for(self.type_info).from_batch(split)
