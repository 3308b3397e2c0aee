"""A task: a tree of operators fed with what arrives, every edge holding its elements to their type."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from pystream.metrics.registry import MetricRegistry
from pystream.runtime.clock import Clock, SystemClock
from pystream.runtime.events import MAX_WATERMARK, Arrival, Elements, EndOfGroup, Event, Watermark, as_list
from pystream.runtime.failure import OperatorLabel, TaskFailure, guarded, misfit
from pystream.runtime.iteration import Feedback
from pystream.runtime.operator import Operator, OperatorEnvironment
from pystream.runtime.operators import make_operator
from pystream.runtime.outputs import Columns, make_output
from pystream.runtime.pace import Pace
from pystream.runtime.rows import Item, Output
from pystream.runtime.spec import (
    ColumnsOutput,
    Consumer,
    OperatorKind,
    OperatorSpec,
    RejoinSpec,
    TaskSpec,
    operators_of,
)
from pystream.runtime.task_info import SubtaskInfo
from pystream.runtime.vectorised.columns import ColumnValues
from pystream.runtime.vectorised.parts import in_cache
from pystream.runtime.watermarks.valve import WatermarkValve
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.serde.copiers import copier_for

__all__ = ["Task"]

_Work: TypeAlias = "Iterator[Item | _Work]"
"""Items, and other work to be done before it goes on: so chains of any length need no deeper stack."""


class Task:
    """One subtask: feed it what arrives, take the items its outputs give.

    Args:
        spec: the operators and outputs.
        subtask: where it runs.
        metrics: what its functions measure.
        clock: what tells the processing time.
        worked: called with elements that arrived once they are worked on, to tell how far the task has come.

    Raises:
        TaskFailure: a function or a sink writer could not be unpickled or made.
    """

    def __init__(
        self,
        spec: TaskSpec,
        subtask: SubtaskInfo,
        metrics: MetricRegistry,
        clock: Clock | None = None,
        worked: Callable[[Sequence[Any]], None] | None = None,
    ) -> None:
        self._report = worked
        self._clock = clock or SystemClock()
        self._valve = WatermarkValve(spec.channels)
        self._name = spec.name
        self._input_label = spec.input_label
        self._subtask = subtask
        self._metrics = metrics
        self._operators: list[Operator] = []
        self._outputs: list[Output] = []
        self._waiting: deque[tuple[str, Elements]] = deque()
        self._vertices: dict[
            int, list[_Vertex]
        ] = {}  # by their specifications, until something leads to them
        self._heads: dict[str, _Vertex] = {}
        self._joints: dict[str, _Joint] = {}
        for joint in reversed(spec.joints):
            self._make(joint.operator)
            self._joints[joint.operator.label.uid] = _Joint(self._made(joint.operator), joint.channels)
        self._make(*spec.consumers)
        self._consumers = self._build(spec.consumers, spec.input_label, spec.input_type, conformed=True)

        execution = subtask.job.execution
        in_time = not execution.batch and execution.watermark_interval > 0
        heeds_time = any(type(operator).tick is not Operator.tick for operator in self._operators)
        # Functions of whole batches keep these: small ones would cost more than waiting for results does.
        is_watched = worked is not None or any(output.is_watched for output in self._outputs)
        is_watched = is_watched and not self._consumers.takes_columns
        self._pace = Pace(self._clock) if (in_time and heeds_time) or is_watched else None

    def _make(self, *specs: Consumer) -> None:
        """Make operators and all that follow them."""
        for spec in operators_of(specs):
            self._vertices.setdefault(id(spec), []).append(self._vertex(spec))

    def _made(self, spec: OperatorSpec) -> _Vertex:
        return self._vertices[id(spec)].pop()

    def _build(
        self,
        specs: tuple[Consumer, ...],
        label: OperatorLabel,
        type_info: TypeInformation[Any],
        *,
        conformed: bool,
    ) -> _Consumers:
        consumers: list[_Vertex | _Port | Feedback | Output] = []
        for spec in specs:
            if isinstance(spec, OperatorSpec):
                consumers.append(self._made(spec))
            elif not isinstance(spec, RejoinSpec):
                consumers.append(self._output(spec, label, conformed))
            elif spec.feedback:
                consumers.append(Feedback(self._waiting, spec.uid))
            else:
                consumers.append(_Port(self._joints[spec.uid], spec.side))
        return _Consumers(consumers, type_info)

    def _vertex(self, spec: OperatorSpec) -> _Vertex:
        # A sole columnar consumer checks while it encodes, which saves a pass over the batch.
        checks_itself = len(spec.consumers) == 1 and isinstance(spec.consumers[0], ColumnsOutput)
        main = _Edge(
            spec.label,
            None if spec.trusted or checks_itself else serializer_for(spec.output_type).conform,
            self._build(
                spec.consumers, spec.label, spec.output_type, conformed=spec.trusted or not checks_itself
            ),
        )
        sides: dict[str | None, _Edge] = {
            side.tag: _Edge(
                spec.label,
                serializer_for(side.type_info).conform,
                self._build(side.consumers, spec.label, side.type_info, conformed=True),
            )
            for side in spec.side_outputs
        }
        try:
            operator = make_operator(spec, batch=self._subtask.job.execution.batch)
        except BaseException as error:
            raise TaskFailure.of(spec.label, error) from error
        vertex = _Vertex(operator, {None: main, **sides})
        self._operators.append(vertex.operator)
        if spec.kind is OperatorKind.ITERATION:
            self._heads[spec.label.uid] = vertex
        return vertex

    def _output(self, spec: Any, label: OperatorLabel, conformed: bool) -> Output:
        if isinstance(spec, ColumnsOutput):
            output: Output = Columns(spec, label, conformed=conformed)
        else:
            output = make_output(spec, label, self._subtask)
        self._outputs.append(output)
        return output

    def run(self, arriving: Iterable[Arrival]) -> Iterator[Item]:
        """Yield what the outputs give for all that arrives, and at its end.

        Functions are opened before the first element, even if there is none, the last of a chain first, and
        closed in the opposite order after the last one. Reading stops early once no output needs more. What
        was measured, here and by the tasks before, leaves by the first output that has rows.

        Raises:
            TaskFailure: user code failed, an element does not fit its type, or the input cannot be read.
        """
        try:
            for operator in self._operators:
                metrics = self._metrics.group(operator.label.name)
                operator.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))
            for output in self._outputs:
                metrics = self._metrics.group(self._name)
                output.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))
            for arrival in guarded(self._read(arriving), partial(TaskFailure.of, self._input_label)):
                yield from self._taken(arrival)
                yield from self._fed_back()
                if self._done:
                    break
            if self._valve.watermark < MAX_WATERMARK:
                yield from self._end_time()
            for output in self._outputs:
                yield from output.finish()
            measured = self._measured()
        except BaseException:
            self._abandon()
            raise
        for operator in reversed(self._operators):
            operator.close()
        for output in self._outputs:
            output.close()
            for row in output.end(measured):
                yield row
                measured = b""

    def _fed_back(self) -> Iterator[Item]:
        """Let what waits at the ends of loops go round until nothing is left of it."""
        while self._waiting and not self._done:
            head, elements = self._waiting.popleft()
            yield from self._worked(elements, self._heads[head].write, 0)

    def _end_time(self) -> Iterator[Item]:
        """Let event time end; once more for what then comes round, which may set timers and begin calls."""
        yield from _items(self._consumers.advance(MAX_WATERMARK))
        while self._waiting and not self._done:
            yield from self._fed_back()
            for joint in self._joints.values():
                joint.valve = WatermarkValve(joint.channels)
            yield from _items(self._consumers.advance(MAX_WATERMARK))

    @property
    def _done(self) -> bool:
        return all(output.done for output in self._outputs)

    def _taken(self, arrival: Arrival) -> Iterator[Item]:
        match arrival.event:
            case Elements() as elements:
                yield from self._worked(elements, self._consumers.feed, arrival.side, self._report)
            case Watermark(timestamp):
                watermark = self._valve.advance(arrival.channel, timestamp)
                if watermark == MAX_WATERMARK:
                    yield from self._end_time()
                elif watermark is not None:
                    yield from _items(self._consumers.advance(watermark))
            case EndOfGroup():
                yield from _items(self._consumers.end_group())

    def _worked(
        self,
        elements: Elements,
        work: Callable[[Elements, int], _Work],
        side: int,
        report: Callable[[Sequence[Any]], None] | None = None,
    ) -> Iterator[Item]:
        """Let a batch be worked on, in parts if it may take long, before each of which timers are due."""
        for part in (elements,) if self._pace is None else self._pace.parts(elements):
            yield from _items(self._consumers.tick())
            for joint in reversed(self._joints.values()):
                yield from _items(joint.vertex.tick())
            yield from _items(work(part, side))
            if report is not None:
                report(part.values)

    def _read(self, arriving: Iterable[Arrival]) -> Iterator[Arrival]:
        for arrival in arriving:
            if isinstance(arrival.event, Elements) and not self._consumers.takes_columns:
                for part in in_cache(arrival.event):
                    yield arrival._replace(event=as_list(part))
            else:
                yield arrival

    def _measured(self) -> bytes:
        try:
            snapshot = self._metrics.snapshot()
        except BaseException as error:
            raise TaskFailure.of(self._input_label, error) from error
        return pickle.dumps(snapshot, pickle.HIGHEST_PROTOCOL) if snapshot else b""

    def _abandon(self) -> None:
        for operator in reversed(self._operators):
            with suppress(Exception):  # the first failure is the one to report
                operator.close()
        for output in self._outputs:
            with suppress(Exception):
                output.close()
            with suppress(Exception):
                output.abort()


def _items(work: _Work) -> Iterator[Item]:
    """Do work, and what work it calls for, and yield the items."""
    under_way = [work]
    while under_way:
        for step in under_way[-1]:
            if isinstance(step, Iterator):
                under_way.append(step)
                break
            yield step
        else:
            under_way.pop()


class _Consumers:
    """All that get the elements of one edge."""

    __slots__ = ("_consumers", "_copier", "_outputs", "_vertices", "ends")

    def __init__(
        self, consumers: list[_Vertex | _Port | Feedback | Output], type_info: TypeInformation[Any]
    ) -> None:
        self._consumers = consumers
        self._vertices = [consumer for consumer in consumers if not isinstance(consumer, Output)]
        self._outputs = [consumer for consumer in consumers if isinstance(consumer, Output)]
        self._copier = copier_for(type_info) if len(consumers) > 1 else None
        self.ends: _Ends = _ends(consumer.ends for consumer in consumers)
        """The outputs its elements may reach, ``None`` if it will need elements as long as there are any."""

    def feed(self, elements: Elements, side: int = 0) -> _Work:
        """Hand a batch to each consumer; functions that share elements get copies, as Flink's do."""
        if not elements.values:
            return
        given = elements
        for consumer in self._consumers:
            elements = given if consumer.takes_columns else as_list(given)
            if isinstance(consumer, Output):
                yield consumer.write(elements)
            elif self._copier is None or consumer.takes_columns:
                yield consumer.write(elements, side)
            else:
                copies = list(self._copier.each(elements.values))
                yield consumer.write(elements._replace(values=copies), side)

    def advance(self, watermark: int) -> _Work:
        """Tell each consumer of a watermark."""
        for vertex in self._vertices:
            yield vertex.advance(watermark)
        for output in self._outputs:
            output.advance(watermark)

    def tick(self) -> _Work:
        """Let each operator do what has become due in processing time, those in front first."""
        for vertex in self._vertices:
            yield vertex.tick()

    def end_group(self) -> _Work:
        """Tell the first operator that a key group is complete."""
        for vertex in self._vertices:
            yield vertex.end_group()

    @property
    def takes_columns(self) -> bool:
        return any(consumer.takes_columns for consumer in self._consumers)


