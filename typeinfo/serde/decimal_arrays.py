"""Decimals in Arrow, where it computes others than it should.

It does not see that a decimal has too many digits when it adds some after the point, and it divides decimals
of 256 bits wrongly by some numbers of more than 32 bits.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

__all__ = ["DIGITS_OF_DIVISORS", "cast_decimals", "decimal_type", "round_decimals"]

DIGITS_OF_DIVISORS = 9
"""The most digits of numbers that certainly have 32 bits, by which Arrow divides rightly."""
_DIGITS_OF_128_BITS = 38
_DIGITS_OF_256_BITS = 76


def decimal_type(digits: int, scale: int) -> pa.DataType:
    """Return the narrowest type of decimals of some digits, at least one, and a scale."""
    return (pa.decimal128 if digits <= _DIGITS_OF_128_BITS else pa.decimal256)(max(digits, 1), scale)


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


def round_decimals(decimals: Any, scale: int, mode: str) -> Any:
    """Return an array or a scalar of decimals rounded to fewer digits after the point.

    The result has the digits before the point, and one more that may be carried.

    Args:
        decimals: the decimals.
        scale: the number of digits; if negative, that of zeros before the point, which are at most
            `DIGITS_OF_DIVISORS` for decimals of more than 37 digits.
        mode: how Arrow rounds.

    Raises:
        ArrowInvalid: one has 76 digits, and another is carried.
    """
    digits = min(decimals.type.precision + 1, _DIGITS_OF_256_BITS)
    before = digits - decimals.type.scale
    rounded = decimals.cast(decimal_type(digits, decimals.type.scale))
    if digits > _DIGITS_OF_128_BITS:
        # Whether a half is reached shows in the first digit that is dropped; the others are cut before.
        cut = "towards_zero" if mode.startswith("half") else mode
        while rounded.type.scale > 0 and (dropped := rounded.type.scale - scale) > DIGITS_OF_DIVISORS:
            kept = max(rounded.type.scale - min(dropped - 1, DIGITS_OF_DIVISORS), 0)
            rounded = _rounded(rounded, before, kept, cut)
    return _rounded(rounded, before, scale, mode)


def _rounded(decimals: Any, before: int, scale: int, mode: str) -> Any:
    import pyarrow.compute as pc  # slow to import

    kept = max(scale, 0)
    return pc.round(decimals, scale, mode).cast(decimal_type(before + kept, kept))
