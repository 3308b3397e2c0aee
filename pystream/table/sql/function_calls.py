"""Calls of functions of the program in queries."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from uuid import uuid4

from sqlglot import exp
from sqlglot.errors import SqlglotError

from pystream.plan.query import QueryFunction
from pystream.sql_types.data_types import DataType
from pystream.table.catalog.paths import joined_path
from pystream.table.function_definition import (
    AggregateFunctionDefinition,
    FunctionDefinition,
    ScalarFunctionDefinition,
    TableFunctionDefinition,
)
from pystream.table.functions.declared import DECLARED
from pystream.table.sql.dialect import Flink, FlinkParser, ProgramAggregate, ProgramCall
from pystream.table.sql.functions.names import FUNCTIONS
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.syntax import error_at
from pystream.table.sql.type_trees import cast_type

__all__ = [
    "as_written",
    "bound_query",
    "bound_tree",
    "called_function",
    "calls_by_name",
    "is_built_in",
    "is_looked_up",
    "program_call",
    "with_database",
    "with_functions",
]

_WRITTEN = "written"
"""What a call of a function has in the query: its name, and the number of its arguments."""


def program_call(
    definition: FunctionDefinition, arguments: Sequence[exp.Expr]
) -> ProgramCall | ProgramAggregate:
    """Return the call of a function."""
    is_aggregate = isinstance(definition, AggregateFunctionDefinition)
    return (ProgramAggregate if is_aggregate else ProgramCall)(
        this=definition.name, expressions=list(arguments), definition=definition
    )


def is_built_in(name: str) -> bool:
    """Return whether SQL itself has a function of a name, even of one in backticks."""
    if name.upper() in FUNCTIONS:
        return True
    call = exp.Anonymous(this=exp.to_identifier(name, quoted=True), expressions=[exp.true()])
    try:
        tree = Flink().parse_into(exp.Condition, call.sql(Flink))[0]
    except SqlglotError:
        return True
    return not isinstance(tree, exp.Anonymous)


def is_looked_up(name: str) -> bool:
    """Return whether a function of SQL itself is looked up by its name, so that another one can hide it."""
    return name.upper() in DECLARED and name.upper() not in FlinkParser.FUNCTION_PARSERS


def bound_query(
    query: ParsedQuery, find: Callable[[str], FunctionDefinition | None], database: str
) -> ParsedQuery:
    """Return a query that calls the functions which its names of functions have now.

    Args:
        query: the query.
        find: returns the function of a name, ``None`` if the name is not one of the program.
        database: the name of the current database, which ``CURRENT_DATABASE()`` is.
    """
    return replace(query, tree=with_database(bound_tree(query.tree, find), database))


def bound_tree(tree: exp.Query, find: Callable[[str], FunctionDefinition | None]) -> exp.Query:
    """Return the tree of a query, as `bound_query` does."""
    tree = tree.copy()
    for call, whole, path in calls_by_name(tree):
        definition = find(path)
        if definition is not None:
            found = program_call(definition, call.expressions)
            found.meta.update(call.meta)
            whole.replace(found)
    return tree


def with_database(tree: exp.Query, database: str) -> exp.Query:
    """Return the tree of a query, modified: with a name in place of ``CURRENT_DATABASE()``."""
    for call, whole, path in calls_by_name(tree):
        if path.upper() == "CURRENT_DATABASE" and not call.expressions:
            whole.replace(exp.cast(exp.Literal.string(database), "STRING", dialect=Flink))
    return tree


def called_function(
    tree: exp.Expr, find: Callable[[str], FunctionDefinition | None]
) -> FunctionDefinition | None:
    """Return the function of the program that an expression is the call of, ``None`` if it is none.

    Args:
        tree: the expression.
        find: returns the function of a name, ``None`` if the name is not one of the program.
    """
    call = tree.this if isinstance(tree, exp.Aliases) else tree.unalias()
    (bound,) = bound_tree(exp.select(call.copy()), find).expressions
    return bound.args["definition"] if isinstance(bound, ProgramCall | ProgramAggregate) else None


def calls_by_name(tree: exp.Query) -> Iterator[tuple[exp.Anonymous, exp.Expr, str]]:
    """Yield calls of functions that are looked for by name, those inside others first.

    Args:
        tree: the query; a call may be replaced once it has come.

    Yields:
        The call, the call together with the names of the catalog and the database before it, and the name.
    """
    for call in reversed(list(tree.find_all(exp.Anonymous, bfs=False))):
        if not isinstance(call, ProgramCall):
            whole = _qualified(call)
            yield call, whole, _path(whole)


def with_functions(text: str, tree: exp.Query) -> tuple[exp.Query, tuple[QueryFunction, ...]]:
    """Return a query in which functions of the program have the names that Spark calls them by.

    Arguments and results are cast to their declared types, so that the types of expressions are known.

    Args:
        text: the text of the query, for messages.
        tree: the query, whose functions are bound.

    Raises:
        SqlError: a function takes another number of arguments; the message names the place.
    """
    for aggregate in tree.find_all(ProgramAggregate):
        _convert_arguments(text, aggregate)
    used: dict[tuple[ScalarFunctionDefinition, bool], QueryFunction] = {}
    for call in reversed(list(tree.find_all(ProgramCall, bfs=False))):  # those inside others first
        definition: FunctionDefinition = call.args["definition"]
        if not isinstance(definition, ScalarFunctionDefinition):
            raise error_at(text, call, _misplaced(definition))
        given: Sequence[exp.Expr] = call.expressions
        refusal = definition.refusal(len(given))
        if refusal is not None:
            raise error_at(text, call, refusal)
        if (definition, not given) not in used:
            used[definition, not given] = _query_function(definition, takes_nothing=not given)
        arguments = [
            _cast(argument.copy(), data_type)
            for argument, data_type in zip(given, definition.input_types or [None] * len(given), strict=True)
        ]
        # Spark passes the number of rows only together with an argument.
        name = used[definition, not given].name
        named = exp.Anonymous(this=name, expressions=arguments or [exp.true()])
        result = _cast(named, definition.result_type)
        result.meta[_WRITTEN] = definition.name, len(arguments)
        call.replace(result)
    return tree, tuple(used.values())


def as_written(tree: exp.Expr) -> exp.Expr:
    """Return an expression with the calls that `with_functions` made as the program has them."""
    whole = exp.Paren(this=tree.copy())
    for node in reversed([*whole.walk()]):  # those inside others first
        if _WRITTEN in node.meta:
            name, count = node.meta[_WRITTEN]
            call = node.this if isinstance(node, exp.Cast) else node
            node.replace(exp.Anonymous(this=name, expressions=call.expressions[:count]))
    written: exp.Expr = whole.this
    return written


def _misplaced(definition: FunctionDefinition) -> str:
    """Return why a function that makes rows is none of expressions."""
    name = definition.name
    if isinstance(definition, TableFunctionDefinition):
        return f"{name} is a table function, which FROM takes, as in FROM t, LATERAL TABLE({name}(…))"
    return f"{name} makes rows of groups: call it by flat_aggregate of a table"


def _convert_arguments(text: str, call: ProgramAggregate) -> None:
    """Convert the arguments of an aggregate function to their declared types."""
    definition: FunctionDefinition = call.args["definition"]
    arguments, _ = call.arguments
    complaint = definition.refusal(len(arguments))
    if complaint is not None:
        raise error_at(text, call, complaint)
    for argument, data_type in zip(arguments, definition.input_types or (), strict=False):
        converted = _cast(argument.copy(), data_type)
        if converted is not argument:
            argument.replace(converted)


def _qualified(call: exp.Anonymous) -> exp.Expr:
    """Return a call together with the names of the catalog and the database before it."""
    parent = call.parent
    return parent if isinstance(parent, exp.Dot) and parent.expression is call else call


def _path(whole: exp.Expr) -> str:
    parts = whole.flatten() if isinstance(whole, exp.Dot) else (whole,)
    return joined_path(*(part.name for part in parts))


def _query_function(definition: ScalarFunctionDefinition, *, takes_nothing: bool) -> QueryFunction:
    readable = re.sub(r"\W", "_", definition.name, flags=re.ASCII).upper()
    return QueryFunction(
        name=f"PYSTREAM_{readable}_{uuid4().hex.upper()}",
        title=definition.name,
        function=definition.function,
        type_info=definition.column_type,
        is_nullable=definition.result_type.is_nullable,
        is_deterministic=definition.is_deterministic,
        takes_nothing=takes_nothing,
    )


def _cast(value: exp.Expr, data_type: DataType | None) -> exp.Expr:
    to = None if data_type is None else cast_type(data_type)
    return value if to is None else exp.cast(value, to)
