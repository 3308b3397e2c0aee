"""Soak a job: ``python -m benchmarks.unbounded.soak MINUTES [--rate RECORDS] [--local]``.

The job runs at half the rate that it reaches without a limit in its second minute. The memory of its
processes and the size of its checkpoint directory are recorded, and called flat if a line through those of
the last two thirds rises by less than a twentieth, or by less than 16 MB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.unbounded.session import end, memory

_ROOT = Path(__file__).parents[2]
_SECONDS_TO_START = 120
_SECONDS_AT_PEAK = 60
_INTERVAL = 5
_FLAT_PART = 1 / 20
_FLAT_BYTES = 16 << 20
_CHECKPOINTS = "checkpoints"


class Job:
    """A running soak program.

    Args:
        process: its process, which leads a session.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.records = 0
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip().isdecimal():
                self.records = int(line)

    @property
    def session(self) -> int:
        """The id of its session."""
        return self._process.pid

    def wait(self, seconds: float) -> None:
        """Wait while it runs.

        Raises:
            SystemExit: it has ended.
        """
        try:
            code = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return
        raise SystemExit(f"the job ended with exit code {code}")

    def rate(self, seconds: float) -> float:
        """Wait, and return the records per second meanwhile."""
        before, began = self.records, time.monotonic()
        self.wait(seconds)
        return (self.records - before) / (time.monotonic() - began)


def main() -> None:
    """Soak a job, and print what was recorded and whether it is flat."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("minutes", type=float)
    parser.add_argument("--rate", type=float, help="records a second; half of the peak by default")
    parser.add_argument("--local", action="store_true", help="run on the local host")
    options = parser.parse_args()
    rate = options.rate
    if rate is None:
        with _started(0.0, local=options.local) as (job, _):
            _wait_for_records(job)
            job.wait(_SECONDS_AT_PEAK)
            rate = job.rate(_SECONDS_AT_PEAK) / 2
    print(f"{rate:,.0f} records a second", flush=True)
    with _started(rate, local=options.local) as (job, directory):
        _wait_for_records(job)
        times, samples = _record(job, directory, options.minutes * 60)
        print(f"{job.records:,} records read")
    flat = [_judge(name, times, [sample[name] for sample in samples]) for name in samples[0]]
    raise SystemExit(0 if all(flat) else 1)


@contextmanager
def _started(rate: float, *, local: bool) -> Iterator[tuple[Job, Path]]:
    """Run the job in a temporary directory until the block ends."""
    with tempfile.TemporaryDirectory(prefix="pystream-soak-", ignore_cleanup_errors=True) as name:
        module = "benchmarks.unbounded.soak_program"
        process = subprocess.Popen(
            [sys.executable, "-m", module, name, str(rate), *(["local"] if local else [])],
            cwd=_ROOT,
            env=os.environ | {"PYTHONPATH": str(_ROOT), "SPARK_MASTER": "local[2]", "TMPDIR": name},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        try:
            yield Job(process), Path(name)
        finally:
            end(process.pid)
            process.wait()


def _wait_for_records(job: Job) -> None:
    until = time.monotonic() + _SECONDS_TO_START
    while not job.records:
        if time.monotonic() > until:
            raise SystemExit(f"no record was read within {_SECONDS_TO_START} s")
        job.wait(0.1)


def _record(job: Job, directory: Path, seconds: float) -> tuple[list[float], list[dict[str, int]]]:
    """Return times and the sizes in bytes at these times, and print them every minute."""
    began = time.monotonic()
    times: list[float] = []
    samples: list[dict[str, int]] = []
    while (now := time.monotonic() - began) < seconds:
        times.append(now)
        samples.append(memory(job.session) | {_CHECKPOINTS: _size(directory / _CHECKPOINTS)})
        if len(samples) % (60 // _INTERVAL) == 1:
            sizes = ", ".join(f"{name} {_megabytes(value)}" for name, value in samples[-1].items())
            print(f"{now / 60:5.1f} min: {sizes}; {job.records:,} records", flush=True)
        job.wait(_INTERVAL)
    return times, samples


def _judge(name: str, times: list[float], values: list[int]) -> bool:
    """Print the rise of the values, and return whether they are flat."""
    first = len(times) // 3
    times, values = times[first:], values[first:]
    rise = _slope(times, values) * (times[-1] - times[0])
    mean = sum(values) / len(values)
    is_flat = rise < max(mean * _FLAT_PART, _FLAT_BYTES)
    print(
        f"{name}: mean {_megabytes(mean)}, highest {_megabytes(max(values))}, rises by {_megabytes(rise)} "
        f"within {(times[-1] - times[0]) / 60:.1f} min: {'flat' if is_flat else 'NOT FLAT'}"
    )
    return is_flat


def _size(directory: Path) -> int:
    """Return the bytes of the files below a directory."""
    total = 0
    for parent, _, names in os.walk(directory):
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except FileNotFoundError:  # it has been removed since it was listed
                continue
    return total


def _slope(times: Sequence[float], values: Sequence[float]) -> float:
    """Return the slope of the line through points that has the least squares."""
    mean_time, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((time - mean_time) ** 2 for time in times)
    products = ((time - mean_time) * (value - mean) for time, value in zip(times, values, strict=True))
    return sum(products) / spread if spread else 0.0


def _megabytes(number: float) -> str:
    return f"{number / 1e6:,.1f} MB"


if __name__ == "__main__":
    main()
