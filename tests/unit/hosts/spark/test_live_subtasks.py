"""Open subtasks are kept between epochs, and closed when they are not used any more."""

from __future__ import annotations

from pystream.hosts.spark.levels import Address
from pystream.hosts.spark.live_subtasks import LiveKey, LiveSubtasks


class Subtask:
    """A subtask that notes whether it was closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def abandon(self) -> None:
        self.is_closed = True


class Time:
    """A clock that tests set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def key(subtask: int, run: str = "run") -> LiveKey:
    return LiveKey(run, Address(1, subtask))


def test_a_subtask_is_taken_by_one_epoch_at_a_time() -> None:
    live: LiveSubtasks[Subtask] = LiveSubtasks()
    subtask = Subtask()
    live.keep(key(0), subtask)
    assert live.take(key(0)) is subtask
    assert live.take(key(0)) is None
    assert not subtask.is_closed


def test_the_subtasks_of_jobs_that_run_at_the_same_time_are_kept_apart() -> None:
    live: LiveSubtasks[Subtask] = LiveSubtasks()
    one, other = Subtask(), Subtask()
    live.keep(key(0, "one"), one)
    live.keep(key(0, "other"), other)
    assert live.take(key(0, "one")) is one
    assert not other.is_closed


def test_a_subtask_that_is_not_used_for_ten_minutes_is_closed() -> None:
    time = Time()
    live: LiveSubtasks[Subtask] = LiveSubtasks(time)
    old, used = Subtask(), Subtask()
    live.keep(key(0), old)
    live.keep(key(1), used)
    time.now = 400
    live.keep(key(1), live.take(key(1)) or Subtask())
    time.now = 700
    live.keep(key(2), Subtask())
    assert old.is_closed
    assert not used.is_closed


def test_the_subtask_used_longest_ago_is_closed_if_there_are_too_many() -> None:
    live: LiveSubtasks[Subtask] = LiveSubtasks()
    subtasks = [Subtask() for _ in range(65)]
    for number, subtask in enumerate(subtasks):
        live.keep(key(number), subtask)
    assert [subtask.is_closed for subtask in subtasks] == [True] + 64 * [False]
