"""Faults of kernels, which are told from what kernels do not compute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa

from pystream.expressions.operation import KernelError, NotComputedError

__all__ = ["REFUSALS", "naming_faults"]

REFUSALS = (NotComputedError, pa.ArrowException)
"""The exceptions by which a kernel leaves values to the function beside it."""


@contextmanager
def naming_faults(computed: object) -> Iterator[None]:
    """Raise what a kernel raises as a `KernelError`, unless it is one of `REFUSALS`.

    Args:
        computed: what the kernel computes, for the message.
    """
    try:
        yield
    except (*REFUSALS, KernelError):
        raise
    except Exception as error:
        raise KernelError(
            f"columns cannot compute {computed}: {type(error).__name__}: {error}; this is a fault of "
            "pystream, not of the program: report it, and compute these values by a function of the program "
            "(udf) until it is mended"
        ) from error
