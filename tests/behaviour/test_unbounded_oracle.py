"""Oracle programs over unbounded sources behave as over collections, on the local host."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from pystream.datastream import DataStream, SourceContext, SourceFunction, StreamExecutionEnvironment
from pystream.testing import local_environment
from tests.behaviour.test_oracle import PROGRAMS, _problem

UNTIMED = (
    "aggregations",
    "broadcast",
    "connected",
    "contexts",
    "keyed",
    "partitions",
    "side_outputs",
    "state",
)
TIMED = ("async_calls", "timers", "watermarks", "windows")
PAUSE = 0.002  # seconds, after which an element is in an epoch of its own


class Replayed(SourceFunction[Any]):
    """Emits the elements of a collection, all in one epoch, or one in each."""

    def __init__(self, elements: Sequence[Any], one_by_one: bool) -> None:
        self.elements = elements
        self.one_by_one = one_by_one

    def run(self, ctx: SourceContext[Any], /) -> None:
        together: AbstractContextManager[object] = ctx.get_checkpoint_lock()
        with nullcontext() if self.one_by_one else together:
            for element in self.elements:
                ctx.collect(element)
                if self.one_by_one:
                    time.sleep(PAUSE)

    def cancel(self) -> None:
        self.elements = ()


def replaying(one_by_one: bool) -> Callable[..., DataStream[Any]]:
    """Return ``from_collection`` with an unbounded source."""

    def from_collection(
        self: StreamExecutionEnvironment, collection: Any, type_info: Any = None
    ) -> DataStream[Any]:
        return self.add_source(Replayed(list(collection), one_by_one), "Collection Source", type_info)

    return from_collection


def programs(*files: str) -> list[str]:
    """Return the programs of files; those that show expired state depend on when it is cleaned up."""
    return [
        program
        for program in PROGRAMS
        if program.partition("::")[0] in files and "[brief_shown]" not in program
    ]


@pytest.mark.time_limit(60)
@pytest.mark.parametrize(
    ("program", "one_by_one"),
    [
        *((program, True) for program in programs(*UNTIMED)),
        *((program, False) for program in programs(*TIMED)),
    ],
)
def test_a_program_behaves_as_in_pyflink(
    program: str,
    one_by_one: bool,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(StreamExecutionEnvironment, "from_collection", replaying(one_by_one))
    problem = _problem(program, local_environment(), tmp_path, lambda: capfd.readouterr().out)
    if "batch mode needs bounded sources" in problem:
        pytest.skip("a program in batch mode")
    assert not problem, problem
