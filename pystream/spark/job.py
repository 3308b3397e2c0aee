"""Running a job: prepare its sinks, run its one Spark action, commit what was written, print."""

from __future__ import annotations

import atexit
import logging
import pickle
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession

from pystream.errors import JobCancelledError, JobExecutionError
from pystream.metrics.values import merge_snapshots, plain
from pystream.plan.dependencies import Dependencies
from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, PrintTarget, SinkNode
from pystream.plan.options import ProgressMode
from pystream.runtime.io import transaction_of
from pystream.runtime.rows import END_OF_CHANNEL
from pystream.runtime.task_info import Execution, JobInfo
from pystream.spark.bounded import StageFrames, divide_inputs, worker_interpreter
from pystream.spark.engine_errors import errors_not_logged, explained, is_of_expression, what_failed
from pystream.spark.interruption import interrupt, interruptible
from pystream.spark.lowering import Stage, lower
from pystream.spark.progress import progress_bar
from pystream.spark.session import get_session
from pystream.spark.shipping import Shipped, ship
from typeinfo.serde import serializer_for

__all__ = ["CollectedElements", "JobOutcome", "JobRequest", "RunningJob", "submit", "to_data_frame"]

_LOG = logging.getLogger(__name__)
_INTERRUPTION_PAUSE = 0.05
_SECONDS_AT_EXIT = 10.0

_Payloads = Mapping[int, list[bytes]]


@dataclass(frozen=True, slots=True)
class JobRequest:
    """What to run and how.

    Attributes:
        plan: the optimised plan.
        without_lifting: the same without native steps, should these meet a value they were not made for.
        name: display name of the job.
        parameters: global job parameters, as text.
        spark_conf: options for the Spark session.
        dependencies: files and packages the workers need.
        pause_before_restart: given the times of all failures so far, the seconds to wait before the job
            starts anew, or ``None`` to let it fail.
        progress: whether to show a progress bar.
        execution: how operators with keys and times run.
    """

    plan: Plan
    without_lifting: Plan
    name: str
    parameters: Mapping[str, str]
    spark_conf: Mapping[str, str]
    dependencies: Dependencies
    pause_before_restart: Callable[[Sequence[float]], float | None]
    progress: ProgressMode
    execution: Execution


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """What a finished job leaves.

    Attributes:
        runtime_millis: how long it ran.
        collected: the elements of each collecting sink, by node id.
        measured: what the metrics of its functions read at the end, by scope and name.
    """

    runtime_millis: int
    collected: Mapping[int, CollectedElements]
    measured: Mapping[str, Any]


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
    stages = lower(request.plan, batch=request.execution.batch)
    job = _job_info(request, uuid.uuid4().hex, shipped)
    with worker_interpreter(spark, shipped.executable):
        frames = StageFrames(spark, divide_inputs(stages), job, shipped.environment)
        return frames.columns(stages, sink.type_info)


def _job_info(request: JobRequest, job_id: str, shipped: Shipped) -> JobInfo:
    return JobInfo(
        job_id, request.name, dict(request.parameters), shipped.cached_files, execution=request.execution
    )


