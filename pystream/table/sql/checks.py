"""Refuse what queries cannot contain, with the place in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.scope import Scope, traverse_scope

from pystream.table.functions.aggregates import AGGREGATE_FUNCTIONS
from pystream.table.functions.declared import DECLARED
from pystream.table.functions.errors import ConversionError
from pystream.table.functions.refused import REFUSED
from pystream.table.functions.values.parsing import time_of
from pystream.table.sql.dialect import ProgramAggregate
from pystream.table.sql.expression_types import argument_types, arguments_of, known_type
from pystream.table.sql.from_items import (
    check_lists_of_columns,
    check_names,
    check_names_of_queries,
    check_using,
)
from pystream.table.sql.functions.aggregates import CalledAggregate, called_aggregate, is_aggregate
from pystream.table.sql.functions.names import FUNCTIONS
from pystream.table.sql.match_calls import match_call
from pystream.table.sql.output_columns import OutputColumns
from pystream.table.sql.qualify_clauses import check_qualify
from pystream.table.sql.state_ttl_hints import STATE_TTL
from pystream.table.sql.syntax import error_at
from pystream.table.sql.windows import WINDOW_TIME
from pystream.table.sql.written_rows import values_of_row

__all__ = ["check_clauses", "check_columns", "check_functions", "check_types"]

_UNSUPPORTED: Mapping[type[exp.Expr], str] = {
    exp.Pivot: "PIVOT is not supported; use aggregates with FILTER",
    exp.RegexpLike: "RLIKE is not supported; use REGEXP(text, pattern)",
    exp.TableSample: "TABLESAMPLE is not supported",
}
_CLAUSES: Mapping[type[exp.Expr], frozenset[str]] = {
    exp.Select: frozenset(
        (
            *("with_", "expressions", "hint", "distinct", "from_", "laterals", "joins", "pivots", "where"),
            STATE_TTL,
            "match",
            *("group", "having", "qualify", "windows", "order", "limit", "offset", "sample"),
        )
    ),
    exp.Join: frozenset({"this", "on", "side", "kind", "using", "method", "pivots"}),
    exp.Distinct: frozenset({"expressions"}),
    exp.Group: frozenset({"expressions", "all"}),
}
"""The parts of queries that are known; the parser knows more, of other dialects."""

_JSON: Mapping[type[exp.Expr], str] = {  # the parser drops their places
    exp.JSONArrayAgg: "JSON_ARRAYAGG",
    exp.JSONObjectAgg: "JSON_OBJECTAGG",
}
_GROUP_WINDOWS = ("TUMBLE", "HOP", "SESSION")
_UNORDERED: Mapping[exp.DType, str] = {
    exp.DType.ARRAY: "arrays",
    exp.DType.MAP: "maps",
    exp.DType.STRUCT: "rows",
}
_TIMES = (exp.DType.TIMESTAMPNTZ, exp.DType.TIMESTAMPLTZ)


def check_clauses(text: str, tree: exp.Query) -> None:
    """Refuse clauses that are not supported.

    Raises:
        SqlError: there is one.
    """
    for node in tree.walk():
        for clause, value in node.args.items() if type(node) in _CLAUSES else ():
            if value and clause not in _CLAUSES[type(node)]:
                owner = value if isinstance(value, exp.Expr) else node
                raise error_at(text, owner, f"the clause {clause.strip('_').upper()} is not supported")
        if type(node) in _UNSUPPORTED:
            raise error_at(text, node, _UNSUPPORTED[type(node)])
        if isinstance(node, exp.Select):
            check_names(text, node)
            check_qualify(text, node)
        match node:
            case exp.From(this=exp.Select()) | exp.Join(this=exp.Select()):
                table = node.find(exp.Table) or node
                raise error_at(text, table, "FROM takes a table, or a query in parentheses")
            case exp.Interval() if node.unit is None:
                length = node.this if isinstance(node.this, exp.Expr) else node
                raise error_at(text, length, "INTERVAL needs a unit, as in INTERVAL '1' DAY")
            case exp.Any() | exp.All() if isinstance(node.this, exp.Query | exp.Subquery):
                if not (isinstance(node, exp.Any) and isinstance(node.parent, exp.EQ)):
                    raise error_at(text, node.parent or node, "of ANY and ALL only = ANY is supported")
            case exp.Join() if node.method not in ("", "NATURAL"):
                raise error_at(text, node.this, f"{node.method} JOIN is not supported")
            case exp.Join(kind="SEMI" | "ANTI"):
                raise error_at(text, node.this, f"{node.kind} JOIN is not supported; use IN or EXISTS")
            case exp.Lateral() if node.args.get("view"):
                raise error_at(text, node, "LATERAL VIEW is not supported; use CROSS JOIN UNNEST(…)")
            case exp.With() if node.recursive:
                raise error_at(text, node.expressions[0], "WITH RECURSIVE is not supported")
            case exp.With():
                check_names_of_queries(text, node)
            case exp.Group() if not any(node.args.values()):
                raise error_at(text, node.parent or node, "GROUP BY takes expressions")
            case exp.Group():
                _refuse_positions(text, node)
            case exp.Where():
                aggregate = next(_own_aggregates(node), None)
                if aggregate is not None:
                    raise error_at(text, aggregate, "WHERE takes no aggregate functions; use HAVING")
            case exp.Select() if _groups_all_rows(node):
                for column in node.expressions:
                    _require_aggregated(text, column)
            case exp.Cast(this=exp.Literal()) if node.to.this == exp.DType.TIME and not node.args.get("safe"):
                _require_time(text, node.this)


def _require_time(text: str, literal: exp.Literal) -> None:
    try:
        time_of(0, literal.name)
    except ConversionError as error:
        raise error_at(text, literal, str(error)) from None


def _refuse_positions(text: str, group: exp.Group) -> None:
    for key in group.expressions:
        if isinstance(key, exp.Literal) and not key.is_string:
            complaint = (
                f"{key.sql()} in GROUP BY is a number, not the column at that position; name the column"
            )
            raise error_at(text, key, complaint)


def _own_aggregates(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield the aggregate functions of an expression, without those of subqueries and of OVER."""
    for function in filter(is_aggregate, node.walk()):
        if function.find_ancestor(exp.Query, exp.Window) is node.find_ancestor(exp.Query, exp.Window):
            yield function


