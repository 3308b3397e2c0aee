"""Targets of text output."""

from __future__ import annotations

from pathlib import Path

import pytest

from pystream.common import Configuration
from pystream.errors import SinkError
from pystream.jython import PythonEnvironmentFactory, WriteMode

KEYS = {
    "new": {},
    "resumed": {"pystream.resume": "true"},
    "from savepoint": {"execution.savepoint.path": "/saved"},
}


@pytest.mark.parametrize("mode", WriteMode)
@pytest.mark.parametrize("start", KEYS)
def test_only_a_new_job_needs_an_empty_target(tmp_path: Path, mode: WriteMode, start: str) -> None:
    before = tmp_path / "part-0"
    before.write_text("1\n")
    settings = Configuration.from_dict(KEYS[start])
    jython = PythonEnvironmentFactory().create_local_execution_environment(settings)
    jython.from_elements(1).write_as_text(str(tmp_path), mode)
    environment = jython._environment
    (sink,) = environment._builder.pending
    target = environment._builder.node(sink).target
    if start == "new" and mode is WriteMode.NO_OVERWRITE:
        with pytest.raises(SinkError, match="exists: remove it"):
            target.check()
    else:
        target.check()
    assert before.exists() == (start != "new" or mode is WriteMode.NO_OVERWRITE)


@pytest.mark.parametrize("mode", WriteMode)
def test_files_in_progress_of_a_job_that_died_are_left_to_recovery(tmp_path: Path, mode: WriteMode) -> None:
    record = tmp_path / ".inprogress.1.json"
    record.touch()
    jython = PythonEnvironmentFactory().create_local_execution_environment()
    jython.from_elements(1).write_as_text(str(tmp_path), mode)
    (sink,) = jython._environment._builder.pending
    jython._environment._builder.node(sink).target.check()
    assert record.exists()
