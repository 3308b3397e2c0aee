"""Elements as columns: the column layout of a type, and batches converted to Python values on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.events import list_of
from pystream.engine.vectorised.column_validation import is_direct, validated
from typeinfo.errors import TypeCheckError
from typeinfo.extended import is_immutable
from typeinfo.formats.layout import columns_of, has_columns
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.serde.codec import Codec, null_error
from typeinfo.serde.composite import FieldsCodec
from typeinfo.serde.registry import codec_for

__all__ = ["Column", "ColumnValues", "Layout", "exact_values", "layout_of", "taken_array"]


class Layout:
    """The column layout of a type.

    Attributes:
        type: the type.
        codec: its codec.
        schema: names and Arrow types of the columns.
        codecs: the codec of each column.
        segments: the path of each column in an element, for messages.
        direct: whether columns can be validated without converting them to Python values.
    """

    def __init__(self, type_info: TypeInformation[Any]) -> None:
        fields = columns_of(type_info)
        self.type = type_info
        self.codec: Codec = codec_for(type_info)
        self._serializer = serializer_for(type_info)
        self.schema: pa.Schema = self._serializer.schema
        self.codecs: tuple[Codec, ...] = tuple(codec_for(f.type, nullable=f.nullable) for f in fields)
        self.segments: tuple[str, ...] = tuple(f.segment for f in fields)
        self.direct: bool = all(map(is_direct, self.codecs))

    def takes(self, arrays: Sequence[pa.Array]) -> bool:
        """Return whether columns are validated as they are, and decimals have the digits of the layout."""
        return self._matches(arrays, lambda own, given: _scales(own) == _scales(given))

    def fits(self, arrays: Sequence[pa.Array]) -> bool:
        """Return whether columns are validated as they are, and decimals have no digits beyond the layout."""
        return self._matches(arrays, _has_digits)

    def _matches(
        self, arrays: Sequence[pa.Array], are_alike: Callable[[pa.DataType, pa.DataType], bool]
    ) -> bool:
        types = zip(self.schema.types, (array.type for array in arrays), strict=True)
        return self.direct and all(own == given or are_alike(own, given) for own, given in types)

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

    def kept(self, values: list[Any]) -> ColumnValues | None:
        """Return elements as columns that keep them as they are, ``None`` if there are none."""
        return ColumnValues(self, self.encode(values)) if self.codec.keeps(values, set()) else None

    def built(self, columns: Sequence[Sequence[Any]], count: int) -> list[Any]:
        """Build ``count`` elements from columns of Python values."""
        if isinstance(self.codec, FieldsCodec) and has_columns(self.type):
            return self.codec.built(columns, None, count)
        return list(columns[0])

    def decode(self, batch: pa.RecordBatch) -> list[Any]:
        """Decode the elements of a batch."""
        return self._serializer.from_batch(batch)


def _scales(dt: pa.DataType) -> list[int]:
    """Return the scale of each decimal that is a type, or a part of it."""
    return [decimal.scale for decimal in _decimals(dt)]


def _has_digits(own: pa.DataType, given: pa.DataType) -> bool:
    """Return whether decimals of a type have all digits of those of another."""
    wanted, found = _decimals(own), _decimals(given)
    return len(wanted) == len(found) and all(
        most.scale >= dt.scale and most.precision - most.scale >= dt.precision - dt.scale
        for most, dt in zip(wanted, found, strict=True)
    )


def _decimals(dt: Any) -> list[Any]:
    """Return the type of each decimal that is a type, or a part of it."""
    if pa.types.is_decimal(dt):
        return [dt]
    return [part for position in range(dt.num_fields) for part in _decimals(dt.field(position).type)]


@cache
def layout_of(type_info: TypeInformation[Any]) -> Layout:
    """Return the column layout of a type; the same object for equal types."""
    return Layout(type_info)


def exact_values(codec: Codec, values: Sequence[Any]) -> Sequence[Any]:
    """Return values as a column of an inferred type holds them: as they are.

    Raises:
        TypeCheckError: one is not exactly of the type.
    """
    if not codec.keeps(values, set()):
        raise TypeCheckError(f"a value is not exactly of {codec.type}")
    return values


def taken_array(array: pa.Array, indices: npt.NDArray[np.int64]) -> pa.Array:
    """Return the values of an array at some indices, all of them in range."""
    return _kernel_of_take()(array, pa.array(indices))


@cache
def _kernel_of_take() -> Callable[[pa.Array, pa.Array], pa.Array]:
    """Return a function that returns the values of an array at some indices, without checking these."""
    import pyarrow.compute  # slow to import

    compute: Any = pyarrow.compute
    call, options = compute.get_function("array_take").call, compute.TakeOptions(boundscheck=False)
    return lambda array, indices: call([array, indices], options)


class Column:
    """A column of validated values: in Arrow, as a list of Python values, or both; converted on demand.

    Args:
        codec: the codec of the values.
        array: the values in Arrow, unless they are given in Python.
        values: the values in Python.
    """

    __slots__ = ("_array", "_values", "codec")

    def __init__(
        self, codec: Codec, array: pa.Array | None = None, values: Sequence[Any] | None = None
    ) -> None:
        self.codec: Codec = codec
        self._array = array
        self._values = values

    @property
    def is_array(self) -> bool:
        """Whether the values are at hand in Arrow."""
        return self._array is not None

    @property
    def array(self) -> pa.Array:
        """The values in Arrow."""
        if self._array is None:
            self._array = self.codec.encode(self.values)
        return self._array

    @property
    def values(self) -> Sequence[Any]:
        """The values in Python; they must not be changed."""
        if self._values is None:
            self._values = self.codec.decode(self.array)
        return self._values

    def with_codec(self, codec: Codec) -> Column:
        """Return the same values under the codec of an equal type.

        Raises:
            TypeCheckError: one is ``None``, and may not be.
        """
        if self.codec.nullable and not codec.nullable:
            has_none = self._array.null_count if self._array is not None else None in self.values
            if has_none:
                raise null_error(codec.type)
        return Column(codec, self._array, self._values)

    def taken(self, indices: npt.NDArray[np.int64]) -> Column:
        """Return the values at some indices, all of them in range, in the forms that are at hand."""
        array, values = self._array, self._values
        return Column(
            self.codec,
            None if array is None else taken_array(array, indices),
            None if values is None else [values[at] for at in indices.tolist()],
        )

    @staticmethod
    def joined(columns: Sequence[Column]) -> Column:
        """Concatenate columns of one type, in a form that one of them has."""
        codec = columns[0].codec
        if all(column._array is None for column in columns):
            return Column(codec, values=list(chain.from_iterable(column.values for column in columns)))
        return Column(codec, pa.concat_arrays([column.array for column in columns]))

    def __len__(self) -> int:
        return len(self.array if self._values is None else self._values)


class ColumnValues(Sequence[Any]):
    """Elements of one type as columns, as a list of Python values, or both; converted on demand, and once.

    A column is converted on its own: of a wide element, only the fields that are read become Python values.

    Args:
        layout: the columns of the type.
        batch: the elements as validated columns.
        values: the elements as values of the type.
    """

    __slots__ = ("_columns", "_count", "_values", "layout")

    def __init__(
        self, layout: Layout, batch: pa.RecordBatch | None = None, values: list[Any] | None = None
    ) -> None:
        self.layout: Layout = layout
        self._columns: list[Column] | None = None
        self._values = values
        if batch is not None:
            self._columns = list(map(Column, layout.codecs, batch.columns))
            self._count: int = batch.num_rows
        else:
            assert values is not None
            self._count = len(values)

    @staticmethod
    def of(values: Sequence[Any], layout: Layout) -> ColumnValues:
        """Return elements, given in either form."""
        return values if isinstance(values, ColumnValues) else ColumnValues(layout, values=list_of(values))

    @staticmethod
    def of_columns(layout: Layout, columns: list[Column], count: int) -> ColumnValues:
        """Return ``count`` elements, given as columns."""
        values = ColumnValues(layout, values=[])
        values._columns, values._values, values._count = columns, None, count
        return values

    @property
    def batch(self) -> pa.RecordBatch:
        """The elements as columns in Arrow."""
        arrays = [column.array for column in self.columns]
        return pa.RecordBatch.from_arrays(arrays, schema=self.layout.schema)

    @property
    def nbytes(self) -> int:
        """The size of the columns that are at hand in Arrow."""
        arrays = (column._array for column in self._columns or ())
        return sum(array.nbytes for array in arrays if array is not None)

    @property
    def columns(self) -> list[Column]:
        """The columns of the elements."""
        if self._columns is None:
            batch = self.layout.encode(self._list())
            self._columns = list(map(Column, self.layout.codecs, batch.columns))
        return self._columns

    @property
    def are_columns(self) -> bool:
        """Whether the elements are at hand as columns."""
        return self._columns is not None

    def _list(self) -> list[Any]:
        if self._values is None:
            self._values = self.layout.built([column.values for column in self.columns], self._count)
        return self._values

    @staticmethod
    def joined(parts: Sequence[ColumnValues]) -> ColumnValues:
        """Concatenate elements of one layout, whose columns are at hand."""
        first = parts[0]
        if len(parts) == 1:
            return first
        columns = list(map(Column.joined, zip(*(part.columns for part in parts), strict=True)))
        return ColumnValues.of_columns(first.layout, columns, sum(map(len, parts)))

    def filter(self, mask: pa.Array) -> ColumnValues:
        """Return the elements selected by a mask without nulls."""
        return self.taken(np.flatnonzero(mask.to_numpy(zero_copy_only=False)))

    def taken(self, indices: npt.NDArray[np.int64]) -> ColumnValues:
        """Return the elements at some indices, in that order."""
        take, at = _kernel_of_take(), pa.array(indices)
        return self._selected(
            len(indices),
            lambda array: take(array, at),
            lambda values: [values[index] for index in indices.tolist()],
        )

    def _selected(
        self,
        count: int,
        of_array: Callable[[pa.Array], pa.Array],
        of_list: Callable[[Sequence[Any]], list[Any]],
    ) -> ColumnValues:
        """Select ``count`` elements in the forms that are at hand."""
        values = None if self._values is None else of_list(self._values)
        if self._columns is None:
            return ColumnValues(self.layout, values=values)
        columns = [
            Column(
                column.codec,
                None if column._array is None else of_array(column._array),
                None if column._values is None else of_list(column._values),
            )
            for column in self._columns
        ]
        selected = ColumnValues.of_columns(self.layout, columns, count)
        selected._values = values
        return selected

    def apart(self) -> ColumnValues:
        """Return the same elements, without objects that may change."""
        if self._columns is None:
            return self
        columns = [
            column if is_immutable(column.codec.type) else Column(column.codec, column.array)
            for column in self._columns
        ]
        return ColumnValues.of_columns(self.layout, columns, self._count)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list())

    @overload
    def __getitem__(self, index: int) -> Any: ...

    @overload
    def __getitem__(self, index: slice) -> ColumnValues: ...

    def __getitem__(self, index: int | slice) -> Any:
        if not isinstance(index, slice):
            return self._list()[index]
        start, stop, step = index.indices(self._count)
        if step != 1:
            if self._columns is None:
                return ColumnValues(self.layout, values=self._list()[index])
            return self.taken(np.arange(start, stop, step))
        count = max(0, stop - start)
        return self._selected(
            count, lambda array: array.slice(start, count), lambda values: list(values[start : start + count])
        )

    def element(self, index: int) -> Any:
        """Return one element, without converting the others to Python values."""
        return self[index : index + 1][0]
