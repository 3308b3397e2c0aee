"""Elements as columns: the column layout of a type, and batches converted to Python values on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import compress
from typing import Any, overload

import pyarrow as pa

from pystream.engine.events import list_of
from pystream.engine.vectorised.column_validation import is_direct, validated
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import columns_of
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.serde.codec import Codec
from typeinfo.serde.registry import codec_for

__all__ = ["ColumnValues", "Layout", "layout_of"]


class Layout:
    """The column layout of a type.

    Attributes:
        type: the type.
        schema: names and Arrow types of the columns.
        codecs: the codec of each column.
        segments: the path of each column in an element, for messages.
        direct: whether columns can be validated without converting them to Python values.
    """

    def __init__(self, type_info: TypeInformation[Any]) -> None:
        fields = columns_of(type_info)
        self.type = type_info
        self._serializer = serializer_for(type_info)
        self.schema: pa.Schema = self._serializer.schema
        self.codecs: tuple[Codec, ...] = tuple(codec_for(f.type, nullable=f.nullable) for f in fields)
        self.segments: tuple[str, ...] = tuple(f.segment for f in fields)
        self.direct: bool = all(map(is_direct, self.codecs))

    def takes(self, arrays: Sequence[pa.Array]) -> bool:
        """Return whether columns are validated as they are, and decimals have the digits of the layout."""
        types = zip((array.type for array in arrays), self.schema.types, strict=True)
        return self.direct and all(given == own or _scales(given) == _scales(own) for given, own in types)

    def batch(self, arrays: Sequence[pa.Array]) -> pa.RecordBatch:
        """Return validated columns as a batch.

        Raises:
            TypeCheckError: the values of the column at ``path`` do not have its type.
        """
        held = []
        for array, codec, segment in zip(arrays, self.codecs, self.segments, strict=True):
            try:
                held.append(validated(codec, array))
            except TypeCheckError as error:
                raise TypeCheckError(error.message, segment + error.path, error.index) from error
        return pa.RecordBatch.from_arrays(held, schema=self.schema)

    def encode(self, values: list[Any]) -> pa.RecordBatch:
        """Encode elements of the type as a batch."""
        return self._serializer.to_batch(values, conformed=True)

    def decode(self, batch: pa.RecordBatch) -> list[Any]:
        """Decode the elements of a batch."""
        return self._serializer.from_batch(batch)


def _scales(dt: pa.DataType) -> list[int]:
    """Return the scale of each decimal that is a type, or a part of it."""
    if pa.types.is_decimal(dt):
        return [dt.scale]
    return [scale for position in range(dt.num_fields) for scale in _scales(dt.field(position).type)]


@cache
def layout_of(type_info: TypeInformation[Any]) -> Layout:
    """Return the column layout of a type; the same object for equal types."""
    return Layout(type_info)


class ColumnValues(Sequence[Any]):
    """Elements of one type as columns, as a list of Python values, or both; converted on demand.

    Args:
        layout: the columns of the type.
        batch: the elements as validated columns.
        values: the elements as values of the type.
    """

    __slots__ = ("_batch", "_values", "layout")

    def __init__(
        self, layout: Layout, batch: pa.RecordBatch | None = None, values: list[Any] | None = None
    ) -> None:
        self.layout: Layout = layout
        self._batch = batch
        self._values = values

    @staticmethod
    def of(values: Sequence[Any], layout: Layout) -> ColumnValues:
        """Return elements, given in either form."""
        return values if isinstance(values, ColumnValues) else ColumnValues(layout, values=list_of(values))

    @property
    def batch(self) -> pa.RecordBatch:
        """The elements as columns."""
        if self._batch is None:
            self._batch = self.layout.encode(self._list())
        return self._batch

    def _list(self) -> list[Any]:
        if self._values is None:
            self._values = self.layout.decode(self.batch)
        return self._values

    def filter(self, mask: pa.Array) -> ColumnValues:
        """Return the elements selected by a mask without nulls."""
        return ColumnValues(
            self.layout,
            None if self._batch is None else self._batch.filter(mask),
            None if self._values is None else list(compress(self._values, mask.to_pylist())),
        )

    def __len__(self) -> int:
        return len(self._values) if self._values is not None else self.batch.num_rows

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list())

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> ColumnValues: ...

    def __getitem__(self, index: int | slice) -> Any:
        if not isinstance(index, slice):
            return self._list()[index]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return ColumnValues(self.layout, values=self._list()[index])
        count = max(0, stop - start)
        return ColumnValues(
            self.layout,
            None if self._batch is None else self._batch.slice(start, count),
            None if self._values is None else self._values[index],
        )

    def element(self, index: int) -> Any:
        """Return one element, without converting the others to Python values."""
        return self[index : index + 1][0]
