"""Calls of functions of the program in queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from uuid import uuid4

from sqlglot import exp

from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.function_definition import FunctionDefinition
from pystream.table.sql.column_types import cast_type
from pystream.table.sql.dialect import Flink
from pystream.table.sql.functions.names import FUNCTIONS
from pystream.table.sql.syntax import error_at

__all__ = ["DEFINITION", "is_built_in", "with_functions"]

DEFINITION = "definition"
"""The key of the definition of a function that has no name in SQL, in the metadata of its calls."""


def is_built_in(name: str) -> bool:
    """Return whether the dialect itself has a function of a name."""
    parser = Flink.parser_class
    parsed = {*parser.FUNCTIONS, *parser.FUNCTION_PARSERS, *parser.NO_PAREN_FUNCTION_PARSERS}
    return name.upper() in parsed | FUNCTIONS


def with_functions(
    text: str, tree: exp.Query, find: Callable[[str], FunctionDefinition | None]
) -> tuple[exp.Query, tuple[QueryFunction, ...]]:
    """Return a query in which functions of the program have the names that Spark calls them by.

    Arguments and results are cast to their declared types, so that the types of expressions are known.

    Args:
        text: the text of the query, for messages.
        tree: the query.
        find: returns the function of a name, ``None`` if the name is not one of the program.

    Raises:
        SqlError: a function takes another number of arguments; the message names the place.
    """
    used: dict[tuple[str, bytes, bool], QueryFunction] = {}
    for call in reversed(list(tree.find_all(exp.Anonymous, bfs=False))):  # those inside others first
        whole = _qualified(call)
        definition = call.meta.get(DEFINITION) or find(_path(whole))
        if definition is None:
            continue
        given: Sequence[exp.Expr] = call.expressions
        complaint = definition.refusal(len(given))
        if complaint is not None:
            raise error_at(text, call, complaint)
        key = (definition.name, definition.function.payload, not given)
        function = used.setdefault(key, _query_function(definition, takes_nothing=not given))
        arguments = [
            _cast(argument.copy(), data_type)
            for argument, data_type in zip(given, definition.input_types or [None] * len(given), strict=True)
        ]
        # Spark passes the number of rows only together with an argument.
        named = exp.Anonymous(this=function.name, expressions=arguments or [exp.true()])
        replacement = _cast(named, definition.result_type)
        whole.replace(replacement)
    return tree, tuple(used.values())


def _qualified(call: exp.Anonymous) -> exp.Expr:
    """Return a call together with the names of the catalog and the database before it."""
    parent = call.parent
    return parent if isinstance(parent, exp.Dot) and parent.expression is call else call


def _path(whole: exp.Expr) -> str:
    return ".".join(part.name for part in whole.flatten()) if isinstance(whole, exp.Dot) else whole.name


def _query_function(definition: FunctionDefinition, *, takes_nothing: bool) -> QueryFunction:
    readable = re.sub(r"\W", "_", definition.name, flags=re.ASCII).upper()
    return QueryFunction(
        name=f"PYSTREAM_{readable}_{uuid4().hex.upper()}",
        title=definition.name,
        function=definition.function,
        type_info=definition.type_info,
        is_nullable=definition.result_type.is_nullable,
        is_deterministic=definition.is_deterministic,
        takes_nothing=takes_nothing,
    )


def _cast(value: exp.Expr, data_type: DataType | None) -> exp.Expr:
    to = None if data_type is None else cast_type(data_type)
    return value if to is None else exp.cast(value, to)
