"""Decimals in Arrow, which does not see that one has too many digits when it adds some after the point."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

__all__ = ["cast_decimals"]


def cast_decimals(decimals: Any, target: pa.DataType) -> Any:
    """Return an array or a scalar of decimals in another type of decimals of at most 38 digits.

    Raises:
        ArrowInvalid: one has more digits before or after the point.
    """
    wanted: Any = target
    given = decimals.type
    added = wanted.scale - given.scale
    if added > 0 and given.precision + added > wanted.precision:
        # Digits that are too many are seen in the own scale; what fits it can be given zeros in 256 bits.
        decimals = decimals.cast(pa.decimal256(max(wanted.precision - added, 1), given.scale))
    return decimals.cast(target)
