"""Event times of the elements of a batch: selected, and converted to and from arrays of NumPy and Arrow."""

from __future__ import annotations

from array import array

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pystream.engine.events import Timestamps

__all__ = ["masked_timestamps", "numbers_of", "taken_timestamps", "timestamps_of", "timestamps_of_array"]


def numbers_of(timestamps: Timestamps) -> npt.NDArray[np.int64]:
    """Return timestamps as an array of NumPy, without a copy if they are packed."""
    return (
        np.frombuffer(timestamps, np.int64)
        if isinstance(timestamps, array)
        else np.array(timestamps, np.int64)
    )


def timestamps_of(numbers: npt.NDArray[np.int64]) -> array[int]:
    """Return an array of NumPy as packed timestamps."""
    packed: array[int] = array("q")
    packed.frombytes(np.ascontiguousarray(numbers).view(np.uint8).data)
    return packed


def timestamps_of_array(column: pa.Array) -> array[int]:
    """Return an Arrow array of 64-bit integers without nulls as packed timestamps."""
    return timestamps_of(column.to_numpy())


def masked_timestamps(timestamps: Timestamps, mask: pa.Array) -> array[int]:
    """Return the timestamps selected by a mask without nulls."""
    return timestamps_of(numbers_of(timestamps)[mask.to_numpy(zero_copy_only=False)])


def taken_timestamps(timestamps: Timestamps, positions: npt.NDArray[np.int64]) -> array[int]:
    """Return the timestamps at some positions."""
    return timestamps_of(numbers_of(timestamps)[positions])
