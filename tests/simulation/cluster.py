"""The local host with every choice that an engine has left to chance.

Nothing but the order within a channel is promised to a task. Here a seed chooses how the channels mix, how
elements are cut into batches, when the clock of each subtask moves on, and where operators with state are
replaced by new ones that begin with a snapshot of the old.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from pystream.engine.events import Arrival, Elements, EndOfGroup, Watermark, WatermarkStatus
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import END_OF_CHANNEL, Item, OutputRow
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import OperatorSpec, TaskSpec
from pystream.engine.state import keyed_pages
from pystream.engine.state.page_store import MemoryPageStore
from pystream.engine.task.task import Task
from pystream.engine.task.task_graph import Vertex
from pystream.engine.task_info import Execution, JobInfo, SubtaskInfo
from pystream.engine.time.clock import ManualClock
from pystream.hosts.inputs import SourceInput
from pystream.hosts.local.cluster import LocalCluster
from pystream.hosts.local.interleaving import Seeded
from pystream.hosts.lowering import Stage
from typeinfo.info import TypeInformation

__all__ = ["Chances", "Cluster", "Step"]


class Step(NamedTuple):
    """An event that a subtask processed, and the time of its clock."""

    arrival: Arrival
    now: int


@dataclass(frozen=True)
class Chances:
    """How often things happen.

    Attributes:
        batch: how many elements come together at most.
        stay: how likely the next batch comes from the channel of the last one.
        tick: how likely the clock moves on before a part of a batch.
        restart: how likely operators with state are replaced before a batch.
    """

    batch: int
    stay: float
    tick: float
    restart: float


class RestartableTask(Task):
    """A task whose operators with state can be replaced by new ones that take over their state.

    Args:
        spec: the operators and outputs.
        subtask: its index, parallelism and job.
        metrics: registry for the metrics of its functions.
        watch: sees all that is worked on, part by part.
    """

    def __init__(self, spec: TaskSpec, subtask: SubtaskInfo, metrics: MetricRegistry, watch: Watch) -> None:
        self._built: list[tuple[OperatorSpec, Vertex]] = []
        super().__init__(spec, subtask, metrics, watch.clock)
        self._watch = watch
        self._store = MemoryPageStore()

    def open(self) -> None:
        super().open()
        self.restore(self._store)

    def take(self, arrival: Arrival) -> Iterator[Item]:
        if not self._subtask.job.execution.batch and self._watch.restarts():
            self.restart()
        self._watch.arrival = arrival
        if not isinstance(arrival.event, Elements):
            self._watch.note(arrival.event)
        yield from super().take(arrival)

    def bundles(self, elements: Elements) -> Iterator[Elements]:
        for bundle in super().bundles(elements):
            self._watch.see(bundle)
            yield bundle

    def _vertex(self, spec: OperatorSpec) -> Vertex:
        vertex = super()._vertex(spec)
        self._built.append((spec, vertex))
        return vertex

    def restart(self) -> None:
        self.save()
        for spec, vertex in self._built:
            if not spec.keeps_state:
                continue
            successor = spec.kind.make(spec, False)
            metrics = self._metrics.group(successor.label.name)
            successor.open(OperatorEnvironment(self._subtask, self._name, metrics, self._clock))
            vertex.operator = successor
        self.restore(self._store)


@dataclass
class Watch:
    """Records the events that a subtask processes, and advances its clock meanwhile.

    Attributes:
        chances: how often things happen.
        random: what decides.
        clock: the clock of the subtask.
        arrival: what reached it last.
        steps: what it worked on.
    """

    chances: Chances
    random: Random
    clock: ManualClock
    arrival: Arrival | None = None
    steps: list[Step] = field(default_factory=list)

    def restarts(self) -> bool:
        return self.random.random() < self.chances.restart

    def see(self, bundle: Elements) -> None:
        if self.random.random() < self.chances.tick:
            self.clock.set(self.clock.now() + self.random.randrange(60))
        self.note(bundle)

    def note(self, event: Elements | Watermark | WatermarkStatus | EndOfGroup) -> None:
        assert self.arrival is not None
        self.steps.append(Step(self.arrival._replace(event=event), self.clock.now()))


class Cluster(LocalCluster):
    """Runs the stages of a bounded program.

    Args:
        stages: senders before receivers.
        execution: how operators with keys and times run.
        chances: how often things happen.
        random: what decides.

    Attributes:
        execution: how operators with keys and times run.
        traces: after ``run``, what reached each subtask, by chain and number.
    """

    def __init__(self, stages: list[Stage], execution: Execution, chances: Chances, random: Random) -> None:
        self.execution = execution
        self.traces: dict[tuple[int, int], list[Step]] = {}
        self._stages = stages
        self._chances = chances
        self._random = random
        inputs = {
            stage.chain: SourceInput.of(stage.source.source, stage.task.parallelism)
            for stage in stages
            if stage.source is not None
        }
        job = JobInfo("0" * 32, "simulation", execution=execution)
        interleaving = Seeded(random, chances.batch, chances.stay)
        super().__init__(stages, inputs, job, ManualClock(), interleaving, lambda: False)
        self._rows: dict[int, list[OutputRow]] = {}
        with patch.object(keyed_pages, "MAX_ENTRIES", random.choice((1, 3, 100))):
            for row in self.run():
                self._rows.setdefault(row.edge, []).append(row)

    def collected(self, edge: int, index: int) -> list[Any]:
        """Return the elements that an edge brought to the driver from a subtask, in order."""
        load = ElementsFormat(self._type_of(edge)).load_list
        rows = [row for row in self._rows.get(edge, ()) if row.channel == index and row.seq != END_OF_CHANNEL]
        return [value for row in rows for value in load(row.payload)]

    def _type_of(self, edge: int) -> TypeInformation[Any]:
        return next(
            node.type_info for stage in self._stages for number, node in stage.sinks if number == edge
        )

    def _task(
        self, spec: TaskSpec, subtask: SubtaskInfo, metrics: MetricRegistry, worked: object
    ) -> RestartableTask:
        watch = Watch(self._chances, self._random, ManualClock(1_000))
        chain = next(stage.chain for stage in self._stages if stage.task is spec)
        self.traces[chain, subtask.index] = watch.steps
        return RestartableTask(spec, subtask, metrics, watch)
