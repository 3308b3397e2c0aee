"""Lazy exports: names of a package are imported when first used."""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["lazy_exports"]


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package.

    It exports the names that its source imports under ``if TYPE_CHECKING``, written as
    ``from module import Name as Name`` so that type checkers treat them as exports, too.

    Args:
        package: its name.
    """
    modules = dict(_exports(package))

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(modules[name]), name)

    return get, lambda: sorted(modules), list(modules)


def _exports(package: str) -> Iterator[tuple[str, str]]:
    for block in ast.parse(inspect.getsource(sys.modules[package])).body:
        if isinstance(block, ast.If):
            for statement in block.body:
                if isinstance(statement, ast.ImportFrom) and statement.module is not None:
                    for name in statement.names:
                        yield name.name, statement.module
