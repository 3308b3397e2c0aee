"""JobSnapshot: the metrics of an unbounded job at one moment, under Flink's names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.events import MAX_WATERMARK
from pystream.hosts.unbounded.reports import NO_WATERMARK

__all__ = ["JobSnapshot", "StageSnapshot"]


@dataclass(frozen=True, slots=True)
class StageSnapshot:
    """The metrics of a stage: sums over its subtasks.

    Attributes:
        chain: its chain id.
        name: its name.
        parallelism: number of its subtasks that have reported.
        records_in: number of elements received, since the job was started in this process.
        records_out: number of elements sent, likewise.
        records_in_per_second: rate over the last ten seconds.
        records_out_per_second: rate over the last ten seconds.
        watermark: the lowest in ms that its active subtasks have sent; ``NO_WATERMARK`` if one has sent none.
        next_timer: time in ms of the first processing-time timer, if there is one.
        state_entries: number of state entries.
        state_bytes: size of the state.
        backlog: input that is not read yet; ``None`` if unknown or without a source.
    """

    chain: int
    name: str
    parallelism: int
    records_in: int
    records_out: int
    records_in_per_second: float
    records_out_per_second: float
    watermark: int
    next_timer: int | None
    state_entries: int
    state_bytes: int
    backlog: Backlog | None

    @property
    def event_time(self) -> int | None:
        """Return the watermark, ``None`` before the first and after the end of event time."""
        return self.watermark if NO_WATERMARK < self.watermark < MAX_WATERMARK else None

    def as_dict(self, now: int) -> dict[str, Any]:
        """Return the metrics by name.

        Args:
            now: the time of the snapshot in ms since the Unix epoch.
        """
        metrics: dict[str, Any] = {
            "id": self.chain,
            "name": self.name,
            "parallelism": self.parallelism,
            "numRecordsIn": self.records_in,
            "numRecordsOut": self.records_out,
            "numRecordsInPerSecond": round(self.records_in_per_second, 2),
            "numRecordsOutPerSecond": round(self.records_out_per_second, 2),
            "currentOutputWatermark": self.watermark,
            "watermarkLag": None if self.event_time is None else now - self.event_time,
            "nextProcessingTimeTimer": self.next_timer,
            "numStateEntries": self.state_entries,
            "stateSize": self.state_bytes,
        }
        if self.backlog is not None:
            metrics["pendingBytes" if self.backlog.unit == "bytes" else "pendingRecords"] = self.backlog.size
        return metrics


@dataclass(frozen=True, slots=True)
class JobSnapshot:
    """The metrics of an unbounded job at one moment. Durations and times are in ms.

    Attributes:
        name: name of the job.
        job_id: its hexadecimal id.
        time: time of the snapshot, in ms since the Unix epoch.
        uptime: time since the job was started in this process.
        epochs: number of completed epochs in this process.
        epoch: number of the last completed epoch, if there is one.
        epoch_duration: its duration.
        running: number and start of the current epoch; ``None`` between epochs.
        checkpoint_time: completion of the last checkpoint in this process, if there is one.
        checkpoint_duration: its duration.
        checkpoint_size: bytes of state that it stored.
        restarts: number of restarts in this process.
        stages: the metrics of its stages, by chain id.
        metrics: the metrics of its functions, by scope and name.
    """

    name: str
    job_id: str
    time: int
    uptime: int
    epochs: int
    epoch: int | None
    epoch_duration: int | None
    running: tuple[int, int] | None
    checkpoint_time: int | None
    checkpoint_duration: int | None
    checkpoint_size: int | None
    restarts: int
    stages: tuple[StageSnapshot, ...]
    metrics: Mapping[str, Any]

    @property
    def checkpoint_age(self) -> int | None:
        """Return the time since the last checkpoint, if there is one."""
        return None if self.checkpoint_time is None else max(self.time - self.checkpoint_time, 0)

    def as_dict(self) -> dict[str, Any]:
        """Return the metrics by name, which are those of Flink where it has the metric."""
        return {
            "jobName": self.name,
            "jobId": self.job_id,
            "timestamp": self.time,
            "uptime": self.uptime,
            "numRestarts": self.restarts,
            "numEpochs": self.epochs,
            "lastEpoch": self.epoch,
            "lastEpochDuration": self.epoch_duration,
            "lastCheckpointTimestamp": self.checkpoint_time,
            "lastCheckpointAge": self.checkpoint_age,
            "lastCheckpointDuration": self.checkpoint_duration,
            "lastCheckpointSize": self.checkpoint_size,
            "stages": [stage.as_dict(self.time) for stage in self.stages],
            "metrics": dict(self.metrics),
        }
