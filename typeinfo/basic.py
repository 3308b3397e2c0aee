"""Basic types: numbers, text, booleans and UUIDs."""

from __future__ import annotations

import math
import uuid
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from enum import Enum
from struct import Struct
from types import NoneType
from typing import Self, TypeVar

from typeinfo.arguments import checks_arguments
from typeinfo.errors import UnsupportedTypeError
from typeinfo.number_text import double_text, float_text
from typeinfo.scalar import (
    ScalarTraits,
    ScalarTypeInfo,
    count_bytes,
    integer_bytes,
    long_bytes,
    register,
    text_bytes,
)

__all__ = ["TRICKY_TEXTS", "BasicType", "BasicTypeInfo", "ByteTypeInfo", "decimal_of", "edges"]

T = TypeVar("T")


class BasicType(Enum):
    """The names of basic types, as Flink writes them."""

    VOID = "Void"
    STRING = "String"
    BYTE = "Byte"
    BOOLEAN = "Boolean"
    SHORT = "Short"
    INT = "Integer"
    LONG = "Long"
    FLOAT = "Float"
    DOUBLE = "Double"
    CHAR = "Char"
    BIG_INT = "BigInteger"
    BIG_DEC = "BigDecimal"
    UUID = "UUID"
    DURATION = "Duration"


@checks_arguments(UnsupportedTypeError, methods=False)
@dataclass(frozen=True, slots=True, repr=False)
class BasicTypeInfo(ScalarTypeInfo[T]):
    """The type of an atomic value.

    The constants on ``Types`` are callable and return themselves: ``Types.INT`` and ``Types.INT()`` are one
    object. ``None`` is a value of VOID only.

    Mirrors ``org.apache.flink.api.common.typeinfo.BasicTypeInfo``.
    """

    basic_type: BasicType

    def __call__(self) -> Self:
        return self

    def admits_none(self) -> bool:
        return self.basic_type is BasicType.VOID

    def display_name(self) -> str:
        return self.basic_type.name

    def __repr__(self) -> str:
        return self.basic_type.value

    @staticmethod
    def STRING_TYPE_INFO() -> BasicTypeInfo[str]:
        """Return the type of ``str``."""
        return STRING

    @staticmethod
    def BOOLEAN_TYPE_INFO() -> BasicTypeInfo[bool]:
        """Return the type of ``bool``."""
        return BOOLEAN

    @staticmethod
    def BYTE_TYPE_INFO() -> ByteTypeInfo:
        """Return the type of 8-bit integers."""
        return BYTE

    @staticmethod
    def SHORT_TYPE_INFO() -> BasicTypeInfo[int]:
        """Return the type of 16-bit integers."""
        return SHORT

    @staticmethod
    def INT_TYPE_INFO() -> BasicTypeInfo[int]:
        """Return the type of 32-bit integers."""
        return INT

    @staticmethod
    def LONG_TYPE_INFO() -> BasicTypeInfo[int]:
        """Return the type of 64-bit integers."""
        return LONG

    @staticmethod
    def FLOAT_TYPE_INFO() -> BasicTypeInfo[float]:
        """Return the type of 32-bit floats."""
        return FLOAT

    @staticmethod
    def DOUBLE_TYPE_INFO() -> BasicTypeInfo[float]:
        """Return the type of 64-bit floats."""
        return DOUBLE

    @staticmethod
    def CHAR_TYPE_INFO() -> BasicTypeInfo[str]:
        """Return the type of strings of length one."""
        return CHAR

    @staticmethod
    def BIG_INT_TYPE_INFO() -> BasicTypeInfo[int]:
        """Return the type of integers of up to 38 digits."""
        return BIG_INT

    @staticmethod
    def BIG_DEC_TYPE_INFO() -> BasicTypeInfo[Decimal]:
        """Return the type of decimals."""
        return BIG_DEC


class ByteTypeInfo(BasicTypeInfo[int]):
    """The type of 8-bit integers; a class of its own because an array of them is ``bytes``."""

    __slots__ = ()


def edges(low: int, high: int) -> tuple[int, ...]:
    """Return the integers of a range at the limits of common widths, closest to zero first."""
    found = {low, low + 1, -2, -1, 0, 1, high - 1, high}
    for bits in (7, 8, 15, 16, 24, 31, 32, 53, 63):
        found |= {edge for edge in (2**bits - 1, 2**bits, 2**bits + 1, -(2**bits)) if low <= edge <= high}
    return tuple(sorted(found, key=lambda n: (abs(n), n < 0)))


