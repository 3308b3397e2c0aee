"""Codecs of numbers, booleans and ``None``."""

from __future__ import annotations

import math
import numbers
import struct
from decimal import ROUND_HALF_UP, Context, Decimal, Inexact, InvalidOperation
from itertools import filterfalse
from types import NoneType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pyarrow as pa

from typeinfo.basic import decimal_of
from typeinfo.errors import TypeCheckError, misfit, short_repr
from typeinfo.info import TypeInformation
from typeinfo.serde.codec import Column, Dtype, ScalarCodec, ValidBy, distinct, packed, per_element
from typeinfo.serde.decimal_arrays import round_decimals

if TYPE_CHECKING:
    from typeinfo.decimals import BigDecimalTypeInfo
    from typeinfo.scalar import ScalarTypeInfo

__all__ = [
    "BigDecCodec",
    "BigIntCodec",
    "BooleanCodec",
    "DecimalCodec",
    "DoubleCodec",
    "FloatCodec",
    "IntegerCodec",
    "RoundedDecimalCodec",
    "VoidCodec",
]


class VoidCodec(ScalarCodec):
    """Codec of ``None``."""

    exact = NoneType
    valid_by = ValidBy.LAYOUT

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_null(dt)

    def fix(self, value: Any) -> Any:
        raise misfit(value, self.type, "only None fits; declare the type the values have")

    def encode(self, column: Column) -> pa.Array:
        return pa.nulls(len(column))

    def decode(self, array: pa.Array) -> list[Any]:
        if array.type != self.arrow:
            array = self.adopt(array)
        return [None] * len(array)


class BooleanCodec(ScalarCodec):
    """Codec of ``bool``; 0 and 1 are not booleans."""

    exact = bool
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True
    dtype = Dtype.NUMBER

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_boolean(dt)

    def fix(self, value: Any) -> Any:
        if isinstance(value, (bool, np.bool_)):
            return bool(value)
        raise misfit(value, self.type, "convert it with bool(…)")


_WIDER = {8: "SHORT", 16: "INT", 32: "LONG", 64: "BIG_INT"}
_TYPECODES = {8: "b", 16: "h", 32: "i", 64: "q"}


def _integer(value: Any, t: TypeInformation[Any]) -> int:
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int.__int__(value) if isinstance(value, int) else int(value)
    if isinstance(value, (bool, np.bool_)):
        raise misfit(value, t, "declare Types.BOOLEAN(), or convert it with int(…)")
    raise misfit(
        value, t, "convert it with int(…)" if isinstance(value, (numbers.Real, Decimal, str)) else ""
    )


def _fixed_width(dt: pa.DataType, values: bytes, count: int) -> pa.Array:
    return pa.Array.from_buffers(dt, count, [None, pa.py_buffer(values)], 0)


