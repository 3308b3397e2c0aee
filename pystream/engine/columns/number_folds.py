"""Fold numbers into those of groups with NumPy, as Python's operators do in the order of arrival."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.expressions.folds import Fold

__all__ = ["folded_numbers"]

_KERNELS: dict[Fold, Any] = {Fold.SUM: np.add, Fold.MIN: np.minimum, Fold.MAX: np.maximum}
_NEUTRAL_INTEGERS = {Fold.SUM: 0, Fold.MIN: 2**63 - 1, Fold.MAX: -(2**63)}
_NEUTRAL_FLOAT = -0.0  # of sums only; Python's minimum of NaN or of zeros depends on their order
_BOUND = 2**63


def folded_numbers(
    fold: Fold, held: list[Any], values: pa.Array, codes: npt.NDArray[np.int64]
) -> list[Any] | None:
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
    fold: Fold, held: list[Any], values: npt.NDArray[np.int64], codes: npt.NDArray[np.int64]
) -> list[Any] | None:
    neutral = _NEUTRAL_INTEGERS[fold]
    held = [neutral if number is None else number for number in held]
    if set(map(type, held)) != {int} or not -_BOUND <= min(held) <= max(held) < _BOUND:
        return None
    if fold is Fold.SUM:
        largest = max(-int(values.min()), int(values.max()))
        if max(-min(held), max(held)) + largest * len(values) >= _BOUND:
            return None
    folded = np.array(held, np.int64)
    _KERNELS[fold].at(folded, codes, values)
    results: list[Any] = folded.tolist()
    return results


def _added_floats(
    held: list[Any], values: npt.NDArray[np.float64], codes: npt.NDArray[np.int64]
) -> list[Any] | None:
    held = [_NEUTRAL_FLOAT if number is None else number for number in held]
    if not set(map(type, held)) <= {float, int}:
        return None
    try:
        folded = np.array(held, np.float64)
    except OverflowError:
        return None
    with np.errstate(all="ignore"):
        np.add.at(folded, codes, values)
    results: list[Any] = folded.tolist()
    return results
