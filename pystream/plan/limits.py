"""Limits on the number of elements that a program needs from a node."""

from __future__ import annotations

from pystream.engine.spec import OperatorKind
from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, Node, OperatorNode, SinkNode

__all__ = ["limit_after"]

_ONE_TO_ONE = frozenset({OperatorKind.MAP, OperatorKind.PROJECT})


def limit_after(plan: Plan, node: Node) -> int | None:
    """Return how many elements of a node are wanted at most, or ``None`` if that is unknown.

    It is known if operators with one result per element, and no exchange, lead from the node to a collecting
    sink with a limit.
    """
    while True:
        match plan.consumers[node.id]:
            case (SinkNode(target=CollectTarget(limit)),):
                return limit
            case (OperatorNode(kind=kind) as node,) if kind in _ONE_TO_ONE:
                pass
            case _:
                return None
