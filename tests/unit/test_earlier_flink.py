"""Programs for earlier versions of Flink, or for its Java classes, are answered in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pystream.earlier_flink import earlier_flink_message


def message(statement: str) -> str | None:
    """Return what is said of the error of a statement."""
    with pytest.raises((ImportError, NameError)) as caught:
        exec(compile(f"\n{statement}", "job.py", "exec"), {})
    return earlier_flink_message(caught.value)


@pytest.mark.parametrize(
    ("statement", "remedy"),
    [
        ("from pystream.table import BatchTableEnvironment", "EnvironmentSettings.in_batch_mode())"),
        ("from pystream.table import EnvironmentSettings, CsvTableSource", "'connector' = 'filesystem'"),
        ("from pystream.table.descriptors import Schema, OldCsv", "TableDescriptor.for_connector(name)"),
        ("from pystream.dataset import ExecutionEnvironment", "EnvironmentSettings.in_batch_mode())"),
        ("from pystream.common.serialization import SimpleStringEncoder", "Encoder.simple_string_encoder()"),
        ("from pystream.table import *\nBatchTableEnvironment.create", "in_batch_mode())"),
    ],
)
def test_names_of_earlier_versions_are_answered_with_those_of_today(statement: str, remedy: str) -> None:
    answer = message(statement)
    assert answer is not None
    assert answer.startswith("job.py, line ")
    assert "is of an earlier version of Flink; write " in answer
    assert remedy in answer


@pytest.mark.parametrize(
    "statement",
    [
        "from pystream.table import NoSuchName",
        "from os import Kafka",
        "import no_such_module",
        "Kafka",
        "raise ModuleNotFoundError('x', name='pyflink.no_such_module')",
    ],
)
def test_other_errors_are_not(statement: str) -> None:
    assert message(statement) is None


def test_modules_for_objects_of_java_are_answered_with_their_place(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text("import os\nfrom pyflink.java_gateway import get_gateway\n")
    command = [sys.executable, "-m", "pystream", "run", "--local", job]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == (
        f"pystream: {job}, line 2: pyflink.java_gateway is about objects of Java, and no Java runs here; use "
        "methods of the environments, streams and tables instead\n"
    )
