"""Lazy exports: names of a module that are imported when first used."""

from __future__ import annotations

import ast
import importlib
import linecache
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

__all__ = ["lazy_exports", "re_exports"]


def lazy_exports(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return ``__getattr__``, ``__dir__`` and ``__all__`` for a package that defines no names itself.

    It exports the names that its source imports under ``if TYPE_CHECKING``, written as
    ``from module import Name as Name`` so that type checkers treat them as exports, too.

    Args:
        package: its name.
    """
    names = sorted(_exports(package))
    return re_exports(package), lambda: names, names


def re_exports(module: str) -> Callable[[str], Any]:
    """Return ``__getattr__`` for a module that exports names of other modules besides its own.

    The names are written as for `lazy_exports`. PyFlink's modules export all that they import, and programs
    rely on that.

    Args:
        module: its name.
    """

    def get(name: str) -> Any:
        sources = _exports(module)
        if name not in sources:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return getattr(importlib.import_module(sources[name]), name)

    return get


@cache
def _exports(module: str) -> dict[str, str]:
    # Not inspect.getsource(), which asks the module for attributes that only __getattr__ can answer.
    namespace = vars(sys.modules[module])
    return dict(_aliased_imports(ast.parse("".join(linecache.getlines(namespace["__file__"], namespace)))))


def _aliased_imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for block in tree.body:
        if isinstance(block, ast.If):
            for statement in block.body:
                if isinstance(statement, ast.ImportFrom) and statement.module is not None:
                    yield from (
                        (name.name, statement.module) for name in statement.names if name.asname == name.name
                    )