def decimal_of(digits: int, scale: int = 18) -> Decimal:
    """Return the decimal of some digits, of which ``scale`` follow the point, as in columns of BIG_DEC."""
    return Decimal((int(digits < 0), tuple(map(int, str(abs(digits)))), -scale))


TRICKY_TEXTS = (
    *("", "\0", "a\0b", " a ", "é", "e\u0301", "\ufeff", "ß", "İ", "😀", "null", "\r\n", "0", "nan", "None"),
    *("NULL", "\\N", "N/A", "true", "1.50", "+", "&amp;", "%20", ",", ";", '"', "'", "\\", "a,b", "::"),
    *("\n", "\ta\t", "\x85", "\xa0", "\u2028", "\u200b", "\u0131", "\ufb01", "01"),
)


VOID: BasicTypeInfo[None] = register(
    "VOID",
    BasicTypeInfo(BasicType.VOID),
    ScalarTraits(
        value_class=NoneType,
        arrow=("null",),
        spark=("NullType",),
        from_arrow=("is_null",),
        from_spark=("NullType",),
        codec=("numbers", "VoidCodec"),
        key=lambda _: b"",
        text=lambda _: "null",
        samples=(None,),
        invalid=(0, "", False),
    ),
)


BOOLEAN: BasicTypeInfo[bool] = register(
    "BOOLEAN",
    BasicTypeInfo(BasicType.BOOLEAN),
    ScalarTraits(
        value_class=bool,
        arrow=("bool_",),
        spark=("BooleanType",),
        from_arrow=("is_boolean",),
        from_spark=("BooleanType",),
        codec=("numbers", "BooleanCodec"),
        key=lambda value: b"\1" if value else b"\0",
        equal_as_keys=True,
        text=lambda value: "true" if value else "false",
        samples=(False, True),
        invalid=(0, 1, 1.0, "true", b""),
    ),
)


STRING: BasicTypeInfo[str] = register(
    "STRING",
    BasicTypeInfo(BasicType.STRING),
    ScalarTraits(
        value_class=str,
        arrow=("string",),
        spark=("StringType",),
        from_arrow=("is_string", "is_large_string", "is_string_view"),
        from_spark=("StringType", "CharType", "VarcharType"),
        codec=("text", "StringCodec"),
        key=text_bytes,
        equal_as_keys=True,
        samples=(*TRICKY_TEXTS, "00", "1", "a", "A", "ss", "x" * 33, "x" * 256, "x" * 65_537),
        invalid=(1, b"bytes", ["a"], "\ud800", object()),
    ),
)
CHAR: BasicTypeInfo[str] = register(
    "CHAR",
    BasicTypeInfo(BasicType.CHAR),
    ScalarTraits(
        value_class=str,
        inferred=False,
        arrow=("string",),
        spark=("StringType",),
        codec=("text", "CharCodec"),
        key=text_bytes,
        equal_as_keys=True,
        samples=("a", *(text for text in TRICKY_TEXTS if len(text) == 1), "\uffff", "A"),
        invalid=("", "ab", 1, b"b", "\udfff"),
    ),
)

_NO_INTEGERS = (True, 1.0, 0.5, "1", b"1", Decimal(1), object())


def _integer(bits: int, spark: str, from_arrow: tuple[str, ...], *, inferred: bool = False) -> ScalarTraits:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return ScalarTraits(
        value_class=int,
        inferred=inferred,
        arrow=(f"int{bits}",),
        spark=(spark,),
        from_arrow=from_arrow,
        from_spark=(spark,),
        codec=("numbers", "IntegerCodec"),
        key=long_bytes,
        equal_as_keys=True,
        bounds=(low, high),
        samples=edges(low, high),
        invalid=(low - 1, high + 1, *_NO_INTEGERS),
    )


BYTE: ByteTypeInfo = register("BYTE", ByteTypeInfo(BasicType.BYTE), _integer(8, "ByteType", ("is_int8",)))
SHORT: BasicTypeInfo[int] = register(
    "SHORT", BasicTypeInfo(BasicType.SHORT), _integer(16, "ShortType", ("is_int16", "is_uint8"))
)
INT: BasicTypeInfo[int] = register(
    "INT", BasicTypeInfo(BasicType.INT), _integer(32, "IntegerType", ("is_int32", "is_uint16"))
)
LONG: BasicTypeInfo[int] = register(
    "LONG", BasicTypeInfo(BasicType.LONG), _integer(64, "LongType", ("is_int64", "is_uint32"), inferred=True)
)
BIG_INT: BasicTypeInfo[int] = register(
    "BIG_INT",
    BasicTypeInfo(BasicType.BIG_INT),
    ScalarTraits(
        value_class=int,
        inferred=False,
        arrow=("decimal128", 38, 0),
        spark=("DecimalType", 38, 0),
        from_arrow=("is_uint64",),
        codec=("numbers", "BigIntCodec"),
        key=integer_bytes,
        equal_as_keys=True,
        samples=edges(1 - 10**38, 10**38 - 1),
        invalid=_NO_INTEGERS,
    ),
)

