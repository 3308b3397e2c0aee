"""The sinks of an execution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pystream.datastream import DataStream, StreamExecutionEnvironment
from pystream.errors import PlanError, PyStreamError


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment()


def contradictory(env: StreamExecutionEnvironment, tmp_path: Path) -> DataStream[int]:
    return env.from_collection([1]).map(abs).uid("same").map(abs).uid("same")


def without_input(env: StreamExecutionEnvironment, tmp_path: Path) -> DataStream[str]:
    path = tmp_path / "input.txt"
    path.touch()
    lines = env.read_text_file(str(path))
    path.unlink()
    return lines


@pytest.mark.parametrize("program", [contradictory, without_input])
def test_an_execution_removes_its_sinks_even_if_it_fails(
    env: StreamExecutionEnvironment,
    tmp_path: Path,
    program: Callable[[StreamExecutionEnvironment, Path], DataStream[object]],
) -> None:
    program(env, tmp_path).print()
    with pytest.raises(PyStreamError, match=r"same|input\.txt"):
        env.execute()
    with pytest.raises(PlanError, match="nothing to run"):
        env.execute()


def test_plans_remove_no_sinks(env: StreamExecutionEnvironment) -> None:
    env.from_collection([1]).print()
    assert env.explain() == env.explain()
    assert env.get_execution_plan() == env.get_execution_plan()
