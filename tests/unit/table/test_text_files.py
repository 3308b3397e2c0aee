"""Tables in files of CSV and JSON: what Flink 2.3 reads and writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pystream.errors import ConfigurationError, PyStreamError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment

PAIR = "i INT, s STRING"


def environment() -> StreamTableEnvironment:
    env = local_environment()
    env.set_parallelism(1)
    return StreamTableEnvironment.create(env)


def create(t_env: Any, columns: str, path: Path, format: str, options: dict[str, str]) -> None:
    given = "".join(f", '{format}.{key}' = '{value}'" for key, value in options.items())
    t_env.execute_sql(
        f"CREATE TABLE files ({columns}) WITH ('connector' = 'filesystem', 'path' = '{path}', "
        f"'format' = '{format}'{given})"
    )


def read(path: Path, content: str, columns: str = PAIR, format: str = "csv", **options: str) -> list[Any]:
    (path / "in").write_bytes(content.encode())
    t_env = environment()
    create(
        t_env, columns, path / "in", format, {key.replace("_", "-"): value for key, value in options.items()}
    )
    with t_env.sql_query("SELECT * FROM files").execute().collect() as rows:
        return [tuple(row) for row in rows]


def written(path: Path, query: str, columns: str = PAIR, format: str = "csv", **options: str) -> str:
    t_env = environment()
    create(t_env, columns, path, format, {key.replace("_", "-"): value for key, value in options.items()})
    t_env.execute_sql(f"INSERT INTO files {query}").wait()
    return "".join(part.read_bytes().decode() for part in sorted(path.glob("part-*")))


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        ('1,"a\nb"\n2,c\n', [(1, "a\nb"), (2, "c")]),
        ('1,"a\r\nb"\r\n2,c\r\n', [(1, "a\r\nb"), (2, "c")]),
        ("1,a,\n", [(1, "a")]),
        ("\ufeff1,a\n", [(1, "a")]),
        ("1,a", [(1, "a")]),
        ("", []),
    ],
)
def test_csv_is_read_by_records(tmp_path: Path, content: str, rows: list[Any]) -> None:
    assert read(tmp_path, content) == rows


def test_csv_that_cannot_be_parsed_is_null_or_skipped(tmp_path: Path) -> None:
    content = 'x,a\n1\n\n1,"a"x\n1,a,b\n2,b\n3,"never closed\n'
    rows = read(tmp_path, content, ignore_parse_errors="true")
    assert rows == [(None, "a"), (1, None), (None, None), (2, "b")]


@pytest.mark.parametrize("number", ["1e999", "-1e309"])
def test_a_number_beyond_double_is_an_error_and_no_infinity(tmp_path: Path, number: str) -> None:
    with pytest.raises(PyStreamError, match=f"in, line 1: field d: '{number}' does not fit DOUBLE"):
        read(tmp_path, f"{number}\n2.5\n", "d DOUBLE")
    assert read(tmp_path, f"{number}\n2.5\n", "d DOUBLE", ignore_parse_errors="true") == [(None,), (2.5,)]


def test_a_decimal_that_does_not_fit_is_an_error_at_its_line(tmp_path: Path) -> None:
    with pytest.raises(
        PyStreamError, match=r"in, line 2: field d: 12345.5 does not fit DECIMAL\(5, 2\); .*set"
    ):
        read(tmp_path, "1.005\n12345.5\n", "d DECIMAL(5, 2)")


@pytest.mark.parametrize(
    ("column", "content"), [("s STRING", '\na\n""\n'), ("s STRING, t STRING", ",\na,\n,\n")]
)
def test_an_empty_text_comes_back(tmp_path: Path, column: str, content: str) -> None:
    texts = ["", "a", ""]
    rows = [(text,) if column == "s STRING" else (text, "") for text in texts]
    assert read(tmp_path, content, column) == rows
    values = ", ".join(f"({', '.join(map(repr, row))})" for row in rows)
    assert written(tmp_path / "out", f"VALUES {values}", column) == content.replace('""', "")


def test_csv_writes_times_as_flink_does(tmp_path: Path) -> None:
    query = (
        "VALUES (TIMESTAMP '2020-01-02 03:04:05', TIME '03:04:00'), "
        "(TIMESTAMP '2020-01-02 03:04:05.120', TIME '03:04:05')"
    )
    lines = '"2020-01-02 03:04:05",03:04:00\n"2020-01-02 03:04:05.12",03:04:05\n'
    assert written(tmp_path, query, "t TIMESTAMP(3), u TIME") == lines


def test_a_header_is_written_compared_and_left_out(tmp_path: Path) -> None:
    assert written(tmp_path / "out", "VALUES (1, 'a')", header="true") == "i,s\n1,a\n"
    assert read(tmp_path, "i,s\n1,a\n2,b\n", header="true") == [(1, "a"), (2, "b")]
    with pytest.raises(PyStreamError, match=r"the header has the columns \['1', 'a'\], but \['i', 's'\] are"):
        read(tmp_path, "1,a\n2,b\n", header="true")
    with pytest.raises(
        PyStreamError, match=r"line 1: field i: .* if it is a header, .*'csv.header' = 'true'"
    ):
        read(tmp_path, "i,s\n1,a\n")


def test_errors_name_the_options_of_tables(tmp_path: Path) -> None:
    with pytest.raises(
        PyStreamError, match=r"'csv.null-literal' = ''; .* 'csv.ignore-parse-errors' = 'true'"
    ):
        read(tmp_path, "1,a\n,b\n")
    with pytest.raises(PyStreamError, match=r"set 'json.ignore-parse-errors' = 'true'"):
        read(tmp_path, '{"i": "x"}\n', format="json")
    with pytest.raises(ConfigurationError, match=r"'csv\.header' is for the format csv"):
        environment().execute_sql(
            "CREATE TABLE t (i INT) WITH ('connector' = 'filesystem', 'path' = '/x', 'format' = 'json', "
            "'csv.header' = 'true')"
        )


@pytest.mark.parametrize("std", ["SQL", "ISO-8601"])
def test_json_takes_times_of_its_standard_only(tmp_path: Path, std: str) -> None:
    separator = " " if std == "SQL" else "T"
    texts = [
        f"2020-01-02{separator}03:04:05",
        f"2020-01-02{separator}03:04:05Z",
        f"2020-1-2{separator}03:04:05",
    ]
    lines = "".join(f'{{"t": "{text}"}}\n' for text in texts)
    options = {"timestamp-format.standard": std, "ignore-parse-errors": "true"}
    found = read(tmp_path, lines, "t TIMESTAMP(3)", "json", **options)
    assert [row[0] is None for row in found] == [False, True, True]


def test_blank_lines_hold_no_row_of_json(tmp_path: Path) -> None:
    content = '\ufeff{"i": 1}\n\n \t\r\n{"i": 2}\n\n'
    assert read(tmp_path, content, "i INT", "json") == [(1,), (2,)]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"null-literal": "a,b"}, "no cell can be the null literal 'a,b'"),
        ({"field-delimiter": "||"}, "takes a single character"),
        ({"write-bigdecimal-in-scientific-notation": "true"}, "without an exponent"),
    ],
)
def test_options_that_cannot_be_are_refused(tmp_path: Path, options: dict[str, str], complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        read(tmp_path, "", **options)
