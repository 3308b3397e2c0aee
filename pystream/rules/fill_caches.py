"""Rule: let a job fill its empty caches."""

from __future__ import annotations

from dataclasses import replace

from pystream.errors import PlanError
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    CacheNode,
    CacheTarget,
    CollectTarget,
    ColumnsTarget,
    Node,
    SinkNode,
)

__all__ = ["fill_caches"]


def fill_caches(plan: Plan, options: PlanOptions) -> Plan:
    """Add to each empty cache a sink that fills it; readers of the cache read the cache's input instead.

    A program that may leave elements unread, since it takes a limited number of them or becomes a table that
    is read later, fills none.

    Raises:
        PlanError: a source is unbounded.
    """
    fills = not any(map(_may_leave_elements, plan.nodes))
    inputs: dict[int, int] = {}
    rewritten: dict[int, Node] = {}
    for node in plan.nodes:
        if not isinstance(node, CacheNode):
            rewritten[node.id] = replace(node, inputs=tuple(inputs.get(id, id) for id in node.inputs))
            continue
        if plan.unbounded_sources:
            source = plan.unbounded_sources[0]
            raise PlanError(
                f"{node.settings.name!r} ({node.settings.call_site}): cache() needs bounded sources, but "
                f"{source.settings.name!r} is unbounded; write the elements to a sink, which another "
                "job reads"
            )
        (before,) = (inputs.get(id, id) for id in node.inputs)
        inputs[node.id] = before
        if fills:
            rewritten[node.id] = _filling(node, rewritten[before])
    return Plan(tuple(rewritten.values()))


def _may_leave_elements(node: Node) -> bool:
    match node:
        case SinkNode(target=CollectTarget(limit)):
            return limit is not None
        case SinkNode(target=ColumnsTarget()):
            return True
    return False


def _filling(node: CacheNode, before: Node) -> SinkNode:
    settings = replace(
        node.settings,
        name=node.title,
        parallelism=before.settings.parallelism,
        max_parallelism=before.settings.max_parallelism,
    )
    return SinkNode(
        id=node.id,
        inputs=(before.id,),
        type_info=node.type_info,
        type_origin=node.type_origin,
        settings=settings,
        target=CacheTarget(node.cache, node.cache.generation),
    )
