"""Task: runs one subtask, a graph of operators fed with arriving elements."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from pystream.engine.events import (
    MAX_WATERMARK,
    NO_TIMESTAMP,
    Arrival,
    Elements,
    EndOfGroup,
    RecordErrors,
    Watermark,
    WatermarkStatus,
)
from pystream.engine.exchange.rows import Item, Output
from pystream.engine.failure import OperatorLabel, TaskFailure, guarded
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.iteration import IterationHead
from pystream.engine.operators.operator import Operator, OperatorEnvironment
from pystream.engine.spec import (
    Consumer,
    FeedbackSpec,
    OperatorSpec,
    PortSpec,
    TaskSpec,
    operators_of,
)
from pystream.engine.state.evolution import StateHistory
from pystream.engine.state.page_store import PageStore
from pystream.engine.task.bundles import BundleSizer, one_by_one, undivided
from pystream.engine.task.outputs import make_output
from pystream.engine.task.task_graph import (
    Consumers,
    Feedback,
    Joint,
    OperatorOutput,
    Port,
    Vertex,
    Work,
    items_of,
)
from pystream.engine.task.task_state import StatePart, TaskState
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.clock import Clock, SystemClock
from pystream.engine.time.watermark_valve import WatermarkValve
from pystream.engine.vectorised.parts import cache_sized
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["Task"]

_RECORD_ERRORS = "numRecordsInErrors"  # of Flink


class Task:
    """Run one subtask: feed the operators and yield the rows of the outputs.

    Args:
        spec: the operators and outputs.
        subtask: its index, parallelism and job.
        metrics: registry for the metrics of its functions.
        clock: the clock of processing time.
        worked: called with elements after they are processed, to report progress.

    Raises:
        TaskFailure: a function or a sink writer could not be unpickled or created.
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
        self._vertices: list[Vertex] = []
        self._outputs: list[Output] = []
        self._waiting: deque[tuple[str, Elements]] = deque()
        self._unconnected: dict[int, list[Vertex]] = {}  # by specification, until an edge to them is created
        self._heads: dict[str, Vertex] = {}
        self._joints: dict[str, Joint] = {}
        for joint in reversed(spec.joints):
            self._make(joint.operator)
            self._joints[joint.operator.label.uid] = Joint(self._made(joint.operator), joint.channels)
        self._make(*spec.consumers)
        self._consumers = self._build(spec.consumers, spec.input_label, spec.input_type, conformed=True)
        self._state = TaskState(
            {vertex.operator.label.uid: vertex for vertex in self._vertices},
            [self._valve, *(joint.valve for joint in self._joints.values())],
        )

        self._bundling = self._bundling_of(is_watched=worked is not None)

    def _bundling_of(self, *, is_watched: bool) -> Callable[[Elements], Iterable[Elements]]:
        """Return the function that divides batches into bundles.

        Args:
            is_watched: whether the progress of the task is reported.
        """
        execution = self._subtask.job.execution
        by_element = not execution.batch and execution.watermark_interval == 0
        if by_element and (self._joints or self._heads):
            return one_by_one  # in batches, elements would meet in an order that depends on the batches
        uses_timers = any(type(vertex.operator).tick is not Operator.tick for vertex in self._vertices)
        in_time = uses_timers and not execution.batch and not by_element
        # Batch functions keep whole batches: the overhead of small ones would exceed the gain in latency.
        starts_with_ones = in_time or any(output.is_watched for output in self._outputs)
        if in_time or ((starts_with_ones or is_watched) and not self._consumers.keeps_batches):
            return BundleSizer(self._clock, starts_with_ones=starts_with_ones).parts
        return undivided

    def _make(self, *specs: Consumer) -> None:
        """Create operators and all downstream operators."""
        for spec in operators_of(specs):
            self._unconnected.setdefault(id(spec), []).append(self._vertex(spec))

    def _made(self, spec: OperatorSpec) -> Vertex:
        return self._unconnected[id(spec)].pop()

    def _build(
        self,
        specs: tuple[Consumer, ...],
        label: OperatorLabel,
        type_info: TypeInformation[Any],
        *,
        conformed: bool,
    ) -> Consumers:
        consumers: list[Vertex | Port | Feedback | Output] = []
        for spec in specs:
            if isinstance(spec, OperatorSpec):
                consumers.append(self._made(spec))
            elif isinstance(spec, PortSpec):
                consumers.append(Port(self._joints[spec.joint], spec.side))
            elif isinstance(spec, FeedbackSpec):
                consumers.append(Feedback(self._waiting, spec.head))
            else:
                output = make_output(spec, label, self._subtask, conformed=conformed)
                self._outputs.append(output)
                consumers.append(output)
        return Consumers(consumers, type_info)

    def _vertex(self, spec: OperatorSpec) -> Vertex:
        # A single columnar consumer validates while it encodes, which saves a pass over the batch.
        checks_itself = spec.becomes_columns
        main = OperatorOutput(
            spec.label,
            None if spec.trusted or checks_itself else serializer_for(spec.output_type),
            self._build(
                spec.consumers, spec.label, spec.output_type, conformed=spec.trusted or not checks_itself
            ),
        )
        sides: dict[str | None, OperatorOutput] = {
            side.tag: OperatorOutput(
                spec.label,
                serializer_for(side.type_info),
                self._build(side.consumers, spec.label, side.type_info, conformed=True),
            )
            for side in spec.side_outputs
        }
        try:
            operator = spec.kind.make(spec, self._subtask.job.execution.batch)
        except BaseException as error:
            raise TaskFailure.of(spec.label, error) from error
        vertex = Vertex(operator, {None: main, **sides})
        self._vertices.append(vertex)
        if isinstance(operator, IterationHead):
            self._heads[spec.label.uid] = vertex
        return vertex

    def run(self, arriving: Iterable[Arrival]) -> Iterator[Item]:
        """Yield the rows of the outputs, for all arrivals and the end of input.

        Reading stops early once no output needs more.

        Raises:
            TaskFailure: user code failed, an element does not fit its type, or the input cannot be read.
        """
        try:
            self.open()
            for arrival in guarded(iter(arriving), partial(TaskFailure.of, self._input_label)):
                yield from self.take(arrival)
                if self.done:
                    break
            metrics = yield from self.finish()
        except BaseException:
            self.abandon()
            raise
        yield from self.close(metrics)

    def open(self) -> None:
        """Open functions and outputs, the last operator of a chain first; called once."""
        for vertex in self._vertices:
            metrics = self._metrics.group(vertex.operator.label.name)
            vertex.operator.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))
        for output in self._outputs:
            metrics = self._metrics.group(self._name)
            output.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))

    def restore(self, store: PageStore) -> None:
        """Replace all checkpointed state by that of a store, at the start of an epoch.

        With an empty store, the state is that of a new task.
        """
        self._state.restore(store)

    def save(self) -> None:
        """Write the checkpointed state to the store it came from, at the end of an epoch.

        Raises:
            TaskFailure: the state of an operator cannot be pickled.
        """
        self._state.save()

    def export(self) -> Iterator[StatePart]:
        """Yield the state that was saved, in parts that tasks of any parallelism can import."""
        return self._state.export()

    def import_(self, store: PageStore, types: Mapping[str, bytes], parts: Iterable[StatePart]) -> None:
        """Fill an empty store with the state of this subtask.

        Args:
            store: the store.
            types: the pickled types of the states of each operator, merged from all subtasks that
                exported them.
            parts: those exported by all subtasks of a task of the same max parallelism, in any order; parts
                of key groups of other subtasks are skipped.

        Raises:
            TaskFailure: stored values cannot be loaded, or cannot become those of the type of their state.
        """
        self._state.import_(store, types, parts, self._subtask)

    def state_types(self) -> dict[str, StateHistory]:
        """Return the types that the states of each operator have had, the latest last."""
        return self._state.types()

    def finish_epoch(self) -> Iterator[Item]:
        """Yield the rows that must precede the end of an epoch.

        Due processing-time timers fire, calls in flight are completed and watermarks emitted.

        Raises:
            TaskFailure: user code failed, or an element does not fit its type.
        """
        for vertex in reversed(self._vertices):  # upstream first
            yield from items_of(vertex.forward(vertex.operator.tick()))
            yield from items_of(vertex.forward(vertex.operator.end_epoch()))
            yield from self._fed_back()
        for output in self._outputs:
            yield from output.finish_epoch()

    def next_timer(self) -> int | None:
        """Return the processing time of the earliest timer of all operators; ``None`` if there is none."""
        times = [vertex.operator.next_timer() for vertex in self._vertices]
        return min((time for time in times if time is not None), default=None)

    @property
    def watermark(self) -> int:
        """The lowest watermark of its outputs, idle ones and those without watermarks aside."""
        told = [output for output in self._outputs if output.watermark != NO_TIMESTAMP]
        active = [output.watermark for output in told if not output.is_idle]
        return min(active, default=max((output.watermark for output in told), default=NO_TIMESTAMP))

    @property
    def is_idle(self) -> bool:
        """Whether all its outputs that have watermarks are idle."""
        told = (output for output in self._outputs if output.is_idle or output.watermark != NO_TIMESTAMP)
        idle = [output.is_idle for output in told]
        return bool(idle) and all(idle)

    def count_state_entries(self) -> int:
        """Return the number of entries of keyed state, summed over all operators."""
        return sum(vertex.operator.count_state_entries() for vertex in self._vertices)

    def count_state_bytes(self) -> int:
        """Return the size of keyed state as of the last ``save``, summed over all operators."""
        return sum(vertex.operator.count_state_bytes() for vertex in self._vertices)

    def count_sent(self) -> int:
        """Return the number of elements written to outputs so far."""
        return sum(output.taken for output in self._outputs)

    def take(self, arrival: Arrival) -> Iterator[Item]:
        """Yield the rows that result from one arrival.

        Raises:
            TaskFailure: user code failed, or an element does not fit its type.
        """
        for part in guarded(self._parts(arrival), partial(TaskFailure.of, self._input_label)):
            yield from self._taken(part)
            yield from self._fed_back()
            if self.done:
                return

    def bundles(self, elements: Elements) -> Iterable[Elements]:
        """Return a batch in bundles if it may take long; each is processed before the next is requested."""
        return self._bundling(elements)

    def flush(self) -> Iterator[Item]:
        """Yield rows for the elements buffered by outputs."""
        for output in self._outputs:
            yield from output.flush()

    def finish(self) -> Generator[Item, None, bytes]:
        """Yield the rows that result from the end of input; return the pickled metrics."""
        if self._valve.watermark < MAX_WATERMARK:
            yield from self._end_time()
        for output in self._outputs:
            yield from output.finish()
        return self._pickled_metrics()

    def close(self, metrics: bytes) -> Iterator[Item]:
        """Close functions and outputs, the first operator of a chain first, and yield the last rows.

        Args:
            metrics: the pickled metrics of this task and those upstream, for the first output that has rows.
        """
        for vertex in reversed(self._vertices):
            vertex.operator.close()
        for output in self._outputs:
            output.close()
            for row in output.end(metrics):
                yield row
                metrics = b""

    def _fed_back(self) -> Iterator[Item]:
        """Process elements waiting at the heads of iterations until none are left."""
        while self._waiting and not self.done:
            head, elements = self._waiting.popleft()
            yield from self._worked(elements, self._heads[head].write, 0)

    def _end_time(self) -> Iterator[Item]:
        """End event time, again if elements are fed back, as they may register timers and start calls."""
        yield from items_of(self._consumers.advance(MAX_WATERMARK))
        while self._waiting and not self.done:
            yield from self._fed_back()
            for joint in self._joints.values():
                joint.valve.restore(None)
            yield from items_of(self._consumers.advance(MAX_WATERMARK))

    @property
    def done(self) -> bool:
        """Whether no output needs further elements."""
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
                    yield from items_of(self._consumers.advance(watermark))
            case WatermarkStatus() as status:
                yield from self._marked(arrival.channel, status)
            case EndOfGroup():
                yield from items_of(self._consumers.end_group())
            case RecordErrors(count):
                self._metrics.group(self._input_label.name).counter(_RECORD_ERRORS).inc(count)

    def _marked(self, channel: Hashable, status: WatermarkStatus) -> Iterator[Item]:
        """Mark a channel as idle or active; pass on the watermark that it held back."""
        was_idle = self._valve.is_idle
        watermark = self._valve.mark(channel, idle=status.idle)
        if watermark is not None:
            yield from items_of(self._consumers.advance(watermark))
        if self._valve.is_idle is not was_idle:
            yield from items_of(self._consumers.mark(status))

    def _worked(
        self,
        elements: Elements,
        work: Callable[[Elements, int], Work],
        side: int,
        report: Callable[[Sequence[Any]], None] | None = None,
    ) -> Iterator[Item]:
        """Process a batch; due timers fire before each bundle."""
        for part in self.bundles(elements):
            yield from items_of(self._consumers.tick())
            for joint in reversed(self._joints.values()):
                yield from items_of(joint.vertex.tick())
            yield from items_of(work(part, side))
            if report is not None:
                report(part.values)

    def _parts(self, arrival: Arrival) -> Iterator[Arrival]:
        consumers = self._consumers
        if not isinstance(arrival.event, Elements) or consumers.keeps_batches or consumers.takes_columns:
            yield arrival
            return
        for part in cache_sized(arrival.event):
            yield arrival._replace(event=part)

    def _pickled_metrics(self) -> bytes:
        try:
            snapshot = self._metrics.snapshot()
        except BaseException as error:
            raise TaskFailure.of(self._input_label, error) from error
        return pickle.dumps(snapshot, pickle.HIGHEST_PROTOCOL) if snapshot else b""

    def abandon(self) -> None:
        """Close functions after a failure, abort the transactions of outputs, and close them."""
        for vertex in reversed(self._vertices):
            with suppress(Exception):  # only the first failure is reported
                vertex.operator.close()
        for output in self._outputs:
            with suppress(Exception):
                output.abort()
            with suppress(Exception):
                output.close()
