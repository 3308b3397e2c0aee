"""Kernels of casts from decimals and to decimals."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.decimals import (
    as_digits,
    decimal_of_integer,
    exact,
    of_decimals,
    to_scale,
)
from pystream.table.functions.kernels.numbers import NUMBERS, as_float, in_range
from pystream.table.functions.kernels.operands import Kernel, Operand, of_doubles, pc, require
from pystream.table.functions.values import conversions, parsing, writing
from pystream.table.functions.values.decimals import Digits
from typeinfo.serde.decimal_arrays import cast_decimals

__all__ = ["DECIMAL_CASTS"]

_MOST = 38
_DIGITS_OF_DOUBLES = 17
_PLAIN = 6
"""The number of digits after the point up to which Arrow writes no exponents."""
_WRITTEN = r"\A *[+-]?(\d{1,38}\.?\d{0,38}|\.\d{1,38}) *\z"
"""Numbers that are decimals of the type below, as Arrow does not see that one has too many digits for it."""
_OF_TEXT = pa.decimal256(76, 38)


def _as_integer(beyond: int, number: Operand) -> Operand:
    of_decimals(number)
    return in_range(beyond, to_scale(number, 0, "towards_zero").cast(pa.int64()))


def _as_float(number: Operand) -> Operand:
    of_decimals(number)
    return as_float(NUMBERS[float](number))


def _of_double(digits: Digits, number: Operand) -> Operand:
    """Return floats as decimals by way of their shortest text."""
    of_doubles(number)
    require(pc.less(pc.abs(number), float(digits.beyond)), "out of range")  # false for NaN
    scale = -digits.step.adjusted()
    kept = pc.if_else(pc.less(pc.abs(number), 10.0 ** -(scale + 1)), 0.0, number)
    written = kept.cast(pa.string()).cast(pa.decimal256(76, scale + 1 + _DIGITS_OF_DOUBLES))
    return as_digits(written, digits)


def _of_boolean(digits: Digits, value: Operand) -> Operand:
    return as_digits(decimal_of_integer(value.cast(pa.int64())), digits)


def _of_text(digits: Digits, text: Operand) -> Operand:
    if text.type != pa.string():
        raise NotComputedError("not text")
    require(pc.match_substring_regex(text, _WRITTEN), "no numbers")
    return as_digits(pc.utf8_trim(text, " ").cast(_OF_TEXT), digits)


def _written(step: Decimal, number: Operand) -> Operand:
    scale = -step.adjusted()
    given = exact(number)
    of_decimals(given)
    found = cast_decimals(to_scale(given, scale), pa.decimal128(_MOST, scale))
    if scale <= _PLAIN:
        return found.cast(pa.string())
    if isinstance(found, pa.Scalar):
        raise NotComputedError("a constant")
    whole = pa.Array.from_buffers(
        pa.decimal128(_MOST, 0), len(found), found.buffers(), found.null_count, found.offset
    )
    digits = pc.utf8_lpad(pc.abs(whole).cast(pa.string()), scale + 1, "0")
    sign = pc.if_else(pc.equal(pc.sign(whole), -1), "-", "")
    before, after = pc.utf8_slice_codeunits(digits, 0, -scale), pc.utf8_slice_codeunits(digits, -scale)
    return pc.binary_join_element_wise(sign, before, ".", after, "")


DECIMAL_CASTS: Mapping[Any, Kernel] = {
    conversions.boolean_as_decimal: _of_boolean,
    conversions.decimal_as_float: _as_float,
    conversions.decimal_as_integer: _as_integer,
    conversions.double_as_decimal: _of_double,
    parsing.decimal_of: _of_text,
    writing.decimal_text: _written,
}
"""The kernels, by the functions of values; those of parameters get them first, as these do."""
