"""Running a job: prepare its sinks, run its one Spark action, hand out what comes back, commit."""

from __future__ import annotations

import pickle
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pystream.errors import JobCancelledError, JobExecutionError
from pystream.plan.dependencies import Dependencies
from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, PrintTarget, SinkNode
from pystream.plan.options import ProgressMode
from pystream.runtime.failure import find_report
from pystream.runtime.task_info import JobInfo
from pystream.spark.bounded import StageFrames, divide_inputs, worker_interpreter
from pystream.spark.interruption import interrupt, interruptible
from pystream.spark.lowering import Stage, lower
from pystream.spark.progress import progress_bar
from pystream.spark.session import get_session
from pystream.spark.shipping import Shipped, ship
from typeinfo.serde import serializer_for

__all__ = ["CollectedElements", "JobOutcome", "JobRequest", "RunningJob", "submit", "to_data_frame"]

_INTERRUPTION_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class JobRequest:
    """What to run and how.

    Attributes:
        plan: the optimised plan.
        name: display name of the job.
        parameters: global job parameters, as text.
        spark_conf: options for the Spark session.
        dependencies: files and packages the workers need.
        pause_before_restart: given the times of all failures so far, the seconds to wait before the job
            starts anew, or ``None`` to let it fail.
        progress: whether to show a progress bar.
    """

    plan: Plan
    name: str
    parameters: Mapping[str, str]
    spark_conf: Mapping[str, str]
    dependencies: Dependencies
    pause_before_restart: Callable[[Sequence[float]], float | None]
    progress: ProgressMode


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What a finished job leaves.

    Attributes:
        runtime_millis: how long it ran.
        collected: the elements of each collecting sink, by node id.
    """

    runtime_millis: int
    collected: Mapping[int, CollectedElements]


@dataclass(frozen=True, slots=True)
class CollectedElements:
    """Elements that came back to the driver, still serialized."""

    type_info: Any
    payloads: list[bytes]

    def __iter__(self) -> Iterator[Any]:
        deserialize = serializer_for(self.type_info).deserialize
        for payload in self.payloads:
            yield from deserialize(payload)


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job under way.

    Attributes:
        job_id: its hexadecimal id.
        future: its outcome; raises JobExecutionError, or JobCancelledError after ``cancel``.
        cancel: stops the job; does nothing once it has ended.
    """

    job_id: str
    future: Future[JobOutcome]
    cancel: Callable[[], None]


def submit(request: JobRequest) -> RunningJob:
    """Start a job in a thread of its own.

    Raises:
        PyStreamError: a sink's target or a source's input is not usable; nothing has been started then.
    """
    run = _Run(request)
    run.prepare()
    thread = threading.Thread(target=run.run, name=f"pystream-{request.name}", daemon=True)
    thread.start()
    return RunningJob(run.job_id, run.future, run.cancel)


def to_data_frame(request: JobRequest) -> DataFrame:
    """Return the elements that reach the plan's columnar sink as a lazy Spark table."""
    spark = get_session(request.spark_conf)
    shipped = ship(request.dependencies)
    (sink,) = request.plan.sinks
    stages = lower(request.plan)
    job = _job_info(request, uuid.uuid4().hex, shipped)
    with worker_interpreter(spark, shipped.executable):
        frames = StageFrames(spark, divide_inputs(stages), job, shipped.environment)
        return frames.columns(stages, sink.type_info)


def _job_info(request: JobRequest, job_id: str, shipped: Shipped) -> JobInfo:
    return JobInfo(job_id, request.name, dict(request.parameters), shipped.cached_files)


