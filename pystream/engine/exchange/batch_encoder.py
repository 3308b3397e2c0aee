"""BatchEncoder: serializes batches of elements in pieces of bounded size."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from pystream.engine.events import Elements, list_of
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.failure import OperatorLabel, TaskFailure, short_repr
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.metrics.pickled_batches import count_pickled_batch
from typeinfo.info import TypeInformation

__all__ = ["ROW_BYTES", "BatchEncoder", "encoding_failure", "in_parts"]

ROW_BYTES = 1 << 20
"""Target size of a row in bytes, so that its elements fit the CPU cache."""

E = TypeVar("E")

_BATCH = 8_192
_SAMPLES = 4


class BatchEncoder:
    """Serialize elements in pieces that are large enough to be efficient and small enough for the cache.

    Sizes are estimated from samples, so that a few large elements among many small ones go unnoticed. The
    positions of samples in the stream do not depend on the batches in which it arrives.

    Args:
        label: the operator before it.
        type_info: type of the elements.
        in_process: whether they are read in this process, so that columns need not become bytes.
    """

    def __init__(
        self, label: OperatorLabel, type_info: TypeInformation[Any], *, in_process: bool = False
    ) -> None:
        self._label = label
        self._format = ElementsFormat(type_info)
        self._encode = self._format.share if in_process else self._format.dump
        self._metrics: MetricGroup | None = None
        self._sizes: deque[int] = deque(maxlen=_SAMPLES)
        self._gap = 1  # between two samples; it doubles up to the size of a batch
        self._until_sample = 0
        self.limit: int = _BATCH
        """The number of elements in a row."""

    def open(self, metrics: MetricGroup) -> None:
        """Count batches that do not have their inferred type."""
        self._metrics = metrics

    @property
    def samples_next(self) -> bool:
        """Whether the next element is a sample: true at positions that do not depend on the batches."""
        return self._until_sample == 0

    def sample(self, values: Sequence[Any]) -> None:
        """Sample the sizes of the elements of a batch where samples are due."""
        for _ in self._spans(values):
            pass

    def parts(self, elements: Elements) -> Iterator[Elements]:
        """Sample the elements of a batch; yield it in parts, each with the ``limit`` that applies to it."""
        values, timestamps = elements.values, elements.timestamps
        for start, end in self._spans(values):
            if end - start == len(values):
                yield elements
            else:
                times = None if timestamps is None else timestamps[start:end]
                yield Elements(values[start:end], times)

    def _spans(self, values: Sequence[Any]) -> Iterator[tuple[int, int]]:
        """Sample elements; yield the bounds of the parts between samples."""
        start = 0
        while start < len(values):
            if self.samples_next:
                self._measure(list(values[start : start + 1]))
            end = min(len(values), start + self._until_sample)
            self._until_sample -= end - start
            yield start, end
            start = end

    def _measure(self, sample: list[Any]) -> None:
        self._sizes.append(len(self._encoded(self._format.dump, sample)))
        self.limit = max(1, min(_BATCH, ROW_BYTES // max(self._sizes)))
        self._until_sample = self._gap
        self._gap = min(2 * self._gap, _BATCH)

    def payload(self, values: Sequence[Any]) -> Any:
        """Write elements in ``ElementsFormat``.

        Raises:
            TaskFailure: one cannot be serialized.
        """
        before = self._format.pickled
        payload = self._encoded(self._encode, values)
        if self._format.pickled > before and self._metrics is not None:
            count_pickled_batch(self._metrics)
        return payload

    def _encoded(self, encode: Callable[[Sequence[Any]], E], values: Sequence[Any]) -> E:
        try:
            return encode(values)
        except BaseException as error:
            raise encoding_failure(self._label, encode, list_of(values), error) from error


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
