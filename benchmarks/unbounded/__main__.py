"""Run the benchmarks of unbounded jobs: ``python -m benchmarks.unbounded``.

Contenders take turns, each in a process of its own. Results are written as JSON and Markdown to the directory
of ``--to``: by default ``benchmarks/results``, or the directory for temporary files if only some of the cases
or contenders run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.suite import machine
from benchmarks.suite.processes import interpreter
from benchmarks.suite.runner import LeftOutError
from benchmarks.unbounded import report
from benchmarks.unbounded.cases import CASES, Case
from benchmarks.unbounded.contenders import CONTENDERS, Contender
from benchmarks.unbounded.runner import Request
from benchmarks.unbounded.session import end

_ROOT = Path(__file__).parents[2]
_RESULTS = Path(__file__).parents[1] / "results"
_PAGE = _ROOT / "docs" / "benchmarks.md"
_SECONDS_TO_START = 400


def main() -> None:
    """Run the cases, and write and print the results."""
    options = _options()
    began = monotonic()
    described = machine.describe()
    cases = [CASES[name] for name in options.only or CASES]
    chosen = [each for each in CONTENDERS if each.name not in options.without]
    rows = []
    for case in cases:
        runs: dict[str, list[dict[str, Any]]] = {each.name: [] for each in chosen if each.runs(case)}
        left_out: dict[str, str] = {}
        for _ in range(options.turns):
            for contender in chosen:
                if contender.name not in runs or contender.name in left_out:
                    continue
                try:
                    answer = _run(contender, case, options.seconds)
                except LeftOutError as error:
                    left_out[contender.name] = str(error)
                    answer = {"left_out": str(error)}
                else:
                    runs[contender.name].append(answer)
                print(f"{case.name}, {contender.name}: {json.dumps(answer)}", file=sys.stderr, flush=True)
        rows += [
            {"case": case.name, "contender": name, "runs": each, "left_out": left_out.get(name, "")}
            for name, each in runs.items()
        ]
    found = {"machine": described, "minutes": (monotonic() - began) / 60, "rows": rows}
    (options.to / "unbounded.json").write_text(json.dumps(found, indent=1) + "\n")
    text = report.markdown(found)
    (options.to / "unbounded.md").write_text(text)
    print(text)
    if options.to == _RESULTS:
        _PAGE.write_text(report.published(_PAGE.read_text("utf-8"), text), "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=2, help="number of runs of each contender")
    parser.add_argument("--seconds", type=float, default=20, help="duration of each measurement")
    parser.add_argument("--only", nargs="*", default=[], choices=CASES, metavar="CASE", help="cases to run")
    parser.add_argument(
        "--without",
        nargs="*",
        default=[],
        choices=[each.name for each in CONTENDERS],
        metavar="CONTENDER",
        help="contenders to leave out, e.g. 'PyFlink process'",
    )
    parser.add_argument("--to", type=Path, help="directory for the results")
    options = parser.parse_args()
    if options.to is None:
        is_part = options.only or options.without
        options.to = Path(tempfile.gettempdir()) / "pystream-bench" if is_part else _RESULTS
    options.to.mkdir(parents=True, exist_ok=True)
    return options


def _run(contender: Contender, case: Case, seconds: float) -> dict[str, Any]:
    """Measure a case in a process of its own.

    Raises:
        LeftOutError: the process failed, or did not end in time.
    """
    python = sys.executable if contender.package is None else str(interpreter(contender.package))
    with tempfile.TemporaryDirectory(prefix="pystream-bench-", ignore_cleanup_errors=True) as directory:
        request = Request(contender.name, case.name, seconds, directory)
        log = Path(tempfile.gettempdir()) / "pystream-bench.log"
        with log.open("a") as errors:
            process = subprocess.Popen(
                [python, "-m", f"benchmarks.unbounded.{contender.runner}", request.line()],
                cwd=_ROOT,
                env=_environment(python),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
            try:
                output, _ = process.communicate(timeout=seconds + _SECONDS_TO_START)
            except subprocess.TimeoutExpired:
                raise LeftOutError(f"not measured within {seconds + _SECONDS_TO_START:.0f} s") from None
            finally:
                end(process.pid)
                process.wait()
        if process.returncode:
            raise LeftOutError(f"its runner ended with exit code {process.returncode}; see {log}")
        answer: dict[str, Any] = json.loads(output.splitlines()[-1])
        return answer


def _environment(python: str) -> dict[str, str]:
    from pystream.hosts.spark.java import find_java, launcher_home

    return os.environ | {
        "PYTHONPATH": str(_ROOT),
        "PYSPARK_PYTHON": python,
        "JAVA_HOME": str(launcher_home(find_java())),
        "SPARK_MASTER": "local[2]",  # two workers, as for the others, on any number of cores
        "PATH": f"{Path(python).parent}{os.pathsep}{os.environ['PATH']}",
    }


if __name__ == "__main__":
    main()
