"""Modules of functions, all of which hold the functions of SQL itself, as ``core`` does."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.arguments.checks import require_text
from pystream.errors import ArgumentTypeError, PlanError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments

__all__ = ["CoreModule", "HiveModule", "Module", "ModuleEntry", "Modules"]

_CORE = "core"


class Module:
    """A module of functions: `CoreModule`, as other modules of Flink are written in Java.

    Mirrors ``org.apache.flink.table.module.Module``.
    """

    def __init__(self) -> None:
        if type(self) is Module:
            raise UnsupportedOperationError(
                "Module: modules are written in Java, except CoreModule; make functions by udf and "
                "create_temporary_system_function"
            )


class CoreModule(Module):
    """The functions of SQL itself.

    Mirrors ``org.apache.flink.table.module.CoreModule``.
    """


class HiveModule(Module):
    """Refuse the functions of Hive, which are written in Java."""

    def __init__(self, hive_version: str | None = None) -> None:
        raise UnsupportedOperationError(
            "HiveModule is written in Java; use functions of your own instead, made by udf and "
            "create_temporary_function"
        )


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, order=True)
class ModuleEntry:
    """A module that is loaded.

    Mirrors ``org.apache.flink.table.module.ModuleEntry``.

    Attributes:
        module_name: its name.
        is_used: whether its functions are listed.
    """

    module_name: str
    is_used: bool

    def name(self) -> str:
        """Return the name of the module."""
        return self.module_name

    def used(self) -> bool:
        """Return whether its functions are listed."""
        return self.is_used

    def __repr__(self) -> str:
        return f"ModuleEntry{{name='{self.module_name}', used={str(self.is_used).lower()}}}"


class Modules:
    """The modules of an environment in the order in which they are used, and those that are not used."""

    def __init__(self) -> None:
        self._loaded: dict[str, Module] = {_CORE: CoreModule()}
        self._used = [_CORE]

    def names(self) -> list[str]:
        """Return the names of the modules that are used, in order."""
        return list(self._used)

    def entries(self) -> list[ModuleEntry]:
        """Return all modules that are loaded: first those that are used, in order."""
        unused = [name for name in self._loaded if name not in self._used]
        return [ModuleEntry(name, name in self._used) for name in (*self._used, *unused)]

    def has_core(self) -> bool:
        """Return whether the functions of SQL itself are listed."""
        return any(isinstance(self._loaded[name], CoreModule) for name in self._used)

    def load(self, name: str, module: Module) -> None:
        """Add a module behind those that are used.

        Raises:
            ConfigurationError: the name is empty.
            PlanError: there is one of that name.
        """
        require_text(name, "load_module", "module_name", "the name of the module")
        if name in self._loaded:
            raise PlanError(f"A module with name {name!r} already exists")
        self._loaded[name] = module
        self._used.append(name)

    def load_by_name(self, name: str) -> None:
        """Add the module that has a name.

        Raises:
            PlanError: it is loaded already.
            UnsupportedOperationError: there is none but ``core``.
        """
        if name not in (_CORE, *self._loaded):
            raise UnsupportedOperationError(
                f"module {name!r} cannot be loaded: modules are written in Java, except 'core'; make "
                "functions by udf"
            )
        self.load(name, CoreModule())

    def unload(self, name: str) -> None:
        """Remove a module.

        Raises:
            PlanError: there is none of that name.
        """
        self._require(name)
        del self._loaded[name]
        self._used = [used for used in self._used if used != name]

    def use(self, *names: str) -> None:
        """Choose the modules that are used, in order.

        Raises:
            PlanError: there is none of a name, or a name is given twice.
        """
        for position, name in enumerate(names):
            if name in names[:position]:
                raise PlanError(f"Module {name!r} appears more than once")
            self._require(name)
        self._used = list(names)

    def _require(self, name: str) -> None:
        if name not in self._loaded:
            raise PlanError(
                f"No module with name {name!r} exists; there are: {', '.join(self._loaded) or 'none'}"
            )
