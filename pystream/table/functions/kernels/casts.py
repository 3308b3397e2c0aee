"""Kernels of casts of times to fewer digits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Kernel, Operand, pc
from pystream.table.functions.values import conversions

__all__ = ["CASTS"]

_TIMES = (pa.timestamp("us"), pa.timestamp("us", "UTC"))


def _truncated(step: int, times: Operand) -> Operand:
    """Return timestamps or instants cut to a multiple of microseconds, which divides a second."""
    if not isinstance(times, pa.Array) or times.type not in _TIMES:
        raise NotComputedError("not timestamps")
    numbers = times.cast(pa.int64())
    rest = np.mod(numbers.fill_null(0).to_numpy(), step)
    return pc.subtract(numbers, pa.array(rest)).cast(times.type) if rest.any() else times


CASTS: Mapping[Any, Kernel] = {
    conversions.truncated: _truncated,
    conversions.truncated_instant: _truncated,
}
"""The kernels, by the functions of values."""
