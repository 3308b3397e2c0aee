"""Tables in files of Parquet and ORC that another library has written."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.orc as orc
import pyarrow.parquet as pq
import pytest

from pystream.errors import PyStreamError
from pystream.table import StreamTableEnvironment
from pystream.table.formats import declared_rows
from pystream.testing import local_environment

DECIMALS = pa.array([Decimal("1.555"), Decimal("12345.5")], pa.decimal128(10, 3))
NESTED = pa.array([[Decimal("1.5")], None], pa.list_(pa.decimal128(4, 1)))


def read(path: Path, format: str, column: pa.Array, declared: str, **options: Any) -> list[Any]:
    """Return the values of a column that pyarrow writes and a table declares."""
    table = pa.table({"a": column})
    if format == "parquet":
        pq.write_table(table, path / "in", **options)
    else:
        orc.write_table(table, str(path / "in"))
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        f"CREATE TABLE files (a {declared}) WITH ('connector' = 'filesystem', 'path' = '{path / 'in'}', "
        f"'format' = '{format}')"
    )
    with t_env.sql_query("SELECT * FROM files").execute().collect() as rows:
        return [row[0] for row in rows]


@pytest.mark.parametrize("format", ["parquet", "orc"])
def test_a_value_that_does_not_fit_names_file_record_and_column(tmp_path: Path, format: str) -> None:
    assert read(tmp_path, format, DECIMALS, "DECIMAL(7, 2)") == [Decimal("1.56"), Decimal("12345.50")]
    with pytest.raises(PyStreamError, match=r"in, record 2: field a: 12345.500 is out of .*declare a type"):
        read(tmp_path, format, DECIMALS, "DECIMAL(5, 2)")
    with pytest.raises(PyStreamError, match="in, record 2: field a: null is not allowed"):
        read(tmp_path, format, pa.array([1, None]), "BIGINT NOT NULL")


@pytest.mark.parametrize("format", ["parquet", "orc"])
@pytest.mark.parametrize(
    ("column", "declared", "expected"),
    [
        (DECIMALS, "DECIMAL(10, 3)", ["1.555", "12345.500"]),
        (DECIMALS, "DECIMAL(12, 4)", ["1.5550", "12345.5000"]),
        (NESTED, "ARRAY<DECIMAL(38, 30)>", [f"[Decimal('1.5{'0' * 29}')]", None]),
        (pa.array([None, Decimal(-7)], pa.decimal128(2, 0)), "DECIMAL(38, 36)", [None, f"-7.{'0' * 36}"]),
    ],
)
def test_decimals_are_read_as_columns_if_the_declared_type_has_their_digits(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    format: str,
    column: pa.Array,
    declared: str,
    expected: list[str | None],
) -> None:
    def refuse(*arguments: Any) -> None:
        raise AssertionError("a row was converted by itself")

    monkeypatch.setattr(declared_rows, "_row", refuse)
    found = read(tmp_path, format, column, declared)
    assert [None if value is None else str(value) for value in found] == expected


def test_values_of_maps_have_the_declared_type(tmp_path: Path) -> None:
    entries = [[("k", None), ("l", Decimal("1.555"))]]
    column = pa.array(entries, pa.map_(pa.string(), pa.decimal128(10, 3)))
    found = read(tmp_path, "parquet", column, "MAP<STRING, DECIMAL(5, 1)>")
    assert found == [{"k": None, "l": Decimal("1.6")}]


def test_timestamps_in_96_bits_have_the_declared_digits(tmp_path: Path) -> None:
    moments = [dt.datetime(9999, 12, 31, 23, 59, 59, 123456), dt.datetime(1, 1, 1)]
    column = pa.array(moments, pa.timestamp("us"))
    found = read(tmp_path, "parquet", column, "TIMESTAMP(3)", use_deprecated_int96_timestamps=True)
    assert found == [moments[0].replace(microsecond=123000), moments[1]]


@pytest.mark.parametrize(("bits", "declared"), [(8, "SMALLINT"), (16, "INT"), (32, "BIGINT")])
def test_unsigned_numbers_fit_wider_columns_only(tmp_path: Path, bits: int, declared: str) -> None:
    greatest = 2**bits - 1
    column = pa.array([0, greatest], getattr(pa, f"uint{bits}")())
    assert read(tmp_path, "parquet", column, declared) == [0, greatest]
    with pytest.raises(PyStreamError, match=f"{greatest} of Arrow type uint{bits} does not fit BYTE"):
        read(tmp_path, "parquet", column, "TINYINT")
