"""A cluster in one process: the stages of a program, run with every choice an engine has left to chance.

Nothing but the order within a channel is promised to a task. Here a seed chooses how the channels mix, how
elements are cut into batches, when the clock moves on, and where keyed operators are replaced by new ones
that begin with a snapshot of the old.
"""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from pystream.engine.events import MAX_WATERMARK, Arrival, Elements, EndOfGroup, Event, Watermark
from pystream.engine.exchange.frames import read_frame
from pystream.engine.exchange.rows import END_OF_CHANNEL, OutputRow
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import OperatorSpec, TaskSpec
from pystream.engine.task.bundles import Pace
from pystream.engine.task.task import Task
from pystream.engine.task.task_graph import Vertex
from pystream.engine.task_info import Execution, JobInfo, SubtaskInfo
from pystream.engine.time.clock import ManualClock
from pystream.hosts.lowering import Stage
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for

__all__ = ["Chances", "Cluster", "Step"]

_Queues = dict[tuple[int, int], deque[Arrival]]


class Step(NamedTuple):
    """What a subtask worked on, and what its clock showed."""

    arrival: Arrival
    now: int


@dataclass(frozen=True)
class Chances:
    """How often things happen.

    Attributes:
        batch: how many elements come together at most.
        stay: how likely the next batch comes from the channel of the last one.
        tick: how likely the clock moves on before a part of a batch.
        restart: how likely keyed operators are replaced before a batch.
    """

    batch: int
    stay: float
    tick: float
    restart: float


class RestartableTask(Task):
    """A task whose keyed operators can be replaced by new ones that take over what they remember."""

    def __init__(self, spec: TaskSpec, subtask: SubtaskInfo, clock: ManualClock) -> None:
        self._built: list[tuple[OperatorSpec, Vertex]] = []
        super().__init__(spec, subtask, MetricRegistry(), clock)

    def watch(self, watch: Watch) -> None:
        """Let somebody see all that is worked on, part by part."""
        watch.pace, self._pace = self._pace, watch  # type: ignore[assignment]

    def _vertex(self, spec: OperatorSpec) -> Vertex:
        vertex = super()._vertex(spec)
        self._built.append((spec, vertex))
        return vertex

    def restart(self) -> None:
        for spec, vertex in self._built:
            if not spec.keys:
                continue
            state = pickle.dumps(vertex.operator.snapshot())
            successor = spec.kind.make(spec, False)
            successor.restore(pickle.loads(state))
            metrics = self._metrics.group(successor.label.name)
            successor.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))
            self._operators[self._operators.index(vertex.operator)] = successor
            vertex.operator = successor


@dataclass
class Watch:
    """Writes down what a subtask works on, and moves its clock on meanwhile.

    Attributes:
        chances: how often things happen.
        random: what decides.
        clock: the clock of the subtask.
        arrival: what reached it last.
        pace: what divides batches, if anything does.
        steps: what it worked on.
    """

    chances: Chances
    random: Random
    clock: ManualClock
    arrival: Arrival | None = None
    pace: Pace | None = None
    steps: list[Step] = field(default_factory=list)

    def parts(self, elements: Elements) -> Iterator[Elements]:
        for part in (elements,) if self.pace is None else self.pace.parts(elements):
            if self.random.random() < self.chances.tick:
                self.clock.set(self.clock.now() + self.random.randrange(60))
            self.note(part)
            yield part

    def note(self, event: Elements | Watermark | EndOfGroup) -> None:
        assert self.arrival is not None
        self.steps.append(Step(self.arrival._replace(event=event), self.clock.now()))


