"""Basic types: numbers, text, booleans, and the scalar types Python has beyond Flink."""

from __future__ import annotations

import datetime
import decimal
import uuid
from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeVar

from typeinfo.info import TypeInformation

__all__ = ["INTEGER_BOUNDS", "BasicType", "BasicTypeInfo", "ByteTypeInfo"]

T = TypeVar("T")


class BasicType(Enum):
    """Name a basic type; the value is how Flink writes it."""

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


INTEGER_BOUNDS = {
    BasicType.BYTE: (-(2**7), 2**7 - 1),
    BasicType.SHORT: (-(2**15), 2**15 - 1),
    BasicType.INT: (-(2**31), 2**31 - 1),
    BasicType.LONG: (-(2**63), 2**63 - 1),
}


@dataclass(frozen=True, slots=True, repr=False)
class BasicTypeInfo(TypeInformation[T, T]):
    """The type of an atomic value.

    The constants on ``Types`` are callable and return themselves: ``Types.INT`` and ``Types.INT()`` are one
    object. ``None`` is a value of VOID alone.

    Mirrors ``org.apache.flink.api.common.typeinfo.BasicTypeInfo``.
    """

    basic_type: BasicType

    def __call__(self) -> Self:
        return self

    def admits_none(self) -> bool:
        return self.basic_type is BasicType.VOID

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
    def BIG_DEC_TYPE_INFO() -> BasicTypeInfo[decimal.Decimal]:
        """Return the type of decimals."""
        return BIG_DEC


class ByteTypeInfo(BasicTypeInfo[int]):
    """The type of 8-bit integers; a class of its own because an array of them is ``bytes``."""

    __slots__ = ()


VOID: BasicTypeInfo[None] = BasicTypeInfo(BasicType.VOID)
STRING: BasicTypeInfo[str] = BasicTypeInfo(BasicType.STRING)
BYTE: ByteTypeInfo = ByteTypeInfo(BasicType.BYTE)
BOOLEAN: BasicTypeInfo[bool] = BasicTypeInfo(BasicType.BOOLEAN)
SHORT: BasicTypeInfo[int] = BasicTypeInfo(BasicType.SHORT)
INT: BasicTypeInfo[int] = BasicTypeInfo(BasicType.INT)
LONG: BasicTypeInfo[int] = BasicTypeInfo(BasicType.LONG)
FLOAT: BasicTypeInfo[float] = BasicTypeInfo(BasicType.FLOAT)
DOUBLE: BasicTypeInfo[float] = BasicTypeInfo(BasicType.DOUBLE)
CHAR: BasicTypeInfo[str] = BasicTypeInfo(BasicType.CHAR)
BIG_INT: BasicTypeInfo[int] = BasicTypeInfo(BasicType.BIG_INT)
BIG_DEC: BasicTypeInfo[decimal.Decimal] = BasicTypeInfo(BasicType.BIG_DEC)
UUID: BasicTypeInfo[uuid.UUID] = BasicTypeInfo(BasicType.UUID)
DURATION: BasicTypeInfo[datetime.timedelta] = BasicTypeInfo(BasicType.DURATION)
