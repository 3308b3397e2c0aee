"""Tables by the options of Flink 1.10; the rows of files are those that PyFlink 2.3 reads by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pystream.errors import ConfigurationError
from pystream.table import EnvironmentSettings, StreamTableEnvironment
from pystream.table.connectors.legacy_options import current_options
from pystream.testing import local_environment

CSV = 'a,b\n1,"x, y"\n2,\n3, z \n#c,4\n4,"q"\n'
QUOTED = {"format.quote-character": '"'}


def read(path: Path, content: str, columns: str, **options: str) -> list[tuple[Any, ...]]:
    (path / "in.csv").write_text(content)
    given = {"connector.type": "filesystem", "connector.path": str(path / "in.csv"), "format.type": "csv"}
    t_env = StreamTableEnvironment.create(local_environment(), EnvironmentSettings.in_batch_mode())
    texts = ", ".join(f"'{key}' = '{value}'" for key, value in {**given, **options}.items())
    t_env.execute_sql(f"CREATE TABLE t ({columns}) WITH ({texts})")
    with t_env.execute_sql("SELECT * FROM t").collect() as rows:
        return [tuple(row) for row in rows]


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({}, [("a", "b"), ("1", '"x'), ("2", ""), ("3", " z "), ("#c", "4"), ("4", '"q"')]),
        (QUOTED, [("a", "b"), ("1", "x, y"), ("2", ""), ("3", " z "), ("#c", "4"), ("4", "q")]),
        (
            QUOTED | {"format.ignore-first-line": "true"},
            [("1", "x, y"), ("2", ""), ("3", " z "), ("#c", "4"), ("4", "q")],
        ),
        (
            QUOTED | {"format.comment-prefix": "#"},
            [("a", "b"), ("1", "x, y"), ("2", ""), ("3", " z "), ("4", "q")],
        ),
    ],
)
def test_files_are_read_as_the_old_format_reads_them(
    tmp_path: Path, options: dict[str, str], rows: list[tuple[Any, ...]]
) -> None:
    assert read(tmp_path, CSV, "a STRING, b STRING", **options) == rows


def test_cells_of_other_types(tmp_path: Path) -> None:
    (row,) = read(
        tmp_path,
        "1;2018-03-11 03:10:00;2.5;true\n",
        "a INT, b TIMESTAMP(3), c DOUBLE, d BOOLEAN",
        **{"format.field-delimiter": ";", "update-mode": "append", "format.derive-schema": "true"},
    )
    assert (row[0], str(row[1]), *row[2:]) == (1, "2018-03-11 03:10:00", 2.5, True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            {
                "connector.type": "kafka",
                "connector.version": "universal",
                "connector.topic": "t",
                "connector.properties.bootstrap.servers": "broker:9092",
                "connector.startup-mode": "earliest-offset",
                "format.type": "json",
                "format.fail-on-missing-field": "false",
            },
            {
                "connector": "kafka",
                "topic": "t",
                "properties.bootstrap.servers": "broker:9092",
                "scan.startup.mode": "earliest-offset",
                "format": "json",
                "json.fail-on-missing-field": "false",
            },
        ),
        (
            {"connector.type": "jdbc", "connector.url": "u", "connector.table": "t"},
            {"connector": "jdbc", "url": "u", "table-name": "t"},
        ),
        (
            {"connector.type": "elasticsearch", "connector.version": "6", "connector.hosts": "h"},
            {"connector": "elasticsearch-6", "hosts": "h"},
        ),
        ({"connector": "kafka", "topic": "t"}, {"connector": "kafka", "topic": "t"}),
    ],
)
def test_old_names_have_successors(old: dict[str, str], new: dict[str, str]) -> None:
    assert current_options(old, "t") == new


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"connector.type": "hbase"}, "'connector.type', there are filesystem, kafka, .* but not 'hbase'"),
        ({"connector.type": "jdbc", "connector.lookup.x": "1"}, "'connector.lookup.x' has no successor"),
        (
            {"connector": "jdbc", "connector.type": "jdbc"},
            "'connector.type' one of before; leave one of them out",
        ),
        ({"connector.type": "jdbc", "update-mode": "retract"}, "'append' or 'upsert', not 'retract'"),
        (
            {"connector.type": "filesystem", "format.type": "csv", "format.comment-prefix": "//"},
            "'format.comment-prefix' must be '#', not '//'",
        ),
    ],
)
def test_what_has_no_successor_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        current_options(options, "t")
