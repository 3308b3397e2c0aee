"""The import names of Flink's Python APIs: ``pyflink``, and those of the older ones.

``import pyflink.common`` imports the module ``pystream.common`` itself. Modules of the older APIs are made
from tables of their names.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import MappingProxyType, ModuleType
from typing import Any, TypeAlias

__all__ = ["ImportNames", "install", "installed"]

_ALIAS = "pyflink"
_TARGET = "pystream"

ImportNames: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""Modules by name: for each name in one, the module that defines it."""


def install(names: ImportNames = MappingProxyType({})) -> None:
    """Make ``pyflink`` and its submodules, and further modules, importable in this process.

    Packages of these names that are installed as well are hidden, unless they were imported before. A second
    call adds what the first one has not made importable.
    """
    found = _finder()
    if found is None:
        sys.meta_path.insert(0, _Finder(dict(names)))
    else:
        found.names.update(names)


def installed() -> ImportNames | None:
    """Return the further modules that are importable, ``None`` if ``install`` was not called."""
    found = _finder()
    return None if found is None else found.names


def _finder() -> _Finder | None:
    return next((finder for finder in sys.meta_path if isinstance(finder, _Finder)), None)


class _Finder(MetaPathFinder):
    """Find ``pyflink``, the further modules, and the packages that these are in."""

    def __init__(self, names: dict[str, Mapping[str, str]]) -> None:
        self.names = names

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, rest = fullname.partition(".")
        if package == _ALIAS:
            real = f"{_TARGET}.{rest}" if rest else _TARGET
            if importlib.util.find_spec(real) is None:
                raise ModuleNotFoundError(
                    f"No module named {fullname!r}: there is no {real!r}", name=fullname
                )
            return ModuleSpec(fullname, _AliasLoader(real), is_package=True)
        if fullname in self.names or any(name.startswith(f"{fullname}.") for name in self.names):
            return ModuleSpec(fullname, _TableLoader(self.names.get(fullname, {})), is_package=True)
        return None


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


class _TableLoader(Loader):
    """Make a module whose names are imported from other modules on first use."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self._sources = sources

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _TableModule(spec.name, self._sources)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: names are resolved on use."""


class _TableModule(ModuleType):
    def __init__(self, name: str, sources: Mapping[str, str]) -> None:
        super().__init__(name)
        self.__all__ = list(sources)
        self._sources = sources

    def __getattr__(self, name: str) -> Any:
        if name not in self._sources:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(self._sources[name]), name)
