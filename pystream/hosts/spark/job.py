"""Running a job: prepare its sinks, run its one Spark action, publish its files, print."""

from __future__ import annotations

import atexit
import logging
import math
import os
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.utils import is_remote

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.recovery import Outcome, recover
from pystream.engine.io import transaction_of
from pystream.errors import JobCancelledError, JobExecutionError, SinkError, UnsupportedOperationError
from pystream.hosts.spark.action_rows import divided, messages, write_results
from pystream.hosts.spark.bounded import DataFrameSource, StageFrames, divide_inputs, worker_interpreter
from pystream.hosts.spark.cache_files import CacheFiles
from pystream.hosts.spark.engine_errors import errors_not_logged, explained, expression_failure
from pystream.hosts.spark.forking import at_exit, fail_in_forked
from pystream.hosts.spark.interruption import interrupt, interruptible
from pystream.hosts.spark.job_request import JobRequest, job_info
from pystream.hosts.spark.lowering import lower
from pystream.hosts.spark.master import repeats_tasks
from pystream.hosts.spark.printing import Printer
from pystream.hosts.spark.progress import job_display
from pystream.hosts.spark.results import Results
from pystream.hosts.spark.scratch import shared_directory
from pystream.hosts.spark.session import get_session
from pystream.hosts.spark.shipping import Shipped, ship
from pystream.hosts.spark.task_limits import refuse_long_sequences
from pystream.hosts.spark.termination import exit_on_signals
from pystream.hosts.spark.worker import SourceInput
from pystream.hosts.spark.worker_logs import worker_logs
from pystream.plan.cache import CachedElements
from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, PrintTarget, SinkNode, SourceNode
from typeinfo.serde import serializer_for

__all__ = ["JobOutcome", "RunningJob", "submit"]

_LOG = logging.getLogger(__name__)
_INTERRUPTION_PAUSE = 0.05
_SECONDS_AT_EXIT = 10.0

_RUNNING: set[tuple[int, str]] = set()  # process and job: a forked process runs none of its parent's


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """Run time and metrics of a finished job.

    Attributes:
        runtime_millis: its run time.
        measured: the values of its functions' metrics at the end, by scope and name.
    """

    runtime_millis: int
    measured: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RunningJob:
    """A job under way.

    Attributes:
        job_id: its hexadecimal id.
        future: its outcome; raises JobExecutionError, or JobCancelledError after ``cancel``.
        cancel: stops the job; does nothing once it has ended.
        collected: reads the elements of a collecting sink, by node id, in batches as they come, or in one if
            it has a limit; ends with the job, whether or not that fails.
        discard: drops all that is collected, once it was read or nobody wants it any more.
    """

    job_id: str
    future: Future[JobOutcome]
    cancel: Callable[[], None]
    collected: Callable[[int], Iterator[list[Any]]]
    discard: Callable[[], None]


def submit(request: JobRequest, cached: Iterable[CachedElements]) -> RunningJob:
    """Start a job in a thread of its own.

    Args:
        request: the job.
        cached: the elements of caches that it reads, to be referred to until it has ended.

    Raises:
        PyStreamError: a sink's target or a source's input is not usable; nothing has been started then.
    """
    run = _Run(request, cached=list(cached))
    run.prepare()
    _RUNNING.add((os.getpid(), run.job_id))
    exit_on_signals(_is_busy)
    thread = threading.Thread(target=run.run, name=f"pystream-{request.name}", daemon=True)
    fail_in_forked(run.future)
    thread.start()
    return RunningJob(run.job_id, run.future, run.cancel, run.collected, run.results.close)


