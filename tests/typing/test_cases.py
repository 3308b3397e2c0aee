"""Each case under each checker that should know it; one run a checker."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tests.typing.checkers import CASES, FOLDERS, Case, Report, cases, run_checker

Checker = Callable[[str], Report]


@pytest.fixture(scope="session")
def run(request: pytest.FixtureRequest) -> Checker:
    return cache(lambda checker: run_checker(checker, request.config.cache.mkdir(f"typing-{checker}")))


@pytest.mark.parametrize(
    ("checker", "case"),
    [
        pytest.param(checker, case, id=f"{checker}-{case}")
        for checker, folders in FOLDERS.items()
        for folder in folders
        for case in cases(folder)
    ],
)
def test_case(checker: str, case: Case, run: Checker) -> None:
    complaints = case.complaints(run(checker))
    assert not complaints, "\n".join(complaints)


def test_every_mistake_has_its_words() -> None:
    silenced = [path.name for path in CASES.glob("*/*.py") if "type: ignore" in path.read_text()]
    assert silenced == []
