"""Run mypy and pyright over the case files and sort what they report by case.

A case is a top-level function or class of a file in one of the folders. It passes under a checker that
reports nothing in it but what its comments announce: ``# E: text`` stands for an error on that line, or on
the next line if the comment is alone, in which mypy must say ``text``.
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

# Which folders a checker reads: ``every`` holds for all, ``plain`` is what is known without the plugin, and
# ``pyright`` what pyright alone refuses.
FOLDERS = {
    "mypy": ("cases/every", "cases/plain", "cases/batches"),
    "mypy-plugin": ("cases/every", "cases/plugin", "cases/batches", "classic/flink"),
    "pyright": ("cases/every", "cases/plain", "cases/pyright", "cases/batches"),
}

# One for all runs, so that they share what mypy caches of the packages.
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
    """One error a checker reports: where, and in which words."""

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class Report:
    """All errors of one run of a checker, or why it did not get as far as checking."""

    checker: str
    diagnostics: tuple[Diagnostic, ...] = ()
    crash: str = ""


Checker = Callable[[str], Report]
"""Return what a checker, a key of ``FOLDERS``, reports."""


@dataclass(frozen=True, slots=True)
class Case:
    """A function or class of a case file, or what stands outside of them (``name`` is then empty)."""

    path: Path
    name: str
    lines: frozenset[int]
    expected: tuple[tuple[int, str], ...]

    def __str__(self) -> str:
        return f"{self.path.parent.name}/{self.path.stem}:{self.name or 'module'}"

    def complaints(self, report: Report) -> list[str]:
        """Say what was reported without having been announced, and the other way round."""
        if report.crash:
            return [report.crash]
        here = [d for d in report.diagnostics if d.path == self.path and d.line in self.lines]
        announced = dict(self.expected)
        complaints = [f"unexpected: {d}" for d in here if d.line not in announced]
        for line, text in self.expected:
            messages = [d.message for d in here if d.line == line]
            if not messages:
                complaints.append(f"{self.path.name}:{line}: accepted, but should fail with: {text}")
            elif report.checker != "pyright" and not any(text in message for message in messages):
                complaints.append(f"{self.path.name}:{line}: says {messages}, not: {text}")
        return complaints


def cases(folder: str) -> Iterator[Case]:
    """Yield the cases of a folder."""
    for path in sorted((HERE / folder).glob("*.py")):
        source = path.read_text()
        expected = dict(_announced(source))
        outside = set(range(source.count("\n") + 2))
        for statement in ast.parse(source).body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                lines = frozenset(range(statement.lineno, (statement.end_lineno or statement.lineno) + 1))
                outside -= lines
                yield _case(path, statement.name, lines, expected)
        yield _case(path, "", frozenset(outside), expected)


def _announced(source: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(source.splitlines(), 1):
        code, announces, text = line.partition("# E: ")
        if announces:
            yield (number if code.strip() else number + 1), text


def _case(path: Path, name: str, lines: frozenset[int], expected: dict[int, str]) -> Case:
    return Case(path, name, lines, tuple((n, text) for n, text in expected.items() if n in lines))


def run_checker(checker: str, directory: Path) -> Report:
    """Run one checker over its folders.

    Args:
        checker: a key of ``FOLDERS``.
        directory: where the configuration is written and mypy keeps its cache.
    """
    paths = [HERE / folder for folder in FOLDERS[checker]]
    if checker == "pyright":
        return pyright_report(paths, directory)
    return mypy_report(checker, paths, directory)


def mypy_report(checker: str, paths: list[Path], directory: Path) -> Report:
    """Run mypy over files, with its configuration and its cache in a directory."""
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
    )


def pyright_report(paths: list[Path], directory: Path, mode: str = "standard") -> Report:
    """Run pyright over files, with its configuration in a directory."""
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
