"""Tables of files that are PARTITIONED BY columns: what PyFlink does not read, formats, and errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pystream.errors import (
    ConfigurationError,
    PlanError,
    PyStreamError,
    UnsupportedOperationError,
    UnsupportedTypeError,
)
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment


def created(
    path: Path, columns: str, keys: str, format: str = "csv", options: str = ""
) -> StreamTableEnvironment:
    env = local_environment()
    env.set_parallelism(1)
    t_env = StreamTableEnvironment.create(env)
    t_env.execute_sql(
        f"CREATE TABLE t ({columns}) PARTITIONED BY ({keys}) WITH ('connector' = 'filesystem', "
        f"'path' = '{path}', 'format' = '{format}'{options})"
    )
    return t_env


def rows(t_env: StreamTableEnvironment, query: str = "SELECT * FROM t") -> list[Any]:
    with t_env.sql_query(query).execute().collect() as found:
        return sorted((tuple(row) for row in found), key=str)


@pytest.mark.parametrize("format", ["csv", "json", "avro", "parquet", "orc"])
def test_all_formats_have_partitions(tmp_path: Path, format: str) -> None:
    t_env = created(tmp_path, "k STRING, id INT, h INT, v STRING NOT NULL", "h, k", format)
    t_env.execute_sql("INSERT INTO t VALUES ('a', 1, 5, 'x'), ('b', 2, 5, 'y'), ('a', 3, 6, 'z')").wait()
    found = {str(path.relative_to(tmp_path).parent) for path in tmp_path.rglob("part-*")}
    assert found == {"h=5/k=a", "h=5/k=b", "h=6/k=a"}
    assert rows(t_env) == [("a", 1, 5, "x"), ("a", 3, 6, "z"), ("b", 2, 5, "y")]
    assert rows(t_env, "SELECT v FROM t WHERE h = 6") == [("z",)]


def test_nulls_have_the_default_partition(tmp_path: Path) -> None:
    t_env = created(tmp_path, "id INT, k STRING, h INT", "k, h")
    t_env.execute_sql("INSERT INTO t VALUES (1, 'a', CAST(NULL AS INT)), (2, '', 3)").wait()
    assert sorted(path.name for path in tmp_path.rglob("*") if "DEFAULT" in path.name) == [
        "h=__DEFAULT_PARTITION__",
        "k=__DEFAULT_PARTITION__",
    ]
    assert rows(t_env) == [(1, "a", None), (2, None, 3)]


def test_values_of_all_types_come_back(tmp_path: Path) -> None:
    columns = "id INT, d DATE, b BOOLEAN, n DECIMAL(5, 2), f DOUBLE, ts TIMESTAMP(3), l BIGINT"
    t_env = created(tmp_path, columns, "d, b, n, f, ts, l")
    t_env.execute_sql(
        "INSERT INTO t VALUES (1, DATE '2020-01-02', true, CAST(1.5 AS DECIMAL(5, 2)), "
        "2.5e0, TIMESTAMP '2020-01-02 03:04:00', 7)"
    ).wait()
    (row,) = rows(t_env, "SELECT CAST(d AS STRING), b, n, f, CAST(ts AS STRING), l FROM t")
    assert [str(value) for value in row] == [
        "2020-01-02",
        "True",
        "1.50",
        "2.5",
        "2020-01-02 03:04:00.000",
        "7",
    ]


def test_timestamps_of_flink_may_lack_seconds(tmp_path: Path) -> None:
    path = tmp_path / "k=2020-01-02T03%3A04" / "part"
    path.parent.mkdir()
    path.write_text("1\n")
    t_env = created(tmp_path, "id INT, k TIMESTAMP(3)", "k")
    assert rows(t_env, "SELECT CAST(k AS STRING) FROM t") == [("2020-01-02 03:04:00.000",)]


def test_partitions_are_monitored(tmp_path: Path) -> None:
    path = tmp_path / "k=a" / "part"
    path.parent.mkdir()
    path.write_text("1\n")
    (path.parent / "part.tmp").write_text("2\n")
    options = ", 'source.monitor-interval' = '1 s', 'source.path.regex-pattern' = '.*/part'"
    t_env = created(tmp_path, "id INT, k STRING", "k", options=options)
    with t_env.sql_query("SELECT * FROM t").execute().collect() as found:
        assert tuple(next(found)) == (1, "a")


def test_a_file_in_no_partition_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "stray").write_text("1\n")
    with pytest.raises(PyStreamError, match=r"stray is in no partition .* directories k=…/h=…/; move the"):
        rows(created(tmp_path, "id INT, k STRING, h INT", "k, h"))


def test_a_directory_that_is_no_value_names_file_and_type(tmp_path: Path) -> None:
    (tmp_path / "h=x").mkdir()
    (tmp_path / "h=x" / "part").write_text("1\n")
    with pytest.raises(PyStreamError, match=r"h=x/part: the directory h=x: 'x' is no INT"):
        rows(created(tmp_path, "id INT, h INT", "h"))


@pytest.mark.parametrize(
    ("columns", "keys", "error", "message"),
    [
        ("id INT", "id", ConfigurationError, "partitioned by all of its columns; its files would be empty"),
        ("id INT, k BYTES", "k", UnsupportedTypeError, "partitioned by `k` BYTES, but directories are named"),
        ("id INT, k TIME", "k", UnsupportedTypeError, r"partitioned by `k` TIME\(0\), but directories"),
        ("id INT, k TIMESTAMP_LTZ(3)", "k", UnsupportedTypeError, "partitioned by `k` TIMESTAMP_LTZ"),
        ("id INT, _k INT", "_k", ConfigurationError, "start with . or _ are hidden; rename the column"),
        ("id INT", "z", PlanError, "partitioned by 'z', but its columns are id"),
    ],
)
def test_columns_that_are_no_partitions_are_refused(
    tmp_path: Path, columns: str, keys: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        created(tmp_path, columns, keys)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("PARTITION (z = 1) VALUES (1)", "PARTITION: 'z' is none of the partition keys, which are k, h"),
        ("PARTITION (h = 1) VALUES (1)", r"a value for each of the columns id, k, but it has 1 and not 2"),
        ("PARTITION (h = 1) (id) VALUES (1)", "PARTITION: the other columns are id, k, not id"),
        ("PARTITION (h = id) SELECT 1, 'a'", "PARTITION takes columns and literals, such as"),
    ],
)
def test_wrong_partitions_of_inserts_are_refused(tmp_path: Path, statement: str, message: str) -> None:
    t_env = created(tmp_path, "id INT, k STRING, h INT", "k, h")
    with pytest.raises(PyStreamError, match=message):
        t_env.execute_sql(f"INSERT INTO t {statement}")


def test_tables_without_partitions_take_none(tmp_path: Path) -> None:
    t_env = created(tmp_path, "id INT, k STRING", "k")
    t_env.execute_sql("CREATE TABLE p (id INT, k STRING) PARTITIONED BY (k) WITH ('connector' = 'print')")
    with pytest.raises(PlanError, match="INSERT INTO p PARTITION: the table has no partitions; leave"):
        t_env.execute_sql("INSERT INTO p PARTITION (k = 'a') VALUES (1)")
    with pytest.raises(UnsupportedOperationError, match="'t' are replaced in batch mode only"):
        t_env.execute_sql("INSERT OVERWRITE t PARTITION (k = 'a') VALUES (1)")


def test_files_roll_by_size(tmp_path: Path) -> None:
    options = ", 'sink.rolling-policy.file-size' = '1 b', 'sink.rolling-policy.check-interval' = '1 s'"
    t_env = created(tmp_path, "id INT, k STRING", "k", options=options)
    t_env.execute_sql("INSERT INTO t VALUES (1, 'a'), (2, 'a'), (3, 'b')").wait()
    assert sorted(path.read_text() for path in tmp_path.rglob("part-*")) == ["1\n", "2\n", "3\n"]


@pytest.mark.parametrize(
    ("format", "option", "value", "message"),
    [
        ("csv", "auto-compaction", "true", "'auto-compaction' is not supported: files are not merged"),
        ("csv", "compaction.file-size", "1 mb", "not supported: files are not merged"),
        ("csv", "sink.partition-commit.policy.kind", "custom", "one or several of metastore, success-file"),
        ("csv", "sink.partition-commit.trigger", "never", "must be one of process-time, partition-time"),
        ("csv", "sink.partition-commit.success-file.name", "DONE", "would be read as a file of the table"),
        ("parquet", "sink.rolling-policy.file-size", "1 mb", "no effect on files of the format 'parquet'"),
        ("csv", "sink.rolling-policy.file-size", "much", "must be a memory size such as '64 mb'"),
        ("csv", "source.path.regex-pattern", "(", "must be a regular expression"),
        ("csv", "partition.default", "x", "did you mean 'partition.default-name'"),
    ],
)
def test_options_without_effect_are_refused(
    tmp_path: Path, format: str, option: str, value: str, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        created(tmp_path, "id INT, k STRING", "k", format, f", '{option}' = '{value}'")


def test_compaction_may_be_off(tmp_path: Path) -> None:
    t_env = created(tmp_path, "id INT, k STRING", "k", options=", 'auto-compaction' = 'false'")
    t_env.execute_sql("INSERT INTO t VALUES (1, 'a')").wait()
    assert rows(t_env) == [(1, "a")]


def test_a_text_with_the_character_0_comes_back(tmp_path: Path) -> None:
    t_env = created(tmp_path, "id INT, k STRING", "k")
    t_env.execute_sql("INSERT INTO t VALUES (1, U&'a\\0000b')").wait()
    assert rows(t_env) == [(1, "a\0b")]


@pytest.mark.parametrize("name", ["a/b", "a=b", ""])
def test_the_default_partition_has_the_name_of_a_directory(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigurationError, match=r"partition\.default-name must be the name of a directory"):
        created(tmp_path, "id INT, k STRING", "k", options=f", 'partition.default-name' = '{name}'")


def test_unbounded_jobs_do_not_tell_that_partitions_are_complete(tmp_path: Path) -> None:
    t_env = created(
        tmp_path, "id INT, k STRING", "k", options=", 'sink.partition-commit.policy.kind' = 'success-file'"
    )
    t_env.execute_sql("CREATE TABLE generated (id INT, k STRING) WITH ('connector' = 'datagen')")
    with pytest.raises(UnsupportedOperationError, match="unbounded jobs cannot tell that a partition is"):
        t_env.execute_sql("INSERT INTO t SELECT * FROM generated")
