"""JobDirectory: when a job starts, resumes or is refused, and what stays after its end."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pyarrow.fs import LocalFileSystem

from pystream.engine.connectors.storage import LocalStorage, RemoteStorage
from pystream.engine.epoch import Epoch
from pystream.errors import CheckpointError, ConfigurationError
from pystream.hosts.unbounded import epoch_log, job_directory
from pystream.hosts.unbounded.epoch_log import EpochLog
from pystream.hosts.unbounded.identity import JobIdentity, OperatorIdentity, StateInfo
from pystream.hosts.unbounded.job_directory import Ending, JobDirectory, directory_name
from pystream.hosts.unbounded.lost_state import StateLostError
from pystream.settings.modes import ExternalizedCheckpointCleanup, Runner

COUNT = OperatorIdentity(
    "counts", "Count", "KeyedProcess", 1, 2, 128, "STRING", True, (StateInfo("n", "value", "LONG"),)
)
JOB = JobIdentity("words", (OperatorIdentity("source", "Lines", "Source", 0, 2, 128), COUNT))
DELETE = ExternalizedCheckpointCleanup.DELETE_ON_CANCELLATION
RETAIN = ExternalizedCheckpointCleanup.RETAIN_ON_CANCELLATION
NONE = ExternalizedCheckpointCleanup.NO_EXTERNALIZED_CHECKPOINTS


def opened(parent: Path, identity: JobIdentity = JOB, **options: Any) -> JobDirectory:
    options.setdefault("runner", Runner.LOCAL)
    return JobDirectory.open(f"file://{parent}", identity, "1234567890abcdef", **options)


def with_state(parent: Path) -> JobDirectory:
    """Return the directory of a job that has begun its first epoch."""
    directory = opened(parent)
    EpochLog(directory.epochs, directory.job_id).write(Epoch(0), {}, {})
    return directory


def test_a_new_job(tmp_path: Path) -> None:
    directory = opened(tmp_path / "jobs")
    assert directory.location == f"{tmp_path}/jobs/words"
    assert not directory.is_resumed
    assert not directory.is_temporary
    assert directory.stored == JOB
    record = json.loads((tmp_path / "jobs" / "words" / "job.json").read_text())
    assert (record["format"], record["job_id"]) == (3, "1234567890abcdef")
    assert record["identity"]["operators"][1]["states"] == [{"name": "n", "kind": "value", "type": "LONG"}]


def test_a_job_does_not_start_over_existing_state(tmp_path: Path) -> None:
    with_state(tmp_path).close()
    with pytest.raises(
        CheckpointError,
        match=r"'words' has state in /.*/words; .*--resume.*savepoint with -s.*another name.*move the dir",
    ):
        opened(tmp_path)
    resumed = opened(tmp_path, resume=True)
    assert resumed.is_resumed
    assert EpochLog(resumed.epochs, resumed.job_id).recover(-1) == 0


def test_a_resumed_job_keeps_its_id(tmp_path: Path) -> None:
    with_state(tmp_path).close()
    resumed = JobDirectory.open(str(tmp_path), JOB, "another", runner=Runner.LOCAL, resume=True)
    assert resumed.job_id == "1234567890abcdef"
    assert resumed.compatibility is not None
    assert resumed.compatibility.is_same


def test_another_host_cannot_resume(tmp_path: Path) -> None:
    with_state(tmp_path).close()
    with pytest.raises(
        CheckpointError,
        match=r"'words' cannot resume on Spark: .* that of the local host; set pystream.runner to local",
    ):
        opened(tmp_path, resume=True, runner=Runner.SPARK)
    opened(tmp_path, savepoint="/savepoints/1", runner=Runner.SPARK).close()
    opened(tmp_path, resume=True, runner=Runner.SPARK)


def test_a_changed_program_is_compared_until_it_is_accepted(tmp_path: Path) -> None:
    with_state(tmp_path).close()
    changed = replace(JOB, operators=JOB.operators[:1])
    resumed = opened(tmp_path, changed, resume=True)
    assert resumed.compatibility is not None
    assert resumed.compatibility.removed == (COUNT,)
    resumed.close()
    resumed = opened(tmp_path, changed, resume=True)
    resumed.accept(changed)
    resumed.close()
    resumed = opened(tmp_path, changed, resume=True)
    assert resumed.compatibility is not None
    assert resumed.compatibility.is_same


def test_a_job_that_never_started_is_no_obstacle(tmp_path: Path) -> None:
    begun = opened(tmp_path)
    (tmp_path / "words" / "spark").mkdir()
    (tmp_path / "words" / ".inprogress.job.json").touch()
    begun.close()
    assert not opened(tmp_path).is_resumed
    assert not (tmp_path / "words" / "spark").exists()


@pytest.mark.parametrize("before", ["nothing", "a job that never started", "a rest of a lock"])
def test_nothing_to_resume(tmp_path: Path, before: str) -> None:
    if before == "a job that never started":
        opened(tmp_path).close()
    if before == "a rest of a lock":
        (tmp_path / "words").mkdir()
        (tmp_path / "words" / "lock").touch()
    with pytest.raises(CheckpointError, match=r"no state in .*words; .*without --resume"):
        opened(tmp_path, resume=True)
    assert before != "nothing" or os.listdir(tmp_path) == []
    assert not opened(tmp_path).is_resumed


def test_a_job_that_started_from_a_savepoint_resumes_from_it(tmp_path: Path) -> None:
    opened(tmp_path, savepoint="/savepoints/1").close()
    with pytest.raises(CheckpointError, match="has state"):
        opened(tmp_path)
    assert opened(tmp_path, resume=True).savepoint == "/savepoints/1"


def test_a_savepoint_moves_earlier_state_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with_state(tmp_path).close()
    directory = opened(tmp_path, savepoint="/savepoints/1")
    assert not directory.is_resumed
    assert not (tmp_path / "words" / "epochs").exists()
    assert (tmp_path / "words.replaced-12345678" / "epochs").exists()
    assert "words.replaced-12345678" in caplog.text
    with pytest.raises(CheckpointError, match="is running"):
        opened(tmp_path)


def test_a_running_job_is_not_started_twice(tmp_path: Path) -> None:
    directory = with_state(tmp_path)
    with pytest.raises(CheckpointError, match=r"job 'words' is running: .*/words is in use by this process"):
        opened(tmp_path, resume=True)
    directory.close()
    opened(tmp_path, resume=True)


HOLD = """
import sys
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.job_directory import JobDirectory
from pystream.settings.modes import Runner
directory = JobDirectory.open(sys.argv[1], JobIdentity("words", ()), "abc", runner=Runner.LOCAL)
print("held", flush=True)
sys.stdin.read()
"""


def test_another_process_holds_the_directory_until_it_dies(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        with pytest.raises(CheckpointError, match=f"in use by process {process.pid} on .*, since 20"):
            opened(tmp_path)
        process.kill()
    opened(tmp_path)


@pytest.mark.promise("beh:failed-job-keeps-checkpoints")
@pytest.mark.parametrize(
    ("ending", "retention", "stays"),
    [
        (Ending.FINISHED, RETAIN, False),
        (Ending.CANCELED, RETAIN, True),
        (Ending.CANCELED, DELETE, False),
        (Ending.CANCELED, NONE, False),
        (Ending.CANCELED, None, False),
        (Ending.FAILED, DELETE, True),
        (Ending.FAILED, NONE, True),
        (Ending.FAILED, None, True),
        (Ending.INTERRUPTED, DELETE, True),
        (Ending.INTERRUPTED, None, True),
    ],
)
def test_state_after_the_end(
    tmp_path: Path, ending: Ending, retention: ExternalizedCheckpointCleanup | None, stays: bool
) -> None:
    with_state(tmp_path).end(ending, retention)
    assert (tmp_path / "words").exists() == stays
    if stays:
        assert opened(tmp_path, resume=True).is_resumed
    else:
        assert not opened(tmp_path).is_resumed


@pytest.mark.parametrize("removals", range(4))
def test_a_process_that_dies_while_it_removes_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, removals: int
) -> None:
    directory = with_state(tmp_path)
    (tmp_path / "words" / "spark").mkdir()
    remove_tree = LocalStorage.remove_tree
    left = removals

    def dying(storage: LocalStorage, path: str) -> None:
        nonlocal left
        if left == 0:
            raise KeyboardInterrupt
        left -= 1
        remove_tree(storage, path)

    with monkeypatch.context() as patch:
        patch.setattr(LocalStorage, "remove_tree", dying)
        with pytest.raises(KeyboardInterrupt):
            directory.end(Ending.FINISHED, None)
    with pytest.raises(CheckpointError, match="no state"):
        opened(tmp_path, resume=True)
    assert not opened(tmp_path).is_resumed
    assert not (tmp_path / "words" / "spark").exists()


def test_without_a_directory_state_is_temporary() -> None:
    directory = JobDirectory.open(None, JOB, "abc", runner=Runner.LOCAL)
    assert directory.is_temporary
    EpochLog(directory.epochs, directory.job_id).write(Epoch(0), {}, {})
    directory.end(Ending.FAILED, RETAIN)
    assert not os.path.exists(directory.location)
    with pytest.raises(ConfigurationError, match=r"execution\.checkpointing\.dir is not set"):
        JobDirectory.open(None, JOB, "abc", runner=Runner.LOCAL, resume=True)


TEMPORARY = """
from pystream.hosts.unbounded.identity import JobIdentity
from pystream.hosts.unbounded.job_directory import JobDirectory
from pystream.settings.modes import Runner
directory = JobDirectory.open(None, JobIdentity("words", ()), "abc", runner=Runner.LOCAL)
print(directory.location)
"""


def test_a_temporary_directory_is_removed_at_exit() -> None:
    run = subprocess.run([sys.executable, "-c", TEMPORARY], capture_output=True, text=True, check=True)
    assert not os.path.exists(run.stdout.strip())


def test_a_directory_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "data.csv").touch()
    with pytest.raises(CheckpointError, match=r"words is not the directory of a job"):
        opened(tmp_path)
    assert os.listdir(tmp_path / "words") == ["data.csv"]


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "words").touch()
    with pytest.raises(CheckpointError, match=r"words is a file"):
        opened(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "damaged"), ("{}", "damaged"), ('{"format": 9}', "format 9, but this version")],
)
def test_a_damaged_record(tmp_path: Path, content: str, message: str) -> None:
    with_state(tmp_path).close()
    (tmp_path / "words" / "job.json").write_text(content)
    with pytest.raises(CheckpointError, match=rf"job\.json .*{message}"):
        opened(tmp_path, resume=True)
    with pytest.raises(CheckpointError, match=message):  # the lock was released
        opened(tmp_path)


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (job_directory, epoch_log):
        monkeypatch.setattr(
            module, "storage_of", lambda location: (RemoteStorage(LocalFileSystem()), location)
        )
    directory = JobDirectory.open(str(tmp_path), JOB, "abc", runner=Runner.LOCAL)
    log = EpochLog(directory.epochs, directory.job_id, interval=1)
    for number in range(5):
        log.write(Epoch(number), {}, {})
        log.trim(number)
    directory.close()
    assert sorted(os.listdir(tmp_path / "words" / "epochs")) == [
        "3.epoch",
        "3.positions",
        "4.epoch",
        "4.positions",
    ]
    with pytest.raises(CheckpointError, match="has state"):
        JobDirectory.open(str(tmp_path), JOB, "abc", runner=Runner.LOCAL)
    resumed = JobDirectory.open(str(tmp_path), JOB, "abc", runner=Runner.LOCAL, resume=True)
    assert EpochLog(resumed.epochs, resumed.job_id).recover(3) == 4
    resumed.close()
    replaced = JobDirectory.open(str(tmp_path), JOB, "def", runner=Runner.LOCAL, savepoint="/s")
    replaced.end(Ending.FINISHED, None)
    assert os.listdir(tmp_path) == ["words.replaced-abc"]


PARTS = {
    "epochs": ("epochs/0.epoch", "epochs/0.positions"),
    "local": ("local/0.changes",),
    "sinks": ("sinks/1.commit",),
    "spark": ("spark/metadata", "spark/commits/0"),
}


def whole(parent: Path, parts: Iterable[str] = PARTS, *, runner: Runner = Runner.LOCAL) -> Path:
    """Return the directory of a job that has ended, with some of its parts."""
    directory = opened(parent, runner=runner)
    for name in ("spark", *parts) if runner is Runner.SPARK else parts:
        for file in PARTS[name]:
            path = Path(directory.location, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text('{"id": "query"}')
    directory.begin()
    directory.close()
    return parent / "words"


def content(directory: Path) -> dict[str, bytes]:
    """Return the files of a job but its lock."""
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in directory.rglob("*")
        if path.is_file() and path.name != "lock"
    }


@pytest.mark.parametrize("left", ["epochs", "local", "sinks", "spark", ""])
@pytest.mark.parametrize("record", ["kept", "lost", "of the start"])
@pytest.mark.parametrize("how", ["removed", "emptied"])
def test_any_remainder_is_state(tmp_path: Path, left: str, record: str, how: str) -> None:
    directory = whole(tmp_path)
    before = json.loads((directory / "job.json").read_text())
    for part in PARTS.keys() - {left}:
        shutil.rmtree(directory / part)
        if how == "emptied":
            (directory / part).mkdir()
    if record == "lost":
        (directory / "job.json").unlink()
    if record == "of the start":
        (directory / "job.json").write_text(json.dumps({**before, "has_begun": False}))
    if not left and record != "kept":  # nothing is left that shows a state
        return
    found = content(directory)
    missing = "job.json is missing" if record == "lost" else "epochs/ is missing or empty"
    for resume in (True, False):
        if left == "epochs" and record != "lost":
            continue
        with pytest.raises(StateLostError, match=rf"{missing}.*Put back") as caught:
            opened(tmp_path, resume=resume)
        assert "without --resume" not in str(caught.value)
        assert "remove" not in str(caught.value)
    assert content(directory) == found
    opened(tmp_path, savepoint="/savepoints/1").close()
    (aside,) = tmp_path.glob("words.replaced-*")
    assert content(aside) == found


def test_states_that_are_moved_aside_have_places_of_their_own(tmp_path: Path) -> None:
    for _ in range(3):
        whole(tmp_path)
        opened(tmp_path, savepoint="/savepoints/1").end(Ending.FINISHED, None)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "words.replaced-12345678",
        "words.replaced-12345678-2",
        "words.replaced-12345678-3",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "spark/metadata is missing"), ('{"id": "x"}', "spark/ is the checkpoint of another job")],
)
def test_a_checkpoint_of_another_query_is_refused(tmp_path: Path, content: str | None, message: str) -> None:
    metadata = whole(tmp_path, runner=Runner.SPARK) / "spark" / "metadata"
    opened(tmp_path, runner=Runner.SPARK, resume=True).close()
    if content is None:
        metadata.unlink()
    else:
        metadata.write_text(content)
    with pytest.raises(StateLostError, match=message):
        opened(tmp_path, runner=Runner.SPARK, resume=True)


def test_the_directory_of_another_job_is_refused(tmp_path: Path) -> None:
    whole(tmp_path).rename(tmp_path / "other")
    for resume in (True, False):
        with pytest.raises(StateLostError, match=r"state of job 'words', not of 'other'"):
            opened(tmp_path, JobIdentity("other", ()), resume=resume)


@pytest.mark.parametrize(
    ("loss", "message"),
    [
        (lambda path: path.rename(path.with_name("away")), "the directory is gone"),
        (shutil.rmtree, "the directory is gone"),
        (lambda path: (path / "lock").unlink(), "its file lock was removed or replaced"),
        (lambda path: opened_again(path / "lock"), "its file lock was removed or replaced"),
    ],
)
def test_a_job_notices_that_it_has_lost_its_directory(
    tmp_path: Path, loss: Callable[[Path], object], message: str
) -> None:
    directory = with_state(tmp_path)
    directory.check_lock()
    loss(tmp_path / "words")
    for call in (directory.check_lock, directory.check):
        with pytest.raises(StateLostError, match=rf"'words' no longer owns .*/words: {message}"):
            call()


def opened_again(lock: Path) -> None:
    lock.unlink()
    lock.touch()


def test_a_job_that_was_taken_over_removes_nothing(tmp_path: Path) -> None:
    directory = with_state(tmp_path)
    (tmp_path / "words" / "lock").unlink()
    taken_over = opened(tmp_path, resume=True)
    with pytest.raises(StateLostError, match="no longer owns"):
        directory.end(Ending.CANCELED, DELETE)
    taken_over.check()
    assert (tmp_path / "words" / "epochs" / "0.epoch").exists()


@pytest.mark.parametrize("loss", [lambda path: (path / "lock").unlink(), shutil.rmtree])
def test_a_job_that_loses_its_lock_after_the_last_commit_has_finished(
    tmp_path: Path, loss: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    directory = with_state(tmp_path)
    loss(tmp_path / "words")
    before = sorted(tmp_path.rglob("*"))
    directory.end(Ending.FINISHED, None)
    assert "words is not removed: " in caplog.text
    assert sorted(tmp_path.rglob("*")) == before


def test_all_files_are_private(tmp_path: Path) -> None:
    mask = os.umask(0)
    try:
        directory = with_state(tmp_path / "jobs")
    finally:
        os.umask(mask)
    paths = [tmp_path / "jobs", *(tmp_path / "jobs").rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_dir()} == {0o700}
    assert {path.stat().st_mode & 0o777 for path in paths if path.is_file()} == {0o600}
    directory.close()


def test_a_directory_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(LocalStorage, "foreign_owner", lambda storage, path: "mallory")
        with pytest.raises(CheckpointError, match=r"words belongs to user mallory, whose files can run code"):
            opened(tmp_path, resume=True)
    opened(tmp_path, resume=True)


def test_a_directory_that_others_may_write_is_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    directory = whole(tmp_path)
    opened(tmp_path, resume=True).close()
    assert caplog.text == ""
    directory.chmod(0o775)
    opened(tmp_path, resume=True).close()
    assert f"other users may write to {directory}" in caplog.text


def test_names_of_directories() -> None:
    names = ["words", "Flink Streaming Job", "Flink/Streaming Job", "", ".", "..", "ä" * 300, "a" * 300, ".x"]
    directories = [directory_name(name) for name in names]
    assert directories[0] == "words"
    assert directories[1].startswith("Flink-Streaming-Job-")
    assert len({*directories}) == len(names)
    for directory in directories:
        assert directory.isascii()
        assert len(directory) < 120
        assert "/" not in directory
        assert not directory.startswith(".")
