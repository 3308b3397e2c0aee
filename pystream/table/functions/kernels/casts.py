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


def _truncated(step: int, times: Operand) -> Operand:
    """Return timestamps cut to a multiple of microseconds, which divides a second."""
    if not isinstance(times, pa.Array) or times.type != pa.timestamp("us"):
        raise NotComputedError("not timestamps")
    numbers = times.cast(pa.int64()).fill_null(0).to_numpy()
    rest = pa.array(np.mod(numbers, step))
    return pc.subtract(times.cast(pa.int64()), rest).cast(times.type)


CASTS: Mapping[Any, Kernel] = {
    conversions.truncated: _truncated,
}
"""The kernels, by the functions of values."""