@dataclass
class _Run:
    request: JobRequest
    job_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    future: Future[JobOutcome] = field(default_factory=Future)
    _spark: SparkSession | None = None
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def prepare(self) -> None:
        self._prepare(self.request.plan)

    def _prepare(self, plan: Plan) -> None:
        self._stages = lower(plan, batch=self.request.execution.batch)
        self._inputs = divide_inputs(self._stages)
        self._external = [
            (number, node)
            for stage in self._stages
            for number, node in stage.sinks
            if not isinstance(node.target, (CollectTarget, PrintTarget))
        ]
        for number, node in self._external:
            node.target.prepare(self._transaction(number))

    def _transaction(self, number: int) -> str:
        return transaction_of(self.job_id, number)

    def cancel(self) -> None:
        if not self.future.done() and not self._cancelled.is_set():
            self._cancelled.set()
            threading.Thread(target=self._stop, name=f"pystream-cancel-{self.job_id}", daemon=True).start()

    def _stop(self) -> None:
        # Spark interrupts only what it has begun, and the job may be about to begin something.
        while not self.future.done():
            if self._spark is not None:
                # A session that cannot be spoken to makes the job itself fail.
                with suppress(Exception):
                    interrupt(self._spark, self.job_id)
            wait_for([self.future], timeout=_INTERRUPTION_PAUSE)

    def stop_at_exit(self) -> None:
        """Cancel the job of a program that ends, and let it clean up."""
        self.cancel()
        wait_for([self.future], timeout=_SECONDS_AT_EXIT)

    def run(self) -> None:
        atexit.register(self.stop_at_exit)
        try:
            outcome = self._outcome()
        except BaseException as error:  # noqa: BLE001 - whoever waits on the future gets it, whatever it is
            self.future.set_exception(error)
        else:
            self.future.set_result(outcome)
        finally:
            atexit.unregister(self.stop_at_exit)

    def _outcome(self) -> JobOutcome:
        started = time.monotonic()
        payloads, measured = self._payloads()
        self._commit(payloads)
        self._print(payloads)
        collected = {
            node.id: CollectedElements(node.type_info, payloads.get(number, []))
            for number, node in _sinks(self._stages)
            if isinstance(node.target, CollectTarget)
        }
        return JobOutcome(int((time.monotonic() - started) * 1000), collected, measured)

    def _payloads(self) -> tuple[_Payloads, dict[str, Any]]:
        """Return what the attempt that succeeds hands to each sink, all of which can be committed then.

        What it measured comes along.
        """
        failures: list[float] = []
        while True:
            try:
                payloads, measured = _divided(self._rows(attempt=len(failures)))
                for number, node in self._external:
                    node.target.prepare_commit(self._transaction(number), _messages(payloads, number))
            except BaseException as error:  # noqa: BLE001 - it is raised unless the job starts anew
                failure = self._explained(error)
                self._abort(failure)
                if self._gives_up_lifting(error):
                    continue
                failures.append(time.monotonic())
                pause = self._pause(failures, failure)
                if pause is None:
                    raise failure from failure.__cause__
                if self._cancelled.wait(pause):
                    raise self._cancellation() from None
            else:
                return payloads, measured

    def _gives_up_lifting(self, error: BaseException) -> bool:
        """Prepare the job anew without native steps if these met a value they were not made for."""
        lifted = any(stage.native for stage in self._stages)
        if not lifted or self._cancelled.is_set() or not is_of_expression(error):
            return False
        _LOG.warning(
            "job %r begins anew with Python functions in place of native expressions, one of which does not "
            "hold for its data (%s); set pystream.lifting to false to begin so",
            self.request.name,
            what_failed(error),
        )
        self._prepare(self.request.without_lifting)
        return True

    def _pause(self, failures: Sequence[float], failure: BaseException) -> float | None:
        try:
            return self.request.pause_before_restart(failures)
        except Exception as error:  # noqa: BLE001 - a restart strategy may be the program's own
            failure.add_note(f"the restart strategy failed too: {type(error).__name__}: {error}")
            return None

    def _commit(self, payloads: _Payloads) -> None:
        try:
            for number, node in self._external:
                node.target.commit(self._transaction(number), _messages(payloads, number))
        except BaseException as error:
            self._abort(error, payloads)
            raise

    def _abort(self, failure: BaseException, committed: _Payloads | None = None) -> None:
        for number, node in self._external:
            try:
                node.target.abort(self._transaction(number), _messages(committed or {}, number))
            except Exception as error:  # noqa: BLE001 - the first failure is the one to report
                failure.add_note(f"besides, {node.title!r} could not be cleaned up: {error}")

    def _print(self, payloads: _Payloads) -> None:
        try:
            for number, node in _sinks(self._stages):
                if isinstance(node.target, PrintTarget):
                    for payload in payloads.get(number, []):
                        _write("".join(f"{line}\n" for line in pickle.loads(payload)))
        except (OSError, ValueError) as error:
            raise JobExecutionError(
                f"job {self.request.name!r} has finished and its sinks are written, but what it prints "
                f"cannot be written to standard output: {error}"
            ) from error

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
            with errors_not_logged():
                return rows.toArrow()
        finally:
            frames.release()

    def _explained(self, error: BaseException) -> BaseException:
        return self._cancellation() if self._cancelled.is_set() else explained(self.request.name, error)

    def _cancellation(self) -> JobCancelledError:
        return JobCancelledError(f"job {self.request.name!r} was cancelled")


def _divided(rows: pa.Table) -> tuple[_Payloads, dict[str, Any]]:
    """Return the payloads of each edge in order, and what was measured."""
    table = rows.sort_by([("seq", "ascending"), ("channel", "ascending")])
    payloads: dict[int, list[bytes]] = {}
    snapshots = []
    columns = (table.column(name).to_pylist() for name in ("edge", "seq", "payload"))
    for edge, seq, payload in zip(*columns, strict=True):
        if seq == END_OF_CHANNEL:
            snapshots.append(pickle.loads(payload))
        else:
            payloads.setdefault(edge, []).append(payload)
    return payloads, plain(merge_snapshots(snapshots))


def _messages(payloads: _Payloads, number: int) -> list[Any]:
    return [pickle.loads(payload) for payload in payloads.get(number, [])]


def _write(text: str) -> None:
    try:
        print(text, end="", flush=True)
    except UnicodeEncodeError as error:
        print(text.encode(error.encoding, "backslashreplace").decode(error.encoding), end="", flush=True)


def _sinks(stages: list[Stage]) -> list[tuple[int, SinkNode]]:
    return [end for stage in stages for end in stage.sinks]
