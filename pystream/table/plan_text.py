"""The plans of tables as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from pystream.table.explain_detail import ExplainDetail

if TYPE_CHECKING:
    from pystream.datastream.data_stream import DataStreamSink
    from pystream.table.table_environment import TableEnvironment

__all__ = ["plan_of_sinks", "with_details"]


def plan_of_sinks(
    environment: TableEnvironment, sinks: Sequence[DataStreamSink], details: Collection[ExplainDetail]
) -> str:
    """Return the plan of a job of some sinks, which no later job runs."""
    text = str(environment._streams._explain_sinks(sinks))
    return with_details(environment, text, [sink._node_id for sink in sinks], details)


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
