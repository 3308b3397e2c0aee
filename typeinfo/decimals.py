"""BigDecimalTypeInfo: decimals of a fixed number of digits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, TypeGuard

from typeinfo.basic import BIG_DEC, decimal_of
from typeinfo.errors import UnsupportedTypeError
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTraits, ScalarTypeInfo

__all__ = ["BigDecimalTypeInfo", "RoundedDecimalTypeInfo", "is_decimal"]

_MAX_PRECISION = 38


@dataclass(frozen=True, slots=True, repr=False)
class BigDecimalTypeInfo(ScalarTypeInfo[Decimal]):
    """The type of decimals of a fixed number of digits, as columns of tables have; BIG_DEC keeps any digits.

    A value with fewer digits after the point gets zeros; one that would have to be rounded is rejected.

    Mirrors ``org.apache.flink.table.runtime.typeutils.BigDecimalTypeInfo``.

    Args:
        precision: the number of digits, from 1 to 38.
        scale: how many of them follow the decimal point.

    Raises:
        UnsupportedTypeError: precision or scale is out of range.
    """

    precision: int
    scale: int

    def __post_init__(self) -> None:
        if not (1 <= self.precision <= _MAX_PRECISION and 0 <= self.scale <= self.precision):
            raise UnsupportedTypeError(
                f"{self.display_name()}: the precision must be from 1 to {_MAX_PRECISION} and the scale from "
                "0 to the precision"
            )

    @property
    def traits(self) -> ScalarTraits:
        return _traits(self.precision, self.scale)

    def display_name(self) -> str:
        return f"DECIMAL({self.precision}, {self.scale})"

    def __repr__(self) -> str:
        return f"Decimal({self.precision},{self.scale})"


@dataclass(frozen=True, slots=True, repr=False)
class RoundedDecimalTypeInfo(BigDecimalTypeInfo):
    """The type of decimals that get a fixed number of digits; halves are rounded away from zero."""

    @property
    def traits(self) -> ScalarTraits:
        return _rounding_traits(self.precision, self.scale)


@cache
def _rounding_traits(precision: int, scale: int) -> ScalarTraits:
    traits = _traits(precision, scale)
    return replace(traits, codec=("numbers", "RoundedDecimalCodec"), invalid=traits.invalid[:-1])


@cache
def _traits(precision: int, scale: int) -> ScalarTraits:
    beyond = 10**precision
    numbers = sorted(
        {0, 1, -1, 10**scale, -(10**scale), beyond - 1, 1 - beyond}, key=lambda n: (abs(n), n < 0)
    )
    return ScalarTraits(
        value_class=Decimal,
        arrow=("decimal128", precision, scale),
        spark=("DecimalType", precision, scale),
        codec=("numbers", "DecimalCodec"),
        key=BIG_DEC.traits.key,
        samples=tuple(decimal_of(number, scale) for number in numbers if abs(number) < beyond),
        invalid=(*BIG_DEC.traits.invalid, decimal_of(beyond, scale), decimal_of(1, scale + 1)),
    )


def is_decimal(t: TypeInformation[Any]) -> TypeGuard[ScalarTypeInfo[Decimal]]:
    """Return whether the values of a type are decimals, of a fixed number of digits or of any."""
    return t == BIG_DEC or isinstance(t, BigDecimalTypeInfo)