@dataclass
class Cluster:
    """Runs the stages of a bounded program.

    Attributes:
        stages: senders before receivers.
        execution: how operators with keys and times run.
        chances: how often things happen.
        random: what decides.
        traces: after ``run``, what reached each subtask, by chain and number.
    """

    stages: list[Stage]
    execution: Execution
    chances: Chances
    random: Random
    traces: dict[tuple[int, int], list[Step]] = field(default_factory=dict)
    _rows: dict[int, list[OutputRow]] = field(default_factory=dict)

    def run(self) -> None:
        for stage in self.stages:
            for index in range(stage.task.parallelism):
                self._run(stage, index)

    def collected(self, edge: int, index: int) -> list[Any]:
        """What an edge brought to the driver from a subtask, in order."""
        deserialize = serializer_for(self._type_of(edge)).deserialize
        rows = [row for row in self._rows.get(edge, ()) if row.channel == index and row.seq != END_OF_CHANNEL]
        return [value for row in rows for value in deserialize(row.payload)]

    def _type_of(self, edge: int) -> TypeInformation[Any]:
        return next(node.type_info for stage in self.stages for number, node in stage.sinks if number == edge)

    def _run(self, stage: Stage, index: int) -> None:
        job = JobInfo("0" * 32, "simulation", execution=self.execution)
        spec = stage.task
        subtask = SubtaskInfo(job, index, spec.parallelism, spec.max_parallelism, 0)
        clock = ManualClock(1_000)
        task = RestartableTask(spec, subtask, clock)
        arriving = self._read(stage, index) if stage.source is not None else self._received(stage, index)
        watch = Watch(self.chances, self.random, clock)
        task.watch(watch)
        self.traces[stage.chain, index] = watch.steps
        for item in task.run(self._watched(arriving, watch, task)):
            assert isinstance(item, OutputRow)
            self._rows.setdefault(item.edge, []).append(item)

    def _watched(self, arriving: Iterator[Arrival], watch: Watch, task: RestartableTask) -> Iterator[Arrival]:
        for arrival in arriving:
            if not self.execution.batch and self.random.random() < self.chances.restart:
                task.restart()
            watch.arrival = arrival
            if not isinstance(arrival.event, Elements):
                watch.note(arrival.event)
            yield arrival

    def _read(self, stage: Stage, index: int) -> Iterator[Arrival]:
        assert stage.source is not None
        source = stage.source.source
        for split in source.splits(stage.task.parallelism)[index]:
            for values in source.read(split):
                yield from map(Arrival, self._cut(Elements(values)))

    def _cut(self, elements: Elements) -> Iterator[Elements]:
        start = 0
        while start < len(elements.values):
            end = start + self.random.randint(1, self.chances.batch)
            times = None if elements.timestamps is None else elements.timestamps[start:end]
            yield Elements(elements.values[start:end], times)
            start = end

    def _received(self, stage: Stage, index: int) -> Iterator[Arrival]:
        groups: dict[int, _Queues] = {}
        for edge in stage.inputs:
            deserialize = serializer_for(edge.type_info).deserialize
            rows = [row for row in self._rows.get(edge.number, ()) if row.target == index]
            for row in sorted(rows, key=lambda row: (row.group, row.seq)):
                channel = edge.number, row.channel
                queue = groups.setdefault(row.group, {}).setdefault(channel, deque())
                if row.seq == END_OF_CHANNEL:
                    queue.append(Arrival(Watermark(MAX_WATERMARK), edge.side, channel))
                    continue
                for event in read_frame(row.payload, deserialize):
                    queue.extend(Arrival(part, edge.side, channel) for part in self._parts(event))
        if stage.inputs[0].by_group:
            return self._one_after_another(groups)
        merged: _Queues = {}
        for group in sorted(groups):
            for channel, queue in groups[group].items():
                merged.setdefault(channel, deque()).extend(queue)
        return self._mixed(merged)

    def _parts(self, event: Event) -> Iterator[Event]:
        return self._cut(event) if isinstance(event, Elements) else iter((event,))

    def _one_after_another(self, groups: dict[int, _Queues]) -> Iterator[Arrival]:
        for position, group in enumerate(sorted(groups)):
            if position:
                yield Arrival(EndOfGroup())
            yield from self._mixed(groups[group])

    def _mixed(self, queues: _Queues) -> Iterator[Arrival]:
        last = (-1, -1)
        while queues:
            if last not in queues or self.random.random() >= self.chances.stay:
                last = self.random.choice(sorted(queues))
            queue = queues[last]
            yield queue.popleft()
            if not queue:
                del queues[last]
