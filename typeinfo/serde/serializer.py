"""TypeSerializer, and the serializers of declared, inferred and unknown types."""

from __future__ import annotations

import io
import pickle
from abc import ABC, abstractmethod
from functools import cache
from itertools import chain
from types import NoneType
from typing import Any, Generic, NoReturn, TypeGuard, TypeVar, cast

import pyarrow as pa

from typeinfo.errors import PyStreamError, TypeCheckError
from typeinfo.formats.arrow import is_bytes, to_arrow_schema
from typeinfo.formats.layout import VALUE_COLUMN, has_columns
from typeinfo.inferred import InferredTypeInfo
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.serde.codec import Codec
from typeinfo.serde.composite import FieldsCodec
from typeinfo.serde.registry import codec_for

__all__ = [
    "ColumnarSerializer",
    "InferredSerializer",
    "PickledSerializer",
    "TypeSerializer",
    "serializer_for",
]

T = TypeVar("T")


class TypeSerializer(ABC, Generic[T]):
    """Validate batches of elements of one type, and convert them to Arrow batches or bytes.

    A serializer is never pickled: its type is, and ``serializer_for`` builds the serializer where it is
    needed.

    Attributes:
        type: the type of the elements.
        schema: the schema of the batches of ``to_batch``.

    Mirrors ``org.apache.flink.api.common.typeutils.TypeSerializer``.
    """

    def __init__(self, t: TypeInformation[T]) -> None:
        self.type = t
        self.schema: pa.Schema = to_arrow_schema(t)

    def __reduce__(self) -> NoReturn:
        raise PyStreamError(
            f"a serializer cannot be pickled: pickle its type, {self.type}, and call serializer_for after"
            " unpickling"
        )

    @abstractmethod
    def conform(self, values: list[Any]) -> list[T]:
        """Return the elements as values of the type, validated.

        A value is never converted to another, except that FLOAT rounds to 32 bits; that an integer exact as
        a float becomes one for FLOAT and DOUBLE; that numpy's scalars and instances of subclasses become
        values of the declared class; and that looser containers (tuples, lists and dicts for a ROW,
        lists for a TUPLE, tuples for a LIST, an aware datetime for an INSTANT) become the declared one. No
        object given is changed.

        Args:
            values: a batch from a user's function; may be empty.

        Returns:
            The same list if no value changed, else a new one in the same order.

        Raises:
            TypeCheckError: an element does not fit; ``index`` is its position and ``path`` the place inside
            it.
        """

    @abstractmethod
    def to_batch(self, values: list[Any], conformed: bool = False) -> pa.RecordBatch:
        """Convert the elements to an Arrow batch of ``schema``, without the kinds of rows.

        Args:
            values: the elements; may be empty.
            conformed: whether they are results of ``conform``; otherwise they are validated.

        Raises:
            TypeCheckError: an element does not fit the type, or cannot be pickled although it must be.
        """

    @abstractmethod
    def from_batch(self, batch: pa.RecordBatch) -> list[T]:
        """Convert an Arrow batch to elements, in order.

        Args:
            batch: of ``schema`` or a layout of the same columns that holds the same values: large, dictionary
                or run-end encoded, sliced, of other integer widths or time units, its columns in another
                order.

        Raises:
            TypeCheckError: a column is missing, or holds values of another type or out of range, or nulls
                that are not allowed.
        """

    @abstractmethod
    def serialize(self, values: list[T]) -> bytes:
        """Serialize conformed elements to bytes, with the kinds of rows.

        Elements do not share parts once deserialized, even if they did before.

        Raises:
            TypeCheckError: an element cannot be pickled although it must be.
        """

    @abstractmethod
    def deserialize(self, data: bytes) -> list[T]:
        """Deserialize elements, in order, as new objects."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}<{self.type}>"


class ColumnarSerializer(TypeSerializer[T]):
    """The serializer of every declared type: validates, writes and reads batches column by column.

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
            return [codec.encode(values) if conformed else codec.conform_and_encode(values)]
        return codec.write_columns(values) if conformed else codec.conform_and_write_columns(values)

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
        return _dump_plain(self._codec.pack(values))

    def deserialize(self, data: bytes) -> list[T]:
        return cast("list[T]", self._codec.unpack(pickle.loads(data)))


