"""The columns and partitions of tables of files that queries read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pystream.errors import PyStreamError
from pystream.table import StreamTableEnvironment, Table
from pystream.table.algebra.node import walk
from pystream.table.algebra.scans import Scan
from pystream.table.expressions import col
from pystream.table.spark_tables import untimed
from pystream.table.types import DataTypes
from pystream.table.udf import udf
from pystream.testing import local_environment

INT = DataTypes.INT()
COLUMNS = "a INT, b STRING, k STRING, c DOUBLE, h INT"


def created(path: Path, format: str = "parquet", columns: str = COLUMNS) -> StreamTableEnvironment:
    env = local_environment()
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(
        f"CREATE TABLE t ({columns}) PARTITIONED BY (k, h) WITH ('connector' = 'filesystem', "
        f"'path' = '{path}', 'format' = '{format}')"
    )
    t_env.execute_sql(
        "INSERT INTO t VALUES (1, 'x', 'a', 1.5e0, 1), (2, 'y', 'b', 2.5e0, 1), (3, 'z', 'b', 3.5e0, 2)"
    ).wait()
    return t_env


def read_of(t_env: StreamTableEnvironment, query: str) -> list[tuple[str, str]]:
    """Return the columns and the conditions on partitions of the scans of a query."""
    plan = t_env.sql_query(query)._plan
    assert plan is not None
    details = [dict(node.details) for node in walk(plan) if isinstance(node, Scan)]
    return [(one["fields"], one.get("partitions", "")) for one in details]


def rows(t_env: StreamTableEnvironment, query: str) -> list[Any]:
    with t_env.sql_query(query).execute().collect() as found:
        return sorted((tuple(row) for row in found), key=str)


@pytest.mark.parametrize("format", ["csv", "json", "avro", "parquet", "orc"])
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT c, a FROM t", [(1.5, 1), (2.5, 2), (3.5, 3)]),
        ("SELECT b FROM t WHERE k = 'b' AND h > 1", [("z",)]),
        ("SELECT h FROM t WHERE k = 'b'", [(1,), (2,)]),
        ("SELECT COUNT(*) FROM t", [(3,)]),
        ("SELECT x.a, y.b FROM t AS x JOIN t AS y ON x.a = y.a WHERE x.k = 'a'", [(1, "x")]),
        ("SELECT k, SUM(c) FROM t GROUP BY k HAVING SUM(c) > 2", [("b", 6.0)]),
        ("SELECT a FROM t WHERE c = (SELECT MAX(c) FROM t)", [(3,)]),
    ],
)
def test_all_formats_give_the_rows_of_all_columns(
    tmp_path: Path, format: str, query: str, expected: list[Any]
) -> None:
    assert rows(created(tmp_path, format), query) == expected


@pytest.mark.parametrize(
    ("query", "columns", "partitions"),
    [
        ("SELECT a FROM t", "a, k, h", ""),
        ("SELECT h FROM t", "a, k, h", ""),
        ("SELECT COUNT(*) FROM t", "a, k, h", ""),
        ("SELECT * FROM t WHERE a > 1", "a, b, k, c, h", ""),
        ("SELECT b FROM t WHERE k = 'b' AND c > 2 AND h + 1 > 2", "b, k, c, h", "`k` = 'b' AND `h` + 1 > 2"),
        ("SELECT b FROM t WHERE k = 'b' OR a = 1", "a, b, k, h", ""),
        ("SELECT b FROM t WHERE k = 'b' AND k > b", "b, k, h", "`k` = 'b'"),
        ("SELECT x.b FROM t AS x WHERE x.k LIKE 'b%'", "b, k, h", "`k` LIKE 'b%'"),
        (
            "SELECT n FROM (SELECT a AS n, k FROM t WHERE h = 1) WHERE k = 'a'",
            "a, k, h",
            "`h` = 1 AND `k` = 'a'",
        ),
        ("SELECT t.a FROM t JOIN (VALUES (1)) AS v(n) ON t.a = v.n WHERE t.k = 'a'", "a, k, h", "`k` = 'a'"),
        ("SELECT v.n FROM (VALUES (1)) AS v(n) LEFT JOIN t ON t.a = v.n WHERE t.k IS NULL", "a, k, h", ""),
        ("SELECT a FROM t WHERE k = UUID()", "a, k, h", ""),
        ("SELECT a FROM t AS s(z, y, x, a, w)", "a, b, k, c, h", ""),
    ],
)
def test_scans_have_the_columns_and_partitions_that_are_needed(
    tmp_path: Path, query: str, columns: str, partitions: str
) -> None:
    assert read_of(created(tmp_path), query) == [(columns, partitions)]


def test_a_table_that_is_read_twice_has_the_columns_of_both(tmp_path: Path) -> None:
    query = "SELECT a FROM t WHERE k = 'a' UNION ALL SELECT CAST(c AS INT) FROM t WHERE k = 'b'"
    assert {*read_of(created(tmp_path), query)} == {("a, k, c, h", "")}


def test_methods_of_tables_read_what_they_need(tmp_path: Path) -> None:
    t_env = created(tmp_path)
    table = t_env.from_path("t").where(col("k") == "b").select(col("b"))
    assert "Source: t(partitions=[`k` = 'b'])" in table.explain()
    assert sorted(tuple(row) for row in table.execute().collect()) == [("y",), ("z",)]


def test_directories_of_other_partitions_are_not_listed(tmp_path: Path) -> None:
    t_env = created(tmp_path, "json")
    (tmp_path / "k=a" / "h=none").mkdir()
    (tmp_path / "k=a" / "h=none" / "part").write_text("{}\n")
    (tmp_path / "k=a" / "part").write_text("{}\n")
    assert rows(t_env, "SELECT a FROM t WHERE k = 'b'") == [(2,), (3,)]
    with pytest.raises(PyStreamError, match="h=none/part: the directory h=none: 'none' is no INT"):
        rows(t_env, "SELECT a FROM t WHERE h = 1")


def test_a_condition_that_fails_on_a_partition_fails_the_job(tmp_path: Path) -> None:
    t_env = created(tmp_path)
    assert rows(t_env, "SELECT a FROM t WHERE 4 / h > 3") == [(1,), (2,)]
    with pytest.raises(PyStreamError, match="division by zero"):
        rows(t_env, "SELECT a FROM t WHERE 4 / (h - 1) > 3")


def test_functions_of_the_program_choose_no_partitions(tmp_path: Path) -> None:
    t_env = created(tmp_path)

    @udf(result_type=DataTypes.STRING())
    def same(text: str) -> str:
        return text

    t_env.create_temporary_function("same", same)
    query = "SELECT a FROM t WHERE same(k) = 'b' AND h = 2"
    assert read_of(t_env, query) == [("a, k, h", "`h` = 2")]
    assert rows(t_env, query) == [(3,)]


def test_columns_that_are_broken_but_not_needed_do_no_harm(tmp_path: Path) -> None:
    t_env = created(tmp_path, "json")
    (tmp_path / "k=a" / "h=1" / "more").write_text('{"a": 4, "b": "x", "c": "no number"}\n')
    assert rows(t_env, "SELECT a FROM t WHERE k = 'a'") == [(1,), (4,)]
    with pytest.raises(PyStreamError, match="no number"):
        rows(t_env, "SELECT c FROM t WHERE k = 'a'")


def test_rows_of_a_lookup_join_are_found_by_their_columns(tmp_path: Path) -> None:
    t_env = created(tmp_path)
    t_env.execute_sql(
        "CREATE TABLE orders (n INT, p AS PROCTIME()) WITH ('connector' = 'datagen', 'number-of-rows' = '2', "
        "'fields.n.kind' = 'sequence', 'fields.n.start' = '2', 'fields.n.end' = '3')"
    )
    query = "SELECT o.n, t.c FROM orders AS o JOIN t FOR SYSTEM_TIME AS OF o.p ON o.n = t.a WHERE t.k = 'b'"
    assert rows(t_env, query) == [(2, 2.5), (3, 3.5)]


def test_a_primary_key_is_read(tmp_path: Path) -> None:
    t_env = created(tmp_path, columns=f"{COLUMNS}, PRIMARY KEY (a) NOT ENFORCED")
    assert read_of(t_env, "SELECT c FROM t") == [("a, k, c, h", "")]


@pytest.mark.parametrize(
    ("query", "columns", "expected"),
    [
        ("SELECT n FROM v", "a: Integer, c: Double, ts: TimestampTypeInfo", [(2,)]),
        (
            "SELECT twice FROM v WHERE b = 'x'",
            "a: Integer, b: String, c: Double, ts: TimestampTypeInfo",
            [(2,)],
        ),
        ("SELECT twice FROM e", "a: Integer, ts: TimestampTypeInfo", [(2,)]),
        ("SELECT COUNT(*) FROM e", "ts: TimestampTypeInfo", [(1,)]),
        ("SELECT one FROM counts", "ts: TimestampTypeInfo", [(1,)]),
        ("SELECT b FROM ones", "b: String, ts: TimestampTypeInfo", [("x",)]),
        ("SELECT a FROM top", "a: Integer, c: Double, ts: TimestampTypeInfo", [(1,)]),
    ],
)
def test_files_are_read_for_what_is_needed_of_views_computed_columns_and_watermarks(
    tmp_path: Path, query: str, columns: str, expected: list[Any]
) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE e (a INT, b STRING, c DOUBLE, twice AS a * 2, d STRING, ts TIMESTAMP(3), WATERMARK "
        f"FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', 'format' = 'json')"
    )
    t_env.execute_sql("INSERT INTO e VALUES (1, 'x', 1.5e0, 'd', TIMESTAMP '2024-01-01 00:00:00')").wait()
    t_env.execute_sql("CREATE VIEW v AS SELECT a + 1 AS n, b, twice, ts FROM e WHERE c > 0")
    t_env.execute_sql("CREATE VIEW counts AS SELECT 1 AS one, COUNT(*) AS n FROM e")
    t_env.execute_sql("CREATE VIEW ones AS SELECT DISTINCT b FROM e")
    t_env.execute_sql("CREATE VIEW top AS SELECT a, c FROM e ORDER BY c LIMIT 1")
    assert f"RowTypeInfo({columns})" in t_env.sql_query(query).explain()
    assert rows(t_env, query) == expected


NESTED = "n INT, r ROW<a INT, b STRING, s ROW<x INT, y INT NOT NULL>>, l ARRAY<ROW<q INT, p INT>>"


def with_rows_in_columns(path: Path, format: str = "json") -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        f"CREATE TABLE e ({NESTED}) WITH ('connector' = 'filesystem', 'path' = '{path}', "
        f"'format' = '{format}')"
    )
    t_env.execute_sql(
        "INSERT INTO e SELECT 1, ROW(2, 'b', ROW(3, 4)), ARRAY[ROW(5, 6)] UNION ALL "
        "SELECT 7, CAST(NULL AS ROW<a INT, b STRING, s ROW<x INT, y INT>>), ARRAY[ROW(8, 9)]"
    ).wait()
    t_env.execute_sql("CREATE VIEW v AS SELECT n + 1 AS m, r, l FROM e WHERE n < 100")
    return t_env


@pytest.mark.parametrize(
    ("query", "read", "expected"),
    [
        ("SELECT e.r.a FROM e", "r: RowTypeInfo(a: Integer)", [(2,), (None,)]),
        ("SELECT e.r.s.y FROM e", "r: RowTypeInfo(s: RowTypeInfo(y: Integer))", [(4,), (None,)]),
        (
            "SELECT e.r.b, e.r.s.x FROM e WHERE e.r.a > 1",
            "r: RowTypeInfo(a: Integer, b: String, s: RowTypeInfo(x: Integer))",
            [("b", 3)],
        ),
        ("SELECT v.r.a, m FROM v", "n: Integer, r: RowTypeInfo(a: Integer)", [(2, 2), (None, 8)]),
        (
            "SELECT w.x FROM (SELECT v.r.s AS w FROM v WHERE v.r.a IS NOT NULL) AS u",
            "n: Integer, r: RowTypeInfo(a: Integer, s: RowTypeInfo(x: Integer, y: Integer))",
            [(3,)],
        ),
        ("SELECT v.r.b FROM v JOIN e ON v.r.a = e.r.a", "r: RowTypeInfo(a: Integer)", [("b",)]),
        (
            "SELECT e.l[1].q FROM e",
            "l: ObjectArrayTypeInfo<RowTypeInfo(q: Integer, p: Integer)>",
            [(5,), (8,)],
        ),
        (
            "SELECT e.r.a, r IS NULL FROM e",
            "s: RowTypeInfo(x: Integer, y: Integer)",
            [(2, False), (None, True)],
        ),
    ],
)
def test_rows_in_columns_are_read_without_fields_that_are_not_needed(
    tmp_path: Path, query: str, read: str, expected: list[Any]
) -> None:
    t_env = with_rows_in_columns(tmp_path)
    assert read in t_env.sql_query(query).explain()
    assert rows(t_env, query) == sorted(expected, key=str)


@pytest.mark.parametrize("format", ["avro", "parquet"])
def test_other_formats_read_the_rows_in_columns_whole(tmp_path: Path, format: str) -> None:
    t_env = with_rows_in_columns(tmp_path, format)
    assert rows(t_env, "SELECT v.r.s.x, m FROM v") == [(3, 2), (None, 8)]


def test_fields_that_are_broken_but_not_needed_do_no_harm(tmp_path: Path) -> None:
    t_env = with_rows_in_columns(tmp_path)
    (tmp_path / "more").write_text('{"n": 3, "r": {"a": 1, "b": "x", "s": {"x": "none"}}}\n')
    assert rows(t_env, "SELECT v.r.a FROM v") == [(1,), (2,), (None,)]
    with pytest.raises(PyStreamError, match=r"r.*x.*none"):
        rows(t_env, "SELECT v.r.s.x FROM v")


@pytest.mark.parametrize("format", ["csv", "json"])
def test_queries_of_whole_tables_read_them_together(tmp_path: Path, format: str) -> None:
    t_env = created(tmp_path, format)
    t_env.execute_sql("CREATE TABLE out (a INT, c DOUBLE) WITH ('connector' = 'print')")
    table, inserts = t_env.from_path("t"), t_env.create_statement_set()
    for condition in ("b = 'x'", "b = 'y'"):
        inserts.add_insert("out", t_env.sql_query(f"SELECT a, c FROM {table} WHERE {condition}"))
    assert inserts.explain().count("Source: t") == 1


@pytest.mark.parametrize(
    "query", ["SELECT a, l FROM v", "SELECT a, l, l AS m FROM v", "SELECT * FROM v", "TABLE v"]
)
def test_views_have_the_time_zone_of_the_query_whether_they_are_read_in_part_or_not(
    tmp_path: Path, query: str
) -> None:
    t_env = created(tmp_path)
    t_env.get_config().set_local_timezone("UTC")
    field = ", b" * query.startswith("SELECT a, l FROM")
    view = t_env.sql_query(f"SELECT a, CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING) AS l{field} FROM t")
    t_env.create_temporary_view("v", view)
    for zone, text in (("Asia/Tokyo", "1970-01-01 09:00:00.000"), ("UTC", "1970-01-01 00:00:00.000")):
        t_env.get_config().set_local_timezone(zone)
        assert {row[1] for row in rows(t_env, query)} == {text}


def test_cells_of_csv_that_a_query_does_not_need_are_not_converted(tmp_path: Path) -> None:
    t_env = created(tmp_path / "unused", "csv")
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "f").write_text("broken,1,x\n7,2\n")
    options = f"'connector' = 'filesystem', 'format' = 'csv', 'path' = '{tmp_path / 't'}'"
    t_env.execute_sql(
        f"CREATE TABLE u (a INT, b INT, c STRING) WITH ({options}, 'csv.ignore-parse-errors' = 'true')"
    )
    assert read_of(t_env, "SELECT c, b FROM u WHERE b > 0") == [("b, c", "")]
    assert rows(t_env, "SELECT b, c IS NULL FROM u") == [(1, False), (2, True)]
    assert rows(t_env, "SELECT b FROM u WHERE a IS NULL") == [(1,)]
    t_env.execute_sql(f"CREATE TABLE w (a INT, b INT, c STRING) WITH ({options})")
    with pytest.raises(PyStreamError, match="2 cells, but there are 3 columns"):
        rows(t_env, "SELECT b FROM w")


def with_time(path: Path) -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    for name, columns in {
        "e": "a INT, b STRING, c DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts",
        "u": "k INT, v STRING, w STRING",
    }.items():
        t_env.execute_sql(
            f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'filesystem', 'path' = '{path / name}', "
            "'format' = 'json')"
        )
    t_env.execute_sql("INSERT INTO e VALUES (1, 'x', 1.5e0, TIMESTAMP '2024-01-01 00:00:00')").wait()
    t_env.execute_sql("INSERT INTO u VALUES (1, 'v', 'w')").wait()
    return t_env


@pytest.mark.parametrize(
    ("made", "scans", "expected"),
    [
        (lambda e, u: e.where(col("a") > 0).select(col("b")), [("e", "a, b, ts")], [("x",)]),
        (lambda e, u: e.select(col("a"), col("b")).where(col("a") > 0), [("e", "a, b, ts")], [(1, "x")]),
        (lambda e, u: e.select(col("b").alias("n")), [("e", "b, ts")], [("x",)]),
        (lambda e, u: u.drop_columns(col("k")).alias("n"), [("u", "v, w")], [("v", "w")]),
        (lambda e, u: u.add_columns((col("k") + 1).alias("n")).select(col("n")), [("u", "k")], [(2,)]),
        (
            lambda e, u: e.join(u, col("a") == col("k")).select(col("b"), col("v")),
            [("e", "a, b, ts"), ("u", "k, v")],
            [("x", "v")],
        ),
        (
            lambda e, u: e.select(col("a")).union_all(u.select(col("k"))),
            [("e", "a, ts"), ("u", "k")],
            [(1,), (1,)],
        ),
        (lambda e, u: u.group_by(col("v")).select(col("v")).distinct(), [("u", "v")], [("v",)]),
    ],
)
def test_chains_of_methods_read_what_they_need_of_the_tables_that_they_name(
    tmp_path: Path, made: Callable[[Table, Table], Table], scans: list[tuple[str, str]], expected: list[Any]
) -> None:
    t_env = with_time(tmp_path)
    table = made(t_env.from_path("e"), t_env.from_path("u"))
    details = [dict(node.details) for node in walk(table._rel_node) if isinstance(node, Scan)]
    assert [(one["table"], one["fields"]) for one in details] == scans
    text = table.explain()
    for name, fields in scans:
        read = ", ".join(rf"{field}: \w+" for field in fields.split(", "))
        assert re.search(rf"Source: {name} .*RowTypeInfo\({read}\)", text)
    with table.execute().collect() as found:
        assert [tuple(row) for row in found] == expected


def test_a_view_of_columns_under_other_names_is_read_by_these(tmp_path: Path) -> None:
    t_env = with_time(tmp_path)
    view = t_env.from_path("e").select(col("a").alias("n"), col("ts"), col("b"))
    t_env.create_temporary_view("v", view)
    assert rows(t_env, "SELECT n FROM v") == [(1,)]
    window = "SELECT n, window_end FROM TABLE(TUMBLE(TABLE v, DESCRIPTOR(ts), INTERVAL '1' MINUTE))"
    assert [row[0] for row in rows(t_env, window)] == [1]
    assert "Source: e " in t_env.sql_query("SELECT b FROM v").explain()


def test_columns_under_other_names_have_them_without_their_watermark() -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE e (a INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen')"
    )
    chosen = t_env.from_path("e").select(col("ts").alias("t"), col("a").alias("n"))
    assert [column.name for column in untimed(chosen)._columns] == ["t", "n"]


def test_a_view_of_groups_is_computed_once_for_all_of_its_columns(tmp_path: Path) -> None:
    t_env = with_time(tmp_path)
    t_env.execute_sql("CREATE VIEW g AS SELECT b, COUNT(*) AS n, MAX(c) AS m FROM e GROUP BY b")
    t_env.execute_sql("CREATE TABLE out (n BIGINT) WITH ('connector' = 'print')")
    inserts = t_env.create_statement_set()
    for name in ("n", "CAST(m AS BIGINT)"):
        inserts.add_insert_sql(f"INSERT INTO out SELECT {name} FROM g")
    assert inserts.explain().count("Aggregate(COUNT(*), MAX(f1))") == 1


def test_columns_that_are_chosen_have_the_time_zone_of_now(tmp_path: Path) -> None:
    t_env = with_time(tmp_path)
    t_env.get_config().set_local_timezone("UTC")
    shown = "CAST(TO_TIMESTAMP_LTZ(0, 3) AS STRING)"
    table = t_env.sql_query(f"SELECT b, {shown} AS l, COUNT(*) AS n FROM e GROUP BY b, {shown}")
    chosen = table.select(col("l").alias("m"))
    for zone, text in (("Asia/Tokyo", "1970-01-01 09:00:00.000"), ("UTC", "1970-01-01 00:00:00.000")):
        t_env.get_config().set_local_timezone(zone)
        with chosen.execute().collect() as found:
            assert [tuple(row) for row in found] == [(text,)]
