"""Plans as text for people, and as JSON in Flink's form."""

from __future__ import annotations

import json
from typing import Any, Literal

from pystream.plan.graph import Plan
from pystream.plan.nodes import Node, OperatorNode, PartitionNode, SinkNode, SourceNode, UnionNode
from typeinfo.composite import RecordTypeInfo
from typeinfo.info import TypeInformation

__all__ = ["Stage", "execution_plan", "explain"]

_TYPE_WIDTH = 40

Stage = Literal["logical", "optimized", "physical"]


def explain(plan: Plan, stage: Stage) -> str:
    """Return a table of a plan's nodes, with tasks and execution paths once they are known.

    Args:
        plan: the plan of that stage.
        stage: what the plan is, for the title.
    """
    shown = plan.nodes
    rows = [_row(plan, node) for node in shown]
    headings = ["id", "operator", "from", "p", "type"]
    if any(node.choice for node in shown):
        headings += ["task", "path", "why not faster"]
    widths = [max(len(row[i]) for row in [headings, *rows]) for i in range(len(headings))]
    lines = [f"== {stage} plan =="]
    for row in [headings, *rows]:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def short_name(type_info: TypeInformation[Any]) -> str:
    """Return a type's name for a table: a record's is its class's, a long one is cut."""
    name = type_info.record_class.__name__ if isinstance(type_info, RecordTypeInfo) else str(type_info)
    return name if len(name) <= _TYPE_WIDTH else f"{name[: _TYPE_WIDTH - 1]}…"


def _row(plan: Plan, node: Node) -> list[str]:
    function = node.function.description if isinstance(node, OperatorNode) else ""
    named = f"{node.title} ({function})" if function else node.title
    parallelism = "" if isinstance(node, (PartitionNode, UnionNode)) else str(node.settings.parallelism or "")
    inputs = ", ".join(map(str, node.inputs))
    row = [str(node.id), named, inputs, parallelism, short_name(node.type_info)]
    if node.choice is not None:
        task = "" if node.chain is None else str(node.chain)
        row += [task, node.choice.path, node.choice.reason]
    return row


def execution_plan(plan: Plan) -> str:
    """Return an optimised plan as the JSON text that Flink's plan visualizer reads.

    Each node has ``id``, ``type``, ``pact``, ``contents``, ``parallelism`` and, where it has inputs,
    ``predecessors`` with ``id``, ``ship_strategy`` and ``side``.
    """
    nodes = [_json_node(plan, node) for node in plan.nodes if not isinstance(node, PartitionNode)]
    return json.dumps({"nodes": nodes}, indent=2)


def _json_node(plan: Plan, node: Node) -> dict[str, Any]:
    pacts = {SourceNode: "Data Source", SinkNode: "Data Sink"}
    described: dict[str, Any] = {
        "id": node.id,
        "type": node.title,
        "pact": pacts.get(type(node), "Operator"),
        "contents": node.settings.description or node.title,
        "parallelism": node.settings.parallelism,
    }
    predecessors = [_predecessor(plan, plan.by_id[id]) for id in node.inputs]
    if predecessors:
        described["predecessors"] = predecessors
    return described


def _predecessor(plan: Plan, node: Node) -> dict[str, Any]:
    if isinstance(node, PartitionNode):
        return {"id": node.inputs[0], "ship_strategy": node.kind.value, "side": "second"}
    return {"id": node.id, "ship_strategy": "FORWARD", "side": "second"}
