"""Run the benchmark suite: ``python -m benchmarks.suite [--full]``.

Results are written as JSON, Markdown and a chart to the directory of ``--to``: by default
``benchmarks/results``, or the directory for temporary files if only part of the suite runs.
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

from benchmarks.suite import machine, plot, report, results, serializers
from benchmarks.suite.contenders import CONTENDERS, SUBSET, TARGETS, WHOLE, Cell
from benchmarks.suite.data import DataSets
from benchmarks.suite.measuring import FEW, Measurement, Pace
from benchmarks.suite.runner import Request
from benchmarks.suite.runners import Runners, install

_RESULTS = Path(__file__).parents[1] / "results"
_PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
_RUNNERS = tuple(dict.fromkeys(contender.runner for contender in CONTENDERS))
_FIRST = {
    "spark": "typed",
    "local": "local",
    "pyflink process": "PyFlink process",
    "pyflink thread": "PyFlink thread",
    "bytewax": "Bytewax",
}
"""The contender of the first job of each runner."""


def main() -> None:
    """Run the jobs, and write and print the results."""
    options = _options()
    installed = install([name for name in _RUNNERS if name not in options.without])
    began = monotonic()
    described = machine.describe()
    whole = options.full or options.only
    cells = tuple(cell for cell in (WHOLE if whole else SUBSET) if _is_chosen(cell, options.only))
    pace = Pace(
        turns=options.turns,
        job=options.seconds,
        slow_job=options.seconds * 4,
        until=began + options.minutes * 60,
    )
    alone = serializers.measure(rounds=5)
    first = {name: Request(_FIRST[name], "map", "long", FEW, "") for name in installed}
    with ExitStack() as stack:
        data = DataSets(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pystream-bench-"))))
        runners = Runners(stack, installed, first, data, options.to)
        measurement = Measurement(CONTENDERS, cells, runners.started, data, pace)
        measurement.run()
    rows = results.rows(measurement)
    found: dict[str, Any] = {
        "machine": described,
        "versions": runners.versions,
        "full": options.full,
        "minutes": (monotonic() - began) / 60,
        "startups": runners.startups,
        "few": results.few(measurement),
        "rows": rows,
        "ratios": results.ratios(rows, cells, TARGETS),
        "serializers": alone,
    }
    text = write(found, options.to / "latest")
    print(f"written to {options.to}", file=sys.stderr)
    if options.to == _RESULTS:
        _PAGE.write_text(report.published(_PAGE.read_text("utf-8"), text), "utf-8")


def write(found: dict[str, Any], path: Path) -> str:
    """Write the results in each format, and print and return the Markdown."""
    path.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n")
    text = report.markdown(found)
    path.with_suffix(".md").write_text(text)
    if any("rate" in row for row in found["rows"]):
        plot.draw(found, path)
    print(text)
    return text


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="every operator over every shape of records")
    parser.add_argument("--turns", type=int, default=3, help="maximum number of runs of each job")
    parser.add_argument("--seconds", type=float, default=0.6, help="approximate duration of a job")
    parser.add_argument("--minutes", type=float, default=8.5, help="approximate duration of the whole run")
    parser.add_argument("--only", nargs="*", default=[], metavar="OPERATOR/SHAPE", help="jobs to run")
    parser.add_argument(
        "--without",
        nargs="*",
        default=[],
        choices=_RUNNERS,
        help="runners to leave out, e.g. 'pyflink process'",
    )
    parser.add_argument("--to", type=Path, help="directory for the results")
    options = parser.parse_args()
    unknown = set(options.only) - {f"{cell.operator}/{cell.shape}" for cell in WHOLE}
    if unknown:
        parser.error(f"unknown job {min(unknown)}: expected one such as reduce/row5")
    if options.to is None:
        is_part = options.only or options.without
        options.to = Path(tempfile.gettempdir()) / "pystream-bench" if is_part else _RESULTS
    options.to.mkdir(parents=True, exist_ok=True)
    return options


def _is_chosen(cell: Cell, only: list[str]) -> bool:
    return not only or f"{cell.operator}/{cell.shape}" in only


if __name__ == "__main__":
    main()
