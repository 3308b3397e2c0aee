"""PickledSerializer: the serializer of elements of undeclared type."""

from __future__ import annotations

import pickle
from itertools import chain
from types import NoneType
from typing import Any

import pyarrow as pa

from typeinfo.errors import TypeCheckError
from typeinfo.formats.arrow import is_bytes
from typeinfo.formats.layout import VALUE_COLUMN
from typeinfo.info import TypeInformation
from typeinfo.serde.columnar import dump_plain
from typeinfo.serde.registry import codec_for
from typeinfo.serde.serializer import TypeSerializer

__all__ = ["PickledSerializer"]

_ATOMS = frozenset({NoneType, bool, int, float, complex, str, bytes})


class PickledSerializer(TypeSerializer[Any]):
    """Pickle each element separately, without validation."""

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
            return dump_plain((True, values))
        return dump_plain((False, list(self._codec.strip(values))))

    def deserialize(self, data: bytes) -> list[Any]:
        plain, values = pickle.loads(data)
        return values if plain else list(self._codec.dress(values))


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
