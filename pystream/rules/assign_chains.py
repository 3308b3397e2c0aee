"""Rule: fuse adjacent operators into chains, each of which runs as one task."""

from __future__ import annotations

from dataclasses import replace

from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.loops import loops_by_member
from pystream.plan.nodes import CacheTarget, Chaining, Node, PartitionNode, SideOutputNode, SinkNode

__all__ = ["assign_chains"]


def assign_chains(plan: Plan, options: PlanOptions) -> Plan:
    """Set the chain of every node to the id of the first node of its chain.

    A node joins the chain of its input if the edge is one to one, chaining is on, the node neither starts a
    chain nor refuses to be chained, and its input does not refuse either. Partitionings belong to none, and
    a side output to the chain of its operator, as does a sink that fills a cache with its results. A loop is
    one chain, whatever the settings of its operators.
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
        before = chained[node.inputs[0]] if len(node.inputs) == 1 else None
        joins = _is_of_operator(node) or (
            before is not None
            and not isinstance(before, PartitionNode)
            and options.chaining
            and node.settings.chaining is Chaining.ALWAYS
            and before.settings.chaining is not Chaining.NEVER
        )
        chained[node.id] = replace(node, chain=before.chain if joins and before is not None else node.id)
    return Plan(tuple(chained.values()))


def _is_of_operator(node: Node) -> bool:
    return isinstance(node, SideOutputNode) or (
        isinstance(node, SinkNode) and isinstance(node.target, CacheTarget)
    )
