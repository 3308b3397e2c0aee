"""The report of each checker over the cases, shared by all tests."""

from __future__ import annotations

from functools import cache

import pytest

from tests.typing.checkers import Checker, run_checker


@pytest.fixture(scope="session")
def run(request: pytest.FixtureRequest) -> Checker:
    return cache(lambda checker: run_checker(checker, request.config.cache.mkdir(f"typing-{checker}")))
