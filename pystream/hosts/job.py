"""Job: runs a job on any host: prepares sinks, runs attempts, publishes files and returns results."""

from __future__ import annotations

import atexit
import logging
import math
import pickle
import threading
import time
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from concurrent.futures import wait as wait_for
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import transaction_of
from pystream.engine.connectors.recovery import Outcome, recover
from pystream.engine.exchange.rows import END_OF_CHANNEL, OutputRow
from pystream.engine.metrics.values import merge_snapshots, plain
from pystream.errors import JobCancelledError, JobExecutionError, SinkError
from pystream.hosts.cache_files import CacheFiles
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import lower
from pystream.hosts.process import at_exit, register_job
from pystream.hosts.results import Printer, Results
from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, PrintTarget, SinkNode, SourceNode
from typeinfo.serde import serializer_for

__all__ = ["Job", "JobOutcome"]

_LOG = logging.getLogger(__name__)
_INTERRUPTION_PAUSE = 0.05
_SECONDS_AT_EXIT = 10.0


@dataclass(frozen=True, slots=True)
class JobOutcome:
    """Run time and metrics of a finished job.

    Attributes:
        runtime_millis: its run time.
        metrics: the values of its functions' metrics at the end, by scope and name.
    """

    runtime_millis: int
    metrics: Mapping[str, Any]


class Job(ABC):
    """A job, from preparation to result.

    A host runs the attempts. Everything else is the same on all hosts: the files of sinks, restarts,
    publishing, caches, printing, and results for the program.

    Args:
        request: the plan and settings.

    Attributes:
        job_id: its hexadecimal id.
        future: its outcome; raises JobExecutionError, or JobCancelledError after ``cancel``.
    """

    def __init__(self, request: JobRequest) -> None:
        self.request = request
        self.job_id: str = uuid.uuid4().hex
        self.future: Future[JobOutcome] = Future()
        self.results: Results = Results()
        self._thread = threading.Thread(target=self._run, name=f"pystream-{request.name}", daemon=True)
        self._cancelled = threading.Event()
        self._publishing = threading.Lock()
        # The sinks by the numbers of the edges that end at them.
        self._driver_sinks: dict[int, SinkNode] = {}
        self._external_sinks: dict[int, SinkNode] = {}
        self._caches: dict[int, SinkNode] = {}

    @abstractmethod
    def _run_attempt(self, number: int) -> list[OutputRow]:
        """Run the stages once, write results to ``results``, and return the other rows for the driver.

        These are the messages of sink writers, and at the end of a channel the metrics of its subtask.

        Args:
            number: 0 for the first attempt.
        """

    @abstractmethod
    def _interrupt(self) -> None:
        """Stop the current attempt, from any thread; called until the job has ended."""

    @abstractmethod
    def _error_to_report(self, error: BaseException) -> BaseException:
        """Return the error to report, given the error that ended an attempt."""

    def _without_lifting(self, error: BaseException) -> bool:
        """Prepare a run without native steps, if one of them caused the failure; return whether it did."""
        return False

    def submit(self) -> Job:
        """Start the job in a new thread, and return it.

        Raises:
            PyStreamError: a sink's target or a source's input is unusable; then nothing is started.
        """
        self._prepare(self.request.plan)
        register_job(self.future)
        self._thread.start()
        return self

    def _prepare(self, plan: Plan) -> None:
        self._stages = lower(plan, batch=self.request.execution.batch)
        self._inputs = self._divided_inputs()
        sinks = {number: node for stage in self._stages for number, node in stage.sinks}
        self._driver_sinks = {number: node for number, node in sinks.items() if _is_for_driver(node)}
        self._external_sinks = {number: node for number, node in sinks.items() if not _is_for_driver(node)}
        self._caches = {number: node for stage in self._stages for number, node in stage.caches}
        for node in self._external_sinks.values():
            node.target.check()
        for base_path in dict.fromkeys(node.target.base_path for node in self._external_sinks.values()):
            _recover(base_path)
        self._begin_files()

    @abstractmethod
    def _divided_inputs(self) -> dict[int, SourceInput]:
        """Return the input of each stage with a source, divided among its subtasks, by chain id.

        Raises:
            PyStreamError: an input is missing, cannot be listed, or cannot be read on this host.
        """

    def _begin_files(self) -> None:
        base_paths = {number: node.target.base_path for number, node in self._external_sinks.items()}
        self._files = JobFiles.begin(self.job_id, self.request.name, base_paths)

    def cancel(self) -> None:
        """Cancel the job without waiting; does nothing once it has ended."""
        if not self.future.done() and not self._cancelled.is_set():
            self._cancelled.set()
            threading.Thread(target=self._stop, name=f"pystream-cancel-{self.job_id}", daemon=True).start()

    def _stop(self, seconds: float = math.inf) -> None:
        deadline = time.monotonic() + seconds
        # Spark cancels only jobs it has started, and this one may be about to start another.
        while not self.future.done() and time.monotonic() < deadline:
            with suppress(Exception):  # if the host is unreachable, the job itself fails
                self._interrupt()
            wait_for([self.future], timeout=_INTERRUPTION_PAUSE)

    def _stop_at_exit(self) -> None:
        """Cancel the job when the program exits, and let it clean up or finish publishing."""
        self._cancelled.set()
        self._stop(_SECONDS_AT_EXIT)  # in this thread, as Python cannot start another one at exit
        with self._publishing:
            pass

    def collected(self, sink_id: int) -> Iterator[list[Any]]:
        """Yield the elements of a collecting sink in batches as they arrive, or in a single one if limited.

        It ends with the job, whether or not the job fails.

        Args:
            sink_id: the id of its node.
        """
        ((number, node),) = [sink for sink in self._driver_sinks.items() if sink[1].id == sink_id]
        decode = serializer_for(node.type_info).deserialize
        if node.target.limit is None:
            yield from self.results.read(number, node.parallelism, decode)
        else:
            yield self.results.first(node.target.limit, number, node.parallelism, decode)

    def discard(self) -> None:
        """Drop the collected elements, once they have been read or are no longer needed."""
        self.results.close()

    def join(self, seconds: float) -> None:
        """Wait until the job has ended and cleaned up, for some seconds at most."""
        self._thread.join(seconds)

    def _run(self) -> None:
        hook = at_exit(self._stop_at_exit)
        try:
            outcome = self._outcome()
        except BaseException as error:  # noqa: BLE001 - whoever waits on the future gets it, whatever it is
            self.future.set_exception(error)
        else:
            self.future.set_result(outcome)
        finally:
            atexit.unregister(hook)
            if not any(isinstance(node.target, CollectTarget) for node in self._driver_sinks.values()):
                self.results.close()

    def _outcome(self) -> JobOutcome:
        started = time.monotonic()
        printed = {n: node for n, node in self._driver_sinks.items() if isinstance(node.target, PrintTarget)}
        printer = Printer(self.results, {number: node.parallelism for number, node in printed.items()})
        try:
            printer.start()
            names, metrics = self._written()
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
                f"job {self.request.name!r} has finished and its sinks are written, but printed elements "
                f"cannot be written to standard output: {printer.error}"
            ) from printer.error
        return JobOutcome(int((time.monotonic() - started) * 1000), metrics)

    def _written(self) -> tuple[dict[int, Sequence[str]], dict[str, Any]]:
        """Return the files to publish of the successful attempt, and its metrics."""
        failures: list[float] = []
        while True:
            try:
                rows = sorted(self._run_attempt(len(failures)), key=lambda row: (row.seq, row.channel))
                names = {
                    number: node.target.finish(transaction_of(self.job_id, number), _messages(rows, number))
                    for number, node in self._external_sinks.items()
                }
            except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
                failure = self._cancellation() if self._cancelled.is_set() else self._error_to_report(error)
                self._roll_back(failure)
                if not self._cancelled.is_set() and self._without_lifting(error):
                    continue
                failures.append(time.monotonic())
                pause = self._pause(failures, failure)
                if pause is None:
                    raise failure from failure.__cause__
                if self._cancelled.wait(pause):
                    raise self._cancellation() from None
                self._begin_files()
            else:
                return names, _metrics(rows)

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
        for number, node in self._caches.items():
            try:
                directory = self.results.moved(number)
            except OSError as error:
                _LOG.warning("job %r: the result of %r is not kept: %s", self.request.name, node.title, error)
                continue
            files = CacheFiles(directory, node.type_info, node.parallelism, self.request.execution.batch)
            node.target.cache.fill(files, node.target.generation)

    def _roll_back(self, failure: BaseException) -> None:
        try:
            self._files.roll_back()
        except Exception as error:  # noqa: BLE001 - the first failure is the one to report
            failure.add_note(f"its files in progress could not be removed: {error}")

    def _has_limit(self) -> bool:
        """Return whether a sink takes a limited number of elements, which it returns only when complete."""
        targets = (node.target for node in self._driver_sinks.values())
        return any(isinstance(target, CollectTarget) and target.limit is not None for target in targets)

    def _result_channels(self) -> Iterator[tuple[int, int]]:
        """Yield the edge and the subtask of each channel of results."""
        for number, node in (*self._driver_sinks.items(), *self._caches.items()):
            yield from ((number, subtask) for subtask in range(node.parallelism))

    def _total(self) -> int:
        """Return the total size of all sources, 0 if one is unknown."""
        totals = [
            _size(stage.source, self._inputs.get(stage.chain))
            for stage in self._stages
            if stage.source is not None
        ]
        return sum(totals) if all(totals) else 0

    def _cancellation(self) -> JobCancelledError:
        return JobCancelledError(f"job {self.request.name!r} was cancelled")


