"""The heap that the Java process of a local session gets, unless somebody chose one."""

from __future__ import annotations

import re
from typing import Final

from pystream import machine

__all__ = ["LEAST_HEAP", "default_heap", "is_heap"]

LEAST_HEAP: Final = "450m"
"""The smallest heap that Spark starts with."""

_GIB = 1 << 30
_SHARE = 4
_LEAST, _MOST = 1 * _GIB, 8 * _GIB
_SIZE = re.compile(r"(?P<number>\d+)(?P<unit>[kmgt]?)", re.IGNORECASE)
_BYTES = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def default_heap() -> str:
    """Return a quarter of the memory of this machine or container, at least 1 and at most 8 GiB.

    Returns:
        A size as ``spark.driver.memory`` takes it.
    """
    return f"{max(_LEAST, min(_MOST, machine.memory() // _SHARE)) >> 20}m"


def is_heap(size: str) -> bool:
    """Tell whether Java can start Spark with a heap of a size."""
    return _bytes(size) >= _bytes(LEAST_HEAP)


def _bytes(size: str) -> int:
    """Return a size that Java takes in bytes; 0 for any other text."""
    parts = _SIZE.fullmatch(size)
    return 0 if parts is None else int(parts["number"]) * _BYTES[parts["unit"].lower()]
