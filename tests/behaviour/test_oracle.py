"""Run the oracle programs on both hosts and compare with the recorded outcomes of PyFlink."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from pystream.datastream import StreamExecutionEnvironment
from pystream.hosts.host import LocalHost, SparkHost
from pystream.hosts.job import Job
from pystream.hosts.job_request import JobRequest
from pystream.plan.explain import Explanation
from pystream.testing import local_environment
from tests.oracle_modules import oracle_module

harness = oracle_module("harness")
differences = oracle_module("differences")

RECORDED = {path.stem: harness.recorded(path) for path in harness.program_files()}
PROGRAMS = {
    f"{file}::{key}": outcome for file, outcomes in RECORDED.items() for key, outcome in outcomes.items()
}
EXPECTED = PROGRAMS | differences.EXPECTED
ASK_ABOUT_THE_JOB = ("caching", "contexts", "environments", "files", "side_outputs")
"""The files whose programs depend on what a host tells them, or on how it stores elements."""


@cache
def _programs(file: str) -> dict[str, Any]:
    loaded: dict[str, Any] = harness.load(harness.PROGRAMS / f"{file}.py", "pystream")
    return loaded


def _describe(error: Exception) -> dict[str, Any]:
    return {"error": [cls.__name__ for cls in type(error).__mro__], "message": str(error)}


def _disagreement(expected: dict[str, Any], observed: dict[str, Any], exact: bool = False) -> str | None:
    """Return how an outcome differs from the expected one.

    Errors are compared by class, not by message; ``exact`` also compares the classes of errors of the client.
    """
    if "error" not in expected:
        return None if observed == expected else f"expected {expected}, got {observed}"
    if "error" not in observed:
        return f"expected an error like {expected}, got {observed}"
    if "PyStreamError" not in observed["error"] and expected["raised"] != "client":
        return f"expected an error of pystream's own, got {observed}"
    if expected["raised"] == "program":
        named = expected["error"] in observed["message"] and expected["message"] in observed["message"]
        return None if named else f"the error of the function {expected} is not named in {observed}"
    # for other errors of its client, PyFlink does not choose the class
    compares_class = exact or expected["error"] == "TypeError"
    if compares_class and expected["raised"] == "client" and expected["error"] not in observed["error"]:
        return f"expected a {expected['error']}, got {observed}"
    return None


def _problem(program: str, env: StreamExecutionEnvironment, directory: Path, read: Callable[[], str]) -> str:
    """Run a program and return how its outcome differs from the expected one, empty if it does not."""
    file, key = program.split("::", 1)
    observed = harness.observe(_programs(file)[key], env, directory, read, _describe)
    expected = harness.normalized(EXPECTED[program])
    return _disagreement(expected, harness.normalized(observed), exact=file == "rows") or ""


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_behaves_as_in_pyflink(
    program: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    problem = _problem(program, local_environment(), tmp_path, lambda: capfd.readouterr().out)
    assert not problem, problem


@pytest.mark.parametrize("file", RECORDED)
def test_spark_behaves_as_pyflink(
    file: str,
    spark: SparkSession,
    tmp_path_factory: pytest.TempPathFactory,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Of each file, run one program per distinct plan, because Spark cannot tell the others apart."""
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


class _Planned(SparkHost):
    """Keeps the plans of jobs for Spark, and runs the jobs on the local host, whose results are the same."""

    def __init__(self) -> None:
        self.plans: list[str] = []

    def submit(self, request: JobRequest) -> Job:
        self.plans.append(Explanation.of(request.plan, "physical", str(self.runner)))
        return LocalHost().submit(replace(request, plan=request.without_lifting()))


def _plan(program: Any, directories: pytest.TempPathFactory) -> tuple[object, ...]:
    """Return the plans of the jobs of a program as Spark sees them, and whether it fails.

    A plan has tasks, exchanges and expressions; Python operators and elements are opaque to Spark. A program
    that starts no job, or whose functions or calls ask about the job, has a plan of its own.
    """
    host, env = _Planned(), _spark_environment()
    env._fixed_host = host
    failure, plan = None, ""
    try:
        result = program.call(env, directories.mktemp("plan"))
        plan = result.explain() if hasattr(result, "explain") else ""
    except Exception as error:  # noqa: BLE001 - any error that a program raises
        failure = type(error)
    plans = [*map(_as_spark_sees_it, [*host.plans, plan])]
    is_alike = plan or (host.plans and program.file not in ASK_ABOUT_THE_JOB)
    return None if is_alike else program.name, failure, EXPECTED[program.id].get("raised"), *plans


def _as_spark_sees_it(plan: str) -> tuple[tuple[str, ...], ...]:
    table, *_ = re.sub(r" \(.* at .*:\d+\)", "", plan).split("\n\n")
    rows = [tuple(re.split(" {2,}", row)) for row in table.splitlines()[2:]]
    return tuple(_spark_row(*row) for row in rows)


def _spark_row(number: str, title: str, *columns: str) -> tuple[str, ...]:
    *ways, path, type_ = columns
    return (number, *ways) if path in ("typed", "pickled") else (number, title, *ways, path, type_)


def test_every_program_is_recorded() -> None:
    recorded = {path.stem for path in harness.RECORDED.glob("*.json")}
    assert recorded == {path.stem for path in harness.program_files()}
    for file, outcomes in RECORDED.items():
        assert _programs(file).keys() == outcomes.keys(), f"record {file} again"


def test_every_difference_names_a_recorded_program() -> None:
    assert differences.EXPECTED.keys() <= PROGRAMS.keys()


def test_every_difference_differs() -> None:
    for program, outcome in differences.EXPECTED.items():
        assert _disagreement(PROGRAMS[program], outcome) is not None, program
