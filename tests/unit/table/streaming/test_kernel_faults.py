"""Kernels that fail: the job fails with the operator, instead of computing the values by other means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from pystream.errors import JobExecutionError
from pystream.expressions.operation import NotComputedError
from pystream.table import StreamTableEnvironment
from pystream.table.functions.kernels import compiled
from pystream.testing import local_environment

COUNT = 2000
"""Few rows would not be columns."""


def values_of(directory: Path, query: str) -> list[tuple[Any, ...]]:
    (directory / "file").write_text("1,a\n-2,b\n" * COUNT)
    t_env = StreamTableEnvironment.create(local_environment())
    t_env.execute_sql(
        "CREATE TABLE t (n BIGINT, s STRING) WITH ('connector' = 'filesystem', 'format' = 'csv', "
        f"'path' = '{directory}')"
    )
    with t_env.sql_query(query).execute().collect() as rows:
        return sorted({tuple(row) for row in rows})


def kernels_that_raise(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def kernel(*operands: Any) -> Any:
        raise error

    faulty: Callable[[Any], Any] = dict.fromkeys(compiled._VALUES, kernel).get
    monkeypatch.setattr(compiled, "_VALUES", {name: faulty(name) for name in compiled._VALUES})


@pytest.mark.parametrize(
    "query",
    ["SELECT n + 1 FROM t", "SELECT n FROM t WHERE n * 2 > 3", "SELECT CAST(n AS INT) FROM t"],
)
@pytest.mark.parametrize("error", [KeyError("a"), TypeError("not an array"), ZeroDivisionError("of columns")])
def test_a_fault_of_a_kernel_fails_the_job(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, error: Exception
) -> None:
    kernels_that_raise(monkeypatch, error)
    with pytest.raises(JobExecutionError) as raised:
        values_of(tmp_path, query)
    message = str(raised.value)
    assert "operator 'Calc'" in message
    assert "KernelError: columns cannot compute an expression of " in message
    assert f"{type(error).__name__}: {error}; this is a fault of pystream" in message


@pytest.mark.parametrize("error", [NotComputedError("these"), pa.ArrowInvalid("too great")])
def test_what_kernels_refuse_is_computed_row_by_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    kernels_that_raise(monkeypatch, error)
    assert values_of(tmp_path, "SELECT n + 1 FROM t") == [(-1,), (2,)]


def test_errors_of_the_program_name_the_row(tmp_path: Path) -> None:
    with pytest.raises(JobExecutionError, match=r"division by zero\n  element: "):
        values_of(tmp_path, "SELECT 1 / (n - 1) FROM t")