_double_bytes = Struct(">d").pack
_NAN_KEY = _double_bytes(math.nan)


def _float_key(value: float) -> bytes:
    return _double_bytes(value + 0.0) if value == value else _NAN_KEY


_NO_FLOATS = (True, 2**53 + 1, 10**400, "1", b"1", Decimal(1), object())
FLOAT: BasicTypeInfo[float] = register(
    "FLOAT",
    BasicTypeInfo(BasicType.FLOAT),
    ScalarTraits(
        value_class=float,
        inferred=False,
        arrow=("float32",),
        spark=("FloatType",),
        from_arrow=("is_float16", "is_float32"),
        from_spark=("FloatType",),
        codec=("numbers", "FloatCodec"),
        key=_float_key,
        text=float_text,
        samples=(
            *(0.0, 1.0, -1.0, 0.5, -0.0, math.nan, math.inf, -math.inf, 2.0**24),
            *(0.10000000149011612, 2.0**-149, 3.4028234663852886e38),
        ),
        invalid=(1e39, -1e39, *_NO_FLOATS),
    ),
)
DOUBLE: BasicTypeInfo[float] = register(
    "DOUBLE",
    BasicTypeInfo(BasicType.DOUBLE),
    ScalarTraits(
        value_class=float,
        arrow=("float64",),
        spark=("DoubleType",),
        from_arrow=("is_float64",),
        from_spark=("DoubleType",),
        codec=("numbers", "DoubleCodec"),
        key=_float_key,
        text=double_text,
        samples=(
            *(0.0, 1.0, -1.0, 0.1, -0.0, math.nan, math.inf, -math.inf, 1 / 3, 2.0**24 + 1, 2.0**53),
            *(1e16, 1e22, 5e-324, 1.7976931348623157e308),
        ),
        invalid=_NO_FLOATS,
    ),
)

_UNBOUNDED = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
_NOT_A_LENGTH = count_bytes(2**32 - 1)


def _decimal_key(value: Decimal) -> bytes:
    """Encode a number of usual size as a multiple of 1E-18, any other by its digits and exponent."""
    if not value:
        return integer_bytes(0)
    shortest = _UNBOUNDED.normalize(value)
    exponent = int(shortest.as_tuple().exponent)
    number = int(_UNBOUNDED.scaleb(shortest, -exponent))
    if exponent >= -18 and shortest.adjusted() < 60:
        return integer_bytes(number * 10 ** (exponent + 18))
    return _NOT_A_LENGTH + long_bytes(exponent) + integer_bytes(number)


BIG_DEC: BasicTypeInfo[Decimal] = register(
    "BIG_DEC",
    BasicTypeInfo(BasicType.BIG_DEC),
    ScalarTraits(
        value_class=Decimal,
        arrow=("decimal128", 38, 18),
        spark=("DecimalType", 38, 18),
        codec=("numbers", "BigDecCodec"),
        key=_decimal_key,
        text=lambda value: str(value or abs(value)),  # Java's BigDecimal has no -0
        samples=tuple(
            decimal_of(digits)
            for digits in (0, 1, -1, 10**18, -(10**18), 15 * 10**17, 10**19, 10**36, 10**38 - 1, 1 - 10**38)
        ),
        invalid=(1, 1.0, "1", Decimal("NaN"), Decimal("-Infinity")),
    ),
)


UUID: BasicTypeInfo[uuid.UUID] = register(
    "UUID",
    BasicTypeInfo(BasicType.UUID),
    ScalarTraits(
        value_class=uuid.UUID,
        arrow=("string",),
        spark=("StringType",),
        codec=("text", "UuidCodec"),
        key=lambda value: value.bytes,
        equal_as_keys=True,
        parse=uuid.UUID,
        samples=tuple(uuid.UUID(int=number) for number in (0, 1, 2**63, 2**127, 2**128 - 1)),
        invalid=(str(uuid.UUID(int=1)), 1, bytes(16)),
    ),
)
