"""Functions that take batches, checked with pandas' own stubs; the other cases do without those."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.typing.checkers import ROOT, Report, cases, mypy_report, pyright_report

BATCHES = list(cases("cases/batches"))
PATHS = sorted({case.path for case in BATCHES})


def complaints(report: Report) -> list[str]:
    return [complaint for case in BATCHES for complaint in case.complaints(report)]


@pytest.mark.parametrize("plugin", ["", "typeinfo.mypy_plugin"], ids=["plain", "plugin"])
def test_mypy_agrees(plugin: str, pytestconfig: pytest.Config) -> None:
    directory = pytestconfig.cache.mkdir(f"typing-batches-{plugin or 'plain'}")  # type: ignore[union-attr]
    config = directory / "mypy.ini"
    config.write_text(
        f"[mypy]\nstrict = true\nmypy_path = {ROOT / 'stubs'}\ncache_dir = {directory / 'cache'}\n"
        f"plugins = {plugin}\n[mypy-pystream.*,typeinfo.*,pyspark.*]\nfollow_imports = silent\n"
    )
    assert complaints(mypy_report("mypy", PATHS, config)) == []


def test_pyright_agrees(tmp_path: Path) -> None:
    assert complaints(pyright_report(PATHS, tmp_path)) == []
