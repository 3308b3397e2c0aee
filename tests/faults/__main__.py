"""Run seeds: ``python -m tests.faults [HOW MANY] [THE FIRST] [--host HOST]``; one alone keeps its files."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.faults.harness import FaultError, Run
from tests.faults.scenarios import draw_scenario

_HOSTS = ("local", "spark")


def main() -> int:
    """Run the seeds; return 1 if any failed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=20, help="number of seeds")
    parser.add_argument("first", nargs="?", type=int, default=0, help="the first seed")
    parser.add_argument("--host", choices=_HOSTS, help="the host of all runs; drawn by default")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that jobs are ended
    hosts = (options.host,) if options.host else _HOSTS
    failed = skipped = 0
    for seed in range(options.first, options.first + options.count):
        scenario = draw_scenario(seed, hosts)
        print(scenario.describe(), flush=True)
        if scenario.full and os.geteuid() != 0:
            print("    left out: only root can mount a small disk", flush=True)
            skipped += 1
            continue
        directory = Path(tempfile.mkdtemp(prefix=f"faults-{seed}-"))
        began = time.monotonic()
        run = Run(scenario, directory)
        try:
            run.run()
        except FaultError as error:
            failed += 1
            print(f"    FAILED after {run.starts} starts: {error}\n    files: {directory}", flush=True)
            print(f"    happened: {'; '.join(run.happened)}", flush=True)
            host = f" --host {options.host}" if options.host else ""
            print(f"    alone: python -m tests.faults 1 {seed}{host}", flush=True)
            continue
        happened = "; ".join(run.happened) or "nothing happened"
        print(
            f"    equal after {run.starts} starts, {time.monotonic() - began:.0f} s: {happened}", flush=True
        )
        if options.count > 1:
            shutil.rmtree(directory, ignore_errors=True)
    print(f"{options.count} seeds from {options.first}: {failed} failed, {skipped} left out")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
