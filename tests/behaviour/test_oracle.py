"""Run the oracle programs on both hosts and compare with what PyFlink was seen to do."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.datastream import StreamExecutionEnvironment
from pystream.testing import local_environment

ORACLE = Path(__file__).parents[1] / "oracle"


def _module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"oracle_{name}", ORACLE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


harness = _module("harness")
differences = _module("differences")

FIXTURES = {path.stem: harness.fixture(path) for path in harness.program_files()}
PROGRAMS = [f"{file}::{key}" for file, outcomes in FIXTURES.items() for key in outcomes]
EXPECTED = {
    program: differences.expected(program) or FIXTURES[program.split("::")[0]][program.split("::", 1)[1]]
    for program in PROGRAMS
}


@cache
def _programs(file: str) -> dict[str, Any]:
    loaded: dict[str, Any] = harness.load(harness.PROGRAMS / f"{file}.py", "pystream")
    return loaded


def _describe(error: Exception) -> dict[str, Any]:
    return {"error": [cls.__name__ for cls in type(error).__mro__], "message": str(error)}


def _disagreement(expected: dict[str, Any], observed: dict[str, Any], exact: bool = False) -> str | None:
    """Say where an outcome is not the expected one.

    An error agrees by its class, not by its words; ``exact`` asks for Python's class whichever it is.
    """
    if "error" not in expected:
        return None if observed == expected else f"expected {expected}, got {observed}"
    if "error" not in observed:
        return f"expected an error like {expected}, got {observed}"
    if "PyStreamError" not in observed["error"] and expected["raised"] != "client":
        return f"expected an error of pystream's own, got {observed}"
    if expected["raised"] == "program":
        told = expected["error"] in observed["message"] and expected["message"] in observed["message"]
        return None if told else f"the function's own error {expected} is not told in {observed}"
    # elsewhere PyFlink's client fails with whatever class its code ran into
    meant = exact or expected["error"] == "TypeError"
    if meant and expected["raised"] == "client" and expected["error"] not in observed["error"]:
        return f"expected a {expected['error']}, got {observed}"
    return None


def _problem(program: str, env: StreamExecutionEnvironment, directory: Path, read: Callable[[], str]) -> str:
    """Run a program; return where it differs from what is expected, empty if nowhere."""
    file, key = program.split("::", 1)
    observed = harness.observe(_programs(file)[key], env, directory, read, _describe)
    expected = harness.normal(EXPECTED[program])
    return _disagreement(expected, harness.normal(observed), exact=file == "rows") or ""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_does_what_pyflink_did(
    program: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    problem = _problem(program, local_environment(), tmp_path, lambda: capfd.readouterr().out)
    assert not problem, problem


@pytest.mark.parametrize("file", FIXTURES)
def test_spark_does_what_pyflink_did(
    file: str,
    spark: SparkSession,
    tmp_path_factory: pytest.TempPathFactory,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """In each file Spark runs the first program of each plan, as it sees no more of them than that."""
    first: dict[tuple[object, ...], str] = {}
    for program in _programs(file).values():
        first.setdefault(_plan(program, tmp_path_factory), program.id)
    problems = []
    for program in first.values():
        directory = tmp_path_factory.mktemp("program")
        problem = _problem(program, _spark_environment(), directory, lambda: capfd.readouterr().out)
        problems += [f"{program}: {problem}"] if problem else []
    assert not problems, "\n".join(problems)


def _spark_environment() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


def _plan(program: Any, directories: pytest.TempPathFactory) -> tuple[object, ...]:
    """Return what Spark sees of a program: its tasks and exchanges, expressions, and whether it fails.

    It sees neither Python's operators nor elements, which lie in its rows as bytes. Cases of a function that
    starts its jobs itself, or that is refused, count as one.
    """
    try:
        if not hasattr(program.call(local_environment(), directories.mktemp("plan")), "explain"):
            return (program.name,)
        explained = program.call(_spark_environment(), directories.mktemp("plan")).explain()
    except Exception as error:  # noqa: BLE001 - whatever a program raises
        return program.name, type(error)
    table, *_ = re.sub(r" \(.* at .*:\d+\)", "", explained).split("\n\n")
    rows = [tuple(re.split(" {2,}", row)) for row in table.splitlines()[2:]]
    return EXPECTED[program.id].get("raised"), *(_seen(*row) for row in rows)


def _seen(number: str, title: str, *columns: str) -> tuple[str, ...]:
    *ways, path, type_ = columns
    return (number, *ways) if path in ("typed", "pickled") else (number, title, *ways, path, type_)


def test_every_program_is_recorded() -> None:
    recorded = {path.stem for path in harness.RECORDED.glob("*.json")}
    assert recorded == {path.stem for path in harness.program_files()}
    for file, outcomes in FIXTURES.items():
        assert _programs(file).keys() == outcomes.keys(), f"record {file} again"


def test_every_difference_names_a_recorded_program() -> None:
    assert differences.programs() <= set(PROGRAMS)


def test_every_difference_differs() -> None:
    for program in differences.programs():
        file, key = program.split("::", 1)
        assert _disagreement(FIXTURES[file][key], differences.expected(program)) is not None, program
