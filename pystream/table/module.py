"""Modules of functions: the only one is ``core``, the functions of SQL itself."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.errors import PlanError, UnsupportedOperationError

__all__ = ["HiveModule", "Module", "ModuleEntry", "Modules"]

_CORE = "core"


class Module:
    """A module of functions; Flink's are written in Java, and none of them can be loaded.

    Mirrors ``org.apache.flink.table.module.Module``.
    """


class HiveModule(Module):
    """Refuse the functions of Hive, which are written in Java."""

    def __init__(self, hive_version: str | None = None) -> None:
        raise UnsupportedOperationError(
            "HiveModule is written in Java; make functions of your own by udf and create_temporary_function"
        )


@dataclass(frozen=True, slots=True)
class ModuleEntry:
    """A module that is loaded.

    Mirrors ``org.apache.flink.table.module.ModuleEntry``.
    """

    module_name: str
    is_used: bool

    def name(self) -> str:
        """Return the name of the module."""
        return self.module_name

    def used(self) -> bool:
        """Return whether its functions are found."""
        return self.is_used

    def __repr__(self) -> str:
        return f"ModuleEntry{{name='{self.module_name}', used={str(self.is_used).lower()}}}"


class Modules:
    """The modules of an environment."""

    def names(self) -> list[str]:
        """Return the names of the modules that are used."""
        return [_CORE]

    def entries(self) -> list[ModuleEntry]:
        """Return all modules that are loaded."""
        return [ModuleEntry(_CORE, is_used=True)]

    def load(self, name: str) -> None:
        """Refuse to load a module.

        Raises:
            PlanError: it is loaded already.
            UnsupportedOperationError: it is another one.
        """
        if name == _CORE:
            raise PlanError(f"there is already a module {name!r}")
        raise UnsupportedOperationError(
            f"module {name!r} cannot be loaded: modules are written in Java; make functions by udf"
        )

    def unload(self, name: str) -> None:
        """Refuse to remove a module.

        Raises:
            PlanError: there is none of that name.
            UnsupportedOperationError: it holds the functions of SQL itself.
        """
        self._check(name)
        raise UnsupportedOperationError(f"module {name!r} holds the functions of SQL itself, which stay")

    def use(self, *names: str) -> None:
        """Choose the modules whose functions are found.

        Raises:
            PlanError: there is none of a name, or a name is given twice.
            UnsupportedOperationError: the functions of SQL itself are left out.
        """
        for name in names:
            self._check(name)
        if len({*names}) < len(names):
            raise PlanError(f"USE MODULES names {names[0]!r} twice")
        if not names:
            raise UnsupportedOperationError(f"module {_CORE!r} holds the functions of SQL itself, which stay")

    def _check(self, name: str) -> None:
        if name != _CORE:
            raise PlanError(f"there is no module {name!r}; there are: {_CORE}")
