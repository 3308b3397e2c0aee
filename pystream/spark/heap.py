"""The heap that the Java process of a local session gets, unless somebody chose one."""

from __future__ import annotations

from pystream import machine

__all__ = ["default_heap"]

_GIB = 1 << 30
_SHARE = 4
_LEAST, _MOST = 1 * _GIB, 8 * _GIB


def default_heap() -> str:
    """Return a quarter of the memory of this machine or container, at least 1 and at most 8 GiB.

    Returns:
        A size as ``spark.driver.memory`` takes it.
    """
    return f"{max(_LEAST, min(_MOST, machine.memory() // _SHARE)) >> 20}m"
