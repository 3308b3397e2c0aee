"""Run NEXMark: ``python -m benchmarks.nexmark [--queries q0 q7] [--events 1000000]``.

Results are written as JSON and Markdown to the directory of ``--to``, by default one for temporary files.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.nexmark import report
from benchmarks.nexmark.contenders import CONTENDERS, DEFAULT, SHAPE, TARGETS
from benchmarks.nexmark.files import DataSets
from benchmarks.nexmark.sql import QUERIES
from benchmarks.suite import machine, results
from benchmarks.suite.contenders import Cell
from benchmarks.suite.measuring import FEW, Measurement, Pace
from benchmarks.suite.runner import Request
from benchmarks.suite.runners import Runners, install

_PACKAGE = "benchmarks.nexmark"


def main() -> None:
    """Run the queries, and write and print the results."""
    options = _options()
    began = monotonic()
    described = machine.describe()
    contenders = [each for each in CONTENDERS if each.name in options.contenders]
    cells = [Cell(query, SHAPE) for query in options.queries]
    # The first of the contenders of a runner is the one that runs its first job.
    first = {each.runner: Request(each.name, "q0", SHAPE, FEW, "") for each in reversed(contenders)}
    pace = Pace(turns=options.turns, job=1.0, slow_job=1.0, until=began + options.minutes * 60)
    with ExitStack() as stack:
        data = DataSets(_directory(options, stack), options.events)
        runners = Runners(stack, install(first, _PACKAGE), first, data, options.to)
        measurement = Measurement(contenders, cells, runners.started, data, pace)
        measurement.run()
    rows = results.rows(measurement)
    found: dict[str, Any] = {
        "machine": described,
        "versions": runners.versions,
        "events": options.events,
        "minutes": (monotonic() - began) / 60,
        "startups": runners.startups,
        "few": results.few(measurement),
        "rows": rows,
        "ratios": results.ratios(rows, cells, TARGETS),
    }
    (options.to / "nexmark.json").write_text(json.dumps(found, indent=1) + "\n")
    text = report.markdown(found)
    (options.to / "nexmark.md").write_text(text)
    print(text)
    print(f"written to {options.to}", file=sys.stderr)


def _directory(options: argparse.Namespace, stack: ExitStack) -> Path:
    """Return the directory of the data sets, which is removed at the end unless it is given."""
    if options.data is not None:
        return options.data
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pystream-nexmark-")))


def _options() -> argparse.Namespace:
    names = [each.name for each in CONTENDERS]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--queries",
        nargs="+",
        default=DEFAULT,
        choices=[*QUERIES, "all"],
        metavar="QUERY",
        help="e.g. q0 q7; all",
    )
    parser.add_argument(
        "--contenders", nargs="+", default=names, choices=names, metavar="NAME", help=", ".join(names)
    )
    parser.add_argument("--events", type=int, default=1_000_000, help="number of events")
    parser.add_argument("--turns", type=int, default=3, help="maximum number of runs of each query")
    parser.add_argument("--minutes", type=float, default=30, help="approximate duration of the whole run")
    parser.add_argument("--data", type=Path, help="directory to keep the events in")
    parser.add_argument(
        "--to", type=Path, default=Path(tempfile.gettempdir()) / "pystream-bench", help="for the results"
    )
    options = parser.parse_args()
    if "all" in options.queries:
        options.queries = list(QUERIES)
    options.to.mkdir(parents=True, exist_ok=True)
    return options


if __name__ == "__main__":
    main()
