"""Conversion of DataFrames to Arrow tables, and the DataFrames that are refused."""

from __future__ import annotations

import datetime
from typing import Any

import pandas as pd
import pytest

from pystream.arguments.frames import table_of_frame
from pystream.datastream import StreamExecutionEnvironment
from typeinfo import Types, UnsupportedTypeError

REFUSED: list[tuple[str, Any, str]] = [
    ("no columns", pd.DataFrame(), "this one has none"),
    ("Period", pd.DataFrame({"a": [1], "year": pd.PeriodIndex(["2023"], freq="Y")}), "'year'.*to_timestamp"),
    ("Interval", pd.DataFrame({"range": pd.interval_range(0, 2)}), "'range'.*two columns"),
    ("Sparse", pd.DataFrame({"s": pd.arrays.SparseArray([0, 1])}), "column s"),
    ("mixed", pd.DataFrame({"m": [1, "a"]}), "column m"),
    ("complex", pd.DataFrame({"z": [1j]}), "cannot read the DataFrame"),
    ("names", pd.DataFrame({1: [1]}), r"not 1 \(int\)"),
    ("MultiIndex", pd.DataFrame([[1]], columns=pd.MultiIndex.from_tuples([("a", "b")])), r"\('a', 'b'\)"),
    ("index", pd.DataFrame({"a": [1]}, pd.Index(["x"], name="key")), r"named 'key'.*reset_index\(\)"),
    ("named range", pd.DataFrame({"a": [1]}, pd.RangeIndex(1, name="row")), "named 'row'.*drop=True"),
    ("levels", pd.DataFrame({"k": [1], "l": [2], "a": [3]}).set_index(["k", "l"]), "named 'k', 'l'"),
    ("twice", pd.DataFrame([[1, 2]], columns=["a", "a"]), "'a' occurs twice"),
]


@pytest.mark.parametrize(("_", "frame", "message"), REFUSED, ids=[name for name, *_ in REFUSED])
def test_dataframes_that_arrow_would_change_are_refused(_: str, frame: pd.DataFrame, message: str) -> None:
    with pytest.raises(UnsupportedTypeError, match=message):
        StreamExecutionEnvironment.get_execution_environment().from_pandas(frame)


TAKEN: list[tuple[Any, Any, list[Any]]] = [
    (pd.Series(["a", "b", None], dtype="category"), Types.STRING(), ["a", "b", None]),
    (pd.Series([1, None], dtype="Int64"), Types.LONG(), [1, None]),
    (pd.Series([True, None], dtype="boolean"), Types.BOOLEAN(), [True, None]),
    (pd.Series(["a", None], dtype="string"), Types.STRING(), ["a", None]),
    (pd.to_timedelta(pd.Series(["1s"])), Types.of(datetime.timedelta), [pd.Timedelta(seconds=1)]),
    (
        pd.Series(pd.to_datetime(["2024-07-01 12:00"])).dt.tz_localize("Europe/Berlin"),
        Types.INSTANT(),
        [pd.Timestamp("2024-07-01 10:00", tz="UTC")],
    ),
]


@pytest.mark.parametrize(("column", "t", "values"), TAKEN, ids=lambda part: str(getattr(part, "dtype", "")))
def test_columns_of_other_classes_keep_their_values(column: Any, t: Any, values: list[Any]) -> None:
    frame = pd.DataFrame({"c": column})
    stream = StreamExecutionEnvironment.get_execution_environment().from_pandas(frame)
    assert stream.get_type() == Types.ROW_NAMED(["c"], [t])
    assert table_of_frame(frame).column("c").to_pylist() == values


@pytest.mark.parametrize("index", [None, ["x", "y"], [7, 3], pd.MultiIndex.from_tuples([(1, 2), (3, 4)])])
def test_an_index_without_a_name_is_left_out(index: Any) -> None:
    table = table_of_frame(pd.DataFrame({"a": [1, 2]}, index))
    assert table.to_pydict() == {"a": [1, 2]}


def test_the_table_stays_as_it_is_when_the_frame_changes() -> None:
    frame = pd.DataFrame({"a": [1, 2], "b": [1, 2], "s": ["x", "y"]})
    table = table_of_frame(frame)
    frame.loc[0, "a"] = 7
    assert table.to_pydict() == {"a": [1, 2], "b": [1, 2], "s": ["x", "y"]}
