"""Statements of Flink SQL: what is read from them, and how wrong ones are refused."""

from __future__ import annotations

import pytest
from sqlglot import exp

from pystream.errors import SqlError
from pystream.sql_types.data_types import DataType
from pystream.table import DataTypes
from pystream.table.schema import ComputedColumn, Schema
from pystream.table.sql.column_types import parse_data_type
from pystream.table.sql.parser import parse_query
from pystream.table.sql.statement_parser import parse_statement
from pystream.table.sql.type_trees import data_type_of_sql
from pystream.table.statements.base import Statement
from pystream.table.statements.queries import Explain, Insert, Query
from pystream.table.statements.shows import DescribeTable, ShowTables
from pystream.table.statements.tables import CreateTable, Drop
from pystream.table.statements.views import CreateView


def created(text: str) -> CreateTable:
    statement = parse_statement(text)
    assert isinstance(statement, CreateTable)
    return statement


@pytest.mark.parametrize(
    ("text", "data_type"),
    [
        ("INT", DataTypes.INT()),
        ("INTEGER NOT NULL", DataTypes.INT(nullable=False)),
        ("TINYINT", DataTypes.TINYINT()),
        ("SMALLINT", DataTypes.SMALLINT()),
        ("BIGINT", DataTypes.BIGINT()),
        ("FLOAT", DataTypes.FLOAT()),
        ("DOUBLE", DataTypes.DOUBLE()),
        ("DOUBLE PRECISION", DataTypes.DOUBLE()),
        ("BOOLEAN", DataTypes.BOOLEAN()),
        ("STRING", DataTypes.STRING()),
        ("VARCHAR", DataTypes.STRING()),
        ("VARCHAR(3)", DataTypes.VARCHAR(3)),
        ("CHAR", DataTypes.CHAR(1)),
        ("CHAR(3)", DataTypes.CHAR(3)),
        ("BYTES", DataTypes.BYTES()),
        ("VARBINARY", DataTypes.BYTES()),
        ("VARBINARY(3)", DataTypes.VARBINARY(3)),
        ("BINARY(3)", DataTypes.BINARY(3)),
        ("DECIMAL", DataTypes.DECIMAL(10, 0)),
        ("NUMERIC(3, 1)", DataTypes.DECIMAL(3, 1)),
        ("DATE", DataTypes.DATE()),
        ("TIME", DataTypes.TIME()),
        ("TIMESTAMP", DataTypes.TIMESTAMP(6)),
        ("TIMESTAMP(3)", DataTypes.TIMESTAMP(3)),
        ("TIMESTAMP(3) WITHOUT TIME ZONE", DataTypes.TIMESTAMP(3)),
        ("TIMESTAMP_LTZ(3)", DataTypes.TIMESTAMP_LTZ(3)),
        ("TIMESTAMP(3) WITH LOCAL TIME ZONE", DataTypes.TIMESTAMP_LTZ(3)),
        ("ARRAY<INT NOT NULL>", DataTypes.ARRAY(DataTypes.INT(nullable=False))),
        ("MAP<STRING, ARRAY<INT>>", DataTypes.MAP(DataTypes.STRING(), DataTypes.ARRAY(DataTypes.INT()))),
        (
            "MAP<VARCHAR(2), ARRAY<CHAR(3)>>",
            DataTypes.MAP(DataTypes.VARCHAR(2), DataTypes.ARRAY(DataTypes.CHAR(3))),
        ),
        ("ROW<id INT>", DataTypes.ROW([DataTypes.FIELD("id", DataTypes.INT())])),
        (
            "ROW(`a b` INT NOT NULL, c ROW<d DATE>) NOT NULL",
            DataTypes.ROW(
                [
                    DataTypes.FIELD("a b", DataTypes.INT(nullable=False)),
                    DataTypes.FIELD("c", DataTypes.ROW([DataTypes.FIELD("d", DataTypes.DATE())])),
                ],
                nullable=False,
            ),
        ),
    ],
)
def test_types_by_their_names(text: str, data_type: DataType) -> None:
    assert parse_data_type(text) == data_type
    assert created(f"CREATE TABLE t (x {text})").schema == Schema.new_builder().column("x", data_type).build()
    cast = parse_query(f"SELECT CAST(x AS {text})").tree.find(exp.Cast)
    assert cast is not None
    assert data_type_of_sql(cast.to) == data_type


