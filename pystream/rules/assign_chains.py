"""Rule: fuse adjacent operators into chains, each of which runs as one task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.loops import loops_by_member
from pystream.plan.nodes import (
    CacheTarget,
    Chaining,
    Node,
    PartitionNode,
    SideOutputNode,
    SinkNode,
    SourceNode,
)

__all__ = ["assign_chains"]


def assign_chains(plan: Plan, options: PlanOptions) -> Plan:
    """Set the chain of every node to the id of the first node of its chain.

    A node joins the chain of its input if the edge is one to one, chaining is on, the node neither starts a
    chain nor refuses to be chained, and its input does not refuse either. Partitionings belong to none, and
    a side output to the chain of its operator, as does a sink that fills a cache with its results. A loop is
    one chain, whatever the settings of its operators. The results of a query start a chain. Its input ends
    one in which all elements go to it, and is else a chain of its own.
    """
    loop_of = loops_by_member(plan)
    chained: dict[int, Node] = {}
    for node in plan.nodes:
        if isinstance(node, PartitionNode):
            chained[node.id] = node
            continue
        if node.id in loop_of:
            chained[node.id] = replace(node, chain=loop_of[node.id].head)
            continue
        before = chained[node.inputs[0]] if _may_join(plan, node, chained) else None
        joins = _is_of_operator(node) or (
            before is not None
            and not isinstance(before, PartitionNode)
            and options.chaining
            and node.settings.chaining is Chaining.ALWAYS
            and before.settings.chaining is not Chaining.NEVER
        )
        chained[node.id] = replace(node, chain=before.chain if joins and before is not None else node.id)
    return Plan(tuple(chained.values()))


def _may_join(plan: Plan, node: Node, chained: Mapping[int, Node]) -> bool:
    if isinstance(node, SourceNode) or len(node.inputs) != 1:
        return False
    if not (isinstance(node, SinkNode) and plan.consumers[node.id]):
        return True
    chain = chained[node.inputs[0]].chain
    return all(len(plan.consumers[n.id]) == 1 for n in chained.values() if n.chain == chain)


def _is_of_operator(node: Node) -> bool:
    return isinstance(node, SideOutputNode) or (
        isinstance(node, SinkNode) and isinstance(node.target, CacheTarget)
    )
