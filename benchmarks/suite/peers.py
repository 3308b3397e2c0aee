"""Interpreters of the other systems, each in a virtual environment of its own.

``PYFLINK_PYTHON`` and ``BYTEWAX_PYTHON`` name ones that exist; otherwise they are made below
``benchmarks/.venvs`` once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

_ROOT = Path(__file__).parents[1] / ".venvs"

# PyFlink's libraries are built when installed, by a setup.py that newer setuptools do not run.
_STEPS: dict[str, list[list[str]]] = {
    "pyflink": [["setuptools<70", "wheel"], ["--no-build-isolation", "apache-flink==2.3.0"]],
    "bytewax": [["bytewax==0.21.1", "pyarrow>=16"]],
}


def interpreter(name: str) -> Path:
    """Return the interpreter of a peer, making its environment when that is missing.

    Raises:
        CalledProcessError: pip failed.
    """
    given = os.environ.get(f"{name.upper()}_PYTHON")
    if given:
        return Path(given)
    directory = _ROOT / name
    python = directory / "bin" / "python"
    ready = directory / ".ready"
    if not ready.exists():
        print(f"installing {name} into {directory}", file=sys.stderr, flush=True)
        venv.create(directory, with_pip=True, clear=True)
        for packages in _STEPS[name]:
            pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages]
            subprocess.run(pip, check=True)
        ready.touch()
    return python
