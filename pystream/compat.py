"""The import name ``pyflink``: ``import pyflink.common`` imports the module ``pystream.common`` itself."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["install", "installed"]

_ALIAS = "pyflink"
_TARGET = "pystream"


def install() -> None:
    """Make ``pyflink`` and its submodules importable in this process; does nothing the second time.

    A PyFlink that is installed as well is hidden, unless it was imported before.
    """
    if not installed():
        sys.meta_path.insert(0, _AliasFinder())


def installed() -> bool:
    """Return whether ``install`` was called in this process."""
    return any(isinstance(finder, _AliasFinder) for finder in sys.meta_path)


class _AliasFinder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, rest = fullname.partition(".")
        if package != _ALIAS:
            return None
        real = f"{_TARGET}.{rest}" if rest else _TARGET
        if importlib.util.find_spec(real) is None:
            raise ModuleNotFoundError(f"No module named {fullname!r}: there is no {real!r}", name=fullname)
        return ModuleSpec(fullname, _AliasLoader(real), is_package=True)


class _AliasLoader(Loader):
    def __init__(self, real: str) -> None:
        self._real = real

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._real)
        self._real_spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The import system has set the alias's spec on the module, whose name would then appear in pickles.
        module.__spec__ = self._real_spec
