"""Rule: compute a query in Python where Spark cannot read its stream as a table."""

from __future__ import annotations

from collections.abc import Mapping

from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Chaining, Node, OperatorNode, SourceNode
from pystream.plan.query import Query

__all__ = ["queries_in_python"]

_SHARED = "other operators read its table, too"
_APART = "its table comes from other tasks than those that read the source"
_STATEFUL = "its table comes from an operator that keeps state"


def queries_in_python(plan: Plan, options: PlanOptions) -> Plan:
    """Replace queries over unbounded streams by operators where Spark cannot compute them.

    Spark computes a query in the tasks that read the source: only operators without state may come before
    it, and nothing else may read the same stream.
    """
    if not plan.unbounded_sources:
        return plan
    changed: dict[int, Node] = {}
    dropped: set[int] = set()
    for node in plan.nodes:
        if not (isinstance(node, SourceNode) and isinstance(node.source, Query)):
            continue
        query, sinks = node.source, node.inputs
        if query.in_python is None or len(sinks) != 1:
            continue
        (stream,) = plan.by_id[sinks[0]].inputs
        obstacle = _obstacle(plan, changed, stream, options)
        if obstacle:
            dropped.update(sinks)
            changed[node.id] = OperatorNode(
                id=node.id,
                inputs=(stream,),
                type_info=node.type_info,
                type_origin=node.type_origin,
                settings=node.settings,
                kind=query.in_python.kind,
                function=query.in_python.function,
                not_native=obstacle,
            )
    kept = (node for node in plan.nodes if node.id not in dropped)
    return Plan(tuple(changed.get(node.id, node) for node in kept))


def _obstacle(plan: Plan, changed: Mapping[int, Node], stream: int, options: PlanOptions) -> str:
    """Return why Spark cannot read a stream as a table, or an empty text."""
    node = changed.get(stream, plan.by_id[stream])
    while True:
        if len(plan.consumers[node.id]) > 1:
            return _SHARED
        if isinstance(node, SourceNode):
            return "" if options.chaining else _APART
        if not isinstance(node, OperatorNode) or len(node.inputs) != 1:
            return _APART
        if node.kind.keeps_state(node.function.payload, bool(node.keys)):
            return _STATEFUL
        before = changed.get(node.inputs[0], plan.by_id[node.inputs[0]])
        if node.settings.chaining is not Chaining.ALWAYS or before.parallelism != node.parallelism:
            return _APART
        node = before
