"""Kernels of functions of times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Kernel, Operand, pc
from pystream.table.functions.values import reading
from pystream.table.functions.values.formatting import Write, formatted, step_of

__all__ = ["OF_CONSTANT", "TIMES"]


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


def _read(
    read: Callable[..., Any], arrow: pa.DataType, texts: Operand, reader: re.Pattern[str] | None = None
) -> Operand:
    """Read the times in texts, each distinct text once."""
    if not isinstance(texts, pa.StringArray):
        raise NotComputedError("no texts")
    distinct: Any = texts.dictionary_encode()
    times = [read(text, reader) for text in distinct.dictionary.to_pylist()]
    return pa.array(times, arrow).take(distinct.indices)


TIMES: Mapping[Any, Kernel] = {
    reading.timestamp_of_text: partial(_read, reading.timestamp_of_text, pa.timestamp("us")),
    reading.date_of_text: partial(_read, reading.date_of_text, pa.date32()),
}
"""The kernels, by the functions of values."""

OF_CONSTANT: Mapping[Any, Callable[..., Operand]] = {
    reading.written: _written,
    **TIMES,
}
"""The kernels of functions of a value and a constant, which they get as it is."""
