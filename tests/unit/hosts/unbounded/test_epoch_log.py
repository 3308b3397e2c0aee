"""EpochLog: what it keeps, across crashes, damaged files and a full disk."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import make_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.connectors.storage import LocalStorage
from pystream.engine.epoch import Epoch
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.epoch_log import EpochLog

INTERVAL = 3
A, B = "a", "b"  # uids of sources
CHAINS = {A: 4, B: 7}


class Counter:
    """An enumerator whose position is the number of its polls."""

    def __init__(self, position: int = 0) -> None:
        self.position = position

    def snapshot(self) -> int:
        return self.position


class Driver:
    """A job that polls two sources, and resumes them from its log."""

    def __init__(self, directory: Path, committed: int = -1) -> None:
        self.log = EpochLog(str(directory), "job", interval=INTERVAL)
        self.last = self.log.recover(committed)
        self.sources = {uid: Counter(resumed(self.log, uid)) for uid in (A, B)}

    def write(self, *polled: str) -> None:
        changes = {}
        for uid in polled:
            self.sources[uid].position += 1
            changes[uid] = 1
        self.log.write(
            Epoch(self.last + 1, {CHAINS[uid]: ((self.last,),) for uid in polled}), changes, self.sources
        )
        self.last += 1

    def positions(self) -> tuple[int, ...]:
        return tuple(source.position for source in self.sources.values())


def resumed(log: EpochLog, uid: str) -> int:
    snapshot, changes = log.position(uid)
    return int((snapshot or 0) + sum(changes))


def truncate(path: Path, missing: int = 1) -> None:
    path.write_bytes(path.read_bytes()[:-missing])


def test_an_epoch_is_read_as_it_was_written(tmp_path: Path) -> None:
    log = EpochLog(str(tmp_path / "below" / "epochs"), "job")
    epoch = Epoch(0, {4: (("x",), ())}, frozenset({7}), publishes=False, savepoint="file:/s")
    log.write(epoch, {}, {})
    assert EpochLog(log._location, "job").read(0) == epoch
    with pytest.raises(CheckpointError, match=r"1\.epoch is missing"):
        log.read(1)


def test_a_new_log_has_no_position(tmp_path: Path) -> None:
    log = EpochLog(str(tmp_path / "epochs"), "job")
    assert log.recover(-1) == -1
    assert log.position(A) == (None, [])


def test_positions_are_stored_as_a_whole_at_intervals(tmp_path: Path) -> None:
    driver = Driver(tmp_path)
    for _ in range(5):
        driver.write(A)
    assert driver.log.position(A) == (4, [1])
    assert driver.log.position(B) == (0, [])
    assert sorted(path.name for path in tmp_path.glob("*.positions")) == ["0.positions", "3.positions"]


def test_a_resumed_log_stores_positions_at_once(tmp_path: Path) -> None:
    Driver(tmp_path).write(A)
    driver = Driver(tmp_path, committed=0)
    driver.write(A)
    assert driver.log.position(A) == (2, [])


def test_damaged_positions_are_replaced_by_those_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    driver = Driver(tmp_path)
    for _ in range(5):
        driver.write(A)
        driver.log.trim(driver.last)
    truncate(tmp_path / "3.positions")
    assert driver.log.position(A) == (1, [1, 1, 1, 1])
    assert "3.positions is incomplete" in caplog.text


def test_damaged_positions_are_not_one_of_the_two_that_are_kept(tmp_path: Path) -> None:
    driver = Driver(tmp_path)
    for _ in range(INTERVAL + 1):
        driver.write(A)
    truncate(tmp_path / f"{INTERVAL}.positions")
    driver = Driver(tmp_path, driver.last)
    driver.write(A)
    driver.log.trim(driver.last)
    truncate(tmp_path / f"{driver.last}.positions")
    assert Driver(tmp_path, driver.last).positions() == (INTERVAL + 2, 0)


@pytest.mark.parametrize("name", ["0.positions", "1.epoch"])
def test_a_damaged_record_that_is_needed_is_named(tmp_path: Path, name: str) -> None:
    driver = Driver(tmp_path)
    driver.write(A)
    driver.write(A)
    truncate(tmp_path / name)
    with pytest.raises(CheckpointError, match=rf"{name} is incomplete.*start the job from a savepoint"):
        driver.log.position(A)


@pytest.mark.parametrize("name", ["0.positions", "1.epoch"])
def test_a_missing_record_that_is_needed_is_named(tmp_path: Path, name: str) -> None:
    driver = Driver(tmp_path)
    driver.write(A)
    driver.write(A)
    (tmp_path / name).unlink()
    with pytest.raises(CheckpointError, match=rf"{name} is missing.*start the job from a savepoint"):
        driver.log.position(A)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: b"", "has only 0 bytes"),
        (lambda data: data[:-1], "incomplete"),
        (lambda data: data[:-1] + bytes([data[-1] ^ 1]), "checksum"),
        (lambda data: b"x" + data[1:], "not a file of pystream"),
        (lambda data: data[:8] + b"\x01" + data[9:], "format 1, but"),
    ],
)
def test_damage_is_noticed(tmp_path: Path, damage: Callable[[bytes], bytes], message: str) -> None:
    Driver(tmp_path).write(A)
    path = tmp_path / "0.epoch"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CheckpointError, match=f"0.epoch.*{message}"):
        EpochLog(str(tmp_path), "job").read(0)


def test_a_damaged_epoch_that_is_not_committed_is_planned_again(tmp_path: Path) -> None:
    driver = Driver(tmp_path)
    for _ in range(4):
        driver.write(A)
    truncate(tmp_path / "2.epoch")
    resumed = Driver(tmp_path, committed=1)
    assert resumed.last == 1
    assert resumed.positions() == (2, 0)
    assert not (tmp_path / "3.epoch").exists()


def test_a_committed_epoch_must_be_there(tmp_path: Path) -> None:
    driver = Driver(tmp_path)
    for _ in range(3):
        driver.write(A)
    (tmp_path / "1.epoch").unlink()
    with pytest.raises(CheckpointError, match=r"1\.epoch is missing, but epoch 1 is committed"):
        EpochLog(str(tmp_path), "job").recover(1)
    assert (tmp_path / "2.epoch").exists()


def test_an_epoch_that_is_repeated_writes_no_savepoint(tmp_path: Path) -> None:
    log = EpochLog(str(tmp_path), "job")
    log.recover(-1)
    log.write(Epoch(0), {}, {A: Counter()})
    log.write(
        Epoch(1, {4: ((1,),)}, frozenset({7}), drains=True, savepoint="file:/s"), {A: 1}, {A: Counter(1)}
    )
    repeating = EpochLog(str(tmp_path), "job")
    assert repeating.recover(0) == 1
    assert EpochLog(str(tmp_path), "job").read(1) == Epoch(1, {4: ((1,),)}, frozenset({7}))
    assert resumed(repeating, A) == 1


def test_a_committed_epoch_stays_as_it_was(tmp_path: Path) -> None:
    log = EpochLog(str(tmp_path), "job")
    log.recover(-1)
    drained = Epoch(0, drains=True, savepoint="file:/s")
    log.write(drained, {}, {A: Counter()})
    recovered = EpochLog(str(tmp_path), "job")
    assert recovered.recover(0) == 0
    assert recovered.read(0) == drained


def test_a_class_that_the_program_no_longer_has_is_reported(tmp_path: Path) -> None:
    gone: Any = make_dataclass("Gone", [], namespace={"__module__": "pystream.errors"})
    import pystream.errors

    pystream.errors.Gone = gone  # type: ignore[attr-defined]
    try:
        log = EpochLog(str(tmp_path), "job")
        log.write(Epoch(0, {4: ((gone(),),)}), {}, {})
    finally:
        del pystream.errors.Gone  # type: ignore[attr-defined]
    with pytest.raises(CheckpointError, match=r"0\.epoch refers to .*Gone.*program that wrote it"):
        log.read(0)


def test_a_full_disk_is_reported_and_leaves_the_log_usable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = Driver(tmp_path)
    driver.write(A)

    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(LocalStorage, "replace", full)
        with pytest.raises(CheckpointError, match=r"cannot write .*1\.epoch.*No space left"):
            driver.write(A)
    again = Driver(tmp_path, committed=0)
    assert again.positions() == (1, 0)
    again.write(A)
    assert again.log.position(A) == (2, [])


class CrashError(Exception):
    """The process dies."""


@contextmanager
def crash_after(steps: int) -> Iterator[None]:
    """Let a file system die after some steps that change it."""
    left = steps

    def counted(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **options: Any) -> Any:
            nonlocal left
            if left == 0:
                raise CrashError
            left -= 1
            return step(*arguments, **options)

        return run

    with pytest.MonkeyPatch.context() as patch:
        for name in ("replace", "remove"):
            patch.setattr(LocalStorage, name, counted(getattr(LocalStorage, name)))
        yield


@given(
    st.lists(
        st.tuples(
            st.sets(st.sampled_from([A, B])),  # the sources polled
            st.sampled_from(["commit", "replay", "damage the last", "damage positions"]),
            st.none() | st.integers(0, 5),  # the process dies after some changes of the directory
        ),
        max_size=25,
    )
)
def test_a_job_resumes_after_its_last_epoch(steps: list[tuple[set[str], str, int | None]]) -> None:
    with TemporaryDirectory() as name:
        directory = Path(name)
        driver = Driver(directory)
        committed = -1
        after = {-1: (0, 0)}  # positions after each epoch
        may_damage = True
        for polled, end, crash in steps:
            last = driver.last
            a, b = after[last]
            after[last + 1] = (a + (A in polled), b + (B in polled))
            try:
                with crash_after(-1 if crash is None else crash):
                    driver.write(*polled)
                    if end == "commit":
                        committed = driver.last
                        driver.log.trim(committed)
            except CrashError:
                driver = Driver(directory, committed)
                assert driver.last in (last, last + 1)
            else:
                if end == "damage the last":
                    truncate(directory / f"{driver.last}.epoch")
                    driver = Driver(directory, committed)
                    assert driver.last == last
                elif end == "damage positions" and may_damage and len(driver.log._snapshots) > 1:
                    may_damage = False
                    truncate(directory / f"{driver.log._snapshots[-1]}.positions")
                    driver = Driver(directory, committed)
                elif end == "replay":
                    driver = Driver(directory, committed)
            assert driver.positions() == after[driver.last]
            assert all(driver.log.read(number) for number in range(committed + 1, driver.last + 1))
            assert not (directory / f"{driver.last + 1}.epoch").exists()


def test_a_trimmed_log_stays_small(tmp_path: Path) -> None:
    driver = Driver(tmp_path)
    for _ in range(10 * INTERVAL):
        driver.write(A, B)
        driver.log.trim(driver.last - 1)
        assert len(os.listdir(tmp_path)) <= 3 * INTERVAL + 3
    assert Driver(tmp_path, driver.last).positions() == driver.positions()


def test_a_file_of_another_job_is_refused(tmp_path: Path) -> None:
    Driver(tmp_path).write(A)
    with pytest.raises(CheckpointError, match=r"0\.epoch is a file of another job"):
        EpochLog(str(tmp_path), "another").read(0)


def test_the_log_shows_that_all_epochs_before_its_last_are_committed(tmp_path: Path) -> None:
    assert EpochLog(str(tmp_path), "job").known()[0] == -1
    driver = Driver(tmp_path)
    for _ in range(3):
        driver.write(A)
    assert driver.log.known() == (1, f"{tmp_path}/2.epoch")
