"""The runners of a run: installed, started, and ready after a first job."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic

from benchmarks.suite.measuring import Data
from benchmarks.suite.processes import Runner, runner_commands
from benchmarks.suite.runner import LeftOutError, Request


def install(names: Iterable[str], package: str = "benchmarks.suite") -> dict[str, list[list[str]]]:
    """Install runners, and return the commands of those that could be installed, by name."""
    found = {}
    for name in names:
        try:
            found[name] = runner_commands(name, package)
        except LeftOutError as error:
            _report_left_out(name, error)
    return found


class Runners:
    """Runners that have run their first jobs; those that fail are left out.

    Args:
        stack: ends the runners.
        commands: the commands of each runner.
        first: the first job of each runner, without the directory of its data.
        data: the data sets.
        directory: where ``runners.log`` is written.

    Attributes:
        started: the runners by name.
        startups: seconds until the end of their first jobs.
    """

    def __init__(
        self,
        stack: ExitStack,
        commands: Mapping[str, list[list[str]]],
        first: Mapping[str, Request],
        data: Data,
        directory: Path,
    ) -> None:
        log = stack.enter_context((directory / "runners.log").open("w"))
        self.started: dict[str, Runner] = {}
        self.startups: dict[str, float] = {}
        for name, each in commands.items():
            job = first[name]
            job = replace(job, path=str(data.directory(job.shape, job.records)))
            began = monotonic()
            try:
                runner = stack.enter_context(Runner(each, log))
                runner.seconds(job)
            except LeftOutError as error:
                _report_left_out(name, error)
                continue
            self.started[name] = runner
            self.startups[name] = monotonic() - began

    @property
    def versions(self) -> dict[str, str]:
        """The versions of all software."""
        return {key: value for runner in self.started.values() for key, value in runner.versions.items()}


def _report_left_out(name: str, error: LeftOutError) -> None:
    print(f"{name} is left out: {error}", file=sys.stderr)
