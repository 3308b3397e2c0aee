"""Publishing the files of a job: all sinks or none, whenever the job dies, and beside other jobs."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

from pystream.cli import main
from pystream.engine.connectors import job_files
from pystream.engine.connectors.files import list_files, resolve
from pystream.engine.connectors.interfaces import FinishedFiles
from pystream.engine.connectors.job_files import JobFiles
from pystream.engine.connectors.job_record import JobRecord, Owner, record_path
from pystream.engine.connectors.recovery import Outcome, recover
from pystream.engine.connectors.storage import LocalStorage
from pystream.errors import SinkError

ROOT = Path(__file__).parents[4]


def begin(*places: object, job_id: str = "f00d") -> JobFiles:
    return JobFiles.begin(job_id, "job", {number: str(place) for number, place in enumerate(places)})


def stage(place: Path, name: str, number: int = 0, job_id: str = "f00d") -> None:
    """Write a part file in progress."""
    path = place / f".inprogress.{job_id}.{number}" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(name)


def tree(place: Path) -> list[str]:
    return sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())


def outcomes(place: object, **options: bool) -> list[Outcome]:
    return [leftover.outcome for leftover in recover(str(place), **options)]


@contextmanager
def failing(event: str, path: str) -> Iterator[None]:
    """Let operations on a path fail, as an audit hook sees them."""
    active = True

    def hook(seen: str, arguments: tuple[object, ...]) -> None:
        if active and seen == event and path in map(str, arguments):
            raise OSError(5, "Input/output error", path)

    sys.addaudithook(hook)
    try:
        yield
    finally:
        active = False


DYING = """
import os, signal, sys
from pathlib import Path
from pystream.engine.connectors.interfaces import FinishedFiles
from pystream.engine.connectors.job_files import JobFiles
step, at, names, *places = sys.argv[1:]
names = names.split(",")

def kill(event, arguments):
    if event == step and at in arguments:
        os.kill(os.getpid(), signal.SIGKILL)

job = JobFiles.begin("f00d", "job", dict(enumerate(places)))
for number, place in enumerate(places):
    for name in names:
        path = Path(place, f".inprogress.f00d.{number}", name)
        path.parent.mkdir(exist_ok=True)
        path.write_text(name)
sys.addaudithook(kill)
job.publish({number: FinishedFiles(names) for number in range(len(places))})
"""
FORKED = """
import os, signal, sys
from pystream.engine.connectors.job_files import JobFiles
JobFiles.begin("f00d", "job", {0: sys.argv[1]})
child = os.fork()
if not child:
    signal.alarm(60)
    os.close(1)
    signal.pause()