def _is_for_driver(node: SinkNode) -> bool:
    return isinstance(node.target, (CollectTarget, PrintTarget))


def _size(node: SourceNode, divided: SourceInput | None) -> int:
    if isinstance(node.source, MemorySource):
        return node.source.count_elements()
    return 0 if divided is None else divided.total()


def _messages(rows: Sequence[OutputRow], edge: int) -> list[Any]:
    """Return the messages of a sink's writers, in order."""
    return [pickle.loads(row.payload) for row in rows if row.edge == edge and row.seq != END_OF_CHANNEL]


def _metrics(rows: Sequence[OutputRow]) -> dict[str, Any]:
    """Return the values of all metrics by scope and name, merged over the subtasks."""
    snapshots = [pickle.loads(row.payload) for row in rows if row.seq == END_OF_CHANNEL and row.payload]
    return plain(merge_snapshots(snapshots))


def _recover(base_path: str) -> None:
    """Complete or roll back jobs that died while they wrote to a base path.

    Raises:
        SinkError: recovery is not possible.
    """
    for leftover in recover(base_path):
        if leftover.outcome is Outcome.FAILED:
            raise SinkError(
                f"{leftover.text}\n{base_path} has files of a job that died; once the cause is removed, "
                f"`pystream recover {base_path}` completes it, and with --roll-back removes them"
            )
        if leftover.outcome is not Outcome.RUNNING:
            _LOG.warning(leftover.text)
