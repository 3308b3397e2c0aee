"""Fold numbers into those of groups with NumPy, as Python's operators do in the order of arrival."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.expressions.folds import Fold

__all__ = ["GroupOrder", "folded_numbers", "running_numbers"]

_KERNELS: dict[Fold, Any] = {Fold.SUM: np.add, Fold.MIN: np.minimum, Fold.MAX: np.maximum}
_NEUTRAL_INTEGERS = {Fold.SUM: 0, Fold.MIN: 2**63 - 1, Fold.MAX: -(2**63)}
_NEUTRAL_FLOAT = -0.0  # of sums only; Python's minimum of NaN or of zeros depends on their order
_BOUND = 2**63
_FEWEST_RUNNING = 256  # running numbers; for fewer, Python takes no longer
_FEWEST_PER_ROUND = 16  # floats that are added at once, on average

_Codes = npt.NDArray[np.int64]


def folded_numbers(fold: Fold, held: list[Any], values: pa.Array, codes: _Codes) -> list[Any] | None:
    """Return the numbers of groups, folded with further ones; ``None`` if they must be folded one by one.

    Args:
        fold: the fold.
        held: the number of each group, ``None`` if it has none yet.
        values: the further numbers.
        codes: for each of them, the position of its group; every group has one.
    """
    if values.null_count or 2 * len(held) > len(codes):
        return None
    if pa.types.is_signed_integer(values.type):
        return _folded_integers(fold, held, values.to_numpy().astype(np.int64), codes)
    if pa.types.is_float64(values.type) and fold is Fold.SUM:
        return _added_floats(held, values.to_numpy(), codes)
    return None


def _folded_integers(
    fold: Fold, held: list[Any], values: npt.NDArray[np.int64], codes: _Codes
) -> list[Any] | None:
    folded = _held_integers(fold, held, values)
    if folded is None:
        return None
    _KERNELS[fold].at(folded, codes, values)
    results: list[Any] = folded.tolist()
    return results


def _held_integers(
    fold: Fold, held: list[Any], values: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64] | None:
    """Return the numbers of groups, ``None`` if they, or later sums, may need more than 64 bits."""
    neutral = _NEUTRAL_INTEGERS[fold]
    held = [neutral if number is None else number for number in held]
    if set(map(type, held)) != {int} or not -_BOUND <= min(held) <= max(held) < _BOUND:
        return None
    if fold is Fold.SUM:
        largest = max(-int(values.min()), int(values.max()))
        if max(-min(held), max(held)) + largest * len(values) >= _BOUND:
            return None
    return np.array(held, np.int64)


def _added_floats(held: list[Any], values: npt.NDArray[np.float64], codes: _Codes) -> list[Any] | None:
    folded = _held_floats(held)
    if folded is None:
        return None
    with np.errstate(all="ignore"):
        np.add.at(folded, codes, values)
    results: list[Any] = folded.tolist()
    return results


def _held_floats(held: list[Any]) -> npt.NDArray[np.float64] | None:
    held = [_NEUTRAL_FLOAT if number is None else number for number in held]
    if not set(map(type, held)) <= {float, int}:
        return None
    try:
        return np.array(held, np.float64)
    except OverflowError:
        return None


class GroupOrder:
    """The elements of a batch group by group, those of a group in the order of arrival.

    Args:
        codes: for each element, the position of its group; every group has one.
    """

    def __init__(self, codes: _Codes) -> None:
        self._order = np.argsort(codes, kind="stable")
        self.codes: _Codes = codes[self._order]
        is_begin = np.append(True, self.codes[1:] != self.codes[:-1])
        self.begins: _Codes = np.flatnonzero(is_begin)
        self.ends: _Codes = np.append(self.begins[1:], len(codes)) - 1

    def of(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return the values of the elements group by group."""
        return values[self._order]

    def as_arrived(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return values that are in order of groups in the order of arrival."""
        arrived = np.empty_like(values)
        arrived[self._order] = values
        return arrived

    def rounds(self) -> Iterator[_Codes]:
        """Yield the places of the first element of each group, then those of the second ones, and so on."""
        left = self.begins
        while len(left):
            yield left
            left = left[left < self.ends[self.codes[left]]] + 1

    @property
    def most(self) -> int:
        """The number of elements of the largest group."""
        return int((self.ends - self.begins).max()) + 1


def running_numbers(
    fold: Fold, held: list[Any], values: pa.Array, order: GroupOrder
) -> tuple[pa.Array, list[Any]] | None:
    """Return the numbers of groups after each further one, and at the end.

    ``None`` if they must be folded one by one.

    Args:
        fold: the fold.
        held: the number of each group, ``None`` if it has none yet.
        values: the further numbers.
        order: their order by group.
    """
    count = len(values)
    if values.null_count or count < _FEWEST_RUNNING:
        return None
    running: npt.NDArray[Any] | None = None
    if pa.types.is_signed_integer(values.type):
        running = _running_integers(fold, held, values.to_numpy().astype(np.int64), order)
    elif pa.types.is_float64(values.type) and fold is Fold.SUM and order.most * _FEWEST_PER_ROUND <= count:
        running = _running_floats(held, values.to_numpy(), order)
    if running is None:
        return None
    try:
        results = pa.array(order.as_arrived(running)).cast(values.type)
    except pa.ArrowInvalid:  # out of range
        return None
    return results, running[order.ends].tolist()


def _running_integers(
    fold: Fold, held: list[Any], values: npt.NDArray[np.int64], order: GroupOrder
) -> npt.NDArray[np.int64] | None:
    before = _held_integers(fold, held, values)
    if before is None:
        return None
    codes, given = order.codes, order.of(values)
    if fold is Fold.SUM:
        sums = np.cumsum(given)
        running: npt.NDArray[np.int64] = sums + (before - sums[order.begins] + given[order.begins])[codes]
        return running
    # Moved apart, so that the numbers of each group are beyond those of the group before.
    least, span = int(values.min()), int(values.max()) - int(values.min()) + 1
    if span * len(held) >= _BOUND:
        return None
    apart = codes * span if fold is Fold.MAX else codes * -span
    kernel = _KERNELS[fold]
    best: npt.NDArray[np.int64] = kernel.accumulate(given - least + apart) - apart + least
    return np.asarray(kernel(best, before[codes]), np.int64)


def _running_floats(
    held: list[Any], values: npt.NDArray[np.float64], order: GroupOrder
) -> npt.NDArray[np.float64] | None:
    folded = _held_floats(held)
    if folded is None:
        return None
    running = order.of(values)
    with np.errstate(all="ignore"):
        for places in order.rounds():
            groups = order.codes[places]
            folded[groups] += running[places]
            running[places] = folded[groups]
    return running
