"""Changelogs in columns, by `Table.to_changelog` and `Table.from_changelog`, as in PyFlink 2.3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pystream.common import Row, RowKind, Types
from pystream.errors import JobExecutionError, PlanError, UnsupportedOperationError
from pystream.table import ChangelogMode, StreamTableEnvironment, Table
from pystream.table.expression import Expression
from pystream.table.expressions import call, col, descriptor, lit, map_
from pystream.testing import local_environment

INSERT, BEFORE, AFTER, DELETE = RowKind
CHANGES = [(INSERT, 1, "a"), (BEFORE, 1, "a"), (AFTER, 1, "b"), (INSERT, 2, "x"), (DELETE, 2, "x")]
OP = descriptor("code").as_argument("op")


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


@pytest.fixture
def updated(t_env: StreamTableEnvironment) -> Table:
    rows = [Row(k, v) for _, k, v in CHANGES]
    for row, (kind, *_) in zip(rows, CHANGES, strict=True):
        row.set_row_kind(kind)
    stream = t_env._program.from_collection(rows, Types.ROW_NAMED(["k", "v"], [Types.INT(), Types.STRING()]))
    return t_env.from_changelog_stream(stream)


def coded(*pairs: str) -> Expression[Any]:
    first, second, *others = pairs
    return map_(first, second, *others).as_argument("op_mapping")


def changes(t_env: StreamTableEnvironment, table: Table) -> list[tuple[Any, ...]]:
    with t_env.to_changelog_stream(table).execute_and_collect() as rows:
        return [(row.get_row_kind(), *row) for row in rows]


def test_changes_become_rows_with_the_names_of_their_kinds(
    t_env: StreamTableEnvironment, updated: Table
) -> None:
    table = updated.to_changelog()
    assert [str(column) for column in table.get_resolved_schema().get_columns()] == [
        "`op` STRING",
        "`k` INT",
        "`v` STRING",
    ]
    assert changes(t_env, table) == [(INSERT, kind.name, k, v) for kind, k, v in CHANGES]


def test_codes_stand_for_the_kinds_that_are_wanted(t_env: StreamTableEnvironment, updated: Table) -> None:
    codes = coded("INSERT, UPDATE_AFTER", "u", "DELETE", "d")
    table = updated.to_changelog(codes, OP)
    assert changes(t_env, table) == [
        (INSERT, "u", 1, "a"),
        (INSERT, "u", 1, "b"),
        (INSERT, "u", 2, "x"),
        (INSERT, "d", 2, "x"),
    ]
    assert table.get_schema().get_field_names() == ["code", "k", "v"]


def test_rows_become_changes_again(t_env: StreamTableEnvironment, updated: Table) -> None:
    assert changes(t_env, updated.to_changelog(OP).from_changelog(OP)) == CHANGES


def test_codes_of_any_column_are_read(t_env: StreamTableEnvironment) -> None:
    rows = [(1, "c", "a"), (1, "ub", "a"), (1, "ua", "b"), (2, "r", "x"), (2, "d", "x")]
    codes = coded("c, r", "INSERT", "ub", "UPDATE_BEFORE", "ua", "UPDATE_AFTER", "d", "DELETE")
    table = t_env.from_elements(rows, ["k", "code", "v"]).from_changelog(OP, codes)
    assert changes(t_env, table) == CHANGES
    counted = table.group_by(col("k")).select(col("k"), col("v").max.alias("v"))
    with counted.execute().collect() as found:
        assert list(found) == [Row(1, "b")]


def test_streams_of_changes_have_the_kinds_of_the_mode(t_env: StreamTableEnvironment, updated: Table) -> None:
    with t_env.to_changelog_stream(updated, None, ChangelogMode.upsert()).execute_and_collect() as rows:
        kinds = [row.get_row_kind() for row in rows]
    assert kinds == [INSERT, AFTER, INSERT, DELETE]
    with pytest.raises(UnsupportedOperationError, match="which the changelog mode lacks"):
        t_env.to_changelog_stream(updated, None, ChangelogMode.insert_only())
    codes = t_env.to_changelog_stream(updated.to_changelog(), None, ChangelogMode.insert_only())
    with codes.execute_and_collect() as rows:
        assert [row["op"] for row in rows] == [kind.name for kind, *_ in CHANGES]


@pytest.mark.parametrize(
    ("build", "error", "complaint"),
    [
        (
            lambda t: t.to_changelog(descriptor("k").as_argument("op")),
            PlanError,
            "column 'k' already",
        ),
        (lambda t: t.to_changelog(descriptor("a", "b")), PlanError, "op takes one name"),
        (lambda t: t.to_changelog(coded("FOO", "f")), PlanError, "'FOO', which is none of INSERT, UPDATE"),
        (
            lambda t: t.to_changelog(coded("INSERT", "i", "DELETE, INSERT", "d")),
            PlanError,
            "'INSERT' twice",
        ),
        (lambda t: t.to_changelog(OP, lit(3).as_argument("op_mapping")), PlanError, "takes a map of texts"),
        (lambda t: t.to_changelog(lit(1).as_argument("uid")), PlanError, "not `uid` => 1"),
        (lambda t: t.to_changelog(OP, OP), PlanError, "to_changelog takes descriptor"),
        (lambda t: t.from_changelog(), UnsupportedOperationError, "rows of the table may be updated"),
        (lambda t: t.to_changelog(OP).from_changelog(), PlanError, "no column 'op' of text"),
        (lambda t: t.to_changelog().from_changelog(descriptor("k")), PlanError, "no column 'k' of text"),
        (
            lambda t: t.to_changelog().from_changelog(coded("a", "UPDATE_AFTER")),
            UnsupportedOperationError,
            "map a code to UPDATE_BEFORE",
        ),
        (lambda t: t.select(col("k").abs.as_argument("n")), PlanError, "take their arguments by position"),
        (lambda t: t.select(call("ABS", col("k").as_argument("n"))), PlanError, "take their arguments by"),
    ],
)
def test_wrong_arguments_are_refused(
    updated: Table, build: Callable[[Table], Table], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        build(updated)


def test_an_unknown_code_fails_the_job(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_elements([("INSERT", 1), ("FOO", 2)], ["op", "k"]).from_changelog()
    with pytest.raises(
        JobExecutionError, match="'FOO' is no code of an operation; there are INSERT, UPDATE_"
    ):
        changes(t_env, table)
