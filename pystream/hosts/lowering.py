"""Lowering: translates an optimised plan into stages, each a task with its inputs and outputs."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.connectors.interfaces import BoundedSink, ConnectedSource
from pystream.engine.failure import OperatorLabel
from pystream.engine.operators.iteration import ITERATION
from pystream.engine.spec import (
    BROADCAST_SIDE,
    CacheOutput,
    CollectOutput,
    ColumnsOutput,
    Consumer,
    DroppingOutput,
    ExchangeOutput,
    FeedbackSpec,
    JointSpec,
    KeySpec,
    OperatorSpec,
    PortSpec,
    PrintOutput,
    SideOutputSpec,
    SinkOutput,
    TaskSpec,
)
from pystream.kinds import PartitionKind, SourceColumns
from pystream.plan.graph import Plan
from pystream.plan.loops import loops_by_member
from pystream.plan.native import NativeStep
from pystream.plan.nodes import (
    CacheTarget,
    CollectTarget,
    ColumnsTarget,
    FeedbackNode,
    IterationNode,
    KeyFunction,
    Node,
    OperatorNode,
    PartitionNode,
    PrintTarget,
    SideOutputNode,
    SinkNode,
    SourceNode,
)
from typeinfo.inferred import InferredTypeInfo, declared_only, expected_type
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["Edge", "Stage", "lower"]


@dataclass(frozen=True, slots=True)
class Edge:
    """Elements sent from one stage to another.

    Attributes:
        number: identifies the rows of the edge.
        source: chain id of the sending stage.
        shuffled: whether elements change subtasks.
        side: the input of the receiving stage's first operator.
        type_info: type of the elements.
        channels: the number of sending subtasks per receiving one.
        by_group: whether the receiver reads one key group after another.
    """

    number: int
    source: int
    shuffled: bool
    side: int
    type_info: TypeInformation[Any]
    channels: int
    by_group: bool


@dataclass(frozen=True, slots=True)
class Stage:
    """A task with its inputs and outputs.

    Attributes:
        chain: id of the chain it runs.
        task: the task of its workers.
        source: the source, for stages that start with one.
        inputs: the edges it reads, for all others.
        outputs: numbers of the edges it feeds: to other stages, and to the driver.
        sinks: the edges that end at the driver, each with the sink it belongs to.
        dropped: the edges of results that nothing uses; the driver gets metrics on them, no elements.
        caches: the edges that fill caches, which Spark never sees, each with the sink it belongs to.
        table: the sink that it ends in, if that makes columns of its elements for a query.
        native: steps that Spark applies to the source's table before the task reads it.
        reading: the task of workers that read that table, if Spark cannot read it itself.
        limit: maximum number of elements that the task needs, or ``None`` for all; only for a source's table.
        part_of: chain id of the stage that receives all that it reads, if it was separated from that one.
    """

    chain: int
    task: TaskSpec
    source: SourceNode | None
    inputs: tuple[Edge, ...]
    outputs: tuple[int, ...]
    sinks: tuple[tuple[int, SinkNode], ...]
    dropped: tuple[int, ...] = ()
    caches: tuple[tuple[int, SinkNode], ...] = ()
    table: SinkNode | None = None
    native: tuple[NativeStep, ...] = ()
    reading: TaskSpec | None = None
    limit: int | None = None
    part_of: int | None = None

    @property
    def to_driver(self) -> tuple[int, ...]:
        """The numbers of the edges that end at the driver."""
        return (*(number for number, _ in self.sinks), *self.dropped)


def lower(plan: Plan, *, batch: bool, by_epochs: bool = False) -> list[Stage]:
    """Return the stages of an optimised plan, senders before receivers.

    Args:
        plan: the plan.
        batch: whether keyed operators get their elements one key group after another.
        by_epochs: whether sinks commit at the end of each epoch, as in unbounded jobs.
    """
    return _Lowering(plan, batch=batch, by_epochs=by_epochs).stages()


class _Lowering:
    """The edges between the stages of a plan, numbered as stages are built."""

    def __init__(self, plan: Plan, *, batch: bool, by_epochs: bool) -> None:
        self.plan = plan
        self.batch = batch
        self.by_epochs = by_epochs
        # Numbers of sink edges come first, so that they do not depend on the division into stages.
        self.sink_numbers = {sink.id: number for number, sink in enumerate(plan.sinks)}
        self._numbers = count(len(self.sink_numbers))
        self._loops = loops_by_member(plan)
        self._inputs: dict[int, list[Edge]] = {}

    def stages(self) -> list[Stage]:
        chains: dict[int, list[Node]] = {}
        for node in self.plan.nodes:
            if node.chain is not None:
                chains.setdefault(node.chain, []).append(node)
        heads = [node for node in self.plan.nodes if node.chain == node.id and not _is_native(node)]
        return [_StageBuilder(self, chains).stage(head) for head in heads]

    def is_unused(self, node: Node) -> bool:
        """Return whether nothing uses the results of a node, except for caches and the loop that it is in."""
        if isinstance(node, (SinkNode, FeedbackNode)):
            return False
        uses = [consumer for consumer in self.plan.consumers[node.id] if not _fills_cache(consumer)]
        if not any(isinstance(consumer, FeedbackNode) for consumer in uses):
            return not uses
        members = self._loops[node.id].members
        left = {after.id for member in members for after in self.plan.consumers[member]} - members
        return not left and all(isinstance(consumer, FeedbackNode) for consumer in uses)

    def new_number(self) -> int:
        """Return a number for another edge."""
        return next(self._numbers)

    def inputs(self, node: Node) -> tuple[Edge, ...]:
        """Return the edges that lead to a node from stages built so far."""
        return tuple(self._inputs.get(node.id, ()))

    def edge(self, source: Node, target: Node, **fields: Any) -> Edge:
        """Add an edge between two stages."""
        edge = Edge(
            number=self.new_number(),
            source=source.resolved_chain,
            type_info=source.type_info,
            **fields,
        )
        self._inputs.setdefault(target.id, []).append(edge)
        return edge


class _StageBuilder:
    """Builds one stage of a plan."""

    def __init__(self, lowering: _Lowering, chains: dict[int, list[Node]]) -> None:
        self._lowering = lowering
        self._plan = lowering.plan
        self._chains = chains
        self._outputs: list[int] = []
        self._sinks: list[tuple[int, SinkNode]] = []
        self._caches: list[tuple[int, SinkNode]] = []
        self._dropping: dict[int, DroppingOutput] = {}
        self._table: SinkNode | None = None
        self._joints: dict[int, JointSpec] = {}
        self._ends: dict[int, Consumer] = {}
        self._operators: dict[int, OperatorSpec] = {}

    def stage(self, head: Node) -> Stage:
        """Return the stage that starts with a node, and the Spark steps that follow a source."""
        source = head if isinstance(head, SourceNode) else None
        operators = [] if source is None else self._plan.native_operators_after(source)
        steps = tuple(node.native for node in operators if node.native is not None)
        last = operators[-1] if operators else head
        members = list(self._chains[head.id])
        if last.chain != head.id:
            members += self._chains[last.resolved_chain]
        inputs = self._lowering.inputs(head)
        self._make(last, [node for node in members if node is not head and not _is_native(node)])
        if source is not None:
            consumers = self._consumers(last)
            entering = steps[-1].type_info if steps else head.type_info
        else:
            consumers = (self._member(head),)
            entering = self._plan.by_id[head.inputs[0]].type_info
        task = TaskSpec(
            name=" -> ".join(member.title for member in members),
            parallelism=last.parallelism,
            max_parallelism=last.max_parallelism,
            input_label=label_of(last),
            input_type=entering,
            consumers=consumers,
            channels=sum(edge.channels for edge in inputs) or 1,
            joints=tuple(self._joints[id] for id in sorted(self._joints)),
        )
        return Stage(
            chain=last.resolved_chain,
            task=task,
            source=None if source is None else _connected(source),
            inputs=inputs,
            outputs=tuple(self._outputs),
            sinks=tuple(self._sinks),
            dropped=tuple(output.edge for output in self._dropping.values()),
            caches=tuple(self._caches),
            table=self._table,
            native=steps,
            reading=None if source is None or not steps else _reading(source),
            limit=None if source is None else self._plan.limit_after(last),
        )

    def _make(self, first: Node, others: list[Node]) -> None:
        """Create the outputs of a stage, in program order, then its operators, the last one first.

        Args:
            first: the node whose elements are the input of its operators.
            others: the nodes after it.
        """
        nodes = (first, *others)
        if isinstance(first, SinkNode):
            self._ends[first.id] = self._sink(first)
        for node in nodes:
            if self._lowering.is_unused(node):
                self._dropping[node.id] = DroppingOutput(self._lowering.new_number())
                self._outputs.append(self._dropping[node.id].edge)
            for consumer in self._plan.consumers[node.id]:
                if isinstance(consumer, SourceNode):
                    continue
                if isinstance(consumer, SinkNode) and consumer.chain == node.chain:
                    self._ends[consumer.id] = self._sink(consumer)
                elif not isinstance(consumer, SideOutputNode) and not self._stays(node, consumer):
                    self._ends[consumer.id] = self._exchange(node, consumer)
        for node in reversed(nodes):
            if isinstance(node, (OperatorNode, IterationNode)) and not _is_native(node):
                self._operators[node.id] = self._operator(node)

    def _stays(self, node: Node, consumer: Node) -> bool:
        """Return whether the elements of a node reach a consumer within the same task."""
        if isinstance(consumer, PartitionNode):
            (consumer,) = self._plan.consumers[consumer.id]  # only in a loop, which then has one subtask
        return consumer.chain == node.chain

    def _consumers(self, node: Node) -> tuple[Consumer, ...]:
        consumers = tuple(
            self._consumer(consumer)
            for consumer in self._plan.consumers[node.id]
            if not isinstance(consumer, SideOutputNode)
        )
        return (*consumers, self._dropping[node.id]) if node.id in self._dropping else consumers

    def _consumer(self, consumer: Node) -> Consumer:
        end = self._ends.get(consumer.id)
        if end is not None:
            return end
        if isinstance(consumer, PartitionNode):
            (target,) = self._plan.consumers[consumer.id]
            return self._port(target, consumer.side or 0) if len(target.inputs) > 1 else self._member(target)
        return self._member(consumer)

    def _port(self, node: Node, side: int) -> Consumer:
        if isinstance(node, FeedbackNode):
            return self._member(node)
        if node.id not in self._joints:
            self._joints[node.id] = JointSpec(self._operators[node.id], len(node.inputs))
        return PortSpec(node.uid, side)

    def _side_outputs(self, node: Node) -> tuple[SideOutputSpec, ...]:
        readers: dict[str, list[SideOutputNode]] = {}
        for consumer in self._plan.consumers[node.id]:
            if isinstance(consumer, SideOutputNode):
                readers.setdefault(consumer.tag, []).append(consumer)
        return tuple(
            SideOutputSpec(
                tag,
                declared_only(nodes[0].type_info),
                tuple(spec for reader in nodes for spec in self._consumers(reader)),
            )
            for tag, nodes in readers.items()
        )

    def _member(self, node: Node) -> Consumer:
        if isinstance(node, SinkNode):
            return self._ends[node.id]
        if isinstance(node, FeedbackNode):
            return FeedbackSpec(self._plan.by_id[node.head].uid)
        return self._operators[node.id]

    def _operator(self, node: Node) -> OperatorSpec:
        if isinstance(node, IterationNode):
            return OperatorSpec(
                label=label_of(node),
                kind=ITERATION,
                function=pickle.dumps(None),
                output_type=declared_only(node.type_info),
                trusted=ITERATION.keeps_type,
                consumers=self._consumers(node),
            )
        assert isinstance(node, OperatorNode)
        return OperatorSpec(
            label=label_of(node),
            kind=node.kind,
            function=node.function.payload,
            is_object=node.function.is_object,
            output_type=declared_only(node.type_info),
            trusted=node.kind.keeps_type or isinstance(node.type_info, PickledBytesTypeInfo),
            consumers=self._consumers(node),
            keys=tuple(map(_key_spec, node.keys)),
            side_outputs=self._side_outputs(node),
            broadcast_states=node.broadcast_states,
            columns=self._column_forms(node),
        )

    def _column_forms(self, node: OperatorNode) -> ColumnForms | None:
        if node.fields is None and node.fold is None and not node.arrow:
            return None
        element_type = expected_type(self._plan.by_id[node.inputs[0]].type_info)
        t = node.type_info
        inferred = t.value_type if isinstance(t, InferredTypeInfo) else None
        return ColumnForms(element_type, node.arrow, node.fields, node.fold, inferred)

    def _exchange(self, source: Node, consumer: Node) -> ExchangeOutput:
        if isinstance(consumer, PartitionNode):
            (target,) = self._plan.consumers[consumer.id]
            kind, function, key, side = consumer.kind, consumer.function, consumer.key, consumer.side or 0
        else:
            target, kind, function, key, side = consumer, PartitionKind.FORWARD, None, None, 0
        batch = self._lowering.batch
        by_group = batch and isinstance(target, OperatorNode) and bool(target.keys)
        edge = self._lowering.edge(
            source,
            target,
            shuffled=consumer is not target,
            side=side,
            channels=1 if kind is PartitionKind.FORWARD else source.parallelism,
            by_group=by_group,
        )
        self._outputs.append(edge.number)
        return ExchangeOutput(
            edge=edge.number,
            label=label_of(consumer),
            kind=kind,
            targets=target.parallelism,
            function=function.payload if function is not None else pickle.dumps(None),
            type_info=source.type_info,
            key=None if key is None else _key_spec(key),
            key_groups=target.max_parallelism,
            by_group=by_group and kind is PartitionKind.HASH,
            first=batch and side == BROADCAST_SIDE and _has_broadcast_states(target),
        )

    def _sink(self, node: SinkNode) -> Consumer:
        type_info = node.type_info
        target: Any = node.target
        if isinstance(target, ColumnsTarget):
            self._table = node if self._plan.consumers[node.id] else None
            return ColumnsOutput(type_info, target.as_type)
        edge = self._lowering.sink_numbers[node.id]
        if isinstance(target, CacheTarget):
            self._caches.append((edge, node))
            return CacheOutput(edge, declared_only(type_info))
        self._outputs.append(edge)
        self._sinks.append((edge, node))
        if isinstance(target, CollectTarget):
            # Each epoch may have further elements, and the driver ends the job once it has enough.
            limit = None if self._lowering.by_epochs else target.limit
            return CollectOutput(edge, type_info, limit, target.as_columns)
        if isinstance(target, PrintTarget):
            shows_subtask = target.shows_subtask and node.settings.parallelism != 1
            return PrintOutput(edge, type_info, target.identifier, show_subtask=shows_subtask)
        by_epochs = self._lowering.by_epochs or not isinstance(target, BoundedSink)
        return SinkOutput(edge, label_of(node), target, by_epochs=by_epochs)


def _fills_cache(node: Node) -> bool:
    return isinstance(node, SinkNode) and isinstance(node.target, CacheTarget)


def _connected(node: SourceNode) -> SourceNode:
    """Return a source with connections of its own, which another job of the program does not share."""
    source = node.source
    return replace(node, source=source.connected()) if isinstance(source, ConnectedSource) else node


def _reading(source: SourceNode) -> TaskSpec | None:
    """Return a task that reads the elements of a source into a table, ``None`` if Spark reads them itself."""
    if source.columns not in (SourceColumns.DRIVER, SourceColumns.WORKERS):
        return None
    return TaskSpec(
        name=source.title,
        parallelism=source.parallelism,
        max_parallelism=source.max_parallelism,
        input_label=label_of(source),
        input_type=source.type_info,
        consumers=(ColumnsOutput(source.type_info),),
    )


def _is_native(node: Node) -> bool:
    return isinstance(node, OperatorNode) and node.native is not None


def _has_broadcast_states(node: Node) -> bool:
    return isinstance(node, OperatorNode) and bool(node.broadcast_states)


def _key_spec(key: KeyFunction) -> KeySpec:
    return KeySpec(key.function.payload, key.type_info, key.function.is_object, key.columns)


def label_of(node: Node) -> OperatorLabel:
    """Return the name of a node for messages."""
    function = getattr(node, "function", None)
    description = function.description if function is not None else ""
    return OperatorLabel(node.title, node.uid, description, node.settings.call_site)
