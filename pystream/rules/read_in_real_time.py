"""Rule: let Spark read the sources that its Real-Time Mode can read."""

from __future__ import annotations

from dataclasses import replace

from pystream.kinds import SourceColumns
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import SourceNode

__all__ = ["read_in_real_time", "source_obstacle"]


def read_in_real_time(plan: Plan, options: PlanOptions) -> Plan:
    """Let Spark read the sources that its Real-Time Mode can read, so that expressions can follow."""
    if not options.real_time:
        return plan
    return Plan(
        tuple(
            replace(node, columns=SourceColumns.SPARK)
            if isinstance(node, SourceNode) and not source_obstacle(node)
            else node
            for node in plan.nodes
        )
    )


def source_obstacle(node: SourceNode) -> str:
    """Return why Real-Time Mode cannot read a source, empty if it can."""
    find = getattr(node.source, "obstacle_to_real_time", None)
    return "only a KafkaSource can be read there" if find is None else str(find())
