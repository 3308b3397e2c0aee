"""TypeSerializer: base class of all serializers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, NoReturn, TypeVar

import pyarrow as pa

from typeinfo.errors import PyStreamError
from typeinfo.formats.arrow import to_arrow_schema
from typeinfo.info import TypeInformation

__all__ = ["TypeSerializer"]

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
            f"a serializer stays in its process: pickle its type, {self.type}, and call serializer_for there"
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
