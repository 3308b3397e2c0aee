"""The runners as processes: started once, asked in turns, timed from outside only for their start."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from benchmarks.suite.peers import interpreter
from benchmarks.suite.runner import LeftOutError, Request

_ROOT = Path(__file__).parents[2]
_BYTEWAX_PORT = 23_400


class Runner:
    """One runner, which is several processes where it is a cluster.

    Args:
        command: what starts each of its processes, as ``commands`` gives it.
        log: where its processes write what they print.

    Attributes:
        about: versions, as the runner tells them.
    """

    def __init__(self, command: list[list[str]], log: IO[str]) -> None:
        self._processes = [_started(arguments, log) for arguments in command]
        self.about: dict[str, str] = {}
        for process in self._processes:
            self.about |= self._read(process)

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
        """Return what a job took.

        Raises:
            LeftOutError: the contender does not run such jobs, or failed.
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


def commands(name: str) -> list[list[str]]:
    """Return what starts each process of a runner that contenders name so, once it is installed.

    Raises:
        LeftOutError: it cannot be installed.
    """
    if name == "spark":
        return [[sys.executable, "-m", "benchmarks.suite.spark_runner"]]
    package, *mode = name.split()
    try:
        python = str(interpreter(package))
    except subprocess.CalledProcessError as error:
        raise LeftOutError(f"{package} cannot be installed for Python {sys.version.split()[0]}") from error
    if mode:
        return [[python, "-m", "benchmarks.suite.pyflink_runner", *mode]]
    port = str(_BYTEWAX_PORT + os.getpid() % 4_000 * 2)
    return [[python, "-m", "benchmarks.suite.bytewax_runner", str(number), port] for number in range(2)]


def _started(command: list[str], log: IO[str]) -> subprocess.Popen[str]:
    environment = os.environ | {
        "PYTHONPATH": str(_ROOT),
        "SPARK_MASTER": "local[2]",  # as many workers as the others have, however many cores there are
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
