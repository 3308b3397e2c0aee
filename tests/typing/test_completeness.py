"""Every public name of both packages has a declared type."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("package", ["pystream", "typeinfo"])
def test_all_types_are_declared(package: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--verifytypes", package, "--ignoreexternal", "--outputjson"]
    # It looks for packages with the first ``python`` of PATH, and ignores --pythonpath.
    first = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": first},
        check=False,
    )
    report = json.loads(result.stdout)["typeCompleteness"]
    # A partially unknown type follows from another diagnostic.
    undeclared = {
        f"{symbol['name']}: {diagnostic['message']}"
        for symbol in report["symbols"]
        for diagnostic in symbol["diagnostics"]
        if diagnostic["severity"] == "error" and "partially unknown" not in diagnostic["message"]
    }
    assert not undeclared, "\n".join(sorted(undeclared))
    assert report["completenessScore"] == 1
