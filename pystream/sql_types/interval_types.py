"""The data types of intervals, which SQL computes with and no column holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.atomic_types import AtomicType
from pystream.sql_types.data_type import made_of
from typeinfo.arguments import checks_arguments

__all__ = ["DayTimeIntervalType", "Resolution", "YearMonthIntervalType", "interval_type"]


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True)
class Resolution:
    """A unit of intervals, with a number of digits.

    Attributes:
        unit: the unit.
        precision: the digits of years, days or fractions of a second; -1 for units without any.
    """

    _example: ClassVar[str] = "DataTypes.SECOND(3)"

    class IntervalUnit(Enum):
        """The units, from short to long."""

        SECOND = 0
        MINUTE = 1
        HOUR = 2
        DAY = 3
        MONTH = 4
        YEAR = 5

    unit: IntervalUnit
    precision: int = -1

    def __str__(self) -> str:
        return f"{self.unit}({self.precision})"


class _YearMonthResolution:
    YEAR = 1
    MONTH = 2
    YEAR_TO_MONTH = 3


class _DayTimeResolution(Enum):
    DAY = 1
    DAY_TO_HOUR = 2
    DAY_TO_MINUTE = 3
    DAY_TO_SECOND = 4
    HOUR = 5
    HOUR_TO_MINUTE = 6
    HOUR_TO_SECOND = 7
    MINUTE = 8
    MINUTE_TO_SECOND = 9
    SECOND = 10


_YEAR_MONTH_NAMES = {1: "YEAR", 2: "MONTH", 3: "YEAR_TO_MONTH"}


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class YearMonthIntervalType(AtomicType):
    """The data type of intervals of years and months.

    Attributes:
        resolution: one of ``YearMonthResolution``.
        precision: the digits of years, from 1 to 4.

    Raises:
        ConfigurationError: the resolution is none, or the digits do not suit it.
    """

    YearMonthResolution: ClassVar[type[_YearMonthResolution]] = _YearMonthResolution
    DEFAULT_PRECISION: ClassVar[int] = 2

    resolution: int
    precision: int

    def __init__(self, resolution: int, precision: int = 2, nullable: bool = True) -> None:
        if resolution not in _YEAR_MONTH_NAMES:
            raise ConfigurationError(f"resolution must be one of YearMonthResolution, not {resolution}")
        unit = _YEAR_MONTH_NAMES[resolution]
        if not 1 <= precision <= 4 or (unit == "MONTH" and precision != self.DEFAULT_PRECISION):
            raise ConfigurationError(f"INTERVAL {unit}: precision {precision}: years have 1 to 4 digits")
        AtomicType.__init__(self, _named(unit, {"YEAR": precision}), None, nullable)
        made_of(self, resolution=resolution, precision=precision)


@checks_arguments(ArgumentTypeError, methods=False)
@dataclass(frozen=True, slots=True, init=False, repr=False)
class DayTimeIntervalType(AtomicType):
    """The data type of intervals from days to seconds.

    Attributes:
        resolution: one of ``DayTimeResolution``.
        day_precision: the digits of days, from 1 to 6; 2 where there are no days.
        fractional_precision: the digits of seconds, from 0 to 9; 6 where there are no seconds.

    Raises:
        ConfigurationError: the digits do not suit the resolution.
    """

    DayTimeResolution: ClassVar[type[_DayTimeResolution]] = _DayTimeResolution
    DEFAULT_DAY_PRECISION: ClassVar[int] = 2
    DEFAULT_FRACTIONAL_PRECISION: ClassVar[int] = 6

    resolution: _DayTimeResolution
    day_precision: int
    fractional_precision: int

    def __init__(
        self,
        resolution: _DayTimeResolution,
        day_precision: int = 2,
        fractional_precision: int = 6,
        nullable: bool = True,
    ) -> None:
        unit = resolution.name
        if not 1 <= day_precision <= 6 or ("DAY" not in unit and day_precision != self.DEFAULT_DAY_PRECISION):
            raise ConfigurationError(
                f"INTERVAL {unit}: day_precision {day_precision}: days have 1 to 6 digits"
            )
        if not 0 <= fractional_precision <= 9 or (
            "SECOND" not in unit and fractional_precision != self.DEFAULT_FRACTIONAL_PRECISION
        ):
            raise ConfigurationError(
                f"INTERVAL {unit}: fractional_precision {fractional_precision}: seconds have 0 to 9 digits"
            )
        digits = {"DAY": day_precision, "SECOND": fractional_precision}
        AtomicType.__init__(self, _named(unit, digits), None, nullable)
        made_of(
            self,
            resolution=resolution,
            day_precision=day_precision,
            fractional_precision=fractional_precision,
        )


def _named(resolution: str, digits: dict[str, int]) -> str:
    units = [f"{unit}({digits[unit]})" if unit in digits else unit for unit in resolution.split("_TO_")]
    return f"INTERVAL {' TO '.join(units)}"


def interval_type(upper: Resolution, lower: Resolution | None) -> DayTimeIntervalType | YearMonthIntervalType:
    """Return the data type of intervals from one unit to a shorter one.

    Raises:
        ConfigurationError: there are no intervals of these units.
    """
    name = upper.unit.name if lower is None else f"{upper.unit.name}_TO_{lower.unit.name}"
    digits = {one.unit.name: one.precision for one in (upper, lower) if one is not None}
    years = {name: number for number, name in _YEAR_MONTH_NAMES.items()}
    if name in years:
        return YearMonthIntervalType(years[name], digits.get("YEAR", YearMonthIntervalType.DEFAULT_PRECISION))
    if name not in _DayTimeResolution.__members__:
        raise ConfigurationError(
            f"there is no INTERVAL {name.replace('_TO_', ' TO ')}; it is of years and months, or of days, "
            "hours, minutes and seconds, the longer unit first"
        )
    return DayTimeIntervalType(
        _DayTimeResolution[name],
        digits.get("DAY", DayTimeIntervalType.DEFAULT_DAY_PRECISION),
        digits.get("SECOND", DayTimeIntervalType.DEFAULT_FRACTIONAL_PRECISION),
    )
