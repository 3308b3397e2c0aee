"""The methods of a table environment on functions."""

from __future__ import annotations

from pystream.errors import ArgumentTypeError
from pystream.table.module import Modules
from pystream.table.named_functions import NamedFunctions
from pystream.table.user_functions.naming import NamedFunction, definition_of
from typeinfo.arguments import checks_arguments

__all__ = ["FunctionMethods"]


@checks_arguments(ArgumentTypeError)
class FunctionMethods:
    """Functions of the program, which have names in SQL, and those of SQL itself."""

    _functions: NamedFunctions
    _modules: Modules

    def create_temporary_function(self, path: str, function: NamedFunction) -> None:
        """Give a function of the program a name in SQL; later changes to the function have no effect.

        Args:
            path: the name, in any case of letters.
            function: a function made by ``udf``, ``udtf``, ``udaf`` or ``udtaf``; or an instance of an
                ``AggregateFunction`` or ``TableAggregateFunction`` that declares its ``get_result_type``.

        Raises:
            PlanTypeError: it is another object.
            PlanError: the name is taken, or that of a function of SQL itself; or the type of the results is
                not known.
            FunctionPicklingError: the function cannot be sent to the workers.

        Mirrors ``TableEnvironment.createTemporaryFunction``.
        """
        self._functions.add(path, definition_of(path, function, "create_temporary_function"))

    def create_temporary_system_function(self, name: str, function: NamedFunction) -> None:
        """Give a function of the program a name in SQL that hides functions of ``create_temporary_function``.

        Args:
            name: the name, in any case of letters.
            function: a function made by ``udf``, ``udtf``, ``udaf`` or ``udtaf``; or an instance of an
                ``AggregateFunction`` or ``TableAggregateFunction`` that declares its ``get_result_type``.

        Raises:
            PlanTypeError: it is another object.
            PlanError: the name is taken, or that of a function of SQL itself; or the type of the results is
                not known.
            FunctionPicklingError: the function cannot be sent to the workers.

        Mirrors ``TableEnvironment.createTemporarySystemFunction``.
        """
        definition = definition_of(name, function, "create_temporary_system_function")
        self._functions.add_system(name, definition)

    def drop_temporary_function(self, path: str) -> bool:
        """Remove a function, and return whether there was one of that name; queries made before keep it."""
        return self._functions.remove(path)

    def drop_temporary_system_function(self, name: str) -> bool:
        """Remove a system function, and return whether there was one; queries made before keep it."""
        return self._functions.remove_system(name)

    def drop_function(self, path: str) -> bool:
        """Remove a function of a catalog, and return whether there was one of that name.

        Mirrors ``TableEnvironment.dropFunction``.
        """
        return self._functions.drop_permanent(path)

    def list_functions(self) -> list[str]:
        """Return the names of the functions of SQL itself, and of all functions of the program, sorted.

        Those of SQL itself are left out while no module that is used holds them.
        """
        from pystream.table.sql.functions.names import FUNCTIONS

        return sorted({*(FUNCTIONS if self._modules.has_core() else ()), *self._functions.names()})

    def list_user_defined_functions(self) -> list[str]:
        """Return the names of all functions of the program, in lower case and sorted."""
        return self._functions.names()
