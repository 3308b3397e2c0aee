"""Format floating-point numbers as Java does."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import cache
from typing import Any

__all__ = ["double_text", "float_text"]


def double_text(value: float) -> str:
    """Format a 64-bit float as ``java.lang.Double.toString`` does, with the fewest digits."""
    if 1e-3 <= abs(value) < 1e7 or value == 0:
        return repr(value)  # identical to Java's in this range
    if not math.isfinite(value):
        return _not_finite(value)
    two_digits = f"{value:.1e}"
    return _scientific(repr(value), two_digits if float(two_digits) == value else None)


def float_text(value: float) -> str:
    """Format a 32-bit float as ``java.lang.Float.toString`` does, with the fewest digits.

    Args:
        value: a float that 32 bits hold exactly.
    """
    np = _numpy()
    narrow = np.float32(value)
    if 1e-3 <= abs(value) < 1e7 or value == 0:
        text: str = np.format_float_positional(narrow, trim="0")
        return text
    if not math.isfinite(value):
        return _not_finite(value)
    two_digits = f"{value:.1e}"
    return _scientific(str(narrow), two_digits if np.float32(two_digits) == narrow else None)


@cache
def _numpy() -> Any:
    """Return numpy, which programs are built without."""
    import numpy

    return numpy


def _not_finite(value: float) -> str:
    return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"


def _scientific(shortest: str, two_digits: str | None) -> str:
    """Format a number as Java does outside 1e-3..1e7.

    Args:
        shortest: the fewest digits that identify the number.
        two_digits: the nearest two digits, if they identify it too: they are preferred to a single digit.
    """
    number = Decimal(shortest).normalize()
    if len(number.as_tuple().digits) == 1 and two_digits is not None:
        number = Decimal(two_digits)
    digits = "".join(map(str, number.as_tuple().digits))
    sign = "-" if number.is_signed() else ""
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{number.adjusted()}"
