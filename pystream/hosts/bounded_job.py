"""BoundedJob: prepares sinks, runs attempts, publishes files and returns results."""

from __future__ import annotations

import logging
import pickle
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from pystream.engine.connectors.collection import MemorySource
from pystream.engine.connectors.interfaces import BoundedSink, EpochEnd, FinishedFiles
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import transaction_of
from pystream.engine.connectors.recovery import Outcome, recover
from pystream.engine.exchange.elements_format import ElementsFormat, columns_of
from pystream.engine.exchange.rows import END_OF_CHANNEL, OutputRow
from pystream.engine.metrics.values import merge_snapshots, plain
from pystream.engine.task_info import JobInfo
from pystream.engine.vectorised.columns import layout_of
from pystream.errors import JobExecutionError, PyStreamError, SinkError
from pystream.hosts.cache_files import CacheFiles
from pystream.hosts.committers import Commits, Committers
from pystream.hosts.inputs import SourceInput
from pystream.hosts.job import Job
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import lower
from pystream.hosts.results import Printer, Results
from pystream.plan.graph import Plan
from pystream.plan.nodes import CollectTarget, PrintTarget, SinkNode, SourceNode
from typeinfo.inferred import declared_only

__all__ = ["BoundedJob"]

_LOG = logging.getLogger(__name__)


