"""Functions that choose among values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pystream.sql_types.data_types import DataType
from pystream.table.functions.common_types import common_argument_type, common_type, compared_types
from pystream.table.functions.conversion import conversion
from pystream.table.functions.declaration import Arguments, Nulls, SqlFunction
from pystream.table.functions.kinds import FLOATING, Kind, kind_of
from pystream.table.functions.values import choices as values
from pystream.table.functions.values.conversions import same
from pystream.table.functions.values.mathematics import greatest_float, least_float

__all__ = ["CONDITIONS"]

_UNORDERED = (Kind.ARRAY, Kind.MAP, Kind.ROW)


def _common(arguments: Arguments) -> DataType:
    data_type = common_argument_type(arguments.types)
    assert data_type is not None
    return data_type


def _type_of_first_not_null(arguments: Arguments) -> DataType:
    data_type = _common(arguments)
    return data_type if all(one.is_nullable for one in arguments.types) else data_type.not_null()


def _type_of_branches(arguments: Arguments) -> DataType:
    data_type = common_type(arguments.types[1:])
    assert data_type is not None
    return data_type if any(one.is_nullable for one in arguments.types) else data_type.not_null()


def _extreme(of_floats: Any, of_others: Any, arguments: Arguments) -> Callable[..., Any]:
    data_type = _common(arguments)
    if kind_of(data_type) in _UNORDERED:
        raise ValueError(f"{data_type} has no order here")
    kinds = {kind_of(one) for one in arguments.types}
    if Kind.TIMESTAMP in kinds and kind_of(data_type) in (Kind.DATE, Kind.TIME):
        raise ValueError(f"a TIMESTAMP is not compared with a {data_type}; CAST one of them")
    if len(arguments.types) == 1:
        return same
    return of_floats if kind_of(data_type) in FLOATING else of_others  # type: ignore[no-any-return]


def _extreme_in_spark(name: str, arguments: Arguments) -> str:
    places = range(len(arguments.types))
    if len(places) == 1:
        return "{0}"
    return f"IF({' OR '.join(f'{{{n}}} IS NULL' for n in places)}, NULL, {name}({{0:}}))"


def _null_if(arguments: Arguments) -> Callable[..., Any]:
    one, other = (data_type.nullable() for data_type in arguments.types)
    targets = compared_types(one, other)
    if targets is None:
        raise ValueError(f"values of types {one} and {other} are not compared")
    convert = conversion(one, targets[0].nullable(), arguments.zone)
    convert_other = conversion(other, targets[1].nullable(), arguments.zone)
    assert convert is not None
    assert convert_other is not None
    return partial(values.null_if, convert, convert_other)


CONDITIONS: Sequence[SqlFunction] = [
    SqlFunction(
        "COALESCE",
        "T|NULL [, T|NULL...]",
        _type_of_first_not_null,
        "The first value that is not null; those after it are not evaluated.",
        values.first_not_null,
        Nulls.LAZILY,
        examples=[
            "COALESCE(CAST(NULL AS INT), 2)",
            "COALESCE(NULL, 1, 2.5)",
            "COALESCE(CAST(NULL AS STRING), CAST(NULL AS STRING))",
        ],
    ),
    SqlFunction(
        "GREATEST",
        "T|NULL [, T|NULL...]",
        _common,
        "The greatest value.",
        python_for=partial(_extreme, greatest_float, max),
        spark=partial(_extreme_in_spark, "GREATEST"),
        examples=[
            "GREATEST(1, 3, 2)",
            "GREATEST(1, 2.5)",
            "GREATEST('b', 'a')",
            "GREATEST(1)",
            "GREATEST(1, CAST(NULL AS INT))",
        ],
    ),
    SqlFunction(
        "IF",
        "BOOLEAN, BRANCH, BRANCH",
        _type_of_branches,
        "The second argument if the condition is true, the third one if it is false or null.",
        values.branch,
        Nulls.LAZILY,
        examples=["IF(TRUE, 1, 2)", "IF(1 > 2, 1, 2.5)", "IF(CAST(NULL AS BOOLEAN), 'a', 'b')"],
    ),
    SqlFunction(
        "IFNULL",
        "T|NULL, T|NULL",
        _type_of_first_not_null,
        "The first value, or the second one if it is null.",
        values.first_not_null,
        Nulls.LAZILY,
        spark=["COALESCE({0}, {1})"],
        examples=["IFNULL(CAST(NULL AS INT), 2)", "IFNULL(1, 2.5)"],
    ),
    SqlFunction(
        "LEAST",
        "T|NULL [, T|NULL...]",
        _common,
        "The least value.",
        python_for=partial(_extreme, least_float, min),
        spark=partial(_extreme_in_spark, "LEAST"),
        examples=["LEAST(3, 1, 2)", "LEAST(1, 2.5)", "LEAST(DATE '2020-01-02', DATE '2020-01-01')"],
    ),
    SqlFunction(
        "NULLIF",
        "T, T|NULL; STRING, DATE|TIMESTAMP|TIMESTAMP_LTZ; DATE|TIMESTAMP|TIMESTAMP_LTZ, STRING",
        lambda arguments: arguments.types[0].nullable(),
        "The first value; null if it is equal to the second one.",
        nulls=Nulls.AS_DECLARED,
        python_for=_null_if,
        is_converted=False,
        examples=[
            "NULLIF(1, 1)",
            "NULLIF(1, 2.5)",
            "NULLIF(2.50, 2.5e0)",
            "NULLIF('2020-01-01', DATE '2020-01-01')",
            "NULLIF('a', CAST(NULL AS STRING))",
        ],
    ),
]
"""The declarations."""
