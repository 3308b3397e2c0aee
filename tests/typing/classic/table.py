"""Print the outcomes of classic mistakes in pystream, PyFlink and PySpark: the table of ``docs/typing.md``.

    python -m tests.typing.classic.table PYTHON_WITH_PYFLINK

PyFlink runs the same programs, with ``pyflink`` in the imports and without type arguments of base classes,
because its classes are not generic. mypy checks them with ``--follow-untyped-imports``, because PyFlink is
not marked as typed.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.typing.checkers import HERE, Diagnostic, Report, run_checker

CLASSIC = HERE / "classic"
MISTAKES = CLASSIC / "flink" / "mistakes.py"
SPARK = CLASSIC / "spark_mistakes.py"
FLINK_VERSION, SPARK_VERSION = "2.3", "4.3"

RUN_FLINK = """
import sys
sys.path.insert(0, sys.argv[1])
import mistakes
from pyflink.datastream import StreamExecutionEnvironment
from outcomes import report
for name in sys.argv[2].split(","):
    env = StreamExecutionEnvironment.get_execution_environment()
    env.set_parallelism(1)
    report(name, lambda: getattr(mistakes, name)(env))
"""
RUN_SPARK = """
import sys
sys.path.insert(0, sys.argv[1])
import spark_mistakes
from pyspark.sql import SparkSession
from outcomes import report
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
spark.conf.set("spark.sql.shuffle.partitions", "1")
for name in sys.argv[2].split(","):
    if hasattr(spark_mistakes, name):
        report(name, lambda: getattr(spark_mistakes, name)(spark))
"""
OUTCOMES = """
import json

def report(name, run):
    try:
        outcome = {"returns": repr(run())}
    except BaseException as error:
        outcome = {"error": type(error).__name__, "text": str(error)}
    print("OUTCOME", json.dumps({"name": name, **outcome}), flush=True)
"""


def titles() -> dict[str, str]:
    """Return the name and description of each mistake, in order."""
    functions = [node for node in ast.parse(MISTAKES.read_text()).body if isinstance(node, ast.FunctionDef)]
    return {node.name: text for node in functions if (text := ast.get_docstring(node))}


def first_messages(diagnostics: list[Diagnostic], path: Path) -> dict[str, str]:
    """Return the first message for each function or class of a file."""
    messages: dict[str, str] = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            for diagnostic in diagnostics:
                if diagnostic.path.name == path.name and diagnostic.line in lines:
                    messages.setdefault(node.name, re.sub(r"  \[[\w-]+\]$", "", diagnostic.message))
    return messages


def to_pyflink(source: str) -> str:
    """Convert a program to PyFlink."""
    tree = ast.parse(source.replace("pystream", "pyflink").replace("OutputTag[str]", "OutputTag"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            node.bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return ast.unparse(tree)


def own_messages(report: Report) -> dict[str, str]:
    """Return the messages of mypy with the plugin for pystream."""
    return first_messages(list(report.diagnostics), MISTAKES)


def mypy_messages(python: str, path: Path) -> dict[str, str]:
    """Return the messages of mypy with the types of a Python environment."""
    with tempfile.TemporaryDirectory() as directory:
        options = ["--follow-untyped-imports", "--check-untyped-defs", "--output", "json"]
        cache = ["--cache-dir", directory, "--config-file", "", "--follow-imports", "silent"]
        command = [sys.executable, "-m", "mypy", *options, *cache, "--python-executable", python, str(path)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    errors = [line for line in lines if line["severity"] == "error"]
    return first_messages([Diagnostic(Path(e["file"]), e["line"], e["message"]) for e in errors], path)


def outcomes(python: str, run: str, directory: Path, names: list[str]) -> dict[str, str]:
    """Run each mistake and return its result or error."""
    command = [python, "-c", run, str(directory), ",".join(names)]
    path = os.pathsep.join([str(Path(python).parent), os.environ["PATH"]])  # workers look for Python there
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(directory), "PYSPARK_PYTHON": python}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    ends: dict[str, str] = {}
    for line in result.stdout.splitlines():
        if "OUTCOME " in line:
            outcome = json.loads(line.partition("OUTCOME ")[2])
            ends[outcome["name"]] = (
                f"returns `{short(outcome['returns'])}`"
                if "returns" in outcome
                else cause_of(outcome["error"], outcome["text"])
            )
    return ends


def cause_of(error: str, text: str) -> str:
    """Return the cause of an error in one line: the last cause in Python, or else in Java."""
    named = re.findall(
        r"^(?:: |Caused by: |\s*)((?:[\w$]+\.)*\w*(?:Error|Exception): .+)$", text, re.MULTILINE
    )
    python = [
        cause for cause in named if not cause.startswith(("java.", "org.", "scala.", "RuntimeException"))
    ]
    cause = (python or named or [f"{error}: {text.strip()}"])[-1]
    kind, _, message = cause.partition(": ")
    kind = kind.rpartition(".")[2]
    return (
        f"`{short(f'{kind}: {message}')}`"
        if kind == error
        else f"`{error}` of `{short(f'{kind}: {message}')}`"
    )


def short(text: str, length: int = 110) -> str:
    text = " ".join(text.split()).replace("`", "'")
    return text if len(text) <= length else text[:length] + "…"


def rows(flink_python: str) -> Iterator[str]:
    """Yield the lines of the table."""
    mistakes = titles()
    names = list(mistakes)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "outcomes.py").write_text(OUTCOMES)
        (directory / "mistakes.py").write_text(to_pyflink(MISTAKES.read_text()))
        (directory / "spark_mistakes.py").write_text(SPARK.read_text())
        own = own_messages(run_checker("mypy-plugin", directory))
        flink = mypy_messages(flink_python, directory / "mistakes.py")
        spark = mypy_messages(sys.executable, directory / "spark_mistakes.py")
        flink_ends = outcomes(flink_python, RUN_FLINK, directory, names)
        spark_ends = outcomes(sys.executable, RUN_SPARK, directory, names)
    yield "| Mistake | mypy says with pystream | PyFlink | PySpark |"
    yield "|---|---|---|---|"
    for name, title in mistakes.items():
        cells = [title, f"`{own[name].replace('|', chr(92) + '|')}`"]
        cells += [_cell(flink.get(name), flink_ends.get(name)), _cell(spark.get(name), spark_ends.get(name))]
        yield f"| {' | '.join(cells)} |"


def _cell(message: str | None, end: str | None) -> str:
    if end is None:
        return "has no such operator" if message is None else f"mypy: `{short(message)}`"
    before = "mypy: nothing; " if message is None else f"mypy: `{short(message)}`; "
    return (before + "run: " + end).replace("|", "\\|")


def main() -> None:
    for row in rows(sys.argv[1]):
        print(row)


if __name__ == "__main__":
    main()
