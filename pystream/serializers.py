"""PickleSerializer: PyFlink's serializer of elements of undeclared type."""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["PickleSerializer"]

_LENGTH = struct.Struct("!i")


class PickleSerializer:
    """Serialize objects with pickle, each after its length in four bytes.

    It has no effect on a job, where elements of undeclared type are always pickled. Mirrors
    ``pyflink.serializers.PickleSerializer``.
    """

    def dumps(self, obj: Any) -> bytes:
        """Pickle an object."""
        return pickle.dumps(obj)

    def loads(self, obj: bytes) -> Any:
        """Unpickle an object."""
        return pickle.loads(obj)

    def serialize(self, iterable: Iterable[Any], stream: io.BufferedIOBase) -> None:
        """Write objects one after the other."""
        for element in iterable:
            data = self.dumps(element)
            stream.write(_LENGTH.pack(len(data)))
            stream.write(data)

    def deserialize(self, stream: io.BufferedIOBase) -> Iterator[Any]:
        """Yield the objects of a stream, in order, until it ends.

        Raises:
            EOFError: the stream ends within an object.
        """
        while length := stream.read(_LENGTH.size):
            size = _LENGTH.unpack(_whole(length, _LENGTH.size))[0]
            yield self.loads(_whole(stream.read(size), size))

    def __repr__(self) -> str:
        return "PickleSerializer()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PickleSerializer)

    def __hash__(self) -> int:
        return hash(PickleSerializer)


def _whole(data: bytes, size: int) -> bytes:
    if len(data) < size:
        raise EOFError("the stream ends within an object")
    return data
