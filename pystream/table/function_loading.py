"""Functions of the program by where they are, as catalogs keep them."""

from __future__ import annotations

import importlib

from pystream.errors import PlanError, UnsupportedOperationError
from pystream.table.catalog.objects import CatalogFunction
from pystream.table.function_definition import FunctionDefinition
from pystream.table.user_functions.wrapper import UserDefinedFunctionWrapper
from typeinfo.errors import short_repr

__all__ = ["loaded_function"]


def loaded_function(name: str, function: CatalogFunction) -> FunctionDefinition:
    """Return the function that ``module.name`` stands for.

    Args:
        name: the name that queries call it by.
        function: where it is.

    Raises:
        UnsupportedOperationError: it is written in another language than Python.
        PlanError: the module or the name does not exist, or is no function made by ``udf``.
    """
    path = function.class_name
    if function.function_language.upper() != "PYTHON":
        raise UnsupportedOperationError(
            f"function {name!r} is {path!r}, written in {function.function_language}; only functions of "
            "LANGUAGE PYTHON can be called"
        )
    module, _, attribute = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), attribute) if module else None
    except (ImportError, AttributeError) as error:
        raise PlanError(f"function {name!r} is {path!r}, which cannot be imported: {error}") from error
    if not isinstance(found, UserDefinedFunctionWrapper):
        raise PlanError(
            f"function {name!r} is {path!r}, which must be 'module.name' of a function made by udf, not "
            f"{short_repr(found)}"
        )
    return found._definition(name, "CREATE FUNCTION")
