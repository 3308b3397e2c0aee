"""Limits on the number of elements that a program needs from a node."""

from __future__ import annotations

from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, Node, OperatorNode, SinkNode

__all__ = ["limit_after"]


def limit_after(plan: Plan, node: Node) -> int | None:
    """Return the maximum number of elements needed from a node, or ``None`` if unknown.

    It is known if operators with one result per element, and no exchange, lead from the node to a collecting
    sink with a limit.
    """
    while True:
        match plan.consumers[node.id]:
            case (SinkNode(target=CollectTarget(limit)),):
                return limit
            case (OperatorNode() as node,) if node.kind.one_to_one:
                pass
            case _:
                return None
