"""Kernels of casts of times to fewer digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Kernel, Operand
from pystream.table.functions.values import conversions

__all__ = ["CASTS"]

_TIMES = (pa.timestamp("us"), pa.timestamp("us", "UTC"))


def _truncated(step: int, times: Operand) -> Operand:
    """Return timestamps or instants cut to a multiple of microseconds, which divides a second."""
    if not isinstance(times, pa.Array) or times.type not in _TIMES:
        raise NotComputedError("not timestamps")
    numbers = times.cast(pa.int64()).fill_null(0).to_numpy()
    cut = numbers // step * step  # NumPy divides by a constant much faster than it takes a remainder
    if (cut == numbers).all():
        return times
    return pa.array(cut, mask=times.is_null().to_numpy(zero_copy_only=False)).cast(times.type)


CASTS: Mapping[Any, Kernel] = {
    conversions.truncated: _truncated,
    conversions.truncated_instant: _truncated,
}
"""The kernels, by the functions of values."""
