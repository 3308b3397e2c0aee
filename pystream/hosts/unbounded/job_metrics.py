"""JobMetrics: the metrics of an unbounded job, aggregated from the reports of its epochs."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.metrics.changes import accumulate
from pystream.engine.metrics.values import MetricValue, merge_snapshots, plain
from pystream.engine.time.clock import Clock, SystemClock
from pystream.hosts.unbounded.rates import RateWindow
from pystream.hosts.unbounded.reports import NO_WATERMARK, EpochReport, SubtaskReport
from pystream.hosts.unbounded.snapshot import JobSnapshot, StageSnapshot

__all__ = ["JobMetrics"]


class JobMetrics:
    """Sum up the reports of a job's epochs; any number of threads may read.

    Its size depends on the numbers of subtasks and metrics, not on the number of epochs.

    Args:
        name: name of the job.
        job_id: its hexadecimal id.
        clock: the system clock.
    """

    def __init__(self, name: str, job_id: str, clock: Clock | None = None) -> None:
        self.name = name
        self.job_id = job_id
        self._clock = clock or SystemClock()
        self._started = self._clock.now()
        self._lock = threading.Lock()
        self._stages: dict[int, _Stage] = {}
        self._epochs = 0
        self._last: EpochReport | None = None
        self._last_checkpoint: EpochReport | None = None
        self._running: tuple[int, int] | None = None
        self._restarts = 0
        self._kinds: dict[str, MetricValue] = {}  # a value of each metric's kind

    def begin_epoch(self, number: int) -> None:
        """Note that an epoch has started; until it ends, rates are those before it."""
        with self._lock:
            self._running = (number, self._clock.now())

    def end_epoch(self, report: EpochReport) -> None:
        """Add a completed epoch.

        Raises:
            ConfigurationError: a name is registered as different kinds of metric in two subtasks.
        """
        with self._lock:
            self._kinds = merge_snapshots([self._kinds, *(subtask.metrics for subtask in report.subtasks)])
            self._running = None
            self._epochs += 1
            self._last = report
            if report.checkpoint_duration is not None:
                self._last_checkpoint = report
            self._restarts = max(self._restarts, report.restarts)
            for subtask in report.subtasks:
                stage = self._stages.get(subtask.chain)
                if stage is None:
                    stage = self._stages[subtask.chain] = _Stage(subtask.stage, self._started)
                stage.update(subtask)
            for chain, (received, sent) in report.records().items():
                self._stages[chain].count(report, received, sent)
            for chain, backlog in report.backlog.items():
                if chain in self._stages:
                    self._stages[chain].backlog = backlog

    def restart(self, restarts: int) -> None:
        """Note that the job restarts after a failure.

        Args:
            restarts: number of its restarts so far, this one included.
        """
        with self._lock:
            self._running = None
            self._restarts = restarts

    def snapshot(self) -> JobSnapshot:
        """Return the current metrics."""
        with self._lock:
            now = self._clock.now()
            last, checkpoint = self._last, self._last_checkpoint
            until = last.ended if last is not None and self._running is not None else now
            stages = sorted(self._stages.items())
            subtasks = [metrics for _, stage in stages for _, metrics in sorted(stage.metrics.items())]
            return JobSnapshot(
                name=self.name,
                job_id=self.job_id,
                time=now,
                uptime=now - self._started,
                epochs=self._epochs,
                epoch=None if last is None else last.number,
                epoch_duration=None if last is None else last.duration,
                running=self._running,
                checkpoint_time=None if checkpoint is None else checkpoint.ended,
                checkpoint_duration=None if checkpoint is None else checkpoint.checkpoint_duration,
                checkpoint_size=None if checkpoint is None else checkpoint.written_bytes,
                restarts=self._restarts,
                stages=tuple(stage.snapshot(chain, until) for chain, stage in stages),
                metrics=plain(merge_snapshots(subtasks)),
            )

    def as_dict(self) -> dict[str, Any]:
        """Return the current metrics by name: numbers, text, and dicts and lists of them."""
        return self.snapshot().as_dict()


class _Stage:
    def __init__(self, name: str, started: int) -> None:
        self.name = name
        self.backlog: Backlog | None = None
        self.metrics: dict[int, dict[str, MetricValue]] = {}  # by subtask
        self._latest: dict[int, SubtaskReport] = {}
        self._received = self._sent = 0
        self._window = RateWindow(started)

    def update(self, report: SubtaskReport) -> None:
        before = self._latest.get(report.subtask)
        if before is not None and report.watermark == NO_WATERMARK:  # its process is new
            is_idle = before.is_idle or report.is_idle
            report = replace(report, watermark=before.watermark, is_idle=is_idle)
        self._latest[report.subtask] = report
        accumulate(self.metrics.setdefault(report.subtask, {}), report.metrics)

    def count(self, epoch: EpochReport, received: int, sent: int) -> None:
        self._received += received
        self._sent += sent
        self._window.add(epoch.started, epoch.ended, received, sent)

    def snapshot(self, chain: int, now: int) -> StageSnapshot:
        latest = self._latest.values()
        received_rate, sent_rate = self._window.rates(now)
        return StageSnapshot(
            chain=chain,
            name=self.name,
            parallelism=len(latest),
            records_in=self._received,
            records_out=self._sent,
            records_in_per_second=received_rate,
            records_out_per_second=sent_rate,
            watermark=min(
                (report.watermark for report in latest if not report.is_idle),
                default=max(report.watermark for report in latest),
            ),
            next_timer=min((r.next_timer for r in latest if r.next_timer is not None), default=None),
            state_entries=sum(report.state_entries for report in latest),
            state_bytes=sum(report.state_bytes for report in latest),
            backlog=self.backlog,
        )
