"""INSERTs that are kept as plans, and references to them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pystream.common import Row
from pystream.errors import ConfigurationError, PlanError, SqlError, UnsupportedOperationError
from pystream.table import CompiledPlan, PlanReference, StreamTableEnvironment
from pystream.testing import local_environment

INSERT = "INSERT INTO copies SELECT a + 1 FROM numbers"


def _environment(tmp_path: Path) -> StreamTableEnvironment:
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.create_temporary_view("numbers", t_env.from_elements([(1,), (2,)], ["a"]))
    t_env.execute_sql(
        "CREATE TABLE copies (a BIGINT) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        f"'path' = '{tmp_path}/out')"
    )
    return t_env


@pytest.fixture
def plan(tmp_path: Path) -> CompiledPlan:
    return _environment(tmp_path).compile_plan_sql(INSERT)


def _written(t_env: StreamTableEnvironment) -> list[Row]:
    return sorted(t_env.execute_sql("SELECT a FROM copies").collect(), key=lambda row: row.a)


def _without_numbers(plan: str) -> str:
    """Return a plan without the numbers of its operators, of which each explanation adds a sink."""
    return re.sub(r"[\d\s]+", " ", plan)


def test_a_plan_from_a_file_runs_in_another_environment(plan: CompiledPlan, tmp_path: Path) -> None:
    plan.write_to_file(tmp_path / "plan.json")
    other = _environment(tmp_path)
    loaded = other.load_plan(PlanReference.from_file(tmp_path / "plan.json"))
    assert loaded.as_json_string() == plan.as_json_string()
    assert not (tmp_path / "out").exists()
    other.execute_plan(PlanReference.from_json_string(loaded.as_json_string())).wait()
    assert _written(other) == [Row(2), Row(3)]


def test_what_a_plan_holds(plan: CompiledPlan, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(plan.as_json_string()) == {"flinkVersion": "2.3", "statement": INSERT}
    plan.print_json_string()
    plan.print_explain()
    printed = f"{plan.as_json_string()}\n{plan.explain()}\n"
    assert _without_numbers(capsys.readouterr().out) == _without_numbers(printed)
    assert _without_numbers(str(plan)) == _without_numbers(plan.explain())
    assert "Calc" in str(plan)


def test_a_file_is_not_written_twice(plan: CompiledPlan, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_text("other")
    with pytest.raises(ConfigurationError, match=r"write_to_file: '.*plan\.json' exists"):
        plan.write_to_file(str(file))
    plan.write_to_file(file, ignore_if_exists=True)
    assert file.read_text() == "other"


@pytest.mark.parametrize(
    ("statement", "error", "message"),
    [
        ("SELECT 1", SqlError, "compile_plan_sql and load_plan take INSERT INTO, not 'SELECT 1'"),
        ("INSERT INTO nothing SELECT 1", PlanError, "nothing"),
    ],
)
def test_a_statement_is_checked_when_it_is_compiled(
    tmp_path: Path, statement: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        _environment(tmp_path).compile_plan_sql(statement)


@pytest.mark.parametrize(
    ("reference", "error", "message"),
    [
        (PlanReference.from_file("/no/plan.json"), ConfigurationError, r"'/no/plan\.json' cannot be read"),
        (PlanReference.from_json_string("{}"), ConfigurationError, "load_plan takes a plan that"),
        (PlanReference.from_json_string("no json"), ConfigurationError, "load_plan takes a plan that"),
        (PlanReference.from_json_string("[]"), ConfigurationError, "load_plan takes a plan that"),
        (
            PlanReference.from_json_string('{"statement": 5}'),
            ConfigurationError,
            "load_plan takes a plan that",
        ),
        (PlanReference.from_json_string('{"statement": "SELECT 1"}'), SqlError, "load_plan take INSERT INTO"),
        (PlanReference.from_smile_bytes(b"a"), UnsupportedOperationError, "Smile cannot be loaded"),
    ],
)
def test_what_is_no_plan_is_refused(
    tmp_path: Path, reference: PlanReference, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        _environment(tmp_path).load_plan(reference)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(b'{"statement": "\xff"}')
    with pytest.raises(ConfigurationError, match=r"the plan in '.*plan\.json' cannot be read: 'utf-8' codec"):
        _environment(tmp_path).load_plan(PlanReference.from_file(file))


def test_a_plan_is_not_written_into_a_directory_that_is_missing(plan: CompiledPlan, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"write_to_file: '.*plan\.json' cannot be written: "):
        plan.write_to_file(tmp_path / "missing" / "plan.json")


def test_what_has_no_text_is_refused(plan: CompiledPlan, tmp_path: Path) -> None:
    t_env = _environment(tmp_path)
    pipeline = t_env.from_path("numbers").insert_into("copies")
    for refused in (pipeline.compile_plan, t_env.create_statement_set().add(pipeline).compile_plan):
        with pytest.raises(UnsupportedOperationError, match="compile_plan: a plan keeps an INSERT as text"):
            refused()
    with pytest.raises(UnsupportedOperationError, match="as_smile_bytes: plans are kept as JSON"):
        plan.as_smile_bytes()
