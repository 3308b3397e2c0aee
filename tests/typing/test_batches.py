"""Functions that take batches, checked with pandas' own stubs; the other cases do without those."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.typing.checkers import CASES, ROOT, _pyright

CASE = CASES / "batches" / "vectorised.py"


@pytest.mark.parametrize("plugin", ["", "typeinfo.mypy_plugin"], ids=["plain", "plugin"])
def test_mypy_agrees(plugin: str, pytestconfig: pytest.Config) -> None:
    directory = pytestconfig.cache.mkdir(f"typing-batches-{plugin or 'plain'}")  # type: ignore[union-attr]
    config = directory / "mypy.ini"
    config.write_text(
        f"[mypy]\nstrict = true\nmypy_path = {ROOT / 'stubs'}\ncache_dir = {directory / 'cache'}\n"
        f"plugins = {plugin}\n[mypy-pystream.*,typeinfo.*,pyspark.*]\nfollow_imports = silent\n"
    )
    command = [sys.executable, "-m", "mypy", "--config-file", str(config), str(CASE)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright_agrees(tmp_path: Path) -> None:
    report = _pyright([CASE], tmp_path)
    assert not report.crash
    assert [str(diagnostic) for diagnostic in report.diagnostics] == []
