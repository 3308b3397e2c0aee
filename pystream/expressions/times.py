"""Operations on dates and times."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING, Any

from pystream.expressions.operation import ANY, LONGS, Kernel, Operation, TypeSet
from typeinfo.temporal import SQL_DATE

if TYPE_CHECKING:
    from pystream.expressions.expression import Expression

__all__ = ["Times"]


def _part(value: Any, name: str) -> int:
    return int(value.weekday() if name == "weekday" else getattr(value, name))


_IN_SPARK = {"day": "dayofmonth"}
_IN_ARROW = {"weekday": "day_of_week"}


def _kernel_of_part(pc: Any, e: Expression, value: Any) -> Any:
    (name,) = e.data
    if name == "microsecond":  # Arrow's are those of the millisecond
        return pc.add(pc.multiply(pc.millisecond(value), 1000), pc.microsecond(value))
    return getattr(pc, _IN_ARROW.get(str(name), str(name)))(value)


def _part_in_spark(sql: Any, e: Expression, value: Any) -> Any:
    (name,) = e.data
    if name == "microsecond":
        seconds = sql.date_part(sql.lit("SECOND"), value)
        return (seconds * sql.lit(1_000_000)).cast("bigint") % sql.lit(1_000_000).cast("bigint")
    return getattr(sql, _IN_SPARK.get(str(name), str(name)))(value).cast("bigint")


class Times:
    """Operations on dates and times."""

    # Data: year, month, day, weekday, hour, minute, second or microsecond.
    PART = Operation((ANY,), LONGS, _part, Kernel(_kernel_of_part), _part_in_spark)
    TO_DATE = Operation(
        (ANY,),
        TypeSet((SQL_DATE,)),
        datetime.datetime.date,
        Kernel(lambda pc, e, value: pc.cast(value, "date32", safe=False)),
        lambda sql, e, value: value.cast("date"),
    )