class IntegerCodec(ScalarCodec):
    """Codec of integers of 8, 16, 32 or 64 bits; out of range is an error, never a wrap."""

    exact = int
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True
    dtype = Dtype.NUMBER

    def __init__(self, t: ScalarTypeInfo[int], *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self._low, self._high = t.traits.bounds or (0, 0)
        self._bits: int = self.arrow.bit_width
        self._typecode = _TYPECODES[self._bits]

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_integer(dt)

    def fits(self, column: Column) -> bool:
        try:
            packed(self._typecode, column)
        except struct.error:
            return False
        return True

    def fix(self, value: Any) -> Any:
        number = _integer(value, self.type)
        if self._low <= number <= self._high:
            return number
        wider, more = _WIDER[self._bits], " or wider" if self._bits < 64 else ""
        raise TypeCheckError(
            f"{short_repr(number)} does not fit {self.type.display_name()} ({self._low}..{self._high});"
            f" use Types.{wider}(){more}"
        )

    def conform_and_encode(self, column: Column) -> pa.Array:
        if distinct(type, column) == {int}:
            try:
                return self.write(column)
            except struct.error:
                pass  # conform, below, reports the value
        return super().conform_and_encode(column)

    def write(self, column: Column) -> pa.Array:
        return _fixed_width(self.arrow, packed(self._typecode, column), len(column))

    def read(self, array: pa.Array) -> list[Any]:
        values: list[Any] = array.to_numpy().tolist()
        return values


class BigIntCodec(ScalarCodec):
    """Codec of integers of any size; a column holds 38 digits."""

    exact = int
    direct = False
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return types == {int} and max(map(abs, column)) < _BEYOND_COLUMN

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_integer(dt) or (pa.types.is_decimal(dt) and dt.scale <= 0)

    def fix(self, value: Any) -> Any:
        return _integer(value, self.type)

    def write(self, column: Column) -> pa.Array:
        try:
            return pa.array(map(Decimal, column), self.arrow)
        except pa.ArrowInvalid:
            return pa.array(per_element(_column_integer, column), self.arrow)

    def read(self, array: pa.Array) -> list[Any]:
        return list(map(int, array.to_pylist()))


_BEYOND_COLUMN = 10**38


def _column_integer(number: int) -> Decimal:
    if abs(number) < _BEYOND_COLUMN:
        return Decimal(number)
    digits = len(str(abs(number))) if number.bit_length() < 10_000 else "thousands of"
    raise TypeCheckError(
        f"an integer of {digits} digits does not fit a column of BIG_INT, decimal(38, 0); use Types.STRING()"
    )


def _float(value: Any, t: TypeInformation[Any]) -> float:
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, np.floating):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        convertible = isinstance(value, (numbers.Real, Decimal, str, np.bool_))
        raise misfit(value, t, "convert it with float(…)" if convertible else "")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if number != value:
        raise TypeCheckError(
            f"the integer {short_repr(value)} is not exactly representable as a double; convert it with"
            " float(…) to accept rounding, or use Types.BIG_INT()"
        )
    return number


class DoubleCodec(ScalarCodec):
    """Codec of 64-bit floats; an integer becomes a float if that is exact."""

    exact = float
    valid_by = ValidBy.LAYOUT
    dtype = Dtype.NUMBER

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_floating(dt)

    def fix(self, value: Any) -> Any:
        return _float(value, self.type)

    def write(self, column: Column) -> pa.Array:
        return _fixed_width(self.arrow, packed("d", column), len(column))

    def read(self, array: pa.Array) -> list[Any]:
        values: list[Any] = array.to_numpy().tolist()
        return values


class FloatCodec(DoubleCodec):
    """Codec of floats rounded to 32 bits."""

    def check(self, column: Column, types: set[type]) -> Column:
        column = super().check(column, types)
        doubles = np.frombuffer(packed("d", column))
        with np.errstate(over="ignore"):
            floats = doubles.astype(np.float32)
        if np.isinf(floats).any() and not np.array_equal(np.isinf(floats), np.isinf(doubles)):
            index = int((np.isinf(floats) & ~np.isinf(doubles)).argmax())
            raise TypeCheckError(
                f"{column[index]!r} does not fit FLOAT (up to ±3.4028235e+38); use Types.DOUBLE()", "", index
            )
        rounded = floats.astype(np.float64)
        same = bool(((rounded == doubles) | np.isnan(doubles)).all())
        return column if same else rounded.tolist()

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        if types != {float}:
            return False
        doubles = np.frombuffer(packed("d", column))
        with np.errstate(over="ignore"):
            rounded = doubles.astype(np.float32).astype(np.float64)
        return bool(((rounded == doubles) | np.isnan(doubles)).all())

    def write(self, column: Column) -> pa.Array:
        return _fixed_width(self.arrow, packed("f", column), len(column))

    def recast(self, array: pa.Array) -> pa.Array:
        rounded = super().recast(array)
        doubles = array.to_numpy(zero_copy_only=False)
        beyond = np.isinf(rounded.to_numpy(zero_copy_only=False)) & ~np.isinf(doubles)
        if beyond.any():
            index = int(beyond.argmax())
            raise TypeCheckError(f"{doubles[index]} is beyond FLOAT; use Types.DOUBLE()", "", index)
        return rounded


_QUANTUM = Decimal("1E-18")
_COLUMN = Context(prec=38, traps=[InvalidOperation, Inexact])
_ROUNDED = Context(prec=38, rounding=ROUND_HALF_UP, traps=[InvalidOperation])


