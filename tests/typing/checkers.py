"""Run mypy and pyright over the case files and assign their errors to cases.

A case is a top-level function or class of a file in one of the folders. It passes if a checker reports
exactly the errors that its comments expect: ``# E: text`` expects an error on its line, or on the next line
if the line has no code, whose message by mypy contains ``text``.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
CASES = HERE / "cases"

# The folders of each checker: ``every`` is for all of them, ``plain`` for those without the plugin, and
# ``pyright`` for programs that only pyright refuses.
FOLDERS = {
    "mypy": ("cases/every", "cases/plain", "cases/batches"),
    "mypy-plugin": ("cases/every", "cases/plugin", "cases/batches", "classic/flink"),
    "pyright": ("cases/every", "cases/plain", "cases/pyright", "cases/batches"),
}

# One configuration for all runs, so that they share the cache of the packages.
MYPY_CONFIG = """
[mypy]
strict = true
mypy_path = {stubs}:{root}
cache_dir = {cache}
plugins = {plugins}

[mypy-pystream.*,typeinfo.*,pyspark.*]
follow_imports = silent
"""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error of a checker."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """The errors of a run of a checker, or its output if it crashed."""

    checker: str
    diagnostics: tuple[Diagnostic, ...] = ()
    crash: str = ""
    notes: tuple[Diagnostic, ...] = ()


Checker = Callable[[str], Report]
"""Returns the report of a checker, a key of ``FOLDERS``."""


@dataclass(frozen=True, slots=True)
class Case:
    """A function or class of a case file, or the code outside of them, with an empty ``name``."""

    path: Path
    name: str
    lines: frozenset[int]
    expected: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}:{self.name or 'module'}"

    def failures(self, report: Report) -> list[str]:
        """Return the errors that were not expected, and the expected ones that were not reported."""
        if report.crash:
            return [report.crash]
        here = [d for d in report.diagnostics if d.path == self.path and d.line in self.lines]
        expected = dict(self.expected)
        failures = [f"unexpected: {d}" for d in here if d.line not in expected]
        for line, text in self.expected:
            messages = [d.message for d in here if d.line == line]
            if not messages:
                failures.append(f"{self.path.name}:{line}: no error, expected: {text}")
            elif report.checker != "pyright" and not any(text in message for message in messages):
                failures.append(f"{self.path.name}:{line}: {messages}, expected: {text}")
        return failures


def cases(folder: str) -> Iterator[Case]:
    """Yield the cases of a folder."""
    for path in sorted((HERE / folder).glob("*.py")):
        source = path.read_text()
        expected = dict(_expected_errors(source))
        outside = set(range(source.count("\n") + 2))
        for statement in ast.parse(source).body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                lines = frozenset(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
                outside -= lines
                yield _case(path, statement.name, lines, expected)
        yield _case(path, "", frozenset(outside), expected)


def _expected_errors(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        code, mark, text = line.partition("# E: ")
        if mark:
            yield (number if code.strip() else number + 1), text


def _case(path: Path, name: str, lines: frozenset[int], expected: dict[int, str]) -> Case:
    return Case(path, name, lines, tuple((n, text) for n, text in expected.items() if n in lines))


def run_checker(checker: str, directory: Path) -> Report:
    """Run a checker over its folders.

    Args:
        checker: a key of ``FOLDERS``.
        directory: directory for the configuration and the cache of mypy.
    """
    paths = [HERE / folder for folder in FOLDERS[checker]]
    if checker == "pyright":
        return pyright_report(paths, directory)
    return mypy_report(checker, paths, directory)


def mypy_report(checker: str, paths: list[Path], directory: Path) -> Report:
    """Run mypy over files, with configuration and cache in a directory."""
    config = directory / "mypy.ini"
    config.write_text(
        MYPY_CONFIG.format(
            stubs=ROOT / "stubs",
            root=ROOT,
            cache=directory / "cache",
            plugins="pystream.mypy_plugin" if checker == "mypy-plugin" else "",
        )
    )
    result = _run("mypy", "--config-file", str(config), "--output", "json", *map(str, paths))
    try:
        found = [json.loads(line) for line in result.stdout.splitlines()]
    except json.JSONDecodeError:
        found = []
    if result.returncode not in (0, 1) or (result.returncode == 1 and not found):
        return Report(checker, crash=f"mypy failed:\n{result.stdout}{result.stderr}")
    return Report(
        checker,
        tuple(
            Diagnostic((ROOT / d["file"]).resolve(), d["line"], f"{d['message']}  [{d['code']}]")
            for d in found
            if d["severity"] == "error"
        ),
        notes=tuple(
            Diagnostic((ROOT / d["file"]).resolve(), d["line"], d["message"])
            for d in found
            if d["severity"] == "note"
        ),
    )


def pyright_report(paths: list[Path], directory: Path, mode: str = "standard") -> Report:
    """Run pyright over files, with configuration in a directory."""
    settings = {
        "include": [os.path.relpath(path, directory) for path in paths],
        "extraPaths": [str(ROOT)],
        "stubPath": str(ROOT / "stubs"),
        "typeCheckingMode": mode,
        "pythonVersion": "3.11",
        "reportUnnecessaryTypeIgnoreComment": "error",
    }
    config = directory / "pyrightconfig.json"
    config.write_text(json.dumps(settings))
    result = _run("pyright", "--outputjson", "--pythonpath", sys.executable, "--project", str(config))
    try:
        report = json.loads(result.stdout)
    except json.JSONDecodeError:
        report = None
    if report is None or not report["summary"]["filesAnalyzed"]:
        return Report("pyright", crash=f"pyright failed:\n{result.stdout}{result.stderr}")
    return Report(
        "pyright",
        tuple(
            Diagnostic(
                Path(d["file"]).resolve(),
                d["range"]["start"]["line"] + 1,
                f"{d['message']}  [{d.get('rule')}]",
            )
            for d in report["generalDiagnostics"]
            if d["severity"] == "error"
        ),
    )


def _run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, check=False
    )
