"""Numbers of the groups of rows, and of equal values, as they first appear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["Codes", "GroupCodes", "ValueCodes", "comparable_array", "first_positions"]

Codes = npt.NDArray[np.int64]

_BITS = 31
"""Those of the numbers of values or groups of which two are combined."""


class ValueCodes:
    """Numbers equal values of a column, nulls among them, in the order in which they first appear."""

    def __init__(self) -> None:
        self._known: pa.Array | None = None

    @property
    def count(self) -> int:
        """The number of different values so far."""
        return 0 if self._known is None else len(self._known)

    def codes(self, array: pa.Array) -> Codes:
        """Return the number of each further value."""
        given = comparable_array(array)
        before = self.count
        whole: Any = given if self._known is None else pa.concat_arrays([self._known, given])
        encoded = whole.dictionary_encode("encode")
        self._known = encoded.dictionary
        codes: Codes = encoded.indices.to_numpy()[before:].astype(np.int64)
        return codes


def comparable_array(array: pa.Array) -> pa.Array:
    """Return values of which equal ones are the same: 0.0 and -0.0 are, and all NaNs."""
    if pa.types.is_floating(array.type):
        numbers = array.to_numpy(zero_copy_only=False).astype(np.float64) + 0.0
        numbers[np.isnan(numbers)] = np.nan
        is_null = np.asarray(array.is_null()) if array.null_count else None
        return pa.array(numbers, mask=is_null)
    return array.cast(pa.large_string()) if pa.types.is_string(array.type) else array


class GroupCodes:
    """Numbers groups of rows by the values of some columns, in the order in which they first appear.

    Args:
        keys: the number of columns.
    """

    def __init__(self, keys: int) -> None:
        self._columns = [ValueCodes() for _ in range(keys)]
        self._pairs = [ValueCodes() for _ in range(keys - 1)]

    @property
    def count(self) -> int:
        """The number of groups so far; one if there are no columns."""
        return (self._pairs or self._columns)[-1].count if self._columns else 1

    def codes(self, arrays: Sequence[pa.Array], count: int) -> Codes:
        """Return the number of the group of each further row.

        Args:
            arrays: the columns.
            count: the number of rows.
        """
        if not arrays:
            return np.zeros(count, np.int64)
        codes, *others = [own.codes(array) for own, array in zip(self._columns, arrays, strict=True)]
        for pairs, other in zip(self._pairs, others, strict=True):
            codes = pairs.codes(pa.array(codes << _BITS | other))
        return codes


def first_positions(codes: Codes, start: int, count: int) -> Codes:
    """Return the position of the first row of each group with a number from ``start`` up to ``count``."""
    firsts = np.empty(count - start, np.int64)
    positions = np.flatnonzero(codes >= start)[::-1]
    firsts[codes[positions] - start] = positions
    return firsts
