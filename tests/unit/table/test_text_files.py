"""Tables in files of CSV and JSON: what Flink 2.3 reads and writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pystream.errors import ConfigurationError, PyStreamError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment
from typeinfo import Row

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
        PyStreamError, match=r"in, line 2: field d: 12345.5 is out of the range of DECIMAL\(5, 2\); .*set"
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
        ({"trim-space": "true"}, "has no option 'csv.trim-space'; did you mean 'csv.trim-spaces'"),
        ({"empty-string-as-null": "maybe"}, "'csv.empty-string-as-null' must be true or false, not 'maybe'"),
    ],
)
def test_options_that_cannot_be_are_refused(tmp_path: Path, options: dict[str, str], complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=complaint):
        read(tmp_path, "", **options)


@pytest.mark.parametrize(
    ("options", "content", "rows"),
    [
        ({}, ' x , y\n\t t\t,u\n  "w" ,v\n', [(" x ", " y"), ("\t t\t", "u"), ('  "w" ', "v")]),
        (
            {"trim_spaces": "true"},
            ' x , y\n" q ", z \n\t t\t,u\n  "w" ,v\n',
            [("x", "y"), (" q ", "z"), ("t", "u"), ("w", "v")],
        ),
        ({"trim_spaces": "true"}, ' "x\n y "  , z "q" \n', [("x\n y ", 'z "q"')]),
        ({"trim_spaces": "true"}, "\x01x\x1f,\xa0y\x0c\n", [("x", "\xa0y")]),
        ({"trim_spaces": "true", "field_delimiter": "\t"}, " x\t y \n", [("x", "y")]),
        ({"trim_spaces": "true", "escape_character": "\\"}, " x\\ , y\\, z \n", [("x", "y, z")]),
        ({"trim_spaces": "true", "disable_quote_character": "true"}, ' "x" , y \n', [('"x"', "y")]),
        ({"trim_spaces": "true", "allow_comments": "true"}, " # x,y\na,b\n", [("a", "b")]),
        ({"trim_spaces": "true", "null_literal": "n"}, " n ,n\n", [(None, None)]),
        ({}, "x,y,z\n", "3 cells, but there are 2 columns"),
        ({}, "x,y,,\n", "4 cells, but there are 2 columns"),
        ({"ignore_trailing_unmappable": "true"}, "x,y,z,w\nx,y,,\n1,2\n", [("x", "y")] * 2 + [("1", "2")]),
        ({}, "x,y,\n", [("x", "y")]),
        ({"allow_trailing_comma": "false"}, "x,y,\n", "3 cells, but there are 2 columns"),
        (
            {"allow_trailing_comma": "false", "ignore_trailing_unmappable": "true"},
            "x,y,\n1,2,3\n",
            [("x", "y"), ("1", "2")],
        ),
        ({}, "x\n", "1 cells, but there are 2 columns"),
        ({"ignore_parse_errors": "true"}, "x\n1,2\n", [("x", None), ("1", "2")]),
        ({"ignore_parse_errors": "true", "fail_on_missing_columns": "true"}, "x\n1,2\n", [("1", "2")]),
        ({}, ',""\n', [("", "")]),
        ({"empty_string_as_null": "true"}, ',""\n" ",z\n', [(None, None), (" ", "z")]),
        ({"empty_string_as_null": "true", "null_literal": "n"}, ",n\n", [(None, None)]),
        ({"empty_string_as_null": "true", "trim_spaces": "true"}, '  ,"  "\n', [(None, "  ")]),
    ],
)
def test_csv_has_the_options_of_flink(
    tmp_path: Path, options: dict[str, str], content: str, rows: list[Any] | str
) -> None:
    if isinstance(rows, str):
        with pytest.raises(PyStreamError, match=f"line 1: {rows}"):
            read(tmp_path, content, "a STRING, b STRING", **options)
    else:
        assert read(tmp_path, content, "a STRING, b STRING", **options) == rows


def test_options_of_csv_hold_in_arrays_and_rows(tmp_path: Path) -> None:
    columns = "a ARRAY<STRING>, b ROW<x STRING, y STRING>"
    assert read(tmp_path, " p ; q , r ; s \n", columns, trim_spaces="true") == [(["p", "q"], Row("r", "s"))]
    found = read(tmp_path, ",;\np;;q,\n", columns, empty_string_as_null="true")
    assert found == [([], Row(None, None)), (["p", None, "q"], None)]


def test_decimals_have_exponents_unless_plain_numbers_are_asked_for(tmp_path: Path) -> None:
    """The texts with exponents are those of PyFlink 2.3."""
    columns = "a DECIMAL(10,0), b DECIMAL(10,2), c DECIMAL(38,18)"
    query = (
        "VALUES (CAST(100000 AS DECIMAL(10,0)), CAST(-1200.5 AS DECIMAL(10,2)), "
        "CAST(0.00000012 AS DECIMAL(38,18))), (0, 0, 0)"
    )
    assert written(tmp_path / "a", query, columns) == "1E+5,-1200.5,1.2E-7\n0,0,0\n"
    plain = {"write_bigdecimal_in_scientific_notation": "false"}
    assert written(tmp_path / "b", query, columns, **plain) == "100000,-1200.5,0.00000012\n0,0,0\n"
    lines = '{"a":1E+5,"b":-1200.5,"c":1.2E-7}\n{"a":0,"b":0,"c":0}\n'
    assert written(tmp_path / "c", query, columns, "json") == lines
    plain = {"encode.decimal-as-plain-number": "true"}
    lines = '{"a":100000,"b":-1200.5,"c":0.00000012}\n{"a":0,"b":0,"c":0}\n'
    assert written(tmp_path / "d", query, columns, "json", **plain) == lines


def test_json_leaves_out_null_fields_on_request(tmp_path: Path) -> None:
    columns = "a INT, b ROW<x INT, y INT>, c ARRAY<INT>, m MAP<STRING, INT>"
    query = (
        "VALUES (CAST(NULL AS INT), ROW(CAST(NULL AS INT), 1), ARRAY[1, CAST(NULL AS INT)], "
        "MAP['k', CAST(NULL AS INT)])"
    )
    options = {"encode.ignore-null-fields": "true"}
    assert written(tmp_path, query, columns, "json", **options) == (
        '{"b":{"y":1},"c":[1,null],"m":{"k":null}}\n'
    )


def test_json_arrays_hold_several_rows(tmp_path: Path) -> None:
    content = '[{"i": 1, "s": "x"}, {"i": 2}]\n{"i": 3}\n[]\n[null]\n'
    assert read(tmp_path, content, format="json") == [(1, "x"), (2, None), (3, None)]
    mixed = '[{"i": 4}, 5, [{"i": 6}], {"i": "q"}]\n'
    assert read(tmp_path, mixed, format="json", ignore_parse_errors="true") == [(4, None), (None, None)]
    with pytest.raises(PyStreamError, match=r"in, line 1: .*: field \[1\]: expected an object, not 5"):
        read(tmp_path, mixed, format="json")


@pytest.mark.parametrize("options", [{}, {"ignore_parse_errors": "true"}])
@pytest.mark.parametrize(
    ("format", "content"),
    [
        ("csv", "x,y\n"),
        ("csv", ",y\n"),
        ("json", '{"i": "x"}\n'),
        ("json", '{"i": null}\n'),
        ("json", '{"s": "y"}\n'),
        ("json", '[{"s": "y"}]\n'),
    ],
)
def test_a_column_that_is_not_null_never_holds_null(
    tmp_path: Path, options: dict[str, str], format: str, content: str
) -> None:
    with pytest.raises(PyStreamError, match=r"in, line 1: .*field .*i: "):
        read(tmp_path, content, "i INT NOT NULL, s STRING", format, **options)


def test_a_missing_cell_of_a_column_that_is_not_null_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PyStreamError, match="line 2: 1 cells, but there are 2 columns"):
        read(tmp_path, "x,1\ny\n", "s STRING, i INT NOT NULL", ignore_parse_errors="true")


@pytest.mark.parametrize("format", ["csv", "json"])
def test_a_decimal_beyond_its_precision_names_line_and_column(tmp_path: Path, format: str) -> None:
    number = "1234567890123456789012345678901234567890"
    line = number if format == "csv" else f'{{"d": {number}}}'
    with pytest.raises(PyStreamError, match=rf"in, line 1: .*field d: {number} is out of .*'{format}.ignore"):
        read(tmp_path, f"{line}\n", "d DECIMAL(38, 2)", format)
    ignoring = {"ignore_parse_errors": "true"}
    assert read(tmp_path, f"{line}\n", "d DECIMAL(38, 2)", format, **ignoring) == [(None,)]
