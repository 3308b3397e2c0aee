"""The tour in ``docs/unbounded.md``, step by step, with its program, commands and output as printed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/unbounded.md").read_text("utf-8")
SECONDS = 300.0


def blocks(language: str) -> list[str]:
    """Return the blocks of the page in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def patched(program: str, diff: str) -> str:
    """Return a program after the changes of a diff, whose hunks are separated by ``@@``."""
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] != "+")
        assert program.count(old) == 1, old
        program = program.replace(old, "".join(line[1:] for line in lines if line[0] != "-"))
    return program


class Tour:
    """The directory of a reader who follows the page."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._shell = f'pystream() {{ exec "{sys.executable}" -m pystream "$@"; }}\n'
        self._running: list[subprocess.Popen[str]] = []

    def start(self, commands: str) -> subprocess.Popen[str]:
        """Run commands of the page, and return the process of the last one."""
        *before, last = commands.splitlines()
        for command in before:
            self.run(command)
        job = subprocess.Popen(
            ["bash", "-ec", self._shell + last],
            cwd=self.directory,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
            stdout=(self.directory / "stdout").open("w"),
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.append(job)
        return job

    @property
    def printed(self) -> list[str]:
        """The lines that the last job has printed."""
        return (self.directory / "stdout").read_text().splitlines()

    def run(self, commands: str) -> list[str]:
        """Run commands of the page to their end, and return the lines that the last one printed."""
        job = self.start(commands)
        errors = job.communicate(timeout=SECONDS)[1]
        assert job.returncode == 0, errors
        return self.printed

    def follow(self, job: subprocess.Popen[str], printed: list[str], files: list[str]) -> None:
        """Wait until a job has printed lines, in any order, and all lines are in finished files."""
        deadline = time.monotonic() + SECONDS
        while (sorted(self.printed), self.lines()) != (printed, files):
            assert job.poll() is None, job.communicate()
            assert time.monotonic() < deadline, (self.printed, self.lines())
            time.sleep(0.1)

    def lines(self) -> list[str]:
        """Return the lines of all finished files, sorted."""
        files = [path for path in self.directory.glob("out/[!.]*/part-*") if path.is_file()]
        return sorted(line for path in files for line in path.read_text().splitlines())

    def close(self) -> None:
        """Kill what still runs."""
        for job in self._running:
            if job.poll() is None:
                job.kill()
            job.communicate()


@pytest.fixture
def tour(host: str, tmp_path: Path) -> Iterator[Tour]:
    with Path(os.environ["FLINK_CONF_DIR"], "flink-conf.yaml").open("a") as configuration:
        configuration.write("parallelism.default: 2\n")
    tour = Tour(tmp_path)
    yield tour
    tour.close()


def end(job: subprocess.Popen[str], number: signal.Signals, status: int) -> None:
    """Send a signal to a process and check how it ends."""
    job.send_signal(number)
    errors = job.communicate(timeout=SECONDS)[1]
    assert job.returncode == status, errors


@pytest.mark.time_limit(900)
def test_each_step_of_the_tour_works_as_printed(tour: Tour) -> None:
    program, (diff,) = blocks("python")[0].removeprefix("# sales.py\n"), blocks("diff")
    start, drop, watch, resume, stop, show, change = blocks("sh")
    printed, refusal, shown = blocks("text")
    script = tour.directory / "sales.py"
    script.write_text(program, "utf-8")

    job = tour.start(start.replace("pystream run", watch.strip().removesuffix(" sales.py")))
    subprocess.run(["bash", "-ec", drop], cwd=tour.directory, check=True)
    tour.follow(job, printed.splitlines(), ["milk 1", "tea 5"])
    end(job, signal.SIGKILL, -signal.SIGKILL)
    assert json.loads((tour.directory / "metrics.jsonl").read_text().splitlines()[-1])["numEpochs"] > 0

    refused = tour.start("pystream run sales.py").communicate(timeout=SECONDS)[1]
    assert re.search(".*".join(map(re.escape, refusal.strip().split("…"))), refused), refused

    job = tour.start(resume)
    tour.follow(job, ["2> tea 6"], ["milk 1", "tea 5", "tea 6"])
    end(job, signal.SIGTERM, 0)

    (location,) = tour.run(stop)
    assert Path(location).parent == tour.directory / "savepoints"
    assert not (tour.directory / "state/sales").exists()
    words = set(" ".join(tour.run(show)).split())
    assert words >= set(shown.split())

    script.write_text(patched(program, diff), "utf-8")
    job = tour.start(change)
    tour.follow(job, ["tea 6 in 1"], ["milk 1", "tea 5", "tea 6", "tea 6 in 1"])
    end(job, signal.SIGTERM, 0)
