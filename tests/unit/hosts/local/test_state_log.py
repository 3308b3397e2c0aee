"""StateLog: what it keeps, across crashes, damaged files and a full disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.connectors.storage import LocalStorage
from pystream.errors import CheckpointError
from pystream.hosts.local import state_log
from pystream.hosts.local.state_log import EpochPages, StateLog

SUBTASK = (4, 0)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_log, "_LEAST_CHANGES", 1)
    monkeypatch.setattr(state_log, "_MOST_EPOCHS", 3)


def written(directory: Path, epochs: int) -> StateLog:
    """Return a log of which each epoch has stored its number in a page, and in another one of its own."""
    log = StateLog(str(directory), "job")
    log.recover()
    for epoch in range(epochs):
        number = str(epoch).encode()
        log.commit(epoch, {SUBTASK: {("a", -1): number, ("a", epoch): b"x" * 1_000}})
    return log


def names(directory: Path) -> list[str]:
    return sorted(os.listdir(directory))


def recovered(directory: Path) -> tuple[int, Any]:
    log = StateLog(str(directory), "job")
    return log.recover(), log.pages


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def test_the_changes_of_an_epoch_are_apart_until_it_is_committed() -> None:
    pages = {("a", 0): b"0", ("a", 1): b"1"}
    store = EpochPages(pages)
    store.put("a", 0, b"new")
    store.remove("a", 1)
    store.put("b", 0, b"b")
    assert [store.get("a", 0), store.get("a", 1), store.get("b", 0), store.get("b", 1)] == [
        b"new",
        None,
        b"b",
        None,
    ]
    assert [store.get_all("a"), store.get_all("b")] == [{0: b"new"}, {0: b"b"}]
    assert pages == {("a", 0): b"0", ("a", 1): b"1"}
    log = StateLog(None, "job")
    log.commit(0, {SUBTASK: pages})
    log.commit(1, {SUBTASK: store.changes})
    assert log.pages == {SUBTASK: {("a", 0): b"new", ("b", 0): b"b"}}


def test_a_new_log_is_empty(tmp_path: Path) -> None:
    assert recovered(tmp_path / "local") == (-1, {})
    assert not (tmp_path / "local").exists()


def test_a_log_in_memory_keeps_its_state_through_a_failure() -> None:
    log = StateLog(None, "job")
    log.commit(0, {SUBTASK: {("a", 0): b"0"}})
    assert log.recover() == 0
    assert log.pages == {SUBTASK: {("a", 0): b"0"}}


def test_the_size_of_the_log_is_bounded(tmp_path: Path) -> None:
    log = StateLog(str(tmp_path / "local"), "job")
    for epoch in range(50):
        log.commit(epoch, {SUBTASK: {("a", epoch % 10): os.urandom(1_000)}})
        size = sum(path.stat().st_size for path in (tmp_path / "local").iterdir())
        assert size < 5 * 11_000
    assert recovered(tmp_path / "local") == (49, log.pages)


def test_an_epoch_costs_by_the_pages_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_log, "_MOST_EPOCHS", 1_000)
    log = StateLog(str(tmp_path), "job")
    log.commit(0, {SUBTASK: {("a", page): b"x" * 100 for page in range(1_000)}})
    before = names(tmp_path)
    for epoch in range(1, 11):
        log.commit(epoch, {SUBTASK: {("a", epoch): b"y" * 100}})
    new = set(names(tmp_path)).difference(before)
    assert sum((tmp_path / name).stat().st_size for name in new) < 10 * 300


def test_a_damaged_whole_state_is_replaced_by_the_one_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_log, "_LEAST_CHANGES", 1 << 20)
    log = written(tmp_path, 11)
    assert names(tmp_path) == [
        *("10.changes", "5.state", "6.changes", "7.changes", "8.changes", "8.state", "9.changes")
    ]
    truncate(tmp_path / "8.state")
    assert recovered(tmp_path) == (10, log.pages)
    assert "8.state is incomplete" in caplog.text
    truncate(tmp_path / "5.state")
    with pytest.raises(
        CheckpointError, match=r"8\.state is incomplete.*restore the file, or start the job from a savepoint"
    ):
        recovered(tmp_path)


def test_the_log_continues_after_a_damaged_whole_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(state_log, "_LEAST_CHANGES", 1 << 20)
    written(tmp_path, 11)
    truncate(tmp_path / "8.state")
    log = StateLog(str(tmp_path), "job")
    assert log.recover() == 10
    for epoch in range(11, 17):
        log.commit(epoch, {SUBTASK: {("a", epoch): b"y"}})
        assert recovered(tmp_path) == (epoch, log.pages)
    assert "8.state" not in names(tmp_path)


@pytest.mark.parametrize("damage", [truncate, os.remove])
def test_damaged_changes_are_named(tmp_path: Path, damage: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_log, "_LEAST_CHANGES", 1 << 20)
    written(tmp_path, 11)
    damage(tmp_path / "9.changes")
    with pytest.raises(CheckpointError, match=r"9\.changes is (incomplete|missing).*from a savepoint"):
        recovered(tmp_path)


def test_a_full_disk_is_reported_and_commits_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = written(tmp_path, 2)
    before = recovered(tmp_path)

    def full(*arguments: Any, **options: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(LocalStorage, "replace", full)
        with pytest.raises(CheckpointError, match=r"cannot write .*2\.changes.*No space left"):
            log.commit(2, {SUBTASK: {("a", -1): b"2"}})
    assert recovered(tmp_path) == before
    assert log.recover() == 1
    log.commit(2, {SUBTASK: {("a", -1): b"2"}})
    assert recovered(tmp_path) == (2, log.pages)


class CrashError(BaseException):
    """The process dies."""


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.integers(0, 3), st.none() | st.binary(max_size=3)),  # the changes
            st.none() | st.integers(0, 6),  # the process dies before some change of the directory
        ),
        max_size=25,
    )
)
def test_a_state_is_that_of_the_last_committed_epoch(
    epochs: list[tuple[dict[int, bytes | None], int | None]],
) -> None:
    with TemporaryDirectory() as directory, pytest.MonkeyPatch.context() as patch:
        left: list[int] = []

        def counted(name: str) -> Any:
            real = getattr(LocalStorage, name)

            def call(*arguments: Any, **options: Any) -> Any:
                if left:
                    left[0] -= 1
                    if left[0] < 0:
                        raise CrashError
                return real(*arguments, **options)

            return call

        for name in ("replace", "remove"):
            patch.setattr(LocalStorage, name, counted(name))
        log = StateLog(directory, "job")
        model: dict[tuple[str, int], bytes] = {}
        last = -1
        for number, crash in epochs:
            left[:] = [] if crash is None else [crash]
            changes = {("a", page): content for page, content in number.items()}
            after = {key: content for key, content in {**model, **changes}.items() if content is not None}
            try:
                log.commit(last + 1, {SUBTASK: changes})
            except CrashError:
                left.clear()
                log = StateLog(directory, "job")
                committed = log.recover()
                assert committed in (last, last + 1)
                assert crash == 0 or committed == last + 1
            else:
                left.clear()
                committed = last + 1
            if committed > last:
                model = after
            last = committed
            again = StateLog(directory, "job")
            assert again.recover() == last
            assert again.pages.get(SUBTASK, {}) == log.pages.get(SUBTASK, {}) == model
