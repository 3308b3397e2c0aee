"""The rules that rewrite relational operators, by plans before and after: a file a rule, beside this module.

A block of a file has a title, a query of bounded tables, its plan, and its plan after the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from pystream.table import StreamTableEnvironment
from pystream.table.algebra.explain import plan_text
from pystream.table.algebra.node import RelNode
from pystream.table.planner import query_planner
from pystream.table.rules.final_rows import final_rows
from pystream.table.rules.merged_projections import with_merged_projections
from pystream.testing import local_environment

RULES: Mapping[str, Callable[[RelNode], RelNode]] = {
    "final_rows": final_rows,
    "merged_projections": with_merged_projections,
}
TABLES = {"t": "a INT, b STRING, c DOUBLE, ts TIMESTAMP(3), WATERMARK FOR ts AS ts", "u": "k INT, v STRING"}


class Fixture(NamedTuple):
    title: str
    query: str
    before: str
    after: str


def fixtures(rule: str) -> Iterator[Fixture]:
    text = (Path(__file__).parent / f"{rule}.plans").read_text("utf-8")
    for block in text.strip().split("\n\n"):
        title, query, *lines = block.splitlines()
        before, after = "\n".join(lines).split("\n=>\n")
        yield Fixture(title.removeprefix("-- "), query.removesuffix(";"), before, after)


def shown(plan: RelNode) -> str:
    """Return a plan as text without the columns of its operators."""
    return "\n".join(line.partition(" -> ")[0] for line in plan_text(plan).splitlines())


@pytest.mark.parametrize("rule", RULES)
def test_rules_rewrite_plans_as_their_files_say(
    rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    t_env = StreamTableEnvironment.create(local_environment())
    for name, columns in TABLES.items():
        t_env.execute_sql(
            f"CREATE TABLE {name} ({columns}) WITH ('connector' = 'filesystem', 'path' = '{tmp_path}', "
            "'format' = 'json')"
        )
    rewritten: list[tuple[str, str]] = []

    def recorded(plan: RelNode) -> RelNode:
        result = RULES[rule](plan)
        rewritten.append((shown(plan), shown(result)))
        return result

    monkeypatch.setattr(query_planner, RULES[rule].__name__, recorded)
    found = []
    for fixture in fixtures(rule):
        t_env.sql_query(fixture.query)
        found.append(Fixture(fixture.title, fixture.query, *rewritten.pop()))
    assert found == [*fixtures(rule)]
