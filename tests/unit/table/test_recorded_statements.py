"""Statements on catalogs and databases, compared with what Flink did with them."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.datastream import RuntimeExecutionMode
from pystream.errors import PyStreamError
from pystream.table import StreamTableEnvironment
from pystream.testing import local_environment
from tests.oracle_modules import oracle_module

harness = oracle_module("statements/harness")
DIFFERENT = tuple(oracle_module("statements/differences").DIFFERENT)

SCRIPTS = [(file, name) for file in harness.script_files() for name in harness.scripts(file)]


def outcome(t_env: StreamTableEnvironment, statement: str) -> Any:
    try:
        return harness.observed(t_env, statement)
    except PyStreamError as error:
        return {"error": str(error)}


@pytest.mark.parametrize(("file", "name"), SCRIPTS, ids=lambda value: getattr(value, "stem", value))
def test_a_script_has_the_results_of_flink(file: Any, name: str) -> None:
    recorded = harness.recorded(file)[name]
    statements = [entry["statement"] for entry in recorded]
    assert statements == harness.scripts(file)[name], "run tests/oracle/statements/record.py again"
    env = local_environment()
    env.set_runtime_mode(RuntimeExecutionMode.BATCH)
    t_env = StreamTableEnvironment.create(env)
    for entry in recorded:
        observed = outcome(t_env, entry["statement"])
        if entry["statement"].startswith(DIFFERENT):
            assert {"statement": entry["statement"], **observed} != entry
        elif "error" in entry:
            assert "error" in observed, f"{entry['statement']}: Flink refuses it by {entry['error']}"
        else:
            assert {"statement": entry["statement"], **observed} == entry
