"""Run seeds: ``python -m tests.faults [HOW MANY] [THE FIRST] [--host HOST]``; one alone keeps its files.

``python -m tests.faults --selection`` runs a selection with short input, both hosts at the same time.
``python -m tests.faults --connectors 100`` runs jobs with Kafka and databases, mostly on the local host;
``--lost`` runs jobs that lose their directories: jobs on files or, with ``--connectors``, jobs that write to
Kafka exactly once.
``python -m tests.faults --signals 300`` sends a signal each to programs at random moments, under load.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from tests.faults.connectors.scenarios import MOST_AWAY
from tests.faults.connectors.seeds import run_seeds as run_connectors
from tests.faults.connectors.seeds import run_selection as run_connector_selection
from tests.faults.harness import FaultError, Run
from tests.faults.outcome import Outcome
from tests.faults.scenarios import KINDS, MOST_FILES, draw_scenario
from tests.faults.signals import run_signals

_HOSTS = ("local", "spark")
_SELECTION = {"local": (*range(len(KINDS)), 169), "spark": (2, 4, 660)}
"""Seeds by host: each kind on the local host, truncation twice, and three aimed kills on Spark."""
_LOST = {"local": (0, 1), "spark": (0,)}
"""Seeds by host of jobs that lose their directories."""
_FILES_OF_SELECTION = 8
_SIGNALS_OF_SELECTION = 6


def main() -> int:
    """Run the seeds; return 1 if any failed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=20, help="number of seeds")
    parser.add_argument("first", nargs="?", type=int, default=0, help="the first seed")
    parser.add_argument("--host", choices=_HOSTS, help="the host of all runs; drawn by default")
    parser.add_argument("--files", type=int, default=MOST_FILES, help="highest number of input files")
    parser.add_argument("--connectors", action="store_true", help="jobs with Kafka and databases")
    parser.add_argument("--lost", action="store_true", help="jobs that lose their directories")
    parser.add_argument("--signals", action="store_true", help="programs that get a signal")
    parser.add_argument("--away", type=float, default=MOST_AWAY, help="longest outage of a server in seconds")
    parser.add_argument("--selection", action="store_true", help="run a selection of seeds")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _end)
    if options.selection:
        outcomes = _run_selection()
    elif options.connectors:
        seeds = range(options.first, options.first + options.count)
        outcomes = list(
            run_connectors(
                seeds, options.host, away=options.away, is_lost=options.lost, keeps_files=len(seeds) == 1
            )
        )
    elif options.signals:
        outcomes = run_signals(range(options.first, options.first + options.count), options.host)
    else:
        seeds = range(options.first, options.first + options.count)
        outcomes = _run_seeds(seeds, options.host, options.files, is_lost=options.lost)
    failed, missed, left_out = map(outcomes.count, (Outcome.FAILED, Outcome.MISSED, Outcome.LEFT_OUT))
    print(f"{len(outcomes)} runs: {failed} failed, {missed} not disturbed as drawn, {left_out} left out")
    return min(failed, 1)


def _end(number: int, frame: object) -> None:
    """End this process, and the jobs and servers with it, which another signal must not interrupt."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(128 + number)


def _run_selection() -> list[Outcome]:
    """Run the selection, a run at a time on each host; those with connectors come last on the local one."""
    runs: list[Future[Outcome]] = []
    with ExitStack() as stack:
        pools = {host: stack.enter_context(ThreadPoolExecutor(1)) for host in _SELECTION}
        for host, seeds in _SELECTION.items():
            runs += [
                pools[host].submit(_run_seed, seed, host, _FILES_OF_SELECTION, keeps_files=False)
                for seed in seeds
            ]
            runs += [
                pools[host].submit(
                    _run_seed, seed, host, _FILES_OF_SELECTION, keeps_files=False, is_lost=True
                )
                for seed in _LOST[host]
            ]
        connectors = pools["local"].submit(lambda: list(run_connector_selection()))
        try:
            outcomes = [run.result() for run in runs] + connectors.result()
            return outcomes + run_signals(range(_SIGNALS_OF_SELECTION), "local")
        finally:
            for run in runs:
                run.cancel()  # has an effect if this process is to end
            connectors.cancel()


def _run_seeds(seeds: Sequence[int], host: str | None, files: int, *, is_lost: bool) -> list[Outcome]:
    keeps_files = len(seeds) == 1
    return [_run_seed(seed, host, files, keeps_files=keeps_files, is_lost=is_lost) for seed in seeds]


def _run_seed(
    seed: int, host: str | None, files: int, *, keeps_files: bool, is_lost: bool = False
) -> Outcome:
    """Run a seed, print its outcome, and return it."""
    scenario = draw_scenario(seed, (host,) if host else _HOSTS, files, is_lost=is_lost)
    described = scenario.describe()
    if scenario.full and os.geteuid() != 0:
        print(f"{described}\n    left out: only root can mount a small disk", flush=True)
        return Outcome.LEFT_OUT
    directory = Path(tempfile.mkdtemp(prefix=f"faults-{seed}-"))
    began = time.monotonic()
    run = Run(scenario, directory)
    try:
        run.run()
    except FaultError as error:
        options = [
            *("1", str(seed)),
            *(["--lost"] if is_lost else []),
            *([f"--host {host}"] if host else []),
            *([f"--files {files}"] if files != MOST_FILES else []),
        ]
        print(
            f"{described}\n    FAILED after {run.starts} starts: {error}\n    files: {directory}\n"
            f"    happened: {'; '.join(run.happened)}\n"
            f"    alone: python -m tests.faults {' '.join(options)}",
            flush=True,
        )
        return Outcome.FAILED
    happened = "; ".join(run.happened) or "nothing happened"
    seconds = time.monotonic() - began
    missed = f"; NOT DISTURBED: {'; '.join(run.missed)}" if run.missed else ""
    print(
        f"{described}\n    equal after {run.starts} starts, {seconds:.0f} s: {happened}{missed}", flush=True
    )
    if not keeps_files:
        shutil.rmtree(directory, ignore_errors=True)
    return Outcome.MISSED if run.missed else Outcome.PASSED


if __name__ == "__main__":
    sys.exit(main())
