"""The metrics of an unbounded job: sums of the reports of its epochs."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from pystream.engine.connectors.interfaces import Backlog
from pystream.engine.events import MAX_WATERMARK
from pystream.engine.metrics.values import CounterValue, DistributionValue, GaugeValue, MeterValue
from pystream.engine.time.clock import ManualClock
from pystream.errors import ConfigurationError
from pystream.hosts.unbounded.job_metrics import JobMetrics
from pystream.hosts.unbounded.metrics_log import MetricsLog
from pystream.hosts.unbounded.reports import NO_WATERMARK, EpochReport, SubtaskReport

START = 1_700_000_000_000


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(START)


@pytest.fixture
def metrics(clock: ManualClock) -> JobMetrics:
    return JobMetrics("job", "ab12", clock)


def stage(metrics: JobMetrics, chain: int) -> dict[str, Any]:
    (found,) = [one for one in metrics.as_dict()["stages"] if one["id"] == chain]
    assert isinstance(found, dict)
    return found


def test_there_are_metrics_before_the_first_epoch(metrics: JobMetrics, clock: ManualClock) -> None:
    clock.set(START + 5)
    assert metrics.as_dict() == {
        "jobName": "job",
        "jobId": "ab12",
        "timestamp": START + 5,
        "uptime": 5,
        "numRestarts": 0,
        "numEpochs": 0,
        "lastEpoch": None,
        "lastEpochDuration": None,
        "lastCheckpointTimestamp": None,
        "lastCheckpointAge": None,
        "lastCheckpointDuration": None,
        "lastCheckpointSize": None,
        "stages": [],
        "metrics": {},
    }


def test_counts_are_summed_over_epochs_and_state_is_that_of_the_latest(
    metrics: JobMetrics, clock: ManualClock
) -> None:
    for epoch in range(3):
        subtasks = [
            SubtaskReport(
                4,
                "Map",
                subtask,
                records_in=10,
                records_out=1 + subtask,
                watermark=START - 1000 * subtask + epoch,
                next_timer=START + 100 * subtask if epoch < 2 or subtask else None,
                state_entries=5 + epoch,
                state_bytes=100 + epoch,
            )
            for subtask in (1, 0)
        ]
        metrics.end_epoch(EpochReport(epoch, START + 1000 * epoch, 1000, tuple(subtasks)))
    clock.set(START + 3000)
    assert stage(metrics, 4) == {
        "id": 4,
        "name": "Map",
        "parallelism": 2,
        "numRecordsIn": 60,
        "numRecordsOut": 9,
        "numRecordsInPerSecond": 20,
        "numRecordsOutPerSecond": 3,
        "currentOutputWatermark": START - 998,
        "watermarkLag": 3998,
        "nextProcessingTimeTimer": START + 100,
        "numStateEntries": 14,
        "stateSize": 204,
    }
    assert metrics.as_dict()["lastEpoch"] == 2


def test_a_subtask_that_did_not_run_keeps_its_watermark_and_state(metrics: JobMetrics) -> None:
    first = SubtaskReport(1, "s", 0, watermark=5, state_bytes=7)
    metrics.end_epoch(EpochReport(0, START, 1, (first, SubtaskReport(1, "s", 1, watermark=9, state_bytes=1))))
    metrics.end_epoch(EpochReport(1, START, 1, (SubtaskReport(1, "s", 1, watermark=11, state_bytes=2),)))
    assert stage(metrics, 1)["currentOutputWatermark"] == 5
    assert stage(metrics, 1)["stateSize"] == 9


def test_idle_subtasks_hold_back_no_watermark_unless_all_are_idle(metrics: JobMetrics) -> None:
    def end(*subtasks: SubtaskReport) -> int:
        metrics.end_epoch(EpochReport(0, START, 1, subtasks))
        watermark = stage(metrics, 1)["currentOutputWatermark"]
        assert isinstance(watermark, int)
        return watermark

    idle = SubtaskReport(1, "s", 0, watermark=5, is_idle=True)
    assert end(idle, SubtaskReport(1, "s", 1, watermark=9)) == 9
    assert end(SubtaskReport(1, "s", 0, is_idle=True), SubtaskReport(1, "s", 1)) == 9
    assert end(SubtaskReport(1, "s", 1, watermark=9, is_idle=True)) == 9
    assert end(SubtaskReport(1, "s", 0, watermark=7)) == 7


def test_a_subtask_in_a_new_process_keeps_its_watermark(metrics: JobMetrics) -> None:
    metrics.end_epoch(EpochReport(0, START, 1, (SubtaskReport(1, "s", 0, watermark=5),)))
    metrics.end_epoch(EpochReport(1, START, 1, (SubtaskReport(1, "s", 0),)))
    assert stage(metrics, 1)["currentOutputWatermark"] == 5


@pytest.mark.parametrize("watermark", [NO_WATERMARK, MAX_WATERMARK])
def test_a_watermark_that_is_no_time_has_no_lag(metrics: JobMetrics, watermark: int) -> None:
    metrics.end_epoch(EpochReport(0, START, 1, (SubtaskReport(1, "s", 0, watermark=watermark),)))
    assert stage(metrics, 1)["currentOutputWatermark"] == watermark
    assert stage(metrics, 1)["watermarkLag"] is None


def test_the_last_checkpoint_remains_that_of_an_earlier_epoch(
    metrics: JobMetrics, clock: ManualClock
) -> None:
    stored = tuple(SubtaskReport(chain, "s", 0, written_bytes=100 * chain) for chain in (1, 2))
    metrics.end_epoch(EpochReport(0, START, 300, stored, checkpoint_duration=40, restarts=1))
    metrics.end_epoch(EpochReport(1, START + 300, 200))
    clock.set(START + 1000)
    job = metrics.as_dict()
    assert job["lastCheckpointTimestamp"] == START + 300
    assert job["lastCheckpointAge"] == 700
    assert job["lastCheckpointDuration"] == 40
    assert job["lastCheckpointSize"] == 300
    assert job["lastEpochDuration"] == 200
    assert job["numEpochs"] == 2
    assert job["numRestarts"] == 1


def test_restarts_are_counted_at_once(metrics: JobMetrics) -> None:
    metrics.restart(3)
    assert metrics.as_dict()["numRestarts"] == 3


def test_the_backlog_has_its_unit_in_the_name(metrics: JobMetrics) -> None:
    reports = tuple(SubtaskReport(chain, "s", 0) for chain in (0, 1, 2))
    backlog = {0: Backlog(5, "bytes"), 1: Backlog(6, "records")}
    metrics.end_epoch(EpochReport(0, START, 1, reports, backlog=backlog))
    assert stage(metrics, 0)["pendingBytes"] == 5
    assert stage(metrics, 1)["pendingRecords"] == 6
    assert not any(name.startswith("pending") for name in stage(metrics, 2))


def test_rates_stand_still_while_an_epoch_is_under_way(metrics: JobMetrics, clock: ManualClock) -> None:
    metrics.end_epoch(EpochReport(0, START, 1000, (SubtaskReport(0, "s", 0, records_in=500),)))
    clock.set(START + 1000)
    metrics.begin_epoch(1)
    clock.set(START + 60_000)
    assert stage(metrics, 0)["numRecordsInPerSecond"] == 500
    metrics.restart(1)
    assert stage(metrics, 0)["numRecordsInPerSecond"] == 0


def test_metrics_of_functions_are_merged_over_subtasks_and_epochs(metrics: JobMetrics) -> None:
    for epoch in range(2):
        reports = tuple(
            SubtaskReport(
                0,
                "s",
                subtask,
                metrics={
                    "seen": CounterValue(10 + subtask),
                    "speed": MeterValue(5, 0.5 + epoch),
                    "size": DistributionValue(2, 6, 1 - subtask, 5 + epoch),
                    "queue": GaugeValue(10 * epoch + subtask),
                },
            )
            for subtask in range(2)
        )
        metrics.end_epoch(EpochReport(epoch, START, 1, reports))
    assert metrics.as_dict()["metrics"] == {
        "seen": 42,
        "speed": {"count": 20, "rate": 3},
        "size": {"count": 8, "sum": 24, "min": 0, "max": 6, "mean": 3},
        "queue": 11,
    }


def test_a_name_of_two_kinds_of_metric_fails_when_it_is_reported(metrics: JobMetrics) -> None:
    metrics.end_epoch(EpochReport(0, START, 1, (SubtaskReport(0, "s", 0, metrics={"n": CounterValue(1)}),)))
    other = SubtaskReport(1, "t", 0, metrics={"n": MeterValue(1, 1)})
    with pytest.raises(ConfigurationError, match="metric 'n'"):
        metrics.end_epoch(EpochReport(1, START, 1, (other,)))
    assert metrics.as_dict()["metrics"] == {"n": 1}


def test_its_size_does_not_grow_with_the_number_of_epochs(metrics: JobMetrics) -> None:
    sizes = []
    for epoch in range(2000):
        reports = tuple(
            SubtaskReport(0, "s", subtask, 1, 1, metrics={"seen": CounterValue(1)}) for subtask in range(2)
        )
        metrics.end_epoch(EpochReport(epoch, START + 150 * epoch, 150, reports, 1))
        state = {name: value for name, value in vars(metrics).items() if name != "_lock"}
        sizes.append(
            len(pickle.dumps([state.pop("_clock") is None, state], protocol=5)) if epoch % 1000 == 999 else 0
        )
    assert sizes[1999] <= sizes[999] + 50


def test_a_report_is_small() -> None:
    reports = [SubtaskReport(1, "Map -> Filter", subtask, 5, 5, START) for subtask in range(100)]
    assert pickle.loads(pickle.dumps(reports)) == reports
    assert len(pickle.dumps(reports[0])) < 400


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_lines_of_json_have_the_same_numbers_at_most_once_a_second(
    metrics: JobMetrics, tmp_path: Path
) -> None:
    path = tmp_path / "metrics.json"
    path.write_text('{"before": 1}\n')
    times = iter((0.0, 0.0, 0.0, 0.5, 0.9, 1.0, 1.0, 1.9, 7.0, 7.0, 7.0))  # two at each line
    log = MetricsLog(path, metrics, lambda: next(times))
    for epoch in range(6):
        metrics.end_epoch(EpochReport(epoch, START, 1))
        log.epoch_ended()
    log.close()
    lines = read(path)
    assert [line.get("lastEpoch") for line in lines] == [None, 0, 3, 5, 5]
    assert lines[-1] == metrics.as_dict()


def test_a_gauge_of_any_value_is_written(metrics: JobMetrics, tmp_path: Path) -> None:
    report = SubtaskReport(0, "s", 0, metrics={"path": GaugeValue(Path("a"))})
    metrics.end_epoch(EpochReport(0, START, 1, (report,)))
    MetricsLog(tmp_path / "metrics.json", metrics).close()
    assert "Path('a')" in read(tmp_path / "metrics.json")[0]["metrics"]["path"]


def test_the_file_may_be_renamed_while_the_job_runs(metrics: JobMetrics, tmp_path: Path) -> None:
    path = tmp_path / "metrics.json"
    log = MetricsLog(path, metrics)
    log.epoch_ended()
    path.rename(tmp_path / "metrics.json.1")
    log.close()
    assert len(read(path)) == len(read(tmp_path / "metrics.json.1")) == 1


def test_a_file_that_cannot_be_written_is_refused_at_the_start(metrics: JobMetrics, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigurationError, match=r"pystream\.metrics\.json: .*/missing/m\.json cannot be written"
    ):
        MetricsLog(tmp_path / "missing" / "m.json", metrics)


def test_a_file_that_becomes_unwritable_does_not_stop_the_job(
    metrics: JobMetrics, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    directory = tmp_path / "directory"
    directory.mkdir()
    log = MetricsLog(directory / "m.json", metrics)
    directory.joinpath("m.json").unlink()
    directory.rmdir()
    log.close()
    log.close()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
