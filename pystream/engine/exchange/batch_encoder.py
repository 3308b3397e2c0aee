"""BatchEncoder: serializes batches of elements in pieces of bounded size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pystream.engine.failure import OperatorLabel, TaskFailure, short_repr
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["ROW_BYTES", "BatchEncoder", "encoding_failure", "in_parts"]

ROW_BYTES = 256 << 10
"""Target size of a row in bytes, so that its elements fit the CPU cache."""

_BATCH = 8_192
_SAMPLED_EVERY = 32_768


class BatchEncoder:
    """Serialize elements in pieces that are large enough to be efficient and small enough for the cache.

    Sizes are estimated from samples, so that a few large elements among many small ones go unnoticed.
    """

    def __init__(self, label: OperatorLabel, type_info: TypeInformation[Any]) -> None:
        self._label = label
        self._serialize = serializer_for(type_info).serialize
        self._until_sample = 0
        self.limit: int = _BATCH
        """The number of elements in a row."""

    def sample(self, values: Sequence[Any]) -> None:
        """Sample the size of the elements of a batch, if a sample is due."""
        self._until_sample -= len(values)
        if self._until_sample <= 0:
            self._until_sample = _SAMPLED_EVERY
            samples = values[0], values[len(values) // 2], values[-1]
            size = max(len(self.payload([value])) for value in samples)
            self.limit = max(1, min(_BATCH, ROW_BYTES // size))

    def payload(self, values: list[Any]) -> bytes:
        """Serialize elements.

        Raises:
            TaskFailure: one cannot be serialized.
        """
        try:
            return self._serialize(values)
        except BaseException as error:
            raise encoding_failure(self._label, self._serialize, values, error) from error


def encoding_failure(
    label: OperatorLabel, encode: Callable[[list[Any]], object], values: list[Any], error: BaseException
) -> TaskFailure:
    """Return the failure of a batch, naming the first element that cannot be encoded on its own."""
    for value in values:
        try:
            encode([value])
        except BaseException as own_error:  # noqa: BLE001 - it is reported
            return TaskFailure.of(label, own_error, result=short_repr(value))
    return TaskFailure.of(label, error)


def in_parts(values: list[Any], limit: int) -> Iterator[list[Any]]:
    """Split elements into lists of at most ``limit``."""
    return (values[start : start + limit] for start in range(0, len(values), limit))
