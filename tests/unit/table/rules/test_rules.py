"""The rules that rewrite queries, by texts before and after: a file a rule, beside this module.

A block of a file has a title, a query, and the same query after the rule. Columns that keep their names and
tables that are named like themselves are printed without AS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlglot import exp

from pystream.errors import UnsupportedOperationError
from pystream.sql_types.data_types import DataType
from pystream.table.rules.having import with_filtered_groups
from pystream.table.rules.named_queries import with_inlined_subqueries
from pystream.table.rules.orders import with_limits_at_orders, without_inner_orders
from pystream.table.rules.predicates import with_pushed_conditions
from pystream.table.rules.projections import with_needed_columns
from pystream.table.rules.subqueries import with_joined_subqueries
from pystream.table.sql.analysis import AnalysedQuery, analyse_query, base_tables
from pystream.table.sql.dialect import Flink
from pystream.table.sql.function_tables import FunctionTable
from pystream.table.sql.match_calls import MATCH_CLAUSE
from pystream.table.sql.parser import parse_query
from pystream.table.types import DataTypes

INT, STRING = DataTypes.INT(), DataTypes.STRING()
POINT = DataTypes.ROW([DataTypes.FIELD("x", INT), DataTypes.FIELD("y", INT)])
TABLES: Mapping[str, list[tuple[str, DataType]]] = {
    "t": [("a", INT), ("b", STRING), ("c", DataTypes.DOUBLE()), ("p", POINT), ("ts", DataTypes.TIMESTAMP(3))],
    "u": [("k", INT), ("v", STRING), ("w", STRING)],
}


def refusal(node: exp.Expr, clause: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(clause)


def needed_columns(query: exp.Query) -> exp.Query:
    """Return the query with what it needs of each table, which stands behind the table."""
    needed = with_needed_columns(query)
    for table in base_tables(needed.tree):
        paths = needed.paths.get(table.name, ())
        table.add_comments(["all" if table.name in needed.whole else ", ".join(sorted(map(".".join, paths)))])
    return needed.tree


RULES: Mapping[str, Callable[[exp.Query], exp.Query]] = {
    "having": with_filtered_groups,
    "limits_at_orders": with_limits_at_orders,
    "named_queries": with_inlined_subqueries,
    "orders": without_inner_orders,
    "predicates": with_pushed_conditions,
    "projections": needed_columns,
    "subqueries": lambda query: with_joined_subqueries(query, refusal),
}


class Fixture(NamedTuple):
    title: str
    query: str
    expected: str


@cache
def analysed(query: str) -> AnalysedQuery:
    return analyse_query(parse_query(query), TABLES.__getitem__)


def fixtures(rule: str) -> Iterator[Fixture]:
    text = (Path(__file__).parent / f"{rule}.sql").read_text("utf-8")
    for block in text.strip().split("\n\n"):
        title, _, rest = block.partition("\n")
        query, expected = re.split(r";\s*", rest.strip().removesuffix(";"))
        yield Fixture(title.removeprefix("-- "), query, " ".join(expected.split()))


def shown(query: AnalysedQuery, tree: exp.Query) -> str:
    """Return a query as text, without what its analysis adds."""
    tree = tree.copy()
    for called in [*tree.find_all(FunctionTable)]:
        names = exp.TableAlias(
            this=called.args["alias"].this, columns=[exp.to_identifier(one.name) for one in called.fields]
        )
        call = exp.Anonymous(this=called.function.name, expressions=called.arguments)
        called.replace(exp.Table(this=call, alias=names))
    for matched in tree.find_all(exp.Subquery):
        matched.set(MATCH_CLAUSE, None)
    for table in tree.find_all(exp.Table):
        if table.name.startswith("_pystream_table_"):
            table.set("this", exp.to_identifier(query.paths[int(table.name.rpartition("_")[2])]))
        if table.alias == table.name and not table.alias_column_names:
            table.set("alias", None)
    for field in [*tree.find_all(exp.Alias)]:
        if isinstance(field.this, exp.Column) and field.this.name == field.alias:
            field.replace(field.this)
    for name in tree.find_all(exp.Identifier):
        name.set("quoted", not re.fullmatch(r"\w+", name.name))
    return tree.sql(Flink)


@pytest.mark.parametrize("rule", RULES)
def test_rules_rewrite_queries_as_their_files_say(rule: str) -> None:
    found = [
        fixture._replace(expected=shown(query, RULES[rule](query.tree)))
        for fixture in fixtures(rule)
        for query in [analysed(fixture.query)]
    ]
    assert found == [*fixtures(rule)]


@pytest.mark.parametrize("rule", RULES)
def test_rules_leave_the_query_that_they_are_given_as_it_is(rule: str) -> None:
    for fixture in fixtures(rule):
        tree = analysed(fixture.query).tree
        before = tree.copy()
        RULES[rule](tree)
        assert tree == before
