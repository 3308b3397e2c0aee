"""The runners as processes, each in the Python environment of its system.

``PYFLINK_PYTHON`` and ``BYTEWAX_PYTHON`` name existing interpreters; otherwise environments are created once
below ``benchmarks/.venvs``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from benchmarks.suite.runner import LeftOutError, Request

_ROOT = Path(__file__).parents[2]
_BYTEWAX_PORT = 23_400
_ENVIRONMENTS = Path(__file__).parents[1] / ".venvs"

# PyFlink's libraries are built during installation, by a setup.py that newer setuptools cannot run.
_STEPS: dict[str, list[list[str]]] = {
    "pyflink": [["setuptools<70", "wheel"], ["--no-build-isolation", "apache-flink==2.3.0"]],
    "bytewax": [["bytewax==0.21.1", "pyarrow>=16"]],
}


class Runner:
    """A runner: one process, or several that form a cluster.

    Args:
        commands: the command of each process, as returned by ``runner_commands``.
        log: file for everything that the processes print.

    Attributes:
        versions: versions of software, as reported by the runner.
    """

    def __init__(self, commands: list[list[str]], log: IO[str]) -> None:
        self._processes = [_start(command, log) for command in commands]
        self.versions: dict[str, str] = {}
        for process in self._processes:
            self.versions |= self._read(process)

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.close()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()

    def seconds(self, request: Request) -> float:
        """Run a job and return its duration in seconds.

        Raises:
            LeftOutError: if the contender does not support the job, or failed.
        """
        for process in self._processes:
            assert process.stdin is not None
            process.stdin.write(request.line())
            process.stdin.flush()
        answers = [self._read(process) for process in self._processes]
        for answer in answers:
            if "left_out" in answer:
                raise LeftOutError(answer["left_out"])
        if "seconds" in answers[0]:
            return float(answers[0]["seconds"])
        begins = [answer["begin"] for answer in answers if answer["begin"]]
        return float(max(answer["end"] for answer in answers) - min(begins))

    def _read(self, process: subprocess.Popen[str]) -> dict[str, Any]:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise LeftOutError(f"its runner ended with exit code {process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer


def runner_commands(name: str, package: str = "benchmarks.suite") -> list[list[str]]:
    """Install a runner if necessary, and return the command of each of its processes.

    Args:
        name: the system, and its mode if it has several.
        package: the package with the modules of the runners.

    Raises:
        LeftOutError: if it cannot be installed.
    """
    system, *mode = name.split()
    module = f"{package}.{system}_runner"
    if system in ("spark", "local"):
        return [[sys.executable, "-m", module]]
    try:
        python = str(interpreter(system))
    except subprocess.CalledProcessError as error:
        raise LeftOutError(f"{system} cannot be installed for Python {sys.version.split()[0]}") from error
    if mode:
        return [[python, "-m", module, *mode]]
    port = str(_BYTEWAX_PORT + os.getpid() % 4_000 * 2)
    return [[python, "-m", module, str(number), port] for number in range(2)]


def interpreter(name: str) -> Path:
    """Return the interpreter of a system, whose environment is created if it is missing.

    Raises:
        CalledProcessError: if pip failed.
    """
    given = os.environ.get(f"{name.upper()}_PYTHON")
    if given:
        return Path(given)
    directory = _ENVIRONMENTS / name
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


def _start(command: list[str], log: IO[str]) -> subprocess.Popen[str]:
    environment = os.environ | {
        "PYTHONPATH": str(_ROOT),
        "SPARK_MASTER": "local[2]",  # two workers, as for the others, on any number of cores
        "PATH": f"{Path(command[0]).parent}{os.pathsep}{os.environ['PATH']}",
    }
    return subprocess.Popen(
        command,
        cwd=_ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
