"""Lowering: an optimised plan becomes stages, each one task with its inputs and the edges it feeds."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from itertools import count
from typing import Any

from pystream.plan.graph import Plan
from pystream.plan.nodes import (
    CollectTarget,
    ColumnsTarget,
    Node,
    OperatorNode,
    PartitionNode,
    PrintTarget,
    SinkNode,
    SourceNode,
)
from pystream.runtime.failure import OperatorLabel
from pystream.runtime.spec import (
    CollectOutput,
    ColumnsOutput,
    Consumer,
    ExchangeOutput,
    OperatorKind,
    OperatorSpec,
    PartitionKind,
    PrintOutput,
    SinkOutput,
    TaskSpec,
)
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["Edge", "Stage", "lower"]


@dataclass(frozen=True, slots=True)
class Edge:
    """Elements on their way from one stage to another.

    Attributes:
        number: what the rows of the edge are marked with.
        source: chain id of the sending stage.
        shuffled: whether they change subtasks.
    """

    number: int
    source: int
    shuffled: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """One task and what surrounds it.

    Attributes:
        chain: id of the chain it runs.
        task: what its workers do.
        source: where its elements come from, for the stages that begin with a source.
        inputs: the edges it reads, for all others.
        outputs: numbers of the edges it feeds: to other stages, and to the driver.
        sinks: the edges that end at the driver, each with the sink it belongs to.
    """

    chain: int
    task: TaskSpec
    source: SourceNode | None
    inputs: tuple[Edge, ...]
    outputs: tuple[int, ...]
    sinks: tuple[tuple[int, SinkNode], ...]


def lower(plan: Plan) -> list[Stage]:
    """Return the stages of an optimised plan, senders before receivers."""
    return _Lowering(plan).stages()


class _Lowering:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._numbers = count()
        self._inputs: dict[int, list[Edge]] = {}

    def stages(self) -> list[Stage]:
        heads = [node for node in self._plan.nodes if node.chain == node.id]
        return [self._stage(head) for head in heads]

    def _stage(self, head: Node) -> Stage:
        self._outputs: list[int] = []
        self._sinks: list[tuple[int, SinkNode]] = []
        members = [n for n in self._plan.nodes if n.chain == head.id]
        entering: Node = head
        if isinstance(head, SourceNode):
            consumers = self._consumers(head)
        else:
            consumers = (self._member(head),)
            entering = self._plan.by_id[head.inputs[0]]
        assert head.settings.parallelism is not None
        assert head.settings.max_parallelism is not None
        task = TaskSpec(
            name=" -> ".join(member.title for member in members),
            parallelism=head.settings.parallelism,
            max_parallelism=head.settings.max_parallelism,
            input_label=label_of(head),
            input_type=entering.type_info,
            consumers=consumers,
        )
        return Stage(
            chain=head.id,
            task=task,
            source=head if isinstance(head, SourceNode) else None,
            inputs=tuple(self._inputs.get(head.id, ())),
            outputs=tuple(self._outputs),
            sinks=tuple(self._sinks),
        )

    def _consumers(self, node: Node) -> tuple[Consumer, ...]:
        return tuple(
            self._member(consumer) if consumer.chain == node.chain else self._exchange(node, consumer)
            for consumer in self._plan.consumers[node.id]
        )

    def _member(self, node: Node) -> Consumer:
        if isinstance(node, SinkNode):
            return self._sink(node)
        assert isinstance(node, OperatorNode)
        keeps_type = node.kind in (OperatorKind.FILTER, OperatorKind.PROJECT)
        return OperatorSpec(
            label=label_of(node),
            kind=node.kind,
            function=node.function.payload,
            is_object=node.function.is_object,
            output_type=node.type_info,
            trusted=keeps_type or isinstance(node.type_info, PickledBytesTypeInfo),
            consumers=self._consumers(node),
        )

    def _exchange(self, source: Node, consumer: Node) -> ExchangeOutput:
        if isinstance(consumer, PartitionNode):
            (target,) = self._plan.consumers[consumer.id]
            kind, function = consumer.kind, consumer.function
        else:
            target, kind, function = consumer, PartitionKind.FORWARD, None
        assert source.chain is not None
        assert target.settings.parallelism is not None
        edge = Edge(next(self._numbers), source.chain, shuffled=consumer is not target)
        self._inputs.setdefault(target.id, []).append(edge)
        self._outputs.append(edge.number)
        return ExchangeOutput(
            edge=edge.number,
            label=label_of(consumer),
            kind=kind,
            targets=target.settings.parallelism,
            function=function.payload if function is not None else pickle.dumps(None),
            type_info=source.type_info,
        )

    def _sink(self, node: SinkNode) -> Consumer:
        type_info = self._plan.by_id[node.inputs[0]].type_info
        target: Any = node.target
        if isinstance(target, ColumnsTarget):
            return ColumnsOutput(type_info)
        edge = next(self._numbers)
        self._outputs.append(edge)
        self._sinks.append((edge, node))
        if isinstance(target, CollectTarget):
            return CollectOutput(edge, type_info, target.limit)
        if isinstance(target, PrintTarget):
            parallel = node.settings.parallelism != 1
            return PrintOutput(edge, type_info, target.identifier, show_subtask=parallel)
        return SinkOutput(edge, label_of(node), target)


def label_of(node: Node) -> OperatorLabel:
    """Return how messages name a node."""
    function = getattr(node, "function", None)
    description = function.description if function is not None else ""
    return OperatorLabel(node.title, node.uid, description, node.settings.call_site)
