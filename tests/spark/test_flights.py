"""The demo returns the same table as plain pandas."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest
from pyspark.sql import SparkSession

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def flights(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The demo as a module that workers can import, because the driver can."""
    monkeypatch.syspath_prepend(EXAMPLES)
    return importlib.import_module("flights")


def expected(csv: Path) -> pd.DataFrame:
    frame = pd.read_csv(csv).dropna(subset=["arr_delay", "air_time"])
    frame["route"] = frame["origin"] + "-" + frame["dest"]
    frame["late"] = frame["arr_delay"] > 15
    frame["mph"] = frame["distance"] / (frame["air_time"] / 60)
    grouped = frame.groupby("carrier").agg(
        flights=("route", "size"),
        routes=("route", "nunique"),
        mean_delay=("arr_delay", "mean"),
        delayed=("late", "mean"),
        mean_mph=("mph", "mean"),
    )
    return grouped.sort_values("flights", ascending=False)


def test_the_demo_returns_the_table_of_pandas(flights: ModuleType, tmp_path: Path) -> None:
    csv = flights.unpack_flights(tmp_path)
    flights.write_legs(csv, tmp_path / "legs")
    table = flights.summary(tmp_path / "legs")
    assert int(table["flights"].sum()) == 327_346
    pd.testing.assert_frame_equal(table, expected(csv), rtol=1e-12)
