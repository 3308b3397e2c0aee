"""Explanation: a plan as text; and the JSON form of a plan in Flink's format."""

from __future__ import annotations

import json
from html import escape
from typing import Any, Literal, Self

from pystream.plan.diagram import Diagram, ExplainedOperator, operator_title
from pystream.plan.graph import Plan
from pystream.plan.nodes import Node, PartitionNode, SinkNode, SourceNode, UnionNode
from pystream.plan.svg import to_svg

__all__ = ["Explanation", "PlanStage", "execution_plan"]

_TABLE_STYLE = "font-family: monospace; line-height: 1.3; overflow-x: auto; white-space: pre"
_DRAWN_OPERATORS = 100  # maximum number of boxes drawn in a notebook

PlanStage = Literal["logical", "optimized", "physical"]
"""The stages of a plan, in the order in which rules rewrite it."""


class Explanation(str):
    """The text of a plan: a table of its operators, and the reasons why they do not run on a faster path.

    It is a ``str`` that can also be drawn: a prompt shows its text, a notebook the graph and the text.
    """

    __slots__ = ("_plan",)

    _plan: Plan

    @classmethod
    def of(cls, plan: Plan, stage: PlanStage, host: str) -> Self:
        """Return the explanation of a plan.

        Args:
            plan: the plan of that stage; tasks and paths are shown once they are known.
            stage: the stage, for the title.
            host: display name of the host it would run on, for the title.
        """
        explanation = cls(_text(plan, f"{stage} plan for {host}"))
        explanation._plan = plan
        return explanation

    @property
    def operators(self) -> tuple[ExplainedOperator, ...]:
        """The operators with type, task, path and reason; inputs precede the operators that use them."""
        return Diagram.of(self._plan).operators

    def to_mermaid(self) -> str:
        """Return the plan as a Mermaid flowchart.

        Each operator is a box with its type, coloured by its path; each task is a frame.
        """
        return Diagram.of(self._plan).to_mermaid()

    def to_svg(self) -> str:
        """Return the plan as an SVG image.

        Each operator is a box with its type, coloured by its path; a tooltip holds text that does not fit.
        """
        return to_svg(Diagram.of(self._plan))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        drawing = self.to_svg() if len(self._plan.nodes) <= _DRAWN_OPERATORS else ""
        return f'<div>{drawing}</div><pre style="{_TABLE_STYLE}">{escape(self)}</pre>'


def _text(plan: Plan, title: str) -> str:
    headings = ["id", "operator", "from", "parallelism"]
    chosen = any(node.choice for node in plan.nodes)
    if chosen:
        headings += ["task", "path"]
    rows = [[*headings, "type"], *(_row(node, chosen=chosen) for node in plan.nodes)]
    lines = [f"== {title} ==", *_aligned(rows)]
    reasons = [
        [str(node.id), node.choice.why_not_faster]
        for node in plan.nodes
        if node.choice is not None and node.choice.why_not_faster
    ]
    if reasons:
        lines += ["", "why not faster", *_aligned(reasons)]
    return "\n".join(lines)


def _row(node: Node, *, chosen: bool) -> list[str]:
    row = [str(node.id), operator_title(node), ", ".join(map(str, node.inputs)), _parallelism(node)]
    if chosen:
        row += ["" if node.chain is None else str(node.chain), node.choice.path if node.choice else ""]
    return [*row, str(node.type_info)]


def _parallelism(node: Node) -> str:
    return "" if isinstance(node, (PartitionNode, UnionNode)) else str(node.settings.parallelism or "")


def _aligned(rows: list[list[str]]) -> list[str]:
    """Format rows as lines with aligned columns; the last column may have any width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]


def execution_plan(plan: Plan) -> str:
    """Return an optimised plan as JSON text for Flink's plan visualizer.

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
