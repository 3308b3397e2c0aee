"""UnboundedJob: runs a job epoch by epoch, each of them exactly once, for as long as it is wanted."""

from __future__ import annotations

import logging
import pickle
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pystream.engine.connectors.interfaces import SplitEnumerator
from pystream.engine.epoch import Epoch
from pystream.engine.exchange.rows import REPORTS, OutputRow
from pystream.engine.time.clock import Clock
from pystream.hosts.job import Job
from pystream.hosts.job_request import JobRequest
from pystream.hosts.lowering import Stage, lower
from pystream.hosts.process import new_directory
from pystream.hosts.unbounded.coordinator import Coordinator, PlannedEpoch, Rhythm
from pystream.hosts.unbounded.deliveries import Deliveries
from pystream.hosts.unbounded.epoch_log import EpochLog
from pystream.hosts.unbounded.pace import Pace
from pystream.plan.nodes import CollectTarget, PrintTarget, SinkNode

__all__ = ["UnboundedJob"]

_LOG = logging.getLogger(__name__)


class UnboundedJob(Job):
    """A job with an unbounded source.

    A host runs the epochs: it calls ``begin`` before each, which also says that the one before is committed,
    and ``complete`` after it.

    Args:
        request: the plan and settings.
        clock: the clock of processing time.
    """

    def __init__(self, request: JobRequest, clock: Clock) -> None:
        super().__init__(request)
        self._clock = clock
        self._coordinator: Coordinator | None = None
        self._current: PlannedEpoch | None = None
        self._held: int | None = None  # the epoch whose results are held
        self._committed = -1
        self._attempt = 0

    @property
    def _epochs_location(self) -> str:
        return f"{self._directory}/epochs"

    @property
    def _spark_location(self) -> str:
        return f"{self._directory}/spark"

    @abstractmethod
    def _run_epochs(self) -> None:
        """Run epochs until ``begin`` returns ``None``, or one fails."""

    def _prepare(self) -> None:
        plan = self.request.without_lifting()
        self._stages: list[Stage] = lower(plan, batch=False)
        sinks = {number: node for stage in self._stages for number, node in stage.sinks}
        self._driver_sinks = {n: node for n, node in sinks.items() if _is_for_driver(node)}
        self._external_sinks = {n: node for n, node in sinks.items() if not _is_for_driver(node)}
        self._deliveries = Deliveries(self._driver_sinks)
        self._directory = new_directory(None)
        for node in self._external_sinks.values():
            node.target.check()
        self._sources = {
            stage.chain: (stage.source.source, stage.task.parallelism)
            for stage in self._stages
            if stage.source is not None
        }

    def _metrics_at_end(self) -> Mapping[str, Any]:
        try:
            while not self._ran():
                self._attempt += 1
        finally:
            self._deliveries.end()
        return {}

    def _ran(self) -> bool:
        """Run the job until it ends, or fails and is to be restarted."""
        self._log = EpochLog(self._epochs_location)
        self._coordinator = None
        self._failure: BaseException | None = None
        try:
            self._run_epochs()
            if self._cancelled.is_set():
                raise self._cancellation()
        except BaseException as error:  # noqa: BLE001 - it is raised unless the job is restarted
            failure = self._cancellation() if self._cancelled.is_set() else self._error_to_report(error)
            pause = None if self._cancelled.is_set() else self._pause(failure)
            if pause is None:
                raise failure from failure.__cause__
            _LOG.warning("job %r restarts after epoch %d: %s", self.request.name, self._committed, failure)
            if self._cancelled.wait(pause):
                raise self._cancellation() from None
            return False
        finally:
            if self._coordinator is not None:
                self._coordinator.close()
        return True

    def begin(self, number: int) -> Epoch | None:
        """Return the next epoch, once there is something to do; ``None`` to end.

        Args:
            number: its number; all epochs before it are committed.
        """
        self._commit(number - 1)
        if self._current is not None and self._current.is_last:
            return None
        coordinator = self._coordinator or self._new_coordinator(number - 1)
        if number <= self._last_logged:
            epoch = self._log.read(number)
            assert epoch is not None
            self._current = PlannedEpoch(epoch)
        else:
            self._current = coordinator.next_epoch(number)
            if self._current is None:
                return None
            epoch = self._current.epoch
            self._log.write(epoch, self._current.changes, self._enumerators)
        self._began = time.monotonic()
        return epoch

    def complete(self, rows: Sequence[OutputRow]) -> None:
        """Hold the results of the current epoch until it is committed."""
        assert self._coordinator is not None
        assert self._current is not None
        self._deliveries.hold(row for row in rows if row.edge in self._driver_sinks)
        self._held = self._current.epoch.number
        reports = [pickle.loads(row.payload) for row in rows if row.edge == REPORTS]
        timers = [report.next_timer for report in reports if report.next_timer is not None]
        millis = int((time.monotonic() - self._began) * 1000)
        self._coordinator.completed(millis, min(timers, default=None), waits_for_publication=False)

    def _new_coordinator(self, committed: int) -> Coordinator:
        self._last_logged = self._log.recover(committed)
        self._enumerators: dict[int, SplitEnumerator] = {}
        limits = {}
        for chain, (source, parallelism) in self._sources.items():
            self._enumerators[chain] = source.enumerator(parallelism, *self._log.position(chain))
            limits[chain] = source.first_limit
        rhythm = Rhythm(1_000, 100, 0)
        coordinator = Coordinator(self._enumerators, Pace(rhythm.batch_interval, limits), rhythm, self._clock)
        self._coordinator = coordinator
        if self._cancelled.is_set():
            coordinator.stop()
        return coordinator

    def _commit(self, number: int) -> None:
        """Publish the results of an epoch, which the host has committed."""
        if self._held == number:
            self._deliveries.release()
        self._held = None
        self._committed = number
        if self._coordinator is not None:
            self._log.trim(number)

    def collected(self, sink_id: int) -> Iterator[list[Any]]:
        return self._deliveries.read(sink_id)

    def discard(self) -> None:
        self._deliveries.end()

    def stop(self) -> None:
        """End the job after the epoch under way."""
        if self._coordinator is not None:
            self._coordinator.stop()

    def _interrupt(self) -> None:
        self._deliveries.end()
        self.stop()


def _is_for_driver(node: SinkNode) -> bool:
    return isinstance(node.target, (CollectTarget, PrintTarget))
