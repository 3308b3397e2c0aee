"""Check the code blocks of the documentation with each checker in strict mode."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.typing.checkers import ROOT, Report, mypy_report, pyright_report

BLOCK = re.compile(r"^( *)```python\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

Checker = Callable[[str], Report]


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Yield the code blocks of a page, with the line that each starts at."""
    text = page.read_text()
    for match in BLOCK.finditer(text):
        indent, code = match.groups()
        first = text.count("\n", 0, match.start(2)) + 1
        yield first, "".join(line.removeprefix(indent) for line in code.splitlines(keepends=True))


def write_blocks(directory: Path) -> list[Path]:
    """Write each block to a file, with the same line numbers as on its page."""
    files = []
    for page in PAGES:
        for first, code in blocks(page):
            file = directory / f"{page.stem.lower().replace('-', '_')}_{first}.py"
            file.write_text("\n" * (first - 1) + code)
            files.append(file)
    return files


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Checker:
    directory = tmp_path_factory.mktemp("documents")
    files = write_blocks(directory)

    @cache
    def report(checker: str) -> Report:
        if checker == "pyright":
            return pyright_report(files, directory, mode="strict")
        return mypy_report(checker, files, request.config.cache.mkdir(f"typing-{checker}"))

    return report


@pytest.mark.parametrize("checker", ["mypy", "mypy-plugin", "pyright"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_pass(page: Path, checker: str, run: Checker) -> None:
    report = run(checker)
    assert not report.crash, report.crash
    name = f"{page.stem.lower().replace('-', '_')}_"
    found = [
        f"{page.name}:{diagnostic.line}: {diagnostic.message}"
        for diagnostic in report.diagnostics
        if re.fullmatch(rf"{name}\d+", diagnostic.path.stem)
    ]
    assert not found, "\n".join(found)
