"""Columns of tables, whose names and types the plugin knows."""

from dataclasses import dataclass
from typing import Any, NamedTuple, TypedDict, assert_type

from pystream.datastream import DataStream
from pystream.table import StreamTableEnvironment, Table
from pystream.table import expressions as functions
from pystream.table.expressions import col, lit
from typeinfo import Row


@dataclass
class Word:
    text: str
    n: int


@dataclass
class Count:
    word: str
    count: int


class Pair(NamedTuple):
    n: str
    text: str


class Chosen(TypedDict):
    n: int
    upper: str


class Texts(TypedDict):
    text: str


class Renamed(TypedDict):
    word: str
    n: int


def columns_are_selected(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    chosen = t_env.from_data_stream(words).select(col("n"), col("text").upper_case.alias("upper"))
    assert_type(chosen, Table[Row[Chosen]])
    rows = t_env.to_data_stream(chosen)
    assert_type(rows, DataStream[Row[Chosen]])
    assert_type(rows.map(lambda row: row.n), DataStream[int])


def columns_are_dropped_and_renamed(table: Table[Word]) -> None:
    assert_type(table.drop_columns(col("n")), Table[Row[Texts]])
    assert_type(table.alias("word"), Table[Row[Renamed]])


def columns_are_not_known(table: Table[Word], other: Table, names: str) -> None:
    assert_type(table.select(col("n") + 1), Table)
    assert_type(table.select(col("*")), Table)
    assert_type(table.alias(names), Table)
    assert_type(other.select(col("a")).filter(col("b") > 1), Table)


def rows_become_a_class(t_env: StreamTableEnvironment, table: Table[Word]) -> None:
    assert_type(t_env.to_data_stream(table.alias("word", "count"), Count), DataStream[Count])
    t_env.to_data_stream(table, Count)  # E: The class has the fields word, count, the table text, n
    t_env.to_data_stream(table, Pair)  # E: The column "n" is "int", the field is "str"


def columns_that_do_not_exist(table: Table[Word], other: Table[Count]) -> None:
    table.select(col("m"))  # E: There is no column "m": the table has text, n
    table.filter(functions.col("m") > 1)  # E: There is no column "m": the table has text, n
    table.where((col("n") > 1) & ~col("txt").like("a%"))  # E: There is no column "txt"
    table.order_by(col("m").desc)  # E: There is no column "m"
    table.group_by(col("m")).select(lit(1))  # E: There is no column "m"
    table.add_columns((col("m") + 1).alias("k"))  # E: There is no column "m"
    table.drop_columns(col("m"))  # E: There is no column "m"
    table.alias("a", "b", "c")  # E: There are 3 names for 2 columns
    table.texts  # E: There is no column "texts": the table has text, n
    assert_type(table.text, functions.Expression[Any])
    table.where(col("n").in_(other.select(col("count"))))


def variables_are_assigned_again(t_env: StreamTableEnvironment, words: DataStream[Word]) -> None:
    table = t_env.from_data_stream(words)
    table = table.add_columns((col("n") + 1).alias("m"))
    table.select(col("m")).filter(col("m") > 1)
    table = table.select(col("m"))
    _ = table.m
    other = t_env.from_data_stream(words)
    for name in ("a", "b"):
        other = other.add_columns(lit(1).alias(name))
    other.where(col("a") > 1)


def arguments_are_assigned_again(table: Table[Word], other: Table[Word]) -> None:
    table = table.drop_columns(col("n"))
    table.select(col("n"))
    other.select(col("k"))  # E: There is no column "k"


class Parsed(Table[Word]):
    source: str = "file"


def attributes_of_subclasses(table: Parsed) -> None:
    assert_type(table.source, str)
    table.sources  # E: There is no column "sources"


@dataclass
class Lists:
    xs: list[int]
    word: Word
    n: int


@dataclass
class OptionalLists:
    xs: list[int | None]
    word: Count
    n: int | None


def values_become_others(t_env: StreamTableEnvironment, table: Table[Lists]) -> None:
    assert_type(t_env.to_data_stream(table, OptionalLists), DataStream[OptionalLists])