@pytest.mark.parametrize("data_type", [DataTypes.ARRAY(DataTypes.INT(False)), DataTypes.DECIMAL(4, 2)])
def test_the_text_of_a_type_is_read_as_that_type(data_type: DataType) -> None:
    assert parse_data_type(str(data_type.not_null())) == data_type.not_null()


def test_every_clause_of_create_table() -> None:
    statement = created(
        """
        CREATE TEMPORARY TABLE IF NOT EXISTS db.`my table` (
          id BIGINT NOT NULL COMMENT 'the id',
          `timestamp` TIMESTAMP(3),
          doubled AS id * 2,
          offset_ BIGINT METADATA FROM 'offset' VIRTUAL,
          headers STRING METADATA,
          PRIMARY KEY (id) NOT ENFORCED,
          WATERMARK FOR `timestamp` AS `timestamp` - INTERVAL '5' SECOND
        ) COMMENT 'words' WITH ('connector' = 'datagen', 'a.b' = 'it''s \\n');
        """
    )
    schema = (
        Schema.new_builder()
        .column("id", "BIGINT NOT NULL")
        .with_comment("the id")
        .column("timestamp", "TIMESTAMP(3)")
        .column_by_expression("doubled", "id * 2")
        .column_by_metadata("offset_", "BIGINT", "offset", is_virtual=True)
        .column_by_metadata("headers", "STRING")
        .primary_key("id")
        .watermark("timestamp", "`timestamp` - INTERVAL '5' SECOND")
        .build()
    )
    options = {"connector": "datagen", "a.b": "it's \\n"}
    assert statement == CreateTable(
        "db.my table", schema, options, if_not_exists=True, is_temporary=True, comment="words"
    )


def test_expressions_stay_as_they_are_written() -> None:
    schema = created(
        """CREATE TABLE t (
          size  AS CHARACTER_LENGTH( text ) /* of
            the text */ + 1 COMMENT 'the size',
          text STRING,
          `a``b` AS text||'x',
          WATERMARK FOR `t``s` AS `t``s`-INTERVAL '5' SECONDS
        )"""
    ).schema
    expressions = [column.expression for column in schema.columns if isinstance(column, ComputedColumn)]
    comment = "/* of\n            the text */"
    assert expressions == [f"CHARACTER_LENGTH( text ) {comment} + 1", "text||'x'"]
    assert schema.watermarks[0].expression == "`t``s`-INTERVAL '5' SECONDS"
    with pytest.raises(SqlError, match="Expecting an expression"):
        created("CREATE TABLE t (a AS , b INT)")


@pytest.mark.parametrize(
    "key", ["a INT PRIMARY KEY NOT ENFORCED", "a INT, CONSTRAINT k PRIMARY KEY (a) NOT ENFORCED"]
)
def test_other_forms_of_a_primary_key(key: str) -> None:
    assert created(f"CREATE TABLE t ({key})").schema.primary_key_columns == ("a",)


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("DROP TABLE t", Drop("t", if_exists=False, is_view=False)),
        ("drop temporary table if exists a.b.t", Drop("a.b.t", True, False, is_temporary=True)),
        ("DROP VIEW v", Drop("v", if_exists=False, is_view=True)),
        ("SHOW TABLES;", ShowTables(only_views=False)),
        ("SHOW VIEWS", ShowTables(only_views=True)),
        ("DESCRIBE `my t`", DescribeTable("my t")),
        ("DESC t", DescribeTable("t")),
    ],
)
def test_other_statements(text: str, statement: Statement) -> None:
    assert parse_statement(text) == statement


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("SELECT * FROM y", "y"),
        ("TABLE y", "y"),
        ("SELECT * FROM c.d.y", "c.d.y"),
        ("SELECT a FROM y", None),
        ("SELECT * FROM y AS z", None),
        ("SELECT * FROM y WHERE a > 1", None),
        ("SELECT * FROM y, z", None),
        ("SELECT DISTINCT * FROM y", None),
        ("SELECT * FROM y LIMIT 1", None),
        ("VALUES (1)", None),
        ("SELECT 1", None),
    ],
)
def test_the_table_that_a_query_is_all_of(text: str, path: str | None) -> None:
    insert = parse_statement(f"INSERT INTO x {text}")
    assert isinstance(insert, Insert)
    assert (insert.target, insert.names, insert.overwrite) == ("x", (), False)
    assert insert.query.path == path


