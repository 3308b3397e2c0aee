"""Tables of DataFrames and back: types, values and errors, as PyFlink 2.3 gave them."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pystream.common import Row, Types
from pystream.common.types import RowKind
from pystream.errors import ConfigurationError, PlanError, PlanTypeError, UnsupportedOperationError
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.testing import local_environment
from typeinfo.instant import Instant

PLAIN = pd.DataFrame({"a": [1, 2], "b": ["x", None], "c": [1.5, np.nan]})
TIMES = pd.DataFrame(
    {
        "a": pd.to_datetime(["2020-01-02 03:04:05.123456", "NaT"]),
        "b": pd.to_datetime(["2020-01-02 03:04:05"] * 2, utc=True),
    }
)
INT, STRING, DOUBLE = DataTypes.INT(), DataTypes.STRING(), DataTypes.DOUBLE()


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


@pytest.mark.parametrize(
    ("schema", "columns", "width"),
    [
        (None, "`a` BIGINT, `b` STRING, `c` DOUBLE", 3),
        (["x", "y", "z"], "`x` BIGINT, `y` STRING, `z` DOUBLE", 3),
        (("x", "y"), "`x` BIGINT, `y` STRING", 2),
        ([INT, STRING, DataTypes.FLOAT()], "`a` INT, `b` STRING, `c` FLOAT", 3),
        (DataTypes.ROW().add("k", INT).add("l", DataTypes.VARCHAR(10)), "`k` INT, `l` VARCHAR(10)", 2),
    ],
)
def test_names_and_types(t_env: StreamTableEnvironment, schema: Any, columns: str, width: int) -> None:
    table = t_env.from_pandas(PLAIN, schema)
    assert repr(table) == f"Table({columns})"
    rows = [(1, "x", 1.5), (2, None, None)]
    assert list(map(tuple, table.execute().collect())) == [row[:width] for row in rows]


def test_names_that_are_numbers_are_texts(t_env: StreamTableEnvironment) -> None:
    frame = pd.DataFrame(np.arange(4.0).reshape(2, 2))
    assert t_env.from_pandas(frame).get_schema().get_field_names() == ["0", "1"]
    assert t_env.from_pandas(frame, ["a", "b"]).get_schema().get_field_names() == ["a", "b"]


def test_times(t_env: StreamTableEnvironment) -> None:
    t_env.get_config().set_local_timezone("Asia/Tokyo")
    table = t_env.from_pandas(TIMES, [DataTypes.TIMESTAMP_LTZ(3), DataTypes.TIMESTAMP(3)])
    utc = datetime.datetime(2020, 1, 2, 3, 4, 5)
    (first, second) = table.execute().collect()
    assert first == Row(Instant.of_epoch_milli(1577901845123), utc)
    assert second == Row(None, utc)
    inferred = t_env.from_pandas(TIMES)
    assert repr(inferred) == "Table(`a` TIMESTAMP(6), `b` TIMESTAMP(6))"
    (first, _) = inferred.execute().collect()
    assert first == Row(datetime.datetime(2020, 1, 2, 3, 4, 5, 123456), utc)


def test_objects(t_env: StreamTableEnvironment) -> None:
    frame = pd.DataFrame(
        {
            "a": [datetime.date(2020, 1, 2)],
            "b": [datetime.time(1, 2, 3)],
            "c": [Decimal("1.50")],
            "d": [[1, 2]],
            "e": [{"x": 1}],
            "f": [b"ab"],
        }
    )
    table = t_env.from_pandas(frame)
    assert [str(t) for t in table.get_schema().get_field_data_types()] == [
        "DATE",
        "TIME(6)",
        "DECIMAL(3, 2)",
        "ARRAY<BIGINT>",
        "ROW<`x` BIGINT>",
        "BYTES",
    ]
    (row,) = table.execute().collect()
    assert list(row) == [
        datetime.date(2020, 1, 2),
        datetime.time(1, 2, 3),
        Decimal("1.50"),
        [1, 2],
        Row(1),
        b"ab",
    ]


@pytest.mark.parametrize(
    ("frame", "schema", "complaint"),
    [
        (PLAIN, [STRING, STRING, DOUBLE], "column 'a' cannot be read as STRING: Expected a string"),
        (PLAIN, [INT, INT, DOUBLE], "column 'b' cannot be read as INT: Could not convert 'x'"),
        (pd.DataFrame({"a": [300]}), [DataTypes.TINYINT()], "cannot be read as TINYINT: .*300 not in range"),
        (PLAIN, [1], r"takes names or data types as schema|takes a RowType"),
        (PLAIN, "a", r"takes a RowType or a Sequence"),
        ([1], None, r"takes a (pandas )?DataFrame"),
    ],
)
def test_other_values_are_refused(
    t_env: StreamTableEnvironment, frame: Any, schema: Any, complaint: str
) -> None:
    with pytest.raises(PlanTypeError, match=f"from_pandas.*({complaint})"):
        t_env.from_pandas(frame, schema)


def test_columns_that_are_not_there_are_refused(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(PlanError, match="fewer columns than the schema: 3, not 4; give names"):
        t_env.from_pandas(PLAIN, ["w", "x", "y", "z"])
    with pytest.raises(PlanError, match="the DataFrame has no columns"):
        t_env.from_pandas(pd.DataFrame())
    with pytest.raises(PlanError, match="the schema has no columns"):
        t_env.from_pandas(PLAIN, [])
    with pytest.raises(PlanError, match="column 'b' holds nulls, but STRING NOT NULL has none"):
        t_env.from_pandas(PLAIN, [INT, STRING.not_null(), DOUBLE])
    with pytest.raises(ConfigurationError, match="splits_num must be an int of 1 or more"):
        t_env.from_pandas(PLAIN, splits_num=0)


def test_a_table_becomes_a_frame_again(t_env: StreamTableEnvironment) -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", "y"]})
    table = t_env.from_pandas(frame, splits_num=2)
    pd.testing.assert_frame_equal(table.to_pandas(), frame)
    assert table.filter(table.a < 0).to_pandas().empty


def test_times_have_the_units_of_their_types(t_env: StreamTableEnvironment) -> None:
    t_env.get_config().set_local_timezone("Asia/Tokyo")
    time = "TIMESTAMP '2020-01-02 03:04:05'"
    frame = t_env.sql_query(
        f"SELECT CAST({time} AS TIMESTAMP(3)) AS self, CAST({time} AS TIMESTAMP_LTZ(6)) AS l"
    ).to_pandas()
    assert [*map(str, frame.dtypes)] == ["datetime64[ms]", "datetime64[us, Asia/Tokyo]"]
    assert frame.loc[0, "l"] == pd.Timestamp("2020-01-02 03:04:05", tz="Asia/Tokyo")


def test_times_out_of_the_range_of_their_unit_are_refused(t_env: StreamTableEnvironment) -> None:
    last = t_env.sql_query("SELECT CAST('9999-12-31 00:00:00' AS TIMESTAMP(9)) AS a")
    with pytest.raises(
        UnsupportedOperationError, match=r"column 'a' of TIMESTAMP\(9\) .* nanoseconds.* by CAST"
    ):
        last.to_pandas()
    assert (
        str(last.select(last.a.cast(DataTypes.TIMESTAMP(6))).to_pandas().dtypes.iloc[0]) == "datetime64[us]"
    )


def test_a_frame_has_the_last_rows_of_a_table_that_is_updated() -> None:
    env = local_environment()
    t_env = StreamTableEnvironment.create(env)
    changes = [
        Row.of_kind(RowKind.INSERT, "a", 1),
        Row.of_kind(RowKind.INSERT, "b", 2),
        Row.of_kind(RowKind.UPDATE_BEFORE, "a", 1),
        Row.of_kind(RowKind.UPDATE_AFTER, "a", 3),
        Row.of_kind(RowKind.DELETE, "b", 2),
    ]
    rows = env.from_collection(changes, Types.ROW_NAMED(["k", "n"], [Types.STRING(), Types.INT()]))
    frame = t_env.from_changelog_stream(rows).to_pandas()
    assert frame.to_dict("list") == {"k": ["a"], "n": [3]}
