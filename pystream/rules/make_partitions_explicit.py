"""Rule: dissolve unions, and add a partitioning to every edge that is not one to one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pystream.errors import PlanError
from pystream.kinds import PartitionKind
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.nodes import (
    CollectTarget,
    ColumnsTarget,
    Node,
    NodeSettings,
    PartitionNode,
    SideOutputNode,
    SinkNode,
    SourceNode,
    UnionNode,
)

__all__ = ["make_partitions_explicit"]


def make_partitions_explicit(plan: Plan, options: PlanOptions) -> Plan:
    """Rewrite inputs so that a node has either one input of its own parallelism, or only partitionings.

    Of several partitionings in a row, only the last one applies. Without one, elements stay in their
    subtask if the parallelism is unchanged, else they are distributed round-robin, as in Flink. A sink that
    returns broadcast elements to the program has one subtask, so that it gets them once.

    Raises:
        PlanError: ``forward()`` leads to an operator of another parallelism.
    """
    return Plan(tuple(_Rewriter(plan).nodes()))


_Edge = tuple[Node, PartitionNode | None]


def _collects_broadcast(node: Node, edges: list[_Edge]) -> bool:
    """Return whether a sink would return each broadcast element once per subtask."""
    return (
        isinstance(node, SinkNode)
        and isinstance(node.target, (CollectTarget, ColumnsTarget))
        and any(p is not None and p.kind is PartitionKind.BROADCAST for _, p in edges)
    )


class _Rewriter:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._next_id = max((node.id for node in plan.nodes), default=0) + 1

    def nodes(self) -> Iterator[Node]:
        for node in self._plan.nodes:
            if isinstance(node, (UnionNode, PartitionNode)):
                continue
            if isinstance(node, SourceNode):
                yield node
                continue
            sides = [(side, edge) for side, id in enumerate(node.inputs) for edge in self._edges(id)]
            edges = [edge for _, edge in sides]
            if _collects_broadcast(node, edges):
                node = replace(node, settings=replace(node.settings, parallelism=1))
            if len(edges) == 1 and self._is_one_to_one(*edges[0], node):
                yield replace(node, inputs=(edges[0][0].id,))
                continue
            partitions = [self._partition(side, *edge, node) for side, edge in sides]
            yield from partitions
            yield replace(node, inputs=tuple(partition.id for partition in partitions))

    def _edges(self, input: int) -> Iterator[_Edge]:
        """Yield each node that feeds an input, with the last partitioning on the way."""
        ahead: list[tuple[int, PartitionNode | None]] = [(input, None)]
        while ahead:
            id, last = ahead.pop()
            node = self._plan.by_id[id]
            if isinstance(node, UnionNode):
                ahead += [(inner, last) for inner in reversed(node.inputs)]
            elif isinstance(node, PartitionNode):
                ahead += [(inner, last or node) for inner in reversed(node.inputs)]
            else:
                yield node, last

    def _is_one_to_one(self, source: Node, partition: PartitionNode | None, target: Node) -> bool:
        if isinstance(target, SideOutputNode):
            return True
        if partition is None:
            return source.settings.parallelism == target.settings.parallelism
        if partition.kind is not PartitionKind.FORWARD:
            return False
        if source.settings.parallelism != target.settings.parallelism:
            raise PlanError(
                f"forward() from {source.settings.name!r} (parallelism {source.settings.parallelism}) to "
                f"{target.settings.name!r} (parallelism {target.settings.parallelism}, "
                f"{target.settings.call_site}) cannot change the parallelism; use rebalance() or rescale()"
            )
        return True

    def _is_explicit(self, source: Node, partition: PartitionNode, target: Node) -> bool:
        consumers = self._plan.consumers[partition.id]
        return partition.inputs == (source.id,) and [node.id for node in consumers] == [target.id]

    def _partition(
        self, side: int, source: Node, partition: PartitionNode | None, target: Node
    ) -> PartitionNode:
        if partition is not None and self._is_explicit(source, partition, target):
            return partition if partition.side is not None else replace(partition, side=side)
        id, self._next_id = self._next_id, self._next_id + 1
        if partition is not None:
            return replace(partition, id=id, inputs=(source.id,), side=side)
        same = source.settings.parallelism == target.settings.parallelism
        kind = PartitionKind.FORWARD if same else PartitionKind.REBALANCE
        return PartitionNode(
            id=id,
            inputs=(source.id,),
            type_info=source.type_info,
            type_origin=source.type_origin,
            settings=NodeSettings(kind.value.capitalize(), call_site=target.settings.call_site),
            kind=kind,
            side=side,
        )
