"""Numbers in the order of the values of a column."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

__all__ = ["has_ranks", "ranks_of"]

_compute: Any = pyarrow.compute
_WITHOUT_SIGN = (1 << 63) - 1


def has_ranks(dt: pa.DataType) -> bool:
    """Return whether values have numbers by themselves, not only beside others as text has."""
    return not (pa.types.is_string(dt) or pa.types.is_large_string(dt))


def ranks_of(array: pa.Array) -> npt.NDArray[np.int64]:
    """Return numbers in the order of plain values, equal ones for equal values; those of nulls mean nothing.

    NaN is greater than all other numbers; 0.0 and -0.0 are equal.
    """
    if pa.types.is_floating(array.type):
        numbers = array.fill_null(0).to_numpy(zero_copy_only=False).astype(np.float64) + 0.0
        numbers[np.isnan(numbers)] = np.nan
        bits = numbers.view(np.int64)
        return bits ^ ((bits >> 63) & _WITHOUT_SIGN)
    if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
        return _ranks_of_texts(array)
    if pa.types.is_boolean(array.type) or pa.types.is_date32(array.type):
        array = array.cast(pa.int32() if pa.types.is_date32(array.type) else pa.int8())
    return array.cast(pa.int64()).fill_null(0).to_numpy(zero_copy_only=False)


def _ranks_of_texts(texts: Any) -> npt.NDArray[np.int64]:
    encoded = texts.dictionary_encode()
    order = _compute.array_sort_indices(encoded.dictionary).to_numpy()
    ranks = np.zeros(max(1, len(order)), np.int64)
    ranks[order] = np.arange(len(order))
    found: npt.NDArray[np.int64] = ranks[encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)]
    return found
