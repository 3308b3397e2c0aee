"""Rule: let a source in memory distribute its elements itself, which saves a shuffle."""

from __future__ import annotations

from dataclasses import replace

from pystream.kinds import PartitionKind
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import Node, PartitionNode, SourceNode

__all__ = ["divide_sources"]


def divide_sources(plan: Plan, options: PlanOptions) -> Plan:
    """Replace source -> rebalance -> operator by a source of the operator's parallelism.

    Holds where the source is divisible and the rebalancing is all that follows it; the elements then go to
    the same subtasks in the same order.
    """
    divided: dict[int, tuple[Node, int]] = {}
    for source in plan.nodes:
        if not (isinstance(source, SourceNode) and source.divisible and source.settings.parallelism == 1):
            continue
        match plan.consumers[source.id]:
            case (PartitionNode(kind=PartitionKind.REBALANCE) as partition,):
                (target,) = plan.consumers[partition.id]
                if len(target.inputs) == 1:
                    settings = replace(source.settings, parallelism=target.settings.parallelism)
                    divided[source.id] = replace(source, settings=settings), partition.id
            case _:
                pass
    dissolved = {partition: source for source, (_, partition) in divided.items()}
    return Plan(
        tuple(
            divided[node.id][0]
            if node.id in divided
            else replace(node, inputs=tuple(dissolved.get(id, id) for id in node.inputs))
            for node in plan.nodes
            if node.id not in dissolved
        )
    )