@dataclass
class _Run:
    request: JobRequest
    job_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    future: Future[JobOutcome] = field(default_factory=Future)
    results: Results = field(default_factory=Results)
    cached: list[CachedElements] = field(default_factory=list)
    _spark: SparkSession | None = None
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _publishing: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self) -> None:
        self._prepare(self.request.plan)

    def _prepare(self, plan: Plan) -> None:
        self._stages = lower(plan, batch=self.request.execution.batch)
        refuse_long_sequences(self._stages)
        self._inputs = divide_inputs(self._stages)
        self._driver_sinks = [
            (number, node, stage.task.parallelism)
            for stage in self._stages
            for number, node in stage.sinks
            if isinstance(node.target, (CollectTarget, PrintTarget))
        ]
        self._caches = [
            (number, node, stage.task.parallelism) for stage in self._stages for number, node in stage.caches
        ]
        self._external_sinks = [
            (number, node)
            for stage in self._stages
            for number, node in stage.sinks
            if not isinstance(node.target, (CollectTarget, PrintTarget))
        ]
        for _, node in self._external_sinks:
            node.target.check()
        for base_path in dict.fromkeys(node.target.base_path for _, node in self._external_sinks):
            _recover(base_path)
        self._begin_files()

    def _begin_files(self) -> None:
        base_paths = {number: node.target.base_path for number, node in self._external_sinks}
        self._files = JobFiles.begin(self.job_id, self.request.name, base_paths)

    def _transaction(self, number: int) -> str:
        return transaction_of(self.job_id, number)

    def cancel(self) -> None:
        if not self.future.done() and not self._cancelled.is_set():
            self._cancelled.set()
            threading.Thread(target=self._stop, name=f"pystream-cancel-{self.job_id}", daemon=True).start()

    def _stop(self, seconds: float = math.inf) -> None:
        deadline = time.monotonic() + seconds
        # Spark interrupts only what it has begun, and the job may be about to begin something.
        while not self.future.done() and time.monotonic() < deadline:
            if self._spark is not None:
                # A session that cannot be spoken to makes the job itself fail.
                with suppress(Exception):
                    interrupt(self._spark, self.job_id)
            wait_for([self.future], timeout=_INTERRUPTION_PAUSE)

    def stop_at_exit(self) -> None:
        """Cancel the job of a program that ends, and let it clean up or finish publishing."""
        self._cancelled.set()
        self._stop(_SECONDS_AT_EXIT)  # in this thread: Python starts no other one at its exit
        with self._publishing:
            pass

    def collected(self, sink: int) -> Iterator[list[Any]]:
        """Yield the elements of a collecting sink as they come, or at once if it has a limit."""
        ((number, node, channels),) = [end for end in self._driver_sinks if end[1].id == sink]
        decode = serializer_for(node.type_info).deserialize
        limit = _limit(node)
        if limit is None:
            yield from self.results.read(number, channels, decode)
        else:
            yield self.results.first(limit, number, channels, decode)

    def run(self) -> None:
        hook = at_exit(self.stop_at_exit)
        try:
            outcome = self._outcome()
        except BaseException as error:  # noqa: BLE001 - whoever waits on the future gets it, whatever it is
            self.future.set_exception(error)
        else:
            self.future.set_result(outcome)
        finally:
            atexit.unregister(hook)
            _RUNNING.discard((os.getpid(), self.job_id))
            self.cached.clear()
            if not any(isinstance(node.target, CollectTarget) for _, node, _ in self._driver_sinks):
                self.results.close()

    def _outcome(self) -> JobOutcome:
        started = time.monotonic()
        printed = [end for end in self._driver_sinks if isinstance(end[1].target, PrintTarget)]
        printer = Printer(self.results, printed)
        try:
            printer.start()
            names, measured = self._written()
            self._publish(names)
            self._fill_caches()
        except BaseException:
            self.results.end(succeeded=False)
            raise
        else:
            self.results.end(succeeded=True)
        finally:
            printer.join()
        if printer.error is not None:
            raise JobExecutionError(
                f"job {self.request.name!r} has finished and its sinks are written, but what it prints "
                f"cannot be written to standard output: {printer.error}"
            ) from printer.error
        return JobOutcome(int((time.monotonic() - started) * 1000), measured)

    def _written(self) -> tuple[dict[int, Sequence[str]], dict[str, Any]]:
        """Return the files to publish of the attempt that succeeds, and its metrics."""
        failures: list[float] = []
        while True:
            try:
                payloads, measured = divided(self._rows(attempt=len(failures)))
                names = {
                    number: node.target.finish(self._transaction(number), messages(payloads, number))
                    for number, node in self._external_sinks
                }
            except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
                failure = self._explained(error)
                self._roll_back(failure)
                if self._gives_up_lifting(error):
                    continue
                failures.append(time.monotonic())
                pause = self._pause(failures, failure)
                if pause is None:
                    raise failure from failure.__cause__
                if self._cancelled.wait(pause):
                    raise self._cancellation() from None
                self._begin_files()
            else:
                return names, measured

    def _gives_up_lifting(self, error: BaseException) -> bool:
        """Prepare to restart the job without native steps if these met a value they cannot handle."""
        lifted = any(stage.native for stage in self._stages)
        if not lifted or self._cancelled.is_set():
            return False
        failure = expression_failure(error)
        if failure is None:
            return False
        _LOG.warning(
            "job %r restarts in Python: a native expression cannot handle this data (%s); set "
            "pystream.lifting to false to start in Python",
            self.request.name,
            failure,
        )
        self._prepare(self.request.without_lifting)
        return True

    def _pause(self, failures: Sequence[float], failure: BaseException) -> float | None:
        try:
            return self.request.pause_before_restart(failures)
        except Exception as error:  # noqa: BLE001 - a restart strategy may be the program's own
            failure.add_note(f"the restart strategy failed too: {type(error).__name__}: {error}")
            return None

    def _publish(self, names: Mapping[int, Sequence[str]]) -> None:
        with self._publishing:
            if not self._cancelled.is_set():
                self._files.publish(names)
                return
        failure = self._cancellation()
        self._roll_back(failure)
        raise failure

    def _fill_caches(self) -> None:
        for number, node, channels in self._caches:
            try:
                directory = self.results.moved(number)
            except OSError as error:
                _LOG.warning("job %r: the result of %r is not kept: %s", self.request.name, node.title, error)
                continue
            files = CacheFiles(directory, node.type_info, channels, self.request.execution.batch)
            node.target.cache.fill(files, node.target.generation)

    def _roll_back(self, failure: BaseException) -> None:
        try:
            self._files.roll_back()
        except Exception as error:  # noqa: BLE001 - the first failure is the one to report
            failure.add_note(f"besides, its files in progress could not be removed: {error}")

    def _rows(self, attempt: int) -> pa.Table:
        with job_display(self.request.name, self._total(), self.request.progress) as display:
            self._spark = spark = get_session(self.request.spark_conf)
            shipped = ship(self.request.dependencies)
            shared = shared_directory(spark)
            if shared is None and self._caches:
                raise UnsupportedOperationError(
                    f"job {self.request.name!r}: cache() keeps elements in files of this machine, but the "
                    "workers may run on others; leave it out, or write the stream with a FileSink to a file "
                    "system that all of them reach, and read that with a FileSource"
                )
            files = self.results.begin(
                shared,
                early=self._can_be_read_early(spark),
                may_break_off=any(stage.native or _is_table(stage.source) for stage in self._stages),
            )
            if display is not None:
                display.follow(spark, self.job_id)
            with (
                interruptible(spark, self.job_id),
                worker_logs(spark, self.request.logging, self.job_id) as logs,
            ):
                address = None if display is None else display.address
                job = job_info(self.request, self.job_id, shipped)
                job = replace(job, attempt=attempt, progress=address, logging=logs)
                frames = StageFrames(
                    spark,
                    self._inputs,
                    job,
                    shipped.environment,
                    None if shared is None else files.directory,
                    None if shared is None else files,
                )
                rows = self._run_action(frames, shipped)
        if shared is None:
            write_results(rows, frozenset(number for number, _, _ in self._driver_sinks), files)
        return rows

    def _total(self) -> int:
        """Return the size of all sources, 0 if one does not know it."""
        totals = [
            _size(stage.source, self._inputs.get(stage.chain))
            for stage in self._stages
            if stage.source is not None
        ]
        return sum(totals) if all(totals) else 0

    def _run_action(self, frames: StageFrames, shipped: Shipped) -> pa.Table:
        if self._cancelled.is_set():
            raise JobCancelledError(f"job {self.request.name!r} was cancelled before it started")
        try:
            with worker_interpreter(frames.spark, shipped.executable):
                rows = frames.rows(self._stages)
            with errors_not_logged():
                _plan(rows)
                return rows.toArrow()
        finally:
            frames.release()

    def _can_be_read_early(self, spark: SparkSession) -> bool:
        """Tell whether results may be read before it is known that no other attempt will make other ones."""
        if is_remote() or repeats_tasks(str(spark.sparkContext.master)):
            return False
        if any(_limit(node) is not None for _, node, _ in self._driver_sinks):
            return True  # nothing is handed out until all is there
        return not self.request.restarts and (
            not any(stage.native for stage in self._stages) or self._is_same_without_lifting()
        )

    def _is_same_without_lifting(self) -> bool:
        """Tell whether Python would bring the same results in the same order, should expressions fail."""
        python = lower(self.request.without_lifting, batch=self.request.execution.batch)
        match self._stages, python:
            case ([native], [_]):
                is_elementwise = all(
                    step.accumulation is None and step.windows is None and step.aggregation is None
                    for step in native.native
                )
                return is_elementwise and not (
                    native.source is not None and isinstance(native.source.source, DataFrameSource)
                )
        ends = [stage for stage in self._stages if stage.sinks]
        # Expressions come before a shuffle, and results after it.
        return len(ends) == 1 and bool(ends[0].inputs) and all(edge.shuffled for edge in ends[0].inputs)

    def _explained(self, error: BaseException) -> BaseException:
        return self._cancellation() if self._cancelled.is_set() else explained(self.request.name, error)

    def _cancellation(self) -> JobCancelledError:
        return JobCancelledError(f"job {self.request.name!r} was cancelled")