@dataclass
class _Run:
    request: JobRequest
    job_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    future: Future[JobOutcome] = field(default_factory=Future)
    _spark: SparkSession | None = None
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def prepare(self) -> None:
        self._stages = lower(self.request.plan)
        self._inputs = divide_inputs(self._stages)
        self._external = [
            (number, node)
            for stage in self._stages
            for number, node in stage.sinks
            if not isinstance(node.target, (CollectTarget, PrintTarget))
        ]
        for _, node in self._external:
            node.target.prepare(self.job_id)

    def cancel(self) -> None:
        if not self.future.done() and not self._cancelled.is_set():
            self._cancelled.set()
            threading.Thread(target=self._stop, name=f"pystream-cancel-{self.job_id}", daemon=True).start()

    def _stop(self) -> None:
        # Spark interrupts only what it has begun, and the job may be about to begin something.
        while not self.future.done():
            if self._spark is not None:
                interrupt(self._spark, self.job_id)
            wait_for([self.future], timeout=_INTERRUPTION_PAUSE)

    def run(self) -> None:
        started = time.monotonic()
        failures: list[float] = []
        while True:
            try:
                collected = self._hand_out(self._rows(attempt=len(failures)))
            except BaseException as error:  # noqa: BLE001 - whoever waits on the future gets it, whatever it is
                for _, node in self._external:
                    node.target.abort(self.job_id)
                failures.append(time.monotonic())
                pause = self.request.pause_before_restart(failures)
                if pause is None or self._cancelled.wait(pause):
                    self.future.set_exception(self._explained(error))
                    return
            else:
                self.future.set_result(JobOutcome(int((time.monotonic() - started) * 1000), collected))
                return

    def _rows(self, attempt: int) -> pa.Table:
        self._spark = spark = get_session(self.request.spark_conf)
        shipped = ship(self.request.dependencies)
        total = sum(part.total() for part in self._inputs.values())
        with (
            interruptible(spark, self.job_id),
            progress_bar(self.request.name, total, self.request.progress) as address,
        ):
            job = _job_info(self.request, self.job_id, shipped)
            job = replace(job, attempt=attempt, progress=address)
            frames = StageFrames(spark, self._inputs, job, shipped.environment)
            return self._collected(frames, shipped)

    def _collected(self, frames: StageFrames, shipped: Shipped) -> pa.Table:
        if self._cancelled.is_set():
            raise JobCancelledError(f"job {self.request.name!r} was cancelled before it started")
        try:
            with worker_interpreter(frames.spark, shipped.executable):
                rows = frames.rows(self._stages)
            return rows.toArrow()
        finally:
            frames.release()

    def _hand_out(self, rows: pa.Table) -> dict[int, CollectedElements]:
        table = rows.sort_by([("seq", "ascending"), ("channel", "ascending")])
        arrived: dict[int, list[bytes]] = {}
        for edge, payload in zip(
            table.column("edge").to_pylist(), table.column("payload").to_pylist(), strict=True
        ):
            arrived.setdefault(edge, []).append(payload)
        collected: dict[int, CollectedElements] = {}
        for number, node in _sinks(self._stages):
            payloads = arrived.get(number, [])
            if isinstance(node.target, CollectTarget):
                collected[node.id] = CollectedElements(node.type_info, payloads)
            elif isinstance(node.target, PrintTarget):
                for payload in payloads:
                    sys.stdout.writelines(f"{line}\n" for line in pickle.loads(payload))
            else:
                node.target.commit(self.job_id, [pickle.loads(payload) for payload in payloads])
        sys.stdout.flush()
        return collected

    def _explained(self, error: BaseException) -> BaseException:
        if self._cancelled.is_set():
            return JobCancelledError(f"job {self.request.name!r} was cancelled")
        if not isinstance(error, (PySparkException, Py4JError)):
            return error
        report = find_report(str(error))
        if report is None:
            lines = str(error).strip().splitlines()
            explained = JobExecutionError(f"job {self.request.name!r} failed in the engine: {lines[0]}")
            explained.__cause__ = error
            return explained
        explained = JobExecutionError(f"job {self.request.name!r}: {report.message()}")
        explained.__cause__ = report.original()
        return explained


def _sinks(stages: list[Stage]) -> list[tuple[int, SinkNode]]:
    return [end for stage in stages for end in stage.sinks]
