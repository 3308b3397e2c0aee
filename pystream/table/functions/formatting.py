"""PRINTF: values in a format of Java's ``Formatter``."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial

from pystream.sql_types.data_types import DataType, DataTypes
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import BEYOND, Kind, digits_of, kind_of
from pystream.table.functions.values import printf, writing

__all__ = ["PRINTF"]

_INTEGERS = ((-1, "TINYINT"), (-1, "SMALLINT"), (-1, "INT"), (-1, "BIGINT"))
_WRONG_FORMATS = (
    *(
        "'%d', 'x'",
        "'%d'",
        "'%q', 1",
        "'%.2f', 1.5",
        "'%f', 1",
        "'%d', 1.5e0",
        "'%c', 'a'",
        "'%s%', 1",
        "'%-d', 1",
    ),
    *(
        "'%10.4d', 1",
        "'%+s', 'a'",
        "'%05s', 'a'",
        "'%-05d', 1",
        "'%+ d', 1",
        "'%3$s', 1",
        "'%s %s', 'a'",
        "NULL, 1",
    ),
)


def _java_value(data_type: DataType) -> printf.JavaValue:
    """Return how PRINTF formats the values of a type.

    Raises:
        ValueError: their text is different in each run.
    """
    kind = kind_of(data_type)
    match kind:
        case Kind.TINYINT | Kind.SMALLINT | Kind.INT | Kind.BIGINT:
            return printf.JavaValue(str, BEYOND[kind].bit_length())
        case Kind.FLOAT | Kind.DOUBLE:
            text = writing.float_text if kind == Kind.FLOAT else writing.double_text
            return printf.JavaValue(text, is_floating=True)
        case Kind.DECIMAL:
            return printf.JavaValue(
                partial(writing.decimal_text, Decimal(1).scaleb(-digits_of(data_type)[1]))
            )
        case Kind.BOOLEAN:
            return printf.JavaValue(printf.boolean_text)
        case Kind.DATE:
            return printf.JavaValue(printf.date_text)
        case Kind.TIME:
            return printf.JavaValue(printf.time_text)
        case Kind.TIMESTAMP:
            return printf.JavaValue(printf.timestamp_text)
        case Kind.TIMESTAMP_LTZ:
            return printf.JavaValue(printf.instant_text)
        case Kind.TEXT | Kind.NULL:
            return printf.JavaValue(str)
    raise ValueError(f"the text of {data_type} is different in each run; CAST it to STRING")


def _printed(arguments: Arguments) -> Callable[..., str | None]:
    return partial(printf.printed, tuple(map(_java_value, arguments.types[1:])))


PRINTF = SqlFunction(
    "PRINTF",
    "STRING|NULL [, ANY|NULL...]",
    DataTypes.STRING(),
    "Values in a format of Java's; null for one that is wrong, or not one for the values.",
    nulls=Nulls.AS_DECLARED,
    python_for=_printed,
    spark=None,
    examples=[
        "PRINTF('%d-%s', 1, 'a')",
        "PRINTF('%5d|%-5d|%05d|%+d|%,d|%(d|% d', 42, 42, 42, 42, 1234567, -42, 42)",
        "PRINTF('%x %X %o %08X %#x %#o', 255, 255, 8, 48879, 255, 8)",
        *(f"PRINTF('%x %o', CAST({one} AS {kind}), -8)" for one, kind in _INTEGERS),
        "PRINTF('%f %.2f %10.3f %-10.1f| %e %.3E', 1.5e0, 2.345e0, 3.1416e0, 2e0, 12345.678e0, 0.00012e0)",
        "PRINTF('%g %g %g %G %g %.2g', 0.5e0, 123456789e0, 1e0, 0.00001e0, 1e-4, 123.456e0)",
        "PRINTF('%05.1f|%+.1f|%(.1f|%,.2f', -2.5e0, 2.25e0, -1.25e0, 1234567.891e0)",
        "PRINTF('%.0f %.0f %.0f %.1f %.20f %.3e', 0.5e0, 1.5e0, 2.5e0, 0.25e0, 0.1e0, 9.9996e0)",
        "PRINTF('%f %e %f', CAST('NaN' AS DOUBLE), CAST('Infinity' AS DOUBLE), CAST(0.1 AS FLOAT))",
        "PRINTF('%s %10s|%-10s|%.2s|%S %.3s', 'ab', 'ab', 'ab', 'abcdef', 'ab', TRUE)",
        "PRINTF('%b %B %b %b', TRUE, FALSE, CAST(NULL AS BOOLEAN), 0)",
        "PRINTF('%c %C %c %5c|%-3c|', 65, 97, 128512, 65, 66)",
        "PRINTF('%2$s %1$s %<s %s 100%% %5%| %n', 'é', '😀')",
        "PRINTF('%s %d %10s|%S', CAST(NULL AS STRING), CAST(NULL AS INT), NULL, CAST(NULL AS STRING))",
        "PRINTF('%s %s %s %s', 1.50, 1.5e0, 1e10, CAST(1.5 AS FLOAT))",
        "PRINTF('%s %s', DATE '2024-01-02', TIME '10:11:12')",
        "PRINTF('%s %s', TIMESTAMP '2024-01-02 03:04:05.120', TO_TIMESTAMP_LTZ(0, 3))",
        *(f"PRINTF({one})" for one in _WRONG_FORMATS),
    ],
)