def _is_table(node: SourceNode | None) -> bool:
    return node is not None and isinstance(node.source, DataFrameSource)


def _size(node: SourceNode, divided: SourceInput | None) -> int:
    if isinstance(node.source, MemorySource):
        return node.source.size()
    return 0 if divided is None else divided.total()


def _limit(node: SinkNode) -> int | None:
    return node.target.limit if isinstance(node.target, CollectTarget) else None


def _is_busy() -> bool:
    return any(process == os.getpid() for process, _ in _RUNNING)


def _recover(base_path: str) -> None:
    """Complete or roll back jobs that died while they wrote to a base path.

    Raises:
        SinkError: that cannot be done.
    """
    for leftover in recover(base_path):
        if leftover.outcome is Outcome.FAILED:
            raise SinkError(
                f"{leftover.text}\n{base_path} has files of a job that died; once the cause is removed, "
                f"`pystream recover {base_path}` completes it, and with --roll-back removes them"
            )
        if leftover.outcome is not Outcome.RUNNING:
            _LOG.warning(leftover.text)


def _plan(rows: DataFrame) -> None:
    """Plan a query and generate its code in this thread, to which Java reports a stack that overflows.

    ``toArrow`` would do so in a thread of its own in Java; Python waits forever if its stack overflows.
    """
    if not is_remote():
        frame: Any = rows._jdf
        frame.queryExecution().debug().codegenToSeq()
