"""Part files of unbounded jobs: when they are finished, what they hold, and that each appears once."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from pystream.cli import main
from pystream.common.serialization import Encoder
from pystream.datastream.connectors import (
    BucketAssigner,
    Committer,
    CommitterInitContext,
    CommittingSinkWriter,
    FileSink,
    OutputFileConfig,
    RollingPolicy,
    SinkWriterContext,
    TwoPhaseCommittingSink,
    WriterInitContext,
)
from pystream.engine.connectors.recovery import Outcome, recover
from pystream.engine.connectors.segment_merging import FAN_IN
from pystream.errors import CheckpointError, SinkError
from tests.unit.hosts.unbounded.epochs import (
    KNOWN,
    ByParity,
    Epoch,
    Job,
    columns,
    hidden,
    rows,
    run_epochs,
    visible,
)
from typeinfo import Types

AT_CHECKPOINTS = RollingPolicy.on_checkpoint_rolling_policy()
LONG = 10**9


def aged(rollover: int = LONG, inactivity: int = LONG, size: int = LONG) -> RollingPolicy:
    return RollingPolicy.default_rolling_policy(size, rollover, inactivity)


@pytest.mark.promise("beh:filesink-part-states")
def test_a_part_is_in_progress_then_pending_then_finished(tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = Job(tmp_path, rows(out, aged(rollover=2000), check_interval=1))
    run_epochs(job, [Epoch([[1]]), Epoch([[2]])])
    assert visible(out) == {}  # in progress, over two checkpoints
    job.run(2, Epoch([[]], publishes=False), 2000)
    job.commits.commit(2)
    assert visible(out) == {}  # pending
    job.run(3, Epoch([[3]]), 2001)
    assert visible(out) == {}
    job.commits.commit(3)
    assert [*visible(out).values()] == [[1, 2]]
    assert len(hidden(out)) == 1


@pytest.mark.parametrize(
    ("policy", "parts"),
    [
        (aged(), [[1, 2, 3, 4]]),
        (aged(rollover=2550), [[1, 2, 3], [4]]),
        (aged(inactivity=1500), [[1, 2], [3, 4]]),
        (aged(size=3), [[1, 2], [3, 4]]),
        (AT_CHECKPOINTS, [[1], [2], [3], [4]]),
    ],
    ids=["end", "age", "inactivity", "size", "checkpoint"],
)
def test_the_policy_decides_when_a_part_is_closed(
    tmp_path: Path, policy: RollingPolicy, parts: list[list[int]]
) -> None:
    job = Job(tmp_path, rows(tmp_path / "out", policy, check_interval=1))
    run_epochs(job, [])
    for number, (elements, now) in enumerate([([1], 0), ([2], 1000), ([], 2500), ([3], 2600), ([4], 3000)]):
        job.run(number, Epoch([elements], last=number == 4), now)
        job.commits.commit(number)
    assert [*visible(tmp_path / "out").values()] == parts


def test_age_is_checked_at_the_interval_of_the_sink_only(tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = Job(tmp_path, rows(out, aged(rollover=10), check_interval=5000))
    run_epochs(job, [Epoch([[1]]), Epoch([[]]), Epoch([[]]), Epoch([[]]), Epoch([[]])])
    assert visible(out) == {}
    assert job.commits.next_time() == 5000
    job.run(5, Epoch([[]]), 5000)
    job.commits.commit(5)
    assert [*visible(out).values()] == [[1]]
    assert job.commits.next_time() is None


def test_a_checkpoint_is_asked_for_while_parts_wait_for_it(tmp_path: Path) -> None:
    job = Job(tmp_path, rows(tmp_path / "out", AT_CHECKPOINTS))
    run_epochs(job, [Epoch([[1]], publishes=False)])
    assert job.commits.next_time() == 0
    job.run(1, Epoch([[]]), 1)
    job.commits.commit(1)
    assert job.commits.next_time() is None


def test_every_checkpoint_finishes_the_parts_of_a_bulk_format(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_epochs(Job(tmp_path, columns(out)), [Epoch([[1], [2]]), Epoch([[3], []])])
    assert sorted(visible(out).values()) == [[1], [2], [3]]
    assert hidden(out) == []


def test_epochs_between_checkpoints_are_merged(tmp_path: Path) -> None:
    for name, make in (("columns", columns), ("rows", lambda path: rows(path, AT_CHECKPOINTS))):
        out = tmp_path / name
        job = Job(out / "job", make(out / "out"))
        run_epochs(job, [Epoch([[1], [2]], publishes=False), Epoch([[3], []], publishes=False)])
        assert visible(out / "out") == {}
        job.run(2, Epoch([[], [4, 5]]), 3000)
        assert visible(out / "out") == {}
        job.commits.commit(2)
        assert sorted(visible(out / "out").values()) == [[1, 3], [2, 4, 5]]
        assert hidden(out / "out") == []


def test_names_are_those_of_subtask_and_epoch(tmp_path: Path) -> None:
    config = OutputFileConfig.builder().with_part_prefix("p").with_part_suffix(".txt").build()
    sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder())
    sink.with_bucket_assigner(ByParity()).with_rolling_policy(AT_CHECKPOINTS)
    job = Job(tmp_path, sink.with_output_file_config(config).build().bind(Types.INT()))
    run_epochs(job, [Epoch([[1, 2], [3]]), Epoch([[5]])])
    found = [
        re.fullmatch(r"(even=\w+)/all/p-([0-9a-f-]{36})-(\d+)-(\d+)\.txt", name)
        for name in visible(tmp_path / "out")
    ]
    names = [match.groups() for match in found if match]
    assert sorted((bucket, epoch) for bucket, _, epoch, _ in names) == [
        ("even=False", "0"),
        ("even=False", "0"),
        ("even=False", "1"),
        ("even=True", "0"),
    ]
    assert len({uid for _, uid, _, _ in names}) == 2


def test_the_record_is_bounded_however_many_epochs_a_part_takes(tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = Job(tmp_path, rows(out, aged()))
    job.commits.recover(-1, KNOWN)
    sizes = []
    for number in range(FAN_IN * 4 + 3):
        job.run(number, Epoch([[number]]), number)
        job.commits.commit(number)
        (record,) = (tmp_path / "sinks").iterdir()
        sizes.append(record.stat().st_size)
    assert max(sizes[FAN_IN:]) < 1.3 * max(sizes[:FAN_IN])
    assert len(hidden(out)) == 4 + 3
    job.run(FAN_IN * 4 + 3, Epoch([[]], last=True), 0)
    job.commits.commit(FAN_IN * 4 + 3)
    assert [*visible(out).values()] == [[*range(FAN_IN * 4 + 3)]]


def test_the_marker_waits_for_the_end_of_the_job(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "_SUCCESS").touch()
    job = Job(tmp_path, rows(out, AT_CHECKPOINTS))
    run_epochs(job, [Epoch([[1]]), Epoch([[2]], last=True)])
    assert not (out / "_SUCCESS").exists()
    job.commits.end(complete=True)
    assert (out / "_SUCCESS").exists()
    assert [path for path in out.iterdir() if path.name.startswith(".")] == []


def test_a_stopped_job_leaves_no_marker(tmp_path: Path) -> None:
    job = Job(tmp_path, rows(tmp_path / "out", AT_CHECKPOINTS))
    run_epochs(job, [Epoch([[1]], last=True)])
    job.commits.end(complete=False)
    assert [path.name.startswith("part-") for path in (tmp_path / "out").iterdir()] == [True]


def test_recovery_removes_what_was_prepared_and_keeps_other_jobs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    foreign = out / ".inprogress.beef.epochs.0123456789abcdef" / "segment"
    foreign.parent.mkdir(parents=True)
    foreign.touch()
    run_epochs(job := Job(tmp_path, rows(out, aged())), [Epoch([[1]])])
    job.run(1, Epoch([[2]], last=True), 1000)
    resumed = Job(tmp_path, rows(out, aged()))
    resumed.commits.recover(0, KNOWN)
    assert visible(out) == {}
    assert len(hidden(out)) == 2
    resumed.run(1, Epoch([[3]], last=True), 1000)
    resumed.commits.commit(1)
    resumed.commits.commit(1)
    assert [*visible(out).values()] == [[1, 3]]
    assert foreign.exists()


def test_a_file_taken_by_a_reader_is_not_missed_when_its_commit_is_repeated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "out"
    run_epochs(Job(tmp_path, rows(out, AT_CHECKPOINTS)), [Epoch([[1]])])
    for path in out.glob("part-*"):
        path.unlink()
    Job(tmp_path, rows(out, AT_CHECKPOINTS)).commits.recover(0, KNOWN)
    assert "removed since it was published" in caplog.text


def test_a_file_lost_before_its_commit_is_an_error(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_epochs(job := Job(tmp_path, rows(out, AT_CHECKPOINTS)), [])
    job.run(0, Epoch([[1]]), 0)
    for name in hidden(out):
        (out / name).unlink()
    with pytest.raises(SinkError, match=r"cannot publish part file .* is gone"):
        job.commits.commit(0)


def test_a_segment_lost_between_epochs_is_an_error(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_epochs(Job(tmp_path, rows(out, aged())), [Epoch([[1]])])
    for name in hidden(out):
        (out / name).unlink()
    with pytest.raises(SinkError, match="1 files in progress are gone from"):
        Job(tmp_path, rows(out, aged())).commits.recover(0, KNOWN)


def test_a_damaged_or_missing_record_is_an_error(tmp_path: Path) -> None:
    run_epochs(Job(tmp_path, rows(tmp_path / "out", aged())), [Epoch([[1]]), Epoch([[2]])])
    record = tmp_path / "sinks" / "1.commit"
    whole = record.read_bytes()
    record.write_bytes(whole[:-3])
    with pytest.raises(CheckpointError, match=r"1\.commit is incomplete.*; restore the file"):
        Job(tmp_path, rows(tmp_path / "out", aged())).commits.recover(1, KNOWN)
    record.rename(record.with_name("0.commit"))
    for _ in range(2):  # the first attempt to resume leaves the evidence
        with pytest.raises(CheckpointError, match=r"1\.commit, the record of the last commit .* is missing"):
            Job(tmp_path, rows(tmp_path / "out", aged())).commits.recover(1, KNOWN)
    record.with_name("0.commit").unlink()
    with pytest.raises(CheckpointError, match=r"1\.commit, the record of the last commit .* is missing"):
        Job(tmp_path, rows(tmp_path / "out", aged())).commits.recover(1, KNOWN)


def test_a_checkpoint_older_than_the_commits_is_refused(tmp_path: Path) -> None:
    run_epochs(Job(tmp_path, rows(tmp_path / "out", aged())), [Epoch([[1]]), Epoch([[2]]), Epoch([[3]])])
    for committed, found in ((-1, "has none at all"), (0, "ends with epoch 0")):
        with pytest.raises(
            CheckpointError, match=rf"sinks/2\.commit shows that epoch 1 is committed, but .* {found}; output"
        ):
            Job(tmp_path, rows(tmp_path / "out", aged())).commits.recover(committed, KNOWN)
    Job(tmp_path, rows(tmp_path / "out", aged())).commits.recover(2, KNOWN)


def test_published_files_show_that_an_epoch_is_committed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    job = Job(tmp_path / "job", rows(out, AT_CHECKPOINTS))
    run_epochs(job, [Epoch([[1]])])
    shutil.copytree(tmp_path / "job", tmp_path / "copy")
    for number in (1, 2):
        job.run(number, Epoch([[number]]), number)
        job.commits.commit(number)
    job.run(3, Epoch([[4]], publishes=False), 3)
    before = visible(out), hidden(out)
    older = Job(tmp_path / "copy", rows(out, AT_CHECKPOINTS))
    with pytest.raises(CheckpointError, match=r"target of sink 'Sink: sink 0'.* epoch 2 is committed"):
        older.commits.recover(0, KNOWN)
    assert (visible(out), hidden(out)) == before


def test_a_sink_with_parts_in_progress_can_neither_move_nor_go(tmp_path: Path) -> None:
    run_epochs(Job(tmp_path, rows(tmp_path / "out", aged())), [Epoch([[1]])])
    with pytest.raises(SinkError, match=r"1 part files in progress in .*/out, but its sink now writes to"):
        Job(tmp_path, rows(tmp_path / "other", aged())).commits.recover(0, KNOWN)
    with pytest.raises(
        SinkError, match=r"the program no longer has sink 'Sink: sink 0'.*output is not complete"
    ):
        Job(tmp_path).commits.recover(0, KNOWN)


def test_a_sink_whose_parts_are_finished_may_go(tmp_path: Path) -> None:
    run_epochs(Job(tmp_path, rows(tmp_path / "out", aged())), [Epoch([[1]], last=True), Epoch([[]])])
    Job(tmp_path).commits.recover(1, KNOWN)


def test_epochs_out_of_order_are_refused(tmp_path: Path) -> None:
    run_epochs(job := Job(tmp_path, rows(tmp_path / "out", aged())), [Epoch([[1]])])
    with pytest.raises(SinkError, match="epoch 0 cannot be prepared: epoch 0 is committed"):
        job.run(0, Epoch([[2]]), 0)
    with pytest.raises(SinkError, match="epoch 1 cannot be committed: it was not prepared"):
        job.commits.commit(1)


def test_pystream_recover_says_that_the_job_can_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    run_epochs(Job(tmp_path, rows(out, aged()), rows(out, aged())), [Epoch([[1]])])
    before = hidden(out)
    assert main(["recover", "--roll-back", "--force", str(out)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert "unbounded job 'epochs' has files in progress" in line
    assert f"can be resumed from {tmp_path} with `pystream run --resume`" in line
    assert hidden(out) == before
    assert [leftover.outcome for leftover in recover(str(out))] == [Outcome.RESUMABLE]


class Journal(TwoPhaseCommittingSink[int, tuple[int, int]]):
    """Keeps a journal of its calls in a file."""

    def __init__(self, path: Path, fails: str = "") -> None:
        self.path = path
        self.fails = fails

    def note(self, *what: Any) -> None:
        with self.path.open("a") as file:
            print(*what, file=file)
        if what[0] == self.fails:
            raise RuntimeError(f"{self.fails} fails")

    def create_writer(self, context: WriterInitContext) -> JournalWriter:
        return JournalWriter(self, context.get_subtask_id())

    def create_committer(self, context: CommitterInitContext) -> JournalCommitter:
        self.note("open", context.get_job_id())
        return JournalCommitter(self)


class JournalWriter(CommittingSinkWriter[int, tuple[int, int]]):
    def __init__(self, sink: Journal, subtask: int) -> None:
        self.sink, self.subtask = sink, subtask
        self.elements: list[tuple[int, int]] = []

    def write(self, element: int, context: SinkWriterContext) -> None:
        self.elements.append((self.subtask, element))

    def prepare_commit(self) -> list[tuple[int, int]]:
        elements, self.elements = self.elements, []
        return elements


class JournalCommitter(Committer[tuple[int, int]]):
    def __init__(self, sink: Journal) -> None:
        self.sink = sink

    def commit(self, checkpoint_id: int, committables: Any) -> None:
        self.sink.note("commit", checkpoint_id, committables)

    def close(self) -> None:
        self.sink.note("close")


def test_a_committer_is_called_at_checkpoints_and_again_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    job = Job(tmp_path, Journal(path).bind(Types.INT()))
    run_epochs(job, [Epoch([[1], [2]], publishes=False), Epoch([[], [3]]), Epoch([[]])])
    resumed = Job(tmp_path, Journal(path).bind(Types.INT()))
    resumed.commits.recover(2, KNOWN)
    resumed.run(3, Epoch([[4]]), 0)
    last = Job(tmp_path, Journal(path).bind(Types.INT()))
    last.commits.recover(3, KNOWN)
    last.commits.close()
    assert path.read_text().splitlines() == [
        "open f00d",
        "commit 1 [(0, 1), (1, 2), (1, 3)]",
        "open f00d",
        "open f00d",
        "commit 3 [(0, 4)]",
        "close",
    ]


def test_a_failing_committer_fails_the_commit_which_can_be_repeated(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    run_epochs(job := Job(tmp_path, Journal(path, "commit").bind(Types.INT())), [])
    job.run(0, Epoch([[1]]), 0)
    for _ in range(2):
        with pytest.raises(SinkError, match=r"'Sink: sink 0' .* failed to commit epoch 0: .*commit fails"):
            job.commits.commit(0)
    with pytest.raises(SinkError, match="failed to commit epoch 0"):
        Job(tmp_path, Journal(path, "commit").bind(Types.INT())).commits.recover(0, KNOWN)
    Job(tmp_path, Journal(path).bind(Types.INT())).commits.recover(0, KNOWN)
    assert path.read_text().count("commit 0 [(0, 1)]") == 4


def test_buckets_by_processing_time_are_those_of_the_writer(tmp_path: Path) -> None:
    by_second = BucketAssigner.date_time_bucket_assigner("ss", "UTC")
    run_epochs(
        Job(tmp_path, rows(tmp_path / "out", aged(), by_second)), [Epoch([[1]]), Epoch([[2]], last=True)]
    )
    assert [(name[:3], content) for name, content in visible(tmp_path / "out").items()] == [
        ("00/", [1]),
        ("01/", [2]),
    ]