print(child, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def killed(program: str, *arguments: object) -> str:
    """Run a program that is killed; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    return done.stdout


def die_while_publishing(names: str, *places: Path, at: str, step: str = "os.rename") -> None:
    """Run a job that is killed at a step, such as moving a file; each of its sinks writes all files."""
    killed(DYING, step, at, names, *places)


@pytest.mark.parametrize("what", [["job"], ["failure"], ["recovery", "19"]], ids=lambda what: what[0])
def test_a_job_killed_or_failing_at_any_step_shows_all_or_nothing(what: list[str]) -> None:
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as place:
        done = subprocess.run(
            [sys.executable, str(Path(__file__).parent / "crashing.py"), what[0], f"{place}/root", *what[1:]],
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    outcomes = literal_eval(done.stdout)
    assert set(outcomes) == {"all", "nothing"}
    assert sum(outcomes.values()) > 90


def test_publishing_marks_every_directory_once_all_files_are_there(tmp_path: Path) -> None:
    job = begin(tmp_path / "a", tmp_path / "b")
    stage(tmp_path / "a", "x/part")
    stage(tmp_path / "a", "of an attempt that failed")
    job.publish({0: FinishedFiles(["x/part"]), 1: FinishedFiles([])})
    assert tree(tmp_path) == ["a/_SUCCESS", "a/x/part", "b/_SUCCESS"]
    assert [file.path for file in list_files(str(tmp_path / "a"))] == [str(tmp_path / "a" / "x" / "part")]


def test_a_file_that_is_gone_keeps_all_others_from_being_published(tmp_path: Path) -> None:
    job = begin(tmp_path / "a", tmp_path / "b")
    stage(tmp_path / "a", "part")
    with pytest.raises(SinkError, match=f"cannot publish part file {tmp_path}/b/part: it is gone"):
        job.publish({0: FinishedFiles(["part"]), 1: FinishedFiles(["part"])})
    assert tree(tmp_path) == []


def test_a_file_in_the_way_of_a_directory_is_found_before_anything_moves(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x").write_text("in the way")
    job = begin(tmp_path / "a", tmp_path / "b")
    stage(tmp_path / "a", "part")
    stage(tmp_path / "b", "x/part", 1)
    with pytest.raises(SinkError, match=f"cannot make {tmp_path}/b/x for part files: .* is a file"):
        job.publish({0: FinishedFiles(["part"]), 1: FinishedFiles(["x/part"])})
    assert tree(tmp_path) == ["b/x"]


def test_moved_files_are_removed_if_the_rest_cannot_be_moved(tmp_path: Path) -> None:
    job = begin(tmp_path / "a", tmp_path / "b")
    (tmp_path / "a" / "_SUCCESS").touch()
    (tmp_path / "a" / "old").touch()
    stage(tmp_path / "a", "x/y/part")
    stage(tmp_path / "b", "part", 1)
    with (
        failing("os.rename", f"{tmp_path}/b/part"),
        pytest.raises(SinkError, match=f"cannot publish part files in {tmp_path}/b: .*Input/output error"),
    ):
        job.publish({0: FinishedFiles(["x/y/part"]), 1: FinishedFiles(["part"])})
    assert tree(tmp_path) == ["a/_SUCCESS", "a/old"]
    assert not (tmp_path / "a" / "x").exists()


def test_two_jobs_write_to_one_directory_at_once(tmp_path: Path) -> None:
    first, second = begin(tmp_path, job_id="1"), begin(tmp_path, job_id="2")
    assert outcomes(tmp_path) == [Outcome.RUNNING, Outcome.RUNNING]
    for job_id in ("1", "2"):
        stage(tmp_path, f"x/part-{job_id}", job_id=job_id)
    first.publish({0: FinishedFiles(["x/part-1"])})
    second.publish({0: FinishedFiles(["x/part-2"])})
    assert tree(tmp_path) == ["_SUCCESS", "x/part-1", "x/part-2"]


def test_a_job_that_is_alive_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    job = begin(tmp_path / "a", tmp_path / "b")
    stage(tmp_path / "a", "part")
    for place in ("a", "b"):
        for option in ([], ["--roll-back"], ["--force"], ["--dry-run"]):
            assert main(["recover", str(tmp_path / place), *option]) == 1
    assert re.fullmatch(r"(process \d+ on \S+ still runs the job of .*\n){8}", capsys.readouterr().out)
    job.publish({0: FinishedFiles(["part"]), 1: FinishedFiles([])})
    assert tree(tmp_path) == ["a/_SUCCESS", "a/part", "b/_SUCCESS"]


def test_a_process_forked_from_a_job_does_not_keep_it_alive(tmp_path: Path) -> None:
    child = int(killed(FORKED, tmp_path))
    try:
        assert outcomes(tmp_path) == [Outcome.ROLLED_BACK]
    finally:
        os.kill(child, signal.SIGKILL)
    assert tree(tmp_path) == []


# the command


def test_the_command_completes_a_job_from_any_of_its_directories(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    die_while_publishing("1,2", a, b, at=f"{a}/2")
    before = tree(tmp_path)
    assert "a/1" in before
    assert "a/2" not in before

    assert main(["recover", "--dry-run", str(b)]) == 1
    assert capsys.readouterr().out == f"would complete job f00d ('job'): 2 files in {a}, 2 files in {b}\n"
    assert tree(tmp_path) == before

    assert main(["recover", str(b)]) == 0
    assert capsys.readouterr().out == f"completed job f00d ('job'): 2 files in {a}, 2 files in {b}\n"
    assert tree(tmp_path) == ["a/1", "a/2", "a/_SUCCESS", "b/1", "b/2", "b/_SUCCESS"]

    assert main(["recover", str(a), str(b)]) == 0
    assert capsys.readouterr().out == f"{a}: nothing to recover\n{b}: nothing to recover\n"


def test_the_command_rolls_back_when_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    die_while_publishing("x/1,x/2", a, b, at=f"{b}/x/2")
    assert main(["recover", "--roll-back", str(a)]) == 0
    assert capsys.readouterr().out == f"rolled back job f00d ('job') in {a}, {b}\n"
    assert [path for path in tmp_path.rglob("*") if path not in (a, b)] == []


def test_a_job_whose_files_are_gone_can_only_be_rolled_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    die_while_publishing("1,2", tmp_path, at=f"{tmp_path}/2")
    (tmp_path / "1").unlink()
    assert main(["recover", str(tmp_path)]) == 1
    assert (
        f"cannot complete job f00d ('job'): cannot publish part file {tmp_path}/1" in capsys.readouterr().out
    )
    assert main(["recover", "--roll-back", str(tmp_path)]) == 0
    assert tree(tmp_path) == []


def test_files_taken_away_once_the_marker_is_there_are_not_missed(tmp_path: Path) -> None:
    die_while_publishing("1,2", tmp_path, at=record_path(str(tmp_path), "f00d"), step="os.remove")
    assert {"1", "2", "_SUCCESS"} < set(tree(tmp_path))
    (tmp_path / "1").unlink()
    assert outcomes(tmp_path) == [Outcome.COMPLETED]
    assert tree(tmp_path) == ["2", "_SUCCESS"]


def test_files_of_a_job_without_a_record_are_rolled_back(tmp_path: Path) -> None:
    stage(tmp_path, "part")
    assert outcomes(tmp_path, dry_run=True) == [Outcome.ROLLED_BACK]
    assert outcomes(tmp_path) == [Outcome.ROLLED_BACK]
    assert list(tmp_path.iterdir()) == []


def test_the_command_needs_a_directory_that_exists(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recover", str(tmp_path / "no")]) == 2
    assert capsys.readouterr().err == f"pystream: {tmp_path}/no does not exist\n"


# file systems without locks


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    """Return a directory on a file system that only pyarrow reaches."""
    location = f"mock://{tmp_path}"
    filesystem, path = resolve(location)
    filesystem.create_dir(path)
    return location


def stage_elsewhere(location: str, name: str) -> None:
    filesystem, path = resolve(location)
    with filesystem.open_output_stream(f"{path}/.inprogress.f00d.0/{name}") as file:
        file.write(b"text")


def tree_elsewhere(location: str) -> list[str]:
    return sorted(Path(file.path).name for file in list_files(location))


def test_files_are_published_on_other_file_systems(elsewhere: str) -> None:
    job = begin(elsewhere)
    stage_elsewhere(elsewhere, "part")
    assert outcomes(elsewhere) == [Outcome.RUNNING]
    job.publish({0: FinishedFiles(["part"])})
    assert tree_elsewhere(elsewhere) == ["part"]
    assert outcomes(elsewhere) == []


def test_the_record_lies_where_files_can_be_locked(elsewhere: str, tmp_path: Path) -> None:
    job = begin(elsewhere, tmp_path)
    assert b'"sinks"' in Path(record_path(str(tmp_path), "f00d")).read_bytes()
    assert outcomes(elsewhere) == [Outcome.RUNNING]
    job.release()
    stage_elsewhere(elsewhere, "part")
    assert outcomes(elsewhere) == [Outcome.ROLLED_BACK]
    assert tree(tmp_path) == []


def test_a_live_process_whose_lock_file_is_gone_is_recovered_by_force_only(elsewhere: str) -> None:
    job = begin(elsewhere)
    stage_elsewhere(elsewhere, "part")
    filesystem, path = resolve(elsewhere)
    owner = JobRecord.from_bytes(filesystem.open_input_file(record_path(path, "f00d")).read()).owner
    os.remove(owner.lock)
    assert outcomes(elsewhere) == [Outcome.UNKNOWN]
    assert outcomes(elsewhere, force=True) == [Outcome.ROLLED_BACK]
    job.release()


def test_a_dead_process_whose_lock_file_is_gone_is_recovered(elsewhere: str) -> None:
    job = begin(elsewhere)
    stage_elsewhere(elsewhere, "part")
    filesystem, path = resolve(elsewhere)
    record = JobRecord.from_bytes(filesystem.open_input_file(record_path(path, "f00d")).read())
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait(60)
    owner = Owner(record.owner.host, ended.pid, record.owner.lock)
    moved = JobRecord(record.job_id, record.name, record.state, owner, record.sinks)
    with filesystem.open_output_stream(record_path(path, "f00d")) as file:
        file.write(moved.to_bytes())
    job.release()
    assert not Path(owner.lock).exists()
    assert outcomes(elsewhere) == [Outcome.ROLLED_BACK]


@pytest.mark.parametrize(("number", "is_refused"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_directories_need_not_be_synced_where_the_file_system_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, is_refused: bool
) -> None:
    def fsync(descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    (tmp_path / "file").touch()
    monkeypatch.setattr(os, "fsync", fsync)
    storage = LocalStorage()
    with pytest.raises(OSError, match=os.strerror(number)):
        storage.sync(str(tmp_path / "file"))
    with pytest.raises(OSError) if is_refused else nullcontext():
        storage.sync(str(tmp_path))


def test_a_record_of_before_files_were_replaced_is_read(elsewhere: str) -> None:
    job = begin(elsewhere)
    stage_elsewhere(elsewhere, "part")
    filesystem, path = resolve(elsewhere)
    written = filesystem.open_input_file(record_path(path, "f00d")).read()
    fields = json.loads(written)
    for sink in fields["sinks"]:
        del sink["earlier"]
    assert JobRecord.from_bytes(json.dumps(fields).encode()) == JobRecord.from_bytes(written)
    job.release()


def test_a_job_of_another_machine_is_recovered_by_force_only(elsewhere: str) -> None:
    job = begin(elsewhere)
    stage_elsewhere(elsewhere, "part")
    filesystem, path = resolve(elsewhere)
    record = JobRecord.from_bytes(filesystem.open_input_file(record_path(path, "f00d")).read())
    moved = JobRecord(record.job_id, record.name, record.state, Owner("far", 1, "/x"), record.sinks)
    with filesystem.open_output_stream(record_path(path, "f00d")) as file:
        file.write(moved.to_bytes())
    job.release()
    assert outcomes(elsewhere) == [Outcome.UNKNOWN]
    assert outcomes(elsewhere, force=True) == [Outcome.ROLLED_BACK]
    assert outcomes(elsewhere) == []


# files that replace others


def test_files_replace_those_of_their_directories(tmp_path: Path) -> None:
    for name in ("x/old", "x/below/old", "x/_hidden", "y/old"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    job = begin(tmp_path)
    stage(tmp_path, "x/part")
    job.publish({0: FinishedFiles(["x/part"], ["x"])})
    assert tree(tmp_path) == ["_SUCCESS", "x/_hidden", "x/part", "y/old"]
    assert not (tmp_path / "x" / "below").exists()


def test_markers_tell_that_the_files_in_their_directories_are_complete(tmp_path: Path) -> None:
    job = begin(tmp_path)
    stage(tmp_path, "x/part")
    job.publish({0: FinishedFiles(["x/part"], (), ["x/_DONE"])})
    assert tree(tmp_path) == ["_SUCCESS", "x/_DONE", "x/part"]


@pytest.mark.parametrize("existed", [False, True])
def test_markers_are_removed_with_the_files_unless_they_existed(
    tmp_path: Path, existed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if existed:
        (tmp_path / "x").mkdir()
        (tmp_path / "x" / "_DONE").touch()
    job = begin(tmp_path)
    stage(tmp_path, "x/part")
    seen = []

    def fail(base_path: str) -> None:
        seen.extend(path.name for path in (tmp_path / "x").iterdir())
        raise SinkError("full")

    monkeypatch.setattr(job_files, "mark", fail)
    with pytest.raises(SinkError, match="full"):
        job.publish({0: FinishedFiles(["x/part"], (), ["x/_DONE"])})
    assert sorted(seen) == ["_DONE", "part"]
    assert tree(tmp_path) == ["x/_DONE"] * existed


def test_no_files_replace_all(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()
    begin(tmp_path).publish({0: FinishedFiles([], [""])})
    assert [path.name for path in tmp_path.iterdir()] == ["_SUCCESS"]


def replace_but_for(tmp_path: Path, name: str) -> None:
    """Replace two files by another, and fail to remove one of them."""
    for old in ("1", "2"):
        (tmp_path / old).touch()
    job = begin(tmp_path)
    stage(tmp_path, "part")
    with (
        failing("os.remove", f"{tmp_path}/{name}"),
        pytest.raises(SinkError, match=f"cannot remove files in {tmp_path} that others replace") as found,
    ):
        job.publish({0: FinishedFiles(["part"], [""])})
    assert found.value.__notes__ == [replaced_note(tmp_path)]


def replaced_note(tmp_path: Path) -> str:
    return (
        "the files of the job are in place, but earlier ones that they replace may be, too: once the cause "
        f"is fixed, `pystream recover {tmp_path}` ends the publication"
    )


def test_the_note_is_true_if_only_the_marker_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old").touch()
    job = begin(tmp_path)
    stage(tmp_path, "part")

    def fail(base_path: str) -> None:
        raise SinkError("full")

    monkeypatch.setattr(job_files, "mark", fail)
    with pytest.raises(SinkError, match="full") as found:
        job.publish({0: FinishedFiles(["part"], [""])})
    assert found.value.__notes__ == [replaced_note(tmp_path)]
    assert not {"old", "_SUCCESS"} & set(tree(tmp_path))
    monkeypatch.undo()
    assert outcomes(tmp_path, force=True) == [Outcome.COMPLETED]
    assert tree(tmp_path) == ["_SUCCESS", "part"]


@pytest.mark.parametrize("roll_back", [False, True])
def test_a_job_that_has_begun_to_remove_earlier_files_can_only_be_completed(
    tmp_path: Path, roll_back: bool
) -> None:
    replace_but_for(tmp_path, "2")
    assert {"2", "part"} < set(tree(tmp_path))
    assert not {"1", "_SUCCESS"} & set(tree(tmp_path))
    assert outcomes(tmp_path, roll_back=roll_back) == [Outcome.COMPLETED]
    assert tree(tmp_path) == ["_SUCCESS", "part"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may remove files everywhere")
def test_files_that_cannot_be_removed_keep_others_from_replacing_them(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "old").touch()
    job = begin(tmp_path)
    (tmp_path / "x").chmod(0o500)
    try:
        with pytest.raises(SinkError, match=f"cannot replace the files in {tmp_path}/x: no permission"):
            job.publish({0: FinishedFiles([], [""])})
    finally:
        (tmp_path / "x").chmod(0o700)
    assert tree(tmp_path) == ["x/old"]