_Ends: TypeAlias = tuple[Output, ...] | None


def _ends(parts: Iterable[_Ends]) -> _Ends:
    """Return the outputs of several edges, ``None`` if one of these always needs elements."""
    joined: _Ends = ()
    for part in parts:
        if part is None:
            return None
        joined = (*joined, *part) if joined else part
    return joined


@dataclass(frozen=True, slots=True)
class _Edge:
    """One output of an operator: the type its elements are held to, and who gets them."""

    label: OperatorLabel
    conform: Any
    consumers: _Consumers

    def checked(self, elements: Elements) -> Elements:
        """Return an operator's results as their type has them."""
        if self.conform is None:
            return elements
        values = elements.values
        if isinstance(values, ColumnValues):
            return elements  # held to the type when they were made
        try:
            conformed = self.conform(values)
        except TypeCheckError as error:
            raise misfit(self.label, error, elements) from error
        return elements if conformed is values else elements._replace(values=conformed)


class _Vertex:
    """An operator and its outputs: the main one and those of tags."""

    __slots__ = ("edges", "ends", "operator")

    def __init__(self, operator: Operator, edges: dict[str | None, _Edge]) -> None:
        self.operator = operator
        self.edges = edges
        self.ends: _Ends = _ends(edge.consumers.ends for edge in edges.values())

    @property
    def takes_columns(self) -> bool:
        return self.operator.takes_columns

    def write(self, elements: Elements, side: int) -> _Work:
        return self.hand_on(self.operator.process(elements._replace(origin=None), side))

    def advance(self, watermark: int) -> _Work:
        return self.hand_on(self.operator.advance(watermark))

    def tick(self) -> _Work:
        yield self.hand_on(self.operator.tick())
        for edge in self.edges.values():
            yield edge.consumers.tick()

    def end_group(self) -> _Work:
        return self.hand_on(self.operator.end_group())

    def hand_on(self, events: Iterator[Event]) -> _Work:
        """Hand the operator's results to their consumers, until nobody needs more."""
        for event in events:
            if isinstance(event, Watermark):
                for edge in self.edges.values():
                    yield edge.consumers.advance(event.timestamp)
                continue
            edge_of_tag = self.edges.get(event.tag)
            if edge_of_tag is not None:
                yield edge_of_tag.consumers.feed(edge_of_tag.checked(event))
                if self.done:
                    return

    @property
    def done(self) -> bool:
        return self.ends is not None and all(output.done for output in self.ends)


class _Joint:
    """An operator that several others lead to."""

    __slots__ = ("channels", "valve", "vertex")

    def __init__(self, vertex: _Vertex, channels: int) -> None:
        self.vertex = vertex
        self.channels = channels
        self.valve = WatermarkValve(channels)


class _Port:
    """One of the ways to a joint, which waits for the watermarks of all."""

    takes_columns = False

    __slots__ = ("_joint", "_side")

    def __init__(self, joint: _Joint, side: int) -> None:
        self._joint = joint
        self._side = side

    def write(self, elements: Elements, side: int) -> _Work:
        return self._joint.vertex.write(elements._replace(tag=None), self._side)

    def advance(self, watermark: int) -> _Work:
        reached = self._joint.valve.advance(self, watermark)
        return iter(()) if reached is None else self._joint.vertex.advance(reached)

    def tick(self) -> _Work:
        return iter(())  # the task tells the joint itself

    end_group = tick

    @property
    def ends(self) -> _Ends:
        return self._joint.vertex.ends
