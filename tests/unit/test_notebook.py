"""Cells of a notebook: pictures, progress, tracebacks, and cells that run again."""

from __future__ import annotations

from typing import Any

import nbclient
import nbformat
import pytest

SETUP = """
from pystream.common import Types
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.udf import udf
from pystream.testing import local_environment

env = local_environment()
numbers = env.from_collection([3, 2, 1, 0], Types.LONG())
t_env = StreamTableEnvironment.create(env)
"""
STREAM = """
parts = numbers.map(
    lambda number: 6 / number, Types.DOUBLE())
parts
"""
JOB = "list(numbers.execute_and_collect())"
FAILURE = """
def collected(stream):
    return list(stream.execute_and_collect())

collected(parts)
"""
NAMES = """
t_env.create_temporary_view("v", numbers)
t_env.create_temporary_function("f", udf(lambda x: x, result_type=DataTypes.BIGINT()))
t_env.execute_sql("CREATE TABLE t (a INT) WITH ('connector' = 'blackhole')")
env.register_cached_file("/dev/null", "empty")
t_env.list_tables()
"""


@pytest.fixture(scope="module")
def outputs() -> dict[int, list[Any]]:
    """The outputs of each cell, by its number."""
    cells = [SETUP, STREAM, JOB, FAILURE, NAMES, NAMES]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", allow_errors=True).execute()
    return {cell.execution_count: cell.outputs for cell in notebook.cells}


def test_a_stream_is_a_picture_and_a_table_of_fixed_width(outputs: dict[int, list[Any]]) -> None:
    (shown,) = outputs[2]
    html = shown.data["text/html"]
    assert 'font-family="monospace"' in html
    assert '<pre style="font-family: monospace;' in html
    assert "Map (lambda at In[2]:2)" in html


def test_progress_is_one_line_that_changes_in_place(outputs: dict[int, list[Any]]) -> None:
    progress, result = outputs[3]
    assert progress.output_type == "display_data"
    assert progress.data["text/plain"].startswith("Flink Streaming Job: 100%|████")
    assert result.data["text/plain"] == "[3, 2, 1, 0]"


def test_a_traceback_has_the_frames_of_the_program_only(outputs: dict[int, list[Any]]) -> None:
    _, error = outputs[4]
    assert error.ename == "JobExecutionError"
    lines = "\n".join(error.traceback).splitlines()
    assert [line for line in lines if line.startswith("  File")] == [
        '  File "In[4]", line 4, in <module>',
        '  File "In[4]", line 2, in collected',
        '  File "In[2]", line 2, in <lambda>',
    ]
    assert "'Map' (uid operator-2, lambda at In[2]:2, added at In[2]:1) failed" in error.evalue


def test_a_cell_that_names_things_runs_again(outputs: dict[int, list[Any]]) -> None:
    for number in (5, 6):
        (shown,) = outputs[number]
        assert shown.data["text/plain"] == "['t', 'v']"
