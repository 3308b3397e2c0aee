"""The launchers of programs that Spark starts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pystream.hosts.spark.launchers import quiet_interpreter

_NOISY = "pyspark.sql.streaming.transform_with_state_driver_worker"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Modules that print, one of them in the place of Spark's."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in (_NOISY, "own.module"):
        file = tmp_path / "path" / (name.replace(".", "/") + ".py")
        file.parent.mkdir(parents=True)
        for package in file.relative_to(tmp_path / "path").parents:
            (tmp_path / "path" / package / "__init__.py").touch()
        file.write_text("import sys; print('out', sys.executable); print('err', file=sys.stderr)")
    return tmp_path / "path"


@pytest.mark.parametrize(("module", "expected"), [("own.module", f"out {sys.executable}\n"), (_NOISY, "")])
def test_only_the_output_of_sparks_own_process_is_dropped(path: Path, module: str, expected: str) -> None:
    command = [quiet_interpreter(sys.executable), "-m", module]
    done = subprocess.run(command, env={"PYTHONPATH": str(path)}, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (expected, "err\n")