class BoundedJob(Job):
    """A job with bounded sources: its results become visible once an attempt has processed all input.

    A host runs the attempts. Everything else is the same on all hosts: the files of sinks, restarts,
    publishing, caches, printing, and results for the program.

    Args:
        request: the plan and settings.
    """

    def __init__(self, request: JobRequest) -> None:
        super().__init__(request)
        self.results: Results = Results()
        # The sinks by the numbers of the edges that end at them.
        self._driver_sinks: dict[int, SinkNode] = {}
        self._file_sinks: dict[int, SinkNode] = {}
        self._committing_sinks: dict[int, SinkNode] = {}
        self._committers: Committers | None = None
        self._caches: dict[int, SinkNode] = {}

    @abstractmethod
    def _run_attempt(self, number: int) -> list[OutputRow]:
        """Run the stages once, write results to ``results``, and return the other rows for the driver.

        These are the messages of sink writers, and at the end of a channel the metrics of its subtask.

        Args:
            number: 0 for the first attempt.
        """

    def _without_lifting(self, error: BaseException) -> bool:
        """Prepare a run without native steps, if one of them caused the failure; return whether it did."""
        return False

    def _prepare(self) -> None:
        self._prepare_plan(self.request.plan)

    def _prepare_plan(self, plan: Plan) -> None:
        self._stages = lower(plan, batch=self.request.execution.batch)
        self._inputs = self._divided_inputs()
        sinks = {number: node for stage in self._stages for number, node in stage.sinks}
        self._driver_sinks = {number: node for number, node in sinks.items() if node.is_for_driver}
        external = {number: node for number, node in sinks.items() if not node.is_for_driver}
        self._file_sinks = {n: node for n, node in external.items() if isinstance(node.target, BoundedSink)}
        self._committing_sinks = {n: node for n, node in external.items() if n not in self._file_sinks}
        self._caches = {number: node for stage in self._stages for number, node in stage.caches}
        for node in external.values():
            node.target.check()
        for base_path in dict.fromkeys(node.target.base_path for node in self._file_sinks.values()):
            _recover(base_path)
        if self._committers is None:
            self._committers = Committers(JobInfo(self.job_id, self.request.name), "", self._committing_sinks)
            self._committers.open()
        self._begin_files()

    @abstractmethod
    def _divided_inputs(self) -> dict[int, SourceInput]:
        """Return the input of each stage with a source, divided among its subtasks, by chain id.

        Raises:
            PyStreamError: an input is missing, cannot be listed, or cannot be read on this host.
        """

    def _begin_files(self) -> None:
        base_paths = {number: node.target.base_path for number, node in self._file_sinks.items()}
        self._files = JobFiles.begin(self.job_id, self.request.name, base_paths)

    def collected(self, sink_id: int) -> Iterator[Any]:
        ((number, node),) = [sink for sink in self._driver_sinks.items() if sink[1].id == sink_id]
        if node.target.as_columns:
            decode_columns = partial(columns_of, layout=layout_of(node.type_info))
            for values in self.results.read(number, node.parallelism, decode_columns):
                yield values.batch
            return
        decode = ElementsFormat(node.type_info).load_list
        if node.target.limit is None:
            yield from self.results.read(number, node.parallelism, decode)
        else:
            yield self.results.first(node.target.limit, number, node.parallelism, decode)

    def discard(self) -> None:
        self.results.close()

    def _clean_up(self) -> None:
        if self._committers is not None:
            with suppress(PyStreamError):  # the commit, if any, is done
                self._committers.close()
        if not any(isinstance(node.target, CollectTarget) for node in self._driver_sinks.values()):
            self.results.close()

    def _metrics_at_end(self) -> Mapping[str, Any]:
        printed = {n: node for n, node in self._driver_sinks.items() if isinstance(node.target, PrintTarget)}
        printer = Printer(
            self.results, {n: (node.parallelism, node.target.to_error) for n, node in printed.items()}
        )
        try:
            printer.start()
            files, commits, metrics = self._written()
            self._publish(files, commits)
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
        return metrics

    def _written(self) -> tuple[dict[int, FinishedFiles], Commits, dict[str, Any]]:
        """Return the files to publish of the successful attempt, the prepared commits, and its metrics."""
        failures = 0
        while True:
            try:
                rows = sorted(self._run_attempt(failures), key=lambda row: (row.seq, row.channel))
                files = {
                    number: node.target.finish(transaction_of(self.job_id, number), _messages(rows, number))
                    for number, node in self._file_sinks.items()
                }
                assert self._committers is not None
                messages = {number: _messages(rows, number) for number in self._committing_sinks}
                end = EpochEnd(0, time.time_ns() // 1_000_000, last=True)
                commits = self._committers.prepare(end, {}, messages)
            except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
                failure = self._cancellation() if self._cancelled.is_set() else self._error_to_report(error)
                self._roll_back(failure)
                if not self._cancelled.is_set() and self._without_lifting(error):
                    continue
                failures += 1
                pause = self._pause(failure)
                if pause is None:
                    raise failure from failure.__cause__
                if self._cancelled.wait(pause):
                    raise self._cancellation() from None
                self._begin_files()
            else:
                return files, commits, _metrics(rows)

    def _publish(self, files: Mapping[int, FinishedFiles], commits: Commits) -> None:
        failure: PyStreamError
        with self._publishing:
            if not self._cancelled.is_set():
                try:
                    assert self._committers is not None
                    self._committers.commit(0, commits)
                except PyStreamError as error:  # files, which can be rolled back, are published last
                    failure = error
                else:
                    self._files.publish(files)
                    return
            else:
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
            files = CacheFiles(
                directory, declared_only(node.type_info), node.parallelism, self.request.execution.batch
            )
            node.target.cache.fill(files, node.target.generation)

    def _roll_back(self, failure: BaseException) -> None:
        try:
            self._files.roll_back()
        except Exception as error:  # noqa: BLE001 - the first failure is the one to report
            failure.add_note(f"its files in progress could not be removed: {error}")

    def _has_limit(self) -> bool:
        """Return whether a sink limits the number of its elements, and so returns them only when complete."""
        targets = (node.target for node in self._driver_sinks.values())
        return any(isinstance(target, CollectTarget) and target.limit is not None for target in targets)

    def _driver_channels(self) -> Iterator[tuple[int, int]]:
        """Yield the edge and the subtask of each channel of results."""
        return _channels_of(self._driver_sinks)

    def _cache_channels(self) -> Iterator[tuple[int, int]]:
        """Yield the edge and the subtask of each channel of a cache."""
        return _channels_of(self._caches)

    def _total(self) -> int:
        """Return the total size of all sources, 0 if one is unknown."""
        totals = [
            _size(stage.source, self._inputs.get(stage.chain))
            for stage in self._stages
            if stage.source is not None
        ]
        return sum(totals) if all(totals) else 0


def _channels_of(sinks: Mapping[int, SinkNode]) -> Iterator[tuple[int, int]]:
    for number, node in sinks.items():
        yield from ((number, subtask) for subtask in range(node.parallelism))


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
                f"{leftover.text}\n{base_path} has files of a job that died; once the cause is fixed, "
                f"`pystream recover {base_path}` completes it, and with --roll-back removes them"
            )
        if leftover.outcome not in (Outcome.RUNNING, Outcome.RESUMABLE):
            _LOG.warning(leftover.text)