class PickledSerializer(TypeSerializer[Any]):
    """The serializer of elements of undeclared type: pickles each separately, without validation."""

    def __init__(self, t: TypeInformation[Any]) -> None:
        super().__init__(t)
        self._codec = codec_for(t)

    def conform(self, values: list[Any]) -> list[Any]:
        return values

    def to_batch(self, values: list[Any], conformed: bool = False) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([self._codec.write(values)], schema=self.schema)

    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        if batch.schema.names != [VALUE_COLUMN] or not is_bytes(batch.schema.field(0).type):
            raise TypeCheckError(
                f"pickled elements are one binary column {VALUE_COLUMN!r}, not {batch.schema}"
            )
        return self._codec.decode(batch.column(0))

    def serialize(self, values: list[Any]) -> bytes:
        if _is_plain(values):
            return _dump_plain((True, values))
        return _dump_plain((False, list(self._codec.write_plain(values))))

    def deserialize(self, data: bytes) -> list[Any]:
        plain, values = pickle.loads(data)
        return values if plain else list(self._codec.read_plain(values))


class InferredSerializer(PickledSerializer):
    """The serializer of elements that are expected to have a type: pickles a batch that does not fit it.

    Bytes begin with their form: plain or pickled, as those of undeclared type, or converted by the type.
    """

    def __init__(self, t: InferredTypeInfo) -> None:
        super().__init__(t)
        self._expected = codec_for(t.value_type)
        self.can_fit: bool = self._expected.can_keep
        """Whether elements of the type can be carried otherwise than pickled."""

    def fits(self, values: list[Any]) -> bool:
        """Return whether elements are exactly values of the expected type."""
        return self._expected.keeps(values, set())

    def serialize(self, values: list[Any]) -> bytes:
        return self.pack(values) if self.can_fit and self.fits(values) else self.pickle(values)

    def pack(self, values: list[Any]) -> bytes:
        """Serialize elements that fit."""
        return _dump_plain((None, self._expected.pack(values)))

    def pickle(self, values: list[Any]) -> bytes:
        """Serialize elements that do not fit."""
        return super().serialize(values)

    def deserialize(self, data: bytes) -> list[Any]:
        plain, values = pickle.loads(data)
        if plain is None:
            return cast("list[Any]", self._expected.unpack(values))
        return values if plain else list(self._codec.read_plain(values))


_ATOMS = frozenset({NoneType, bool, int, float, complex, str, bytes})
_DEPTH = 5
_SPREAD = 10_000


def _is_plain(values: list[Any]) -> bool:
    """Return whether values are deeply immutable, so that it does not matter whether they share parts.

    False for deeply nested or very large tuples: a part that occurs in many places would be pickled once for
    each of them.
    """
    most = len(values) * 16 + _SPREAD
    for _ in range(_DEPTH):
        types = set(map(type, values)) - _ATOMS
        if types != {tuple}:
            return not types
        tuples = [value for value in values if type(value) is tuple]
        if sum(map(len, tuples)) > most:
            return False
        values = list(chain.from_iterable(tuples))
    return False


def _dump_plain(values: Any) -> bytes:
    """Pickle values in plain form, without references to shared parts.

    Without pickle's memo this is twice as fast; elements that share a list no longer share it when read.
    """
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
    pickler.fast = True
    pickler.dump(values)
    return buffer.getvalue()


def serializer_for(t: TypeInformation[T]) -> TypeSerializer[T]:
    """Return the serializer of a type; the same object for equal types within a process.

    Raises:
        UnsupportedTypeError: ``t`` is not a type, or of an unknown class.
    """
    return cast("TypeSerializer[T]", _serializer(require_type(t, "the type of a serializer")))


@cache
def _serializer(t: TypeInformation[Any]) -> TypeSerializer[Any]:
    if isinstance(t, InferredTypeInfo):
        return InferredSerializer(t)
    return PickledSerializer(t) if isinstance(t, PickledBytesTypeInfo) else ColumnarSerializer(t)
