"""The plans of tables as text."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pystream.table.explain_detail import ExplainDetail

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["with_details"]


def with_details(
    environment: TableEnvironment, text: str, nodes: list[int], details: Collection[ExplainDetail]
) -> str:
    """Return a plan with what a program wants to see besides.

    Args:
        environment: the environment of the plan.
        text: the plan.
        nodes: the operators and sinks that it ends with.
        details: what else is to be seen.
    """
    if ExplainDetail.JSON_EXECUTION_PLAN not in details:
        return text
    return f"{text}\n== JSON execution plan ==\n{environment._streams._json_plan(nodes)}\n"
