"""Check that names, parameters and base classes of the stubs are those of the packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

STUBS = Path(__file__).parents[2] / "stubs"

# Stubs may have less than the package, and compiled modules hide some signatures.
ACCEPTED = re.compile(
    r"stub does not have"  # fewer parameters
    r"|__init__ is inconsistent"  # compiled classes hide theirs
    r"|__buffer__ is not present"
    r"|runtime does not have \*\*kwargs parameter"  # for options that the stub does not list
    r"|is read-only at runtime"
    r"|is not keyword-only"
    r"|has a default value but stub parameter does not"
    r"|default value of type None, which is incompatible"
    r"|(String|Binary|Dictionary)Array\.from_buffers"  # each has its own parameters
)

# What the stubs take from other packages is not in question.
CONFIG = """
[mypy]
[mypy-pandas.*,numpy.*]
follow_imports = skip
follow_imports_for_stubs = true
"""


@pytest.mark.parametrize("package", sorted(path.name for path in STUBS.iterdir()))
def test_stubs_agree_with_the_package(package: str, tmp_path: Path) -> None:
    config = tmp_path / "mypy.ini"
    config.write_text(CONFIG)
    command = [sys.executable, "-m", "mypy.stubtest", package, "--concise", "--mypy-config-file", str(config)]
    options = ["--ignore-missing-stub", "--ignore-positional-only", "--ignore-disjoint-bases"]
    result = subprocess.run(
        [*command, *options],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(STUBS)},
    )
    lines = result.stdout.splitlines()
    assert result.returncode in (0, 1), result.stderr
    assert [line for line in lines if not ACCEPTED.search(line)] == []
