"""The examples in the docstrings of both packages are run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = [
    ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in ("pystream", "typeinfo")
    for file in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in file.read_text("utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_doctests(name: str) -> None:
    failed, run = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert run > 0
    assert failed == 0
