"""Run the seeds of jobs with connectors, one after the other, with the same servers."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.faults.connectors.run import ConnectorRun
from tests.faults.connectors.scenarios import MOST_AWAY, MOST_FILES, ConnectorScenario, draw_scenario
from tests.faults.connectors.servers import Servers
from tests.faults.harness import FaultError
from tests.faults.outcome import Outcome
from tests.servers.process import MissingProgramError

__all__ = ["run_selection", "run_seeds"]

_SELECTION = (27, 8, 98, 21)
"""Seeds of aimed kills of the job, the broker and the database, and of a transaction that times out."""
_LOST_IN_SELECTION = (1,)
"""Seeds of jobs that lose their directories."""
_FILES_OF_SELECTION = 5
_AWAY_IN_SELECTION = 6.0


def run_selection() -> Iterator[Outcome]:
    """Run the selection; yield the outcomes."""
    yield from run_seeds(_SELECTION, "local", _FILES_OF_SELECTION, _AWAY_IN_SELECTION)
    yield from run_seeds(_LOST_IN_SELECTION, "local", _FILES_OF_SELECTION, is_lost=True)


def run_seeds(
    seeds: Sequence[int],
    host: str | None,
    files: int = MOST_FILES,
    away: float = MOST_AWAY,
    *,
    is_lost: bool = False,
    keeps_files: bool = False,
) -> Iterator[Outcome]:
    """Run seeds, print their outcomes and yield them.

    Args:
        seeds: the seeds.
        host: the host of all runs; drawn if ``None``.
        files: highest number of batches of input.
        away: longest time in seconds for which a server is away.
        is_lost: whether the jobs lose their directories.
        keeps_files: whether the files of runs that passed are kept.
    """
    with Servers() as servers:
        for seed in seeds:
            scenario = draw_scenario(seed, host, files, away, is_lost=is_lost)
            yield _run(scenario, servers, keeps_files=keeps_files)


def _run(scenario: ConnectorScenario, servers: Servers, *, keeps_files: bool) -> Outcome:
    described = f"connectors: {scenario.describe()}"
    if scenario.is_full and os.geteuid() != 0:
        print(f"{described}\n    left out: only root can mount a small disk", flush=True)
        return Outcome.LEFT_OUT
    directory = Path(tempfile.mkdtemp(prefix=f"faults-{scenario.seed}-"))
    began = time.monotonic()
    run = ConnectorRun(scenario, directory, servers)
    try:
        run.run()
    except MissingProgramError as error:
        if os.environ.get("CI"):
            raise
        print(f"{described}\n    left out: {error}", flush=True)
        return Outcome.LEFT_OUT
    except FaultError as error:
        print(
            f"{described}\n    FAILED after {run.starts} starts: {error}\n    files: {directory}\n"
            f"    happened: {'; '.join(run.happened)}",
            flush=True,
        )
        return Outcome.FAILED
    happened = "; ".join(run.happened) or "nothing happened"
    doubled = f", {run.duplicates} duplicates" if scenario.counts_duplicates else ""
    missed = f"; NOT DISTURBED: {'; '.join(run.missed)}" if run.missed else ""
    print(
        f"{described}\n    equal after {run.starts} starts, {time.monotonic() - began:.0f} s{doubled}: "
        f"{happened}{missed}",
        flush=True,
    )
    if not keeps_files:
        shutil.rmtree(directory, ignore_errors=True)
    return Outcome.MISSED if run.missed else Outcome.PASSED
