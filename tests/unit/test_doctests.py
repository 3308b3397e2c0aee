"""The examples in the docstrings of both packages are run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import pystream
import typeinfo


def modules() -> list[str]:
    """All modules of both packages that can be imported without a type checker."""
    names = []
    for package in (pystream, typeinfo):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(("pystream.__main__", "typeinfo.mypy_plugin")):
                names.append(module.name)
    return names


@pytest.mark.parametrize("name", modules())
def test_doctests(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert failed == 0
