"""Every name of both packages has a type that checkers need not guess."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("package", ["pystream", "typeinfo"])
def test_all_types_are_declared(package: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pyright", "--verifytypes", package, "--ignoreexternal", "--outputjson"]
    result = subprocess.run(
        [*command, "--pythonpath", sys.executable], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    told = json.loads(result.stdout)
    if any("No py.typed" in diagnostic["message"] for diagnostic in told["generalDiagnostics"]):
        pytest.skip("pyright does not find packages that are installed as editable here")
    report = told["typeCompleteness"]
    # What is only partially unknown follows from others, which the message names.
    guessed = {
        f"{symbol['name']}: {diagnostic['message']}"
        for symbol in report["symbols"]
        for diagnostic in symbol["diagnostics"]
        if diagnostic["severity"] == "error" and "partially unknown" not in diagnostic["message"]
    }
    assert not guessed, "\n".join(sorted(guessed))
    assert report["completenessScore"] == 1
