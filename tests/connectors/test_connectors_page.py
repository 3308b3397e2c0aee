"""The job in ``docs/connectors.md``, with Kafka and, after the change of two lines, with files."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.kafka import Broker

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/connectors.md").read_text("utf-8")
SECONDS = 90.0


def block(start: str) -> str:
    """Return the block of the page that starts with a text."""
    (found,) = (
        text for text in re.findall(r"^```\w+\n(.*?)^```", PAGE, re.M | re.S) if text.startswith(start)
    )
    return found


CLICKS = re.findall(r"^\{\"page.*\"time\".*\}$", PAGE, re.M)
COUNTS = re.findall(r"^\{\"page\":.*\"clicks\".*\}$", PAGE, re.M)


def run_until(program: Path, is_done: Callable[[], bool], *options: str) -> str:
    """Run a program until its output is there, and end it by Ctrl-C; return its errors."""
    job = subprocess.Popen(
        [sys.executable, "-m", "pystream", "run", "--local", *options, program.name],
        cwd=program.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + SECONDS
        while not is_done():
            assert job.poll() is None, job.communicate()[1]
            assert time.monotonic() < deadline
            time.sleep(0.1)
        job.send_signal(signal.SIGINT)
        return job.communicate(timeout=SECONDS)[1]
    finally:
        job.kill()


@pytest.mark.time_limit(200)
def test_the_job_counts_clicks_in_kafka_and_is_resumed(broker: Broker, tmp_path: Path) -> None:
    broker.create_topic("clicks", partitions=2)
    broker.create_topic("counts")
    program = tmp_path / "clicks.py"
    text = block("# clicks.py").replace("localhost:9092", broker.servers)
    program.write_text(text.replace("clicks-state", str(tmp_path / "state")))
    assert len(CLICKS) == 4
    broker.write("clicks", CLICKS)
    run_until(program, lambda: sorted(broker.values("counts")) == sorted(COUNTS))
    broker.write("clicks", ['{"page": "/", "time": 80000}', '{"page": "/", "time": 190000}'])
    resumed = [*COUNTS, '{"page":"/","clicks":2}']
    run_until(program, lambda: sorted(broker.values("counts")) == sorted(resumed), "--resume")


@pytest.mark.time_limit(200)
def test_the_same_job_counts_clicks_in_files(tmp_path: Path) -> None:
    program = tmp_path / "clicks.py"
    text = block("# clicks.py").replace("clicks-state", str(tmp_path / "state"))
    text, changes = re.subn(r"= kafka_\w+\(\"\w+\"\)  # or (.*)", r"= \1", text)
    assert changes == 2
    program.write_text(text)
    (tmp_path / "clicks").mkdir()
    (tmp_path / ".1").write_text("\n".join(CLICKS))
    (tmp_path / ".1").rename(tmp_path / "clicks" / "1")

    def counts() -> list[str]:
        files = [path for path in tmp_path.glob("counts/[!.]*/part-*") if path.is_file()]
        return sorted(line for path in files for line in path.read_text().splitlines())

    run_until(program, lambda: counts() == sorted(COUNTS))
