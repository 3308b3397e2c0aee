"""The methods of a table environment on modules."""

from __future__ import annotations

from pystream.errors import ArgumentTypeError
from pystream.table.module import Module, ModuleEntry, Modules
from typeinfo.arguments import checks_arguments

__all__ = ["ModuleMethods"]


@checks_arguments(ArgumentTypeError)
class ModuleMethods:
    """Modules, which hold the functions of SQL itself."""

    _modules: Modules

    def list_modules(self) -> list[str]:
        """Return the names of the modules that are used, in order."""
        return self._modules.names()

    def list_full_modules(self) -> list[ModuleEntry]:
        """Return all modules that are loaded: first those that are used, in order."""
        return self._modules.entries()

    def load_module(self, module_name: str, module: Module) -> None:
        """Add a module of functions behind those that are used.

        Args:
            module_name: its name in this environment.
            module: the module, ``CoreModule()``.

        Raises:
            ConfigurationError: the name is empty.
            PlanError: there is one of that name.

        Mirrors ``TableEnvironment.loadModule``.
        """
        self._modules.load(module_name, module)

    def unload_module(self, module_name: str) -> None:
        """Remove a module: its functions are no longer listed, but those of SQL itself can still be called.

        Raises:
            PlanError: there is none of that name.

        Mirrors ``TableEnvironment.unloadModule``.
        """
        self._modules.unload(module_name)

    def use_modules(self, *module_names: str) -> None:
        """Choose the modules whose functions are listed, in order; the others stay loaded.

        Raises:
            PlanError: there is none of a name, or a name is given twice.

        Mirrors ``TableEnvironment.useModules``.
        """
        self._modules.use(*module_names)
