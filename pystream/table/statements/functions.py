"""CREATE FUNCTION, ALTER FUNCTION, DROP FUNCTION and SHOW FUNCTIONS."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from pystream.errors import PlanError
from pystream.table.catalog.objects import CatalogFunction
from pystream.table.statements.base import Pattern, Statement, names_listing, success
from pystream.table.table_result import TableResult

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["AlterFunction", "CreateFunction", "DropFunction", "Scope", "ShowFunctions"]


class Scope(Enum):
    """The functions among which a function is: those of a catalog, temporary ones, or system functions."""

    CATALOG = "function of a catalog"
    TEMPORARY = "temporary function"
    SYSTEM = "temporary system function"


@dataclass(frozen=True, slots=True)
class CreateFunction(Statement):
    """``CREATE [TEMPORARY [SYSTEM]] FUNCTION name AS 'module.name' LANGUAGE PYTHON``.

    Attributes:
        path: the name of the function.
        function: where it is; it is imported when a query calls it.
        scope: whether it is temporary.
        if_not_exists: whether there may be one of that name, which then stays.
    """

    path: str
    function: CatalogFunction
    scope: Scope
    if_not_exists: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Add the function."""
        functions = environment._functions
        if self.scope is Scope.CATALOG:
            identifier = functions.identify(self.path)
            catalog = environment._catalogs.catalog(identifier.catalog_name)
            catalog.create_function(identifier.to_object_path(), self.function, self.if_not_exists)
        elif not (self.if_not_exists and functions.has(self.path, is_system=self.scope is Scope.SYSTEM)):
            add = functions.add_system if self.scope is Scope.SYSTEM else functions.add
            add(self.path, self.function)
        return success()


@dataclass(frozen=True, slots=True)
class AlterFunction(Statement):
    """``ALTER FUNCTION name AS 'module.name' LANGUAGE PYTHON``.

    Attributes:
        path: the name of the function.
        function: where it is.
        if_exists: whether it may be missing.
    """

    path: str
    function: CatalogFunction
    if_exists: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Replace the function."""
        identifier = environment._functions.identify(self.path)
        catalog = environment._catalogs.catalog(identifier.catalog_name)
        catalog.alter_function(identifier.to_object_path(), self.function, self.if_exists)
        return success()


@dataclass(frozen=True, slots=True)
class DropFunction(Statement):
    """``DROP [TEMPORARY [SYSTEM]] FUNCTION``.

    Attributes:
        path: the name of the function.
        scope: whether it is a temporary one.
        if_exists: whether it may be missing.
    """

    path: str
    scope: Scope
    if_exists: bool

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Remove the function; tables made before keep it."""
        functions = environment._functions
        if self.scope is Scope.CATALOG:
            identifier = functions.identify(self.path)
            catalog = environment._catalogs.catalog(identifier.catalog_name)
            catalog.drop_function(identifier.to_object_path(), self.if_exists)
            return success()
        remove = functions.remove_system if self.scope is Scope.SYSTEM else functions.remove
        if not remove(self.path) and not self.if_exists:
            raise PlanError(f"there is no {self.scope.value} of the name {self.path!r}")
        return success()


@dataclass(frozen=True, slots=True)
class ShowFunctions(Statement):
    """``SHOW [USER] FUNCTIONS``.

    Attributes:
        only_user: whether the functions of SQL itself are left out.
        pattern: those that are shown; all unless given.
    """

    only_user: bool
    pattern: Pattern | None

    def execute(self, environment: TableEnvironment) -> TableResult:
        """Return the names of the functions."""
        names = environment.list_user_defined_functions() if self.only_user else environment.list_functions()
        return names_listing("function name", names, self.pattern)
