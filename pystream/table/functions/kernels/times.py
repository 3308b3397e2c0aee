"""Kernels of functions of times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Operand, pc
from pystream.table.functions.values import reading
from pystream.table.functions.values.formatting import Write, formatted, step_of

__all__ = ["OF_CONSTANT"]


def _written(times: Operand, writers: Sequence[Write]) -> Operand:
    """Write timestamps by a pattern, each distinct one once."""
    if not isinstance(times, pa.Array) or times.type != pa.timestamp("us"):
        raise NotComputedError("not timestamps")
    step = step_of(writers)
    numbers = times.cast(pa.int64()).fill_null(0).to_numpy()
    steps, places = np.unique(np.floor_divide(numbers, step), return_inverse=True)
    moments = pa.array(steps * step).cast(times.type).to_pylist()
    texts = pa.array([formatted(writers, moment) for moment in moments], pa.string())
    return pc.if_else(times.is_valid(), texts.take(pa.array(places)), None)


OF_CONSTANT: Mapping[Any, Callable[..., Operand]] = {
    reading.written: _written,
}
"""The kernels of functions of a value and a constant, which they get as it is."""
