"""Numbers in the order of the values of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

__all__ = ["MOST_DIGITS", "has_ranks", "parts_of_decimals", "ranks_of"]

_compute: Any = pyarrow.compute
_WITHOUT_SIGN = (1 << 63) - 1
MOST_DIGITS = 18
"""The number of digits that each decimal has of which the digits are an integer of 64 bits."""


def has_ranks(dt: pa.DataType) -> bool:
    """Return whether values have numbers by themselves, not only beside others as text has."""
    return not (pa.types.is_string(dt) or pa.types.is_large_string(dt) or _is_long_decimal(dt))


def _is_long_decimal(dt: Any) -> bool:
    """Return whether decimals may have more digits than integers of 64 bits."""
    return pa.types.is_decimal(dt) and bool(dt.precision > MOST_DIGITS)


def ranks_of(array: pa.Array) -> npt.NDArray[np.int64]:
    """Return numbers in the order of plain values, equal ones for equal values; those of nulls mean nothing.

    NaN is greater than all other numbers; 0.0 and -0.0 are equal.
    """
    if pa.types.is_floating(array.type):
        numbers = array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.float64) + 0.0
        numbers[np.isnan(numbers)] = np.nan
        bits = numbers.view(np.int64)
        return bits ^ ((bits >> 63) & _WITHOUT_SIGN)
    if not has_ranks(array.type):
        return _ranks_beside_others(array)
    if pa.types.is_decimal(array.type):
        return parts_of_decimals(array, np.int64)[:, 0]
    if pa.types.is_boolean(array.type) or pa.types.is_date32(array.type):
        array = array.cast(pa.int32() if pa.types.is_date32(array.type) else pa.int8())
    return array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)


def parts_of_decimals(array: pa.Array, dtype: Any) -> npt.NDArray[Any]:
    """Return the digits of decimals as integers of 128 bits, each in parts from the least one on.

    Args:
        array: the decimals; the digits of nulls mean nothing.
        dtype: the type of the parts.
    """
    digits: Any = array.buffers()[1]
    numbers = np.frombuffer(digits or b"", dtype)
    return numbers.reshape(-1, 16 // numbers.itemsize)[array.offset : array.offset + len(array)]


def _ranks_beside_others(values: Any) -> npt.NDArray[np.int64]:
    encoded = values.dictionary_encode()
    order = _compute.array_sort_indices(encoded.dictionary).to_numpy()
    ranks = np.zeros(max(1, len(order)), np.int64)
    ranks[order] = np.arange(len(order))
    found: npt.NDArray[np.int64] = ranks[encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)]
    return found
