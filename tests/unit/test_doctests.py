"""The examples in docstrings are run; ``env`` and ``batch`` are environments of the local host."""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path
from typing import Any

import pytest

from pystream.dataset.environment import Environment
from pystream.testing import local_environment

ROOT = Path(__file__).parents[2]


def modules_with_examples() -> list[str]:
    """Return the modules of both packages whose docstrings hold examples."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for package in ("pystream", "typeinfo")
        for path in sorted((ROOT / package).rglob("*.py"))
        if ">>>" in path.read_text("utf-8")
    ]


class Finder(doctest.DocTestFinder):
    """Finds the examples of decorated functions as well."""

    def _from_module(self, module: Any, object: Any) -> bool:
        found: bool = super()._from_module(module, inspect.unwrap(object))  # type: ignore[misc]
        return found


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_of_a_module(name: str) -> None:
    module = importlib.import_module(name)
    names = {
        **vars(module),
        "__name__": "__main__",
        "env": local_environment(),
        "batch": Environment(local_environment()),
    }
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for test in Finder().find(module, globs=names):
        runner.run(test)
    assert runner.tries > 0
    assert runner.failures == 0
