"""ColumnarSerializer: the serializer of every declared type."""

from __future__ import annotations

import io
import pickle
from typing import Any, TypeGuard, TypeVar, cast

import pyarrow as pa

from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import VALUE_COLUMN, has_columns
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Codec
from typeinfo.serde.composite import FieldsCodec
from typeinfo.serde.registry import codec_for
from typeinfo.serde.serializer import TypeSerializer

__all__ = ["ColumnarSerializer", "dump_plain"]

T = TypeVar("T")


class ColumnarSerializer(TypeSerializer[T]):
    """Validate, write and read batches column by column.

    Bytes are the pickle of the elements in plain form (numbers, text, tuples, lists, dicts), which is faster
    by measurement than Arrow's own encoding and needs no class when read.
    """

    def __init__(self, t: TypeInformation[T]) -> None:
        super().__init__(t)
        self._codec = codec_for(t)

    def conform(self, values: list[Any]) -> list[T]:
        if not values:
            return values
        return cast("list[T]", self._codec.conform(values))

    def to_batch(self, values: list[Any], conformed: bool = False) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(self._arrays(values, conformed), schema=self.schema)

    def _arrays(self, values: list[Any], conformed: bool) -> list[pa.Array]:
        if not values:
            return [pa.array([], field.type) for field in self.schema]
        codec = self._codec
        if not self._has_columns(codec):
            return [codec.encode(values) if conformed else codec.take(values)]
        return codec.write_columns(values) if conformed else codec.take_columns(values)

    def _has_columns(self, codec: Codec) -> TypeGuard[FieldsCodec]:
        """Return whether elements are rows of columns, instead of one column ``value``."""
        return has_columns(self.type)

    def from_batch(self, batch: pa.RecordBatch) -> list[T]:
        codec = self._codec
        names = batch.schema.names
        if self._has_columns(codec):
            return codec.read_columns(names, batch.columns, batch.num_rows)
        if names == [VALUE_COLUMN]:
            return codec.decode(batch.column(0))
        if not names and isinstance(codec, FieldsCodec):
            return codec.built((), None, batch.num_rows)
        raise TypeCheckError(
            f"elements of {self.type} are one column {VALUE_COLUMN!r}, not the columns {names}"
        )

    def serialize(self, values: list[T]) -> bytes:
        return dump_plain(self._codec.pack(values))

    def deserialize(self, data: bytes) -> list[T]:
        return cast("list[T]", self._codec.unpack(pickle.loads(data)))


def dump_plain(values: Any) -> bytes:
    """Pickle values in plain form, without references to shared parts.

    Without pickle's memo this is twice as fast; elements that share a list no longer share it when read.
    """
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    pickler.dump(values)
    return buffer.getvalue()
