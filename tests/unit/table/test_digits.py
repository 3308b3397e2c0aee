"""Decimals of tables have the digits of their types, wherever they come from and go to."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pystream.common import Types, WatermarkStrategy
from pystream.datastream import DataStream
from pystream.datastream.connectors.file_system import FileSource
from pystream.datastream.formats.parquet import ParquetColumnarRowInputFormat
from pystream.errors import JobExecutionError
from pystream.sql_types.data_types import RowType
from pystream.table import (
    AggregateFunction,
    DataTypes,
    EnvironmentSettings,
    Schema,
    StreamTableEnvironment,
    Table,
    TableEnvironment,
)
from pystream.table.udf import udaf, udf, udtf
from pystream.testing import local_environment
from typeinfo.info import TypeInformation

ARRAY = Types.OBJECT_ARRAY(Types.BIG_DEC())
MAP = Types.MAP(Types.STRING(), Types.BIG_DEC())
NESTED = Types.ROW_NAMED(["x"], [Types.BIG_DEC()])


def texts(rows: Any) -> list[str]:
    with rows.execute().collect() as results:
        return sorted(map(repr, results))


class Program:
    """A program with a stream."""

    def __init__(self, values: list[Any], t: TypeInformation[Any]) -> None:
        self.env = local_environment()
        self.t_env = StreamTableEnvironment.create(self.env)
        self.stream: DataStream[Any] = self.env.from_collection(values, t)

    def table(self) -> Table:
        return self.t_env.from_data_stream(self.stream)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM r",
        "SELECT * FROM r UNION ALL SELECT * FROM r WHERE c1 > 100",
        "SELECT c0, MAX(c1) AS c1 FROM r GROUP BY c0",
        "SELECT MAX(c0) AS c0, c1 FROM r GROUP BY c1",
        "SELECT DISTINCT c0, c1 FROM r",
        "SELECT r.c0, q.c1 FROM r JOIN r AS q ON r.c0 = q.c0",
        "SELECT c0, c1 FROM r WHERE c1 < 100 AND c0 > -1000.5",
        "SELECT c0 * 1 AS c0, c1 FROM (SELECT CAST(c0 AS DECIMAL(12, 4)) AS c0, c1 FROM r)",
    ],
)
@pytest.mark.parametrize("mode", ["batch", "streaming"])
def test_columns_keep_digits(query: str, mode: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1.2345,5\n-100,6\n")
    in_batches = mode == "batch"
    settings = EnvironmentSettings.in_batch_mode() if in_batches else EnvironmentSettings.in_streaming_mode()
    t_env = TableEnvironment.create(settings)
    t_env.get_config().set("pystream.runner", "local")
    options = f"'connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'csv'"
    t_env.execute_sql(f"CREATE TABLE r (c0 DECIMAL(16, 4), c1 INT) WITH ({options})")
    values = [repr(row[:2]) for row in map(tuple, _rows(t_env, query))]
    assert sorted(values) == ["(Decimal('-100.0000'), 6)", "(Decimal('1.2345'), 5)"]


def _rows(t_env: TableEnvironment, query: str) -> list[Any]:
    with t_env.sql_query(query).execute().collect() as rows:
        return list(rows)


def test_decimals_of_a_stream_have_18_digits_after_the_point_in_tables() -> None:
    t = Types.ROW_NAMED(["a", "l", "m", "r"], [Types.BIG_DEC(), ARRAY, MAP, NESTED])
    half = Decimal("0.5")
    program = Program([(half, [half, None], {"k": half}, (half,))], t)
    digits = "Decimal('0.500000000000000000')"
    expected = f"<Row({digits}, [{digits}, None], {{'k': {digits}}}, <Row({digits})>)>"
    assert texts(program.table()) == [expected]
    parts = ", ".join(f"CAST({part} AS STRING)" for part in ("a", "l[1]", "m['k']", "r.x"))
    rows = program.t_env.sql_query(f"SELECT {parts} FROM {program.table()}")
    assert texts(rows) == [f"<Row({', '.join([repr('0.500000000000000000')] * 4)})>"]


def test_a_table_of_a_stream_is_that_stream_again() -> None:
    program = Program([(Decimal("1.5"),)], Types.ROW_NAMED(["a"], [Types.BIG_DEC()]))
    back = program.t_env.to_data_stream(program.table())
    assert back.get_type() == Types.ROW_NAMED(["a"], [Types.BIG_DEC()])
    assert [str(row.a) for row in back.execute_and_collect()] == ["1.5"]


def test_streams_of_tables_hold_decimals_of_any_digits() -> None:
    t = Types.ROW_NAMED(["a", "k"], [Types.BIG_DEC(), Types.STRING()])
    program = Program([(Decimal("99.99"), "k")], t)
    schema = Schema.new_builder().column("a", "DECIMAL(4, 2)").column("k", "STRING").build()
    table = program.t_env.from_data_stream(program.stream, schema)
    rows = program.t_env.to_data_stream(table.union_all(table))
    assert rows.get_type() == t
    sums = rows.key_by(lambda row: row.k, Types.STRING()).reduce(lambda a, b: type(a)(a.a + b.a / 8, a.k))
    assert [str(row[0]) for row in sums.execute_and_collect()] == ["99.99", "112.48875"]


@pytest.mark.parametrize("format", ["parquet", "orc"])
def test_files_of_tables_hold_all_digits_of_decimals(format: str, tmp_path: Path) -> None:
    t_env = TableEnvironment.create(EnvironmentSettings.in_batch_mode())
    t_env.get_config().set("pystream.runner", "local")
    columns = "a DECIMAL(38, 30), l ARRAY<DECIMAL(38, 0)>, r ROW<x DECIMAL(38, 38)>"
    options = f"'connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = '{format}'"
    t_env.execute_sql(f"CREATE TABLE files ({columns}) WITH ({options})")
    number, large, small = "1.123456789012345678901234567890", "9" * 38, f"0.{'9' * 38}"
    casts = (
        f"CAST('{number}' AS DECIMAL(38, 30)), ARRAY[CAST('{large}' AS DECIMAL(38, 0))], "
        f"ROW(CAST('{small}' AS DECIMAL(38, 38)))"
    )
    t_env.execute_sql(f"INSERT INTO files SELECT {casts}").wait()
    expected = f"<Row(Decimal('{number}'), [Decimal('{large}')], <Row(Decimal('{small}'))>)>"
    assert texts(t_env.from_path("files")) == [expected]


def test_files_and_columns_of_tables_are_streams_of_decimals_of_any_digits(tmp_path: Path) -> None:
    program = Program([(Decimal("99.99"),)], Types.ROW_NAMED(["a"], [Types.BIG_DEC()]))
    options = f"'connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'parquet'"
    program.t_env.execute_sql(f"CREATE TABLE files (a DECIMAL(4, 2)) WITH ({options})")
    program.table().execute_insert("files").wait()
    source = FileSource.for_bulk_file_format(ParquetColumnarRowInputFormat(), str(tmp_path)).build()
    rows = program.env.from_source(source, WatermarkStrategy.no_watermarks(), "files")
    (file,) = tmp_path.glob("part-*")
    for stream in (rows, program.env.from_arrow(pq.read_table(file))):
        assert stream.get_type() == Types.ROW_NAMED(["a"], [Types.BIG_DEC()])
        sums = stream.map(lambda row: row.a * 8, Types.BIG_DEC())
        assert [str(total) for total in sums.execute_and_collect()] == ["799.92"]


def test_integers_of_any_size_are_decimals_in_tables() -> None:
    program = Program([(10**30,)], Types.ROW_NAMED(["a"], [Types.BIG_INT()]))
    rows = program.t_env.sql_query(f"SELECT a, a + 1 AS b, CAST(a AS STRING) AS c FROM {program.table()}")
    assert texts(rows) == [f"<Row(Decimal('{10**30}'), Decimal('{10**30 + 1}'), '{10**30}')>"]
    back = program.t_env.to_data_stream(rows.select(rows.b), Types.ROW_NAMED(["b"], [Types.BIG_INT()]))
    assert [row.b for row in back.execute_and_collect()] == [10**30 + 1]


def test_columns_of_integers_of_any_size_leave_tables_as_decimals() -> None:
    large = 10**30
    t = Types.ROW_NAMED(["a", "l"], [Types.BIG_INT(), Types.LIST(Types.BIG_INT())])
    program = Program([(large, [large])], t)
    back = program.t_env.to_data_stream(program.table())
    assert back.get_type() == Types.ROW_NAMED(["a", "l"], [Types.BIG_DEC(), Types.LIST(Types.BIG_DEC())])
    assert [tuple(row) for row in back.execute_and_collect()] == [(Decimal(large), [Decimal(large)])]


@pytest.mark.parametrize(
    ("value", "t", "digits", "written"),
    [
        (10**30, Types.BIG_INT(), "38, 0", f"{10**30}"),
        (Decimal(1) / 7, Types.BIG_DEC(), "38, 18", "0.142857142857142857"),
    ],
)
def test_numbers_of_any_digits_are_inserted_with_those_of_columns(
    value: Any, t: TypeInformation[Any], digits: str, written: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = Program([(value, [value])], Types.ROW_NAMED(["a", "l"], [t, Types.LIST(t)]))
    columns = f"a DECIMAL({digits}), l ARRAY<DECIMAL({digits})>"
    program.t_env.execute_sql(f"CREATE TABLE sink ({columns}) WITH ('connector' = 'print')")
    program.table().execute_insert("sink").wait()
    assert str(program.table().to_pandas().loc[0, "a"]) == written
    assert capsys.readouterr().out == f"+I[{written}, [{written}]]\n"


@dataclass
class Price:
    amount: Decimal


def test_fields_of_records_are_columns_with_digits() -> None:
    program = Program([Price(Decimal("0.5"))], Types.of(Price))
    assert texts(program.table()) == ["<Row(Decimal('0.500000000000000000'))>"]
    back = program.t_env.to_data_stream(program.table(), Price)
    assert list(back.execute_and_collect()) == [Price(Decimal("0.5"))]


class _Total(AggregateFunction[Decimal, list[Decimal]]):
    def create_accumulator(self) -> list[Decimal]:
        return []

    def accumulate(self, accumulator: list[Decimal], *args: Any) -> None:
        accumulator.extend(args)

    def get_value(self, accumulator: list[Decimal]) -> Decimal:
        return sum(accumulator, Decimal(0)) / 8


def test_results_of_functions_are_rounded_to_the_digits_of_their_types() -> None:
    program = Program([(Decimal("1.5"),)], Types.ROW_NAMED(["a"], [Types.BIG_DEC()]))
    table = program.table()
    eighth = udf(lambda a: a / 8, result_type=DataTypes.DECIMAL(10, 2))
    total = udaf(_Total(), result_type=DataTypes.DECIMAL(10, 2))
    assert texts(table.select(eighth(table.a))) == ["<Row(Decimal('0.19'))>"]
    assert texts(table.select(total(table.a))) == ["<Row(Decimal('0.19'))>"]


def test_decimals_in_results_of_functions_are_rounded_to_the_digits_of_their_types() -> None:
    program = Program([(Decimal("1.5"),)], Types.ROW_NAMED(["a"], [Types.BIG_DEC()]))
    table = program.table()
    plain = DataTypes.DECIMAL(38, 18)
    row = DataTypes.ROW([DataTypes.FIELD("x", DataTypes.ARRAY(plain))])
    seventh = "Decimal('0.214285714285714286')"
    in_array = udf(lambda a: [a / 7], result_type=DataTypes.ARRAY(plain))
    in_map = udf(lambda a: {a / 7: a / 7}, result_type=DataTypes.MAP(plain, plain))
    in_row = udf(lambda a: ([a / 7],), result_type=row)
    expected = f"<Row([{seventh}], {{{seventh}: {seventh}}}, <Row([{seventh}])>)>"
    assert texts(table.select(in_array(table.a), in_map(table.a), in_row(table.a))) == [expected]
    assert texts(table.map(in_row(table.a))) == [f"<Row([{seventh}])>"]
    of_rows = udtf(lambda a: [([a / 7],)], result_types=[DataTypes.ARRAY(plain)])
    joined = table.join_lateral(of_rows(table.a).alias("l"))
    assert texts(joined.select(joined.l)) == [f"<Row([{seventh}])>"]


@pytest.mark.parametrize(
    ("digits", "written"),
    [((38, 18), "0.142857142857142857"), ((10, 2), "0.14"), ((30, 25), "0.1428571428571428571428571")],
)
def test_decimals_in_results_of_functions_of_columns_are_rounded(
    digits: tuple[int, int], written: str
) -> None:
    program = Program([(Decimal("1.5"),)], Types.ROW_NAMED(["a"], [Types.BIG_DEC()]))
    table, plain = program.table(), DataTypes.DECIMAL(*digits)
    seventh = Decimal(1) / 7
    value = udf(lambda s: pd.Series([seventh] * len(s)), result_type=plain, func_type="pandas")
    listed = udf(
        lambda s: pd.Series([[seventh]] * len(s)), result_type=DataTypes.ARRAY(plain), func_type="pandas"
    )
    in_arrow = udf(lambda s: pa.array([seventh] * len(s)), result_type=plain, func_type="pandas")
    expected = f"Decimal('{written}')"
    assert texts(table.select(value(table.a), listed(table.a), in_arrow(table.a))) == [
        f"<Row({expected}, [{expected}], {expected})>"
    ]
    row = DataTypes.ROW([DataTypes.FIELD("a", plain)])
    frame = udf(lambda f: pd.DataFrame({"a": [seventh] * len(f)}), result_type=row, func_type="pandas")
    assert texts(table.map(frame)) == [f"<Row({expected})>"]


@pytest.mark.parametrize("schema", [None, DataTypes.ROW([DataTypes.FIELD("a", DataTypes.DECIMAL(38, 25))])])
def test_frames_hold_decimals_of_any_digits(schema: RowType | None) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    number = "1.1111111111111111111111111"
    table = t_env.from_pandas(pd.DataFrame({"a": [Decimal(number)]}), schema)
    assert texts(table) == [f"<Row(Decimal('{number}'))>"]


def test_results_of_functions_that_do_not_fit_fail_the_job() -> None:
    program = Program([(Decimal("1.5"),)], Types.ROW_NAMED(["a"], [Types.BIG_DEC()]))
    table = program.table()
    total = udaf(_Total(), result_type=DataTypes.DECIMAL(2, 2), name="total")
    with pytest.raises(JobExecutionError, match=r"(?s)total.*out of the range of DECIMAL\(2, 2\)"):
        texts(table.select(total(table.a * 8)))