def _groups_all_rows(query: exp.Select) -> bool:
    """Return whether all rows of a query are one group."""
    if query.args.get("group") or (query.parent is not None and match_call(query.parent) is not None):
        return False
    return any(map(_has_aggregate, query.expressions))


def _has_aggregate(node: exp.Expr) -> bool:
    return next(_own_aggregates(node), None) is not None


def _require_aggregated(text: str, selected: exp.Expr) -> None:
    """Refuse a column outside of aggregate functions, where all rows are one group."""
    query = selected.find_ancestor(exp.Query)
    for column in selected.find_all(exp.Column):
        ancestor: Any = column.parent
        while not (isinstance(ancestor, exp.Window | exp.Filter | exp.Query) or is_aggregate(ancestor)):
            ancestor = ancestor.parent
        if ancestor is query:
            raise error_at(text, column, f"{column.sql()} must be in GROUP BY or in an aggregate function")


def check_functions(text: str, tree: exp.Query) -> None:
    """Refuse functions that are not supported, or have more or less arguments than they take.

    Raises:
        SqlError: there is one.
    """
    for function in tree.find_all(exp.Func):
        if isinstance(function, ProgramAggregate):
            continue
        whole = function.parent
        if isinstance(whole, exp.Dot) and whole.expression is function:  # one of a database
            name = ".".join(part.name for part in whole.flatten())
            raise error_at(text, function, f"there is no function {name}")
        if isinstance(function, exp.Anonymous) and function.name in DECLARED:
            _refuse_if(text, function, DECLARED[function.name].refusal([None] * len(function.expressions)))
            continue
        meta = function.meta
        name = (
            text[meta["start"] : meta["end"] + 1].upper()
            if "start" in meta
            else _JSON.get(type(function), "")
        )
        if not name.isidentifier() or name in FUNCTIONS:
            continue
        if name.partition("_")[0] in _GROUP_WINDOWS:
            raise error_at(text, function, f"{name} has no window of the same arguments in GROUP BY")
        if name in REFUSED:
            raise error_at(text, function, f"{name} is not supported: {REFUSED[name]}")
        raise error_at(text, function, f"there is no function {name}, or it is not supported")


def _refuse_if(text: str, call: exp.Anonymous, complaint: str | None) -> None:
    if complaint is not None:
        raise error_at(text, call, complaint)


def check_columns(text: str, tree: exp.Query, columns: OutputColumns) -> None:
    """Refuse columns that do not exist or are in several tables, and lists of names that are not complete.

    Args:
        text: the text of the statement.
        tree: the query.
        columns: the columns of its items of FROM.

    Raises:
        SqlError: there is one.
    """
    for scope in traverse_scope(tree):
        if not isinstance(scope.expression, exp.Select):
            continue
        sources: dict[str, Sequence[str]] = {}
        for name, source in _sources(scope):  # an inner name hides an outer one
            sources.setdefault(name, _known(columns.names_in(source)))
        check_using(text, scope.expression, sources)
        if all(sources.values()):
            _check_aliases(text, scope.expression, {name for names in sources.values() for name in names})
        check_lists_of_columns(text, scope, columns)
        for column in scope.columns:
            if column.args.get("db") and column.parts[0].name in sources:
                continue  # a field of a row in a column of a table
            if column.table and column.table in sources:
                known = sources[column.table]
                if known and column.name not in known and not column.is_star:
                    raise _unknown(text, column, known)
                continue
            name = column.parts[0].name
            if column.table and not any(name in names or not names for names in sources.values()):
                tables = ", ".join(filter(None, sources)) or "none"
                raise error_at(
                    text,
                    column.parts[0],
                    f"there is no table {name!r} here; there are: {tables}",
                )
            owners = [one for one in scope.selected_sources if name in sources.get(one, ())]
            if len(owners) > 1 and not _is_joined_by(scope, name):
                raise error_at(
                    text,
                    column.parts[0],
                    f"the column {name!r} is ambiguous: it is in {' and '.join(owners)}",
                )