class _ExactCodec(ScalarCodec):
    """Base class of the codecs of decimals."""

    exact = Decimal
    plain = False
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True

    def fix(self, value: Any) -> Any:
        if not isinstance(value, Decimal):
            convertible = isinstance(value, (numbers.Real, str)) and not isinstance(value, bool)
            raise misfit(value, self.type, "convert it with Decimal(…)" if convertible else "")
        if not value.is_finite():
            raise TypeCheckError(f"{self.type.display_name()} does not hold {value}; use Types.DOUBLE()")
        return value if type(value) is Decimal else Decimal(value)

    def write_plain(self, column: Column) -> Column:
        return list(map(str, column))

    def read_plain(self, column: Column) -> Column:
        return list(map(Decimal, column))


class BigDecCodec(_ExactCodec):
    """Codec of decimals, whose digits are kept; a column holds 20 before and 18 after the point."""

    can_keep = False  # a column gives all values the same number of digits

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return False

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_decimal(dt) and dt.scale <= 18

    def recast(self, array: pa.Array) -> pa.Array:
        return array  # whose values have as many digits as its type

    def fits(self, column: Column) -> bool:
        return all(map(Decimal.is_finite, column))

    def write(self, column: Column) -> pa.Array:
        try:
            return pa.array(column, self.arrow)
        except pa.ArrowInvalid:
            return pa.array(per_element(_column_decimal, column), self.arrow)

    def write_with_nulls(self, column: Column) -> pa.Array:
        return self.write(column)


class DecimalCodec(_ExactCodec):
    """Codec of decimals of a fixed number of digits."""

    context: ClassVar[Context] = _COLUMN

    def __init__(self, t: BigDecimalTypeInfo, *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self._scale = t.scale
        self._step = decimal_of(1, t.scale)
        self._beyond = Decimal(1).scaleb(t.precision - t.scale)

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_decimal(dt)

    def fits(self, column: Column) -> bool:
        return (
            all(map(self._step.same_quantum, column))
            and max(map(Decimal.copy_abs, column)) < self._beyond
            and not any(map(Decimal.is_signed, filterfalse(None, column)))  # there is no -0
        )

    def fix(self, value: Any) -> Any:
        number = super().fix(value)
        try:
            fixed = number.quantize(self._step, context=self.context)
        except Inexact:
            quantize = f".quantize(Decimal('{self._step}'))"
            fault = f"it has more digits after the point; quantize it first: {quantize}"
        except InvalidOperation:
            fault = "it has more digits before the point"
        else:
            if fixed.copy_abs() < self._beyond:
                return fixed or fixed.copy_abs()
            fault = "it has more digits before the point"
        raise TypeCheckError(f"{short_repr(value)} does not fit {self.type.display_name()}: {fault}")


class RoundedDecimalCodec(DecimalCodec):
    """Codec of decimals that are rounded to a fixed number of digits, halves away from zero."""

    context = _ROUNDED

    def recast(self, array: pa.Array) -> pa.Array:
        given: Any = array.type
        if given.scale > self._scale:
            array = round_decimals(array, self._scale, "half_towards_infinity")
        return super().recast(array)

    def write(self, column: Column) -> pa.Array:
        try:
            return pa.array(column, self.arrow)
        except pa.ArrowInvalid:
            return pa.array(self.conform(column), self.arrow)

    def write_with_nulls(self, column: Column) -> pa.Array:
        return self.write(column)


def _column_decimal(value: Decimal | None) -> Decimal | None:
    """Return a number with the digits of a column, never rounded."""
    if value is None:
        return None
    try:
        return value.quantize(_QUANTUM, context=_COLUMN)
    except Inexact:
        fault = "it has more than 18 digits after the point; quantize it first: .quantize(Decimal('1E-18'))"
    except InvalidOperation:
        fault = "it has more than 20 integer digits; use Types.STRING()"
    raise TypeCheckError(f"{short_repr(value)} does not fit a column of BIG_DEC, decimal(38, 18): {fault}")
