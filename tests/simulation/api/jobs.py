"""Random jobs whose functions raise exceptions, and whose exceptions have odd texts."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from pystream.common import Types
from pystream.datastream import DataStream
from pystream.testing import local_environment
from tests.simulation.api.values import Hostile
from tests.simulation.api.verdict import judged

__all__ = ["fail_at_random"]


class WithoutTextError(Exception):
    """An exception whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class OddTextError(Exception):
    """An exception whose text is not one."""

    def __str__(self) -> Any:
        return 5


class TwoArgumentsError(Exception):
    """An exception that pickle cannot make again."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(first + second)


_EXCEPTIONS: tuple[Callable[[], Exception], ...] = (
    WithoutTextError,
    OddTextError,
    lambda: TwoArgumentsError("a", "b"),
    lambda: ValueError(Hostile()),
    lambda: ValueError("\ud800"),
    lambda: ValueError("a\0b" + "x" * 100_000),
    lambda: KeyError(),
    StopIteration,
    lambda: ExceptionGroup("group", [WithoutTextError(), ValueError("b")]),
    RecursionError,
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "odd"),
)


def fail_at_random(random: Random) -> None:
    """Run a job whose function raises.

    Raises:
        AssertionError: the job's error does not help.
    """
    make = random.choice(_EXCEPTIONS)

    def failing(*_: Any) -> Any:
        raise make()

    env = local_environment()
    numbers = env.from_collection([1, 2, 3], Types.INT())
    build: Callable[[DataStream[Any]], DataStream[Any]] = random.choice(
        [
            lambda stream: stream.map(failing, Types.INT()),
            lambda stream: stream.map(failing),
            lambda stream: stream.flat_map(failing, Types.INT()),
            lambda stream: stream.filter(failing),
            lambda stream: stream.key_by(failing, Types.INT()).sum(),
            lambda stream: stream.key_by(lambda n: 0, Types.INT()).reduce(failing),
        ]
    )
    stream = build(numbers)
    subjects = [stream.get_name(), "failing", "operator"]
    judged(lambda: stream.execute_and_collect(limit=5), subjects, quotes_program=True)