def _check_aliases(text: str, query: exp.Select, columns: set[str]) -> None:
    """Refuse names of results outside of ORDER BY, where the parser knows them but Flink does not."""
    aliases = {one.alias for one in query.expressions if isinstance(one, exp.Alias)} - columns
    clauses = [*query.expressions, *(query.args.get(name) for name in ("where", "group", "having"))]
    for clause in filter(None, clauses if aliases else ()):
        for node in clause.walk(prune=lambda node: isinstance(node, exp.Query)):
            if isinstance(node, exp.Column) and not node.table and node.name in aliases:
                raise error_at(
                    text,
                    node,
                    f"{node.name!r} is the name of a result, which only ORDER BY takes; there is no column "
                    "of that name: repeat the expression, or name it in a subquery",
                )


def _sources(scope: Scope | None) -> Iterator[tuple[str, Any]]:
    """Yield the tables that a query sees, those of the queries around it last."""
    while scope is not None:
        yield from scope.sources.items()
        scope = scope.parent


def _known(names: Sequence[str]) -> Sequence[str]:
    """Return the names of columns, or none if there are more that are not known."""
    return () if "*" in names else names


def _is_joined_by(scope: Scope, name: str) -> bool:
    joins = scope.expression.args.get("joins") or ()
    return any(
        join.args.get("method") == "NATURAL" or any(key.name == name for key in join.args.get("using") or ())
        for join in joins
    )


def _unknown(text: str, column: exp.Column, known: Sequence[str]) -> Exception:
    return error_at(text, column, f"there is no column {column.name!r} among {', '.join(known)}")


def check_types(text: str, tree: exp.Query) -> None:
    """Refuse wrong types of arguments of functions, COUNT without one, and fields by positions of no field.

    Raises:
        SqlError: there is one.
    """
    for field in tree.find_all(exp.Dot):
        if isinstance(field.expression, exp.Literal):
            kind, position = known_type(field.this), field.expression.name
            complaint = f"the fields of this row are not known here: get field {position} by its name"
            if kind is not None:
                complaint = f"{kind.nullable()} has no field {position}, counted from 0"
            raise error_at(text, field, complaint)
    for node in tree.find_all(exp.In):
        _check_members(text, node)
    for window in tree.find_all(exp.Window):
        if isinstance(window.find_ancestor(exp.Window, exp.Query), exp.Window):
            raise error_at(text, window, "a function with OVER takes no others; select them in a subquery")
    for function in tree.find_all(exp.Anonymous, exp.AggFunc):
        if isinstance(function, exp.Count) and function.this is None:
            raise error_at(text, function, "COUNT takes an argument; write COUNT(*) for the number of rows")
        if (called := called_aggregate(function)) is not None:
            _check_aggregate(text, function, called)
        elif not isinstance(function, exp.Anonymous):
            continue
        elif function.name in DECLARED:
            declared, arguments = DECLARED[function.name], arguments_of(function)
            if arguments is None:
                _refuse_if(text, function, declared.refusal(argument_types(function)))
            else:
                _refuse_if(text, function, declared.complaint(arguments))
        elif function.name == WINDOW_TIME:
            time = function.expressions[0]
            if time.type is not None and time.type.this not in (*_TIMES, exp.DType.UNKNOWN):
                raise error_at(
                    text,
                    time,
                    f"a window needs a column of TIMESTAMP or TIMESTAMP_LTZ, not {time.type.sql()}",
                )


def _check_members(text: str, node: exp.In) -> None:
    query = node.args.get("query")
    wanted = len(values_of_row(node.this) or [node.this])
    count = wanted if query is None else len(query.this.named_selects)
    if count != wanted:
        complaint = f"IN compares {wanted} value{'s' * (wanted != 1)} with a subquery of {count}"
        raise error_at(text, node, complaint)


def _check_aggregate(text: str, node: exp.Expr, called: CalledAggregate) -> None:
    kind = called.arguments[0].type if called.arguments else None
    if called.name in ("MIN", "MAX") and kind is not None and kind.this in _UNORDERED:
        raise error_at(text, node, f"{called.name} takes values in an order, not {_UNORDERED[kind.this]}")
    if called.name in ("SUM", "AVG") and kind is not None and kind.this in exp.DataType.TEXT_TYPES:
        raise error_at(text, node, f"{called.name} takes numbers, not text")
    types = [None if called.name == "COUNT" else known_type(argument) for argument in called.arguments]
    complaint = AGGREGATE_FUNCTIONS[called.name].refusal(types)
    if complaint is not None:
        raise error_at(text, node, complaint)
    if called.name == "LISTAGG" and len(types) > 1 and not isinstance(called.arguments[1], exp.Literal):
        raise error_at(text, called.arguments[1], "the separator of LISTAGG is a literal, such as ', '")
    share = called.arguments[1] if called.name == "PERCENTILE" else None
    if isinstance(share, exp.Literal) and not 0 <= float(share.name) <= 1:
        raise error_at(text, share, "the share of PERCENTILE is between 0 and 1")
