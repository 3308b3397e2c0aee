"""Instants that functions of the program get: datetimes in the time zone of the session."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from pystream.common import Instant, Row
from pystream.table import AggregateFunction, DataTypes, StreamTableEnvironment, Table, TableAggregateFunction
from pystream.table.expressions import array, col, map_, row
from pystream.table.udf import udaf, udf, udtaf, udtf
from pystream.testing import local_environment

MOMENT = dt.datetime(2020, 7, 1, 10, 30, tzinfo=dt.UTC)
HERE = "2020-07-01T12:30:00+02:00"
TEXT = DataTypes.STRING()


class Latest(AggregateFunction[Any, Any]):
    def create_accumulator(self) -> list[Any]:
        return [""]

    def accumulate(self, accumulator: list[Any], *args: Any) -> None:
        accumulator[0] = args[0].isoformat()

    def get_value(self, accumulator: list[Any]) -> str:
        return str(accumulator[0])


class Emitted(Latest, TableAggregateFunction[Any, Any]):
    def emit_value(self, accumulator: list[Any]) -> Iterator[Row[Any]]:
        yield Row(accumulator[0])


def text(moment: Any) -> str:
    return str(moment.isoformat())


async def awaited(moment: Any) -> str:
    return text(moment)


def texts(moments: pd.Series[Any]) -> pd.Series[Any]:
    return moments.map(text)


def parts(nested: Any) -> str:
    return " ".join(text(moment) for moment in (nested[0], *nested[1]))


def first(moments: pd.Series[Any]) -> str:
    return text(moments.iloc[0])


@pytest.fixture
def moments() -> Table:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.get_config().set_local_timezone("Europe/Berlin")
    fields = [DataTypes.FIELD("k", DataTypes.INT()), DataTypes.FIELD("t", DataTypes.TIMESTAMP_LTZ(3))]
    return t_env.from_elements([(1, MOMENT)], DataTypes.ROW(fields))


def results(table: Table) -> list[Any]:
    with table.execute().collect() as rows:
        return [value for row in rows for value in row]


@pytest.mark.parametrize(
    "query",
    [
        lambda t: t.select(udf(text, result_type=TEXT)(col("t"))),
        lambda t: t.select(udf(awaited, result_type=TEXT)(col("t"))),
        lambda t: t.select(udf(texts, result_type=TEXT, func_type="pandas")(col("t"))),
        lambda t: t.join_lateral(udtf(text, result_types=[TEXT])(col("t")).alias("s")).select(col("s")),
        lambda t: t.select(udaf(Latest(), result_type=TEXT, accumulator_type=TEXT)(col("t"))),
        lambda t: t.select(udaf(first, result_type=TEXT, func_type="pandas")(col("t"))),
        lambda t: t.flat_aggregate(
            udtaf(Emitted(), result_type=DataTypes.ROW([DataTypes.FIELD("s", TEXT)]), accumulator_type=TEXT)(
                col("t")
            )
        ).select(col("s")),
    ],
    ids=["scalar", "asynchronous", "pandas", "table", "aggregate", "pandas aggregate", "table aggregate"],
)
def test_every_kind_of_function_gets_the_local_time(moments: Table, query: Callable[[Table], Table]) -> None:
    assert results(query(moments)) == [HERE]


def test_instants_in_rows_and_arrays_are_local_times_too(moments: Table) -> None:
    nested = row(col("t"), array(col("t"), col("t")))
    assert results(moments.select(udf(parts, result_type=TEXT)(nested))) == [f"{HERE} {HERE} {HERE}"]


def test_functions_of_columns_get_local_times_inside_arrays_maps_and_rows(moments: Table) -> None:
    def inner(arrays: Any, maps: Any, rows: Any) -> Any:
        first, second = rows.iloc[0]
        return pd.Series([" ".join(map(text, (*arrays[0], maps[0]["a"], first, *second)))])

    given = array(col("t"), col("t")), map_("a", col("t")), row(col("t"), array(col("t")))
    function = udf(inner, result_type=TEXT, func_type="pandas")
    assert results(moments.select(function(*given))) == [" ".join([HERE] * 5)]


def test_results_of_any_zone_are_instants(moments: Table) -> None:
    def other(moment: dt.datetime) -> Any:
        assert moment.tzinfo == ZoneInfo("Europe/Berlin")
        return moment.astimezone(dt.timezone(dt.timedelta(hours=-3))) + dt.timedelta(seconds=1)

    later = udf(other, result_type=DataTypes.TIMESTAMP_LTZ(3))
    assert results(moments.select(later(later(col("t"))))) == [
        Instant.of_datetime(MOMENT + dt.timedelta(seconds=2))
    ]
