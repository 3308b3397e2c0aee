"""Run the oracle programs on both hosts and compare with what PyFlink was seen to do."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

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


def _spark_environment() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment().set_parallelism(1)


@pytest.mark.parametrize(
    "environment",
    [
        pytest.param(local_environment, id="local"),
        pytest.param(_spark_environment, id="spark", marks=pytest.mark.spark),
    ],
)
@pytest.mark.parametrize("program", PROGRAMS)
def test_program_does_what_pyflink_did(
    program: str,
    environment: Callable[[], StreamExecutionEnvironment],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    file, key = program.split("::", 1)
    run = _programs(file)[key]
    observed = harness.observe(run, environment(), tmp_path, lambda: capfd.readouterr().out, _describe)

    expected = harness.normal(EXPECTED[program])
    problem = _disagreement(expected, harness.normal(observed), exact=file == "rows")
    assert problem is None, problem


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
