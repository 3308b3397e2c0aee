"""The examples in docstrings are run; ``env`` and ``batch`` are environments of the local host."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

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


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_of_a_module(name: str) -> None:
    failed, run = doctest.testmod(
        importlib.import_module(name),
        extraglobs={"env": local_environment(), "batch": Environment(local_environment())},
        optionflags=doctest.ELLIPSIS,
    )
    assert run > 0
    assert failed == 0