def test_the_columns_of_an_insert_and_its_mode() -> None:
    insert = parse_statement("INSERT OVERWRITE x (b, a) SELECT * FROM y")
    assert isinstance(insert, Insert)
    assert (insert.names, insert.overwrite) == (("b", "a"), True)


def test_views() -> None:
    view = parse_statement("CREATE OR REPLACE TEMPORARY VIEW v (a, b) AS SELECT 1, 2")
    assert isinstance(view, CreateView)
    assert (view.path, view.names, view.if_not_exists, view.replaces) == ("v", ("a", "b"), False, True)
    assert isinstance(parse_statement("EXPLAIN PLAN FOR SELECT 1"), Explain)
    assert isinstance(parse_statement("EXPLAIN INSERT INTO x VALUES (1)"), Explain)
    assert isinstance(parse_statement("WITH t AS (SELECT 1) SELECT * FROM t"), Query)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (
            "CREATE TABLE t (\n  a FOO\n)",
            "line 2, column 5, at 'FOO': This is not a type\n    a FOO\n      ^",
        ),
        ("CREATE TABLE t (a INT", "line 1, column 19, at 'INT': Expecting )"),
        ("CREATE TABLE t (a INT, a INT)", "line 1, column 24, at 'a': there are two columns of the name 'a'"),
        (
            "CREATE TABLE t (a DECIMAL(50, 2))",
            "line 1, column 17, at 'a': DECIMAL(50, 2): the precision must",
        ),
        ("CREATE TABLE t (a)", "line 1, column 17, at 'a': the column a needs a type"),
        ("CREATE TABLE t (a UUID)", "line 1, column 17, at 'a': the type UUID is not supported"),
        ("CREATE TABLE t (a INT UNIQUE)", "at 'UNIQUE': UNIQUE is not supported here"),
        ("CREATE TABLE t WITH ()", "line 1, column 14, at 't': CREATE TABLE takes a list of columns"),
        ("CREATE TABLE t LIKE x (EXCLUDING OPTIONS EXCLUDING OPTIONS)", "OPTIONS are named twice"),
        ("CREATE TABLE t LIKE x (OVERWRITING CONSTRAINTS)", "CONSTRAINTS are never merged by OVERWRITING"),
        ("CREATE TABLE t LIKE x (EXCLUDING COLUMNS)", "at 'COLUMNS': Expecting ALL, CONSTRAINTS"),
        ("CREATE TABLE t (a) LIKE x", "at 'a': the column a needs a type"),
        ("CREATE TEMPORARY TABLE t AS SELECT 1", "at 'AS': CREATE TEMPORARY TABLE takes no AS"),
        ("ALTER TABLE t ADD a", "at 'a': the column a needs a type"),
        ("ALTER TABLE t", "Expecting DROP"),
        ("CREATE TABLE t (a INT, PRIMARY KEY (a))", "a primary key is not enforced: add NOT ENFORCED"),
        ("CREATE TABLE t (WATERMARK FOR a, b INT)", "at ',': Expecting AS"),
        (
            "CREATE TABLE t (ts TIMESTAMP(6), WATERMARK FOR ts AS ts)",
            "line 1, column 48, at 'ts': column 'ts' is TIMESTAMP(6), but watermarks have milliseconds",
        ),
        ("CREATE TABLE t (ts TIMESTAMP_LTZ, WATERMARK FOR ts AS ts)", "declare it as TIMESTAMP_LTZ(3)"),
        ("SHOW JARS", "line 1, column 6, at 'JARS': Expecting TABLES, VIEWS"),
        ("SELEC 1", "line 1, column 1, at 'SELEC': This is not a statement"),
        ("DROP TABLE t; DROP TABLE u", "execute_sql takes one statement, not 'DROP TABLE t; DROP TABLE u'"),
        ("", "execute_sql takes one statement, not ''"),
        ("CREATE TABLE t (a INT) WITH ('a = 'b')", "does not end"),
    ],
)
def test_a_wrong_statement_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(SqlError) as failure:
        parse_statement(text)
    assert complaint in str(failure.value)


@pytest.mark.parametrize("text", ["FOO", "INT INT", "DECIMAL(3, 4)"])
def test_text_that_is_no_type_is_refused(text: str) -> None:
    with pytest.raises(SqlError, match=r"at '(FOO|INT)'|must be from 1 to 38"):
        parse_data_type(text)
