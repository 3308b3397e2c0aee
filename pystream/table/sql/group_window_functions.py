"""Group windows of SQL, such as ``GROUP BY TUMBLE(ts, …)``, as window functions on tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlglot import exp

from pystream.table.sql.naming import with_name
from pystream.table.sql.syntax import error_at
from pystream.table.sql.windows import (
    WINDOW_COLUMNS,
    PartitionedTable,
    WindowFunctionError,
    window_table,
)

__all__ = ["with_group_windows"]

_FUNCTIONS: Mapping[str, tuple[str, ...]] = {
    "TUMBLE": ("size",),
    "HOP": ("slide", "size"),
    "SESSION": ("gap",),
}
"""The functions, each with its intervals after the column of times."""
_PROPERTIES: Mapping[str, str] = dict(zip(("START", "END", "ROWTIME"), WINDOW_COLUMNS, strict=True))
"""The columns of the rows of window functions that are the properties of group windows."""

_PROCTIME = "PROCTIME"
"""The property that is the time at which a window ends by the clock, ``PROCTIME()``."""


def with_group_windows(text: str, tree: exp.Query) -> exp.Query:
    """Return a query that groups rows of window functions, where it has group windows.

    ``GROUP BY TUMBLE(ts, …)`` becomes ``FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), …)) GROUP BY window_start,
    window_end``, ``TUMBLE_START(ts, …)`` becomes ``window_start``.

    Args:
        text: the text of the statement, for messages.
        tree: the query.

    Raises:
        SqlError: a group window is wrong, or is not of the rows of one table.
    """
    tree = tree.copy()
    for query in reversed(list(tree.find_all(exp.Select))):  # subqueries first, which tables of windows copy
        windows = [key for key in _keys(query) if _is_window(key)]
        group = query.args.get("group")
        inside = None if group is None else next(filter(_is_window, group.walk()), None)
        if inside is not None and not windows:
            message = f"{inside.name.upper()} stands beside ROLLUP, CUBE and GROUPING SETS, not in them"
            raise error_at(text, inside, message)
        if len(windows) > 1:
            raise error_at(text, windows[1], "GROUP BY takes one window")
        for window in windows:
            _replace(text, query, window)
    return tree


def _keys(query: exp.Select) -> Sequence[exp.Expr]:
    group = query.args.get("group")
    return () if group is None else group.expressions


def _is_window(node: exp.Expr) -> bool:
    return isinstance(node, exp.Anonymous) and node.name.upper() in _FUNCTIONS


def _replace(text: str, query: exp.Select, window: exp.Expr) -> None:
    """Group a query by the bounds of windows in place of a group window."""
    function = window.name.upper()
    time, *lengths = window.expressions or [None]
    keys = [key for key in _keys(query) if key is not window]
    source = query.args.get("from_")
    if source is None or query.args.get("joins"):
        raise error_at(text, window, f"{function} groups the rows of one table, or of a query in parentheses")
    if function == "SESSION" and not all(isinstance(key, exp.Column) for key in keys):
        raise error_at(text, window, "the keys beside SESSION must be columns; compute them in a subquery")
    if not isinstance(time, exp.Column) or len(lengths) != len(_FUNCTIONS[function]):
        usage = ", ".join(("time", *_FUNCTIONS[function]))
        raise error_at(
            text, window, f"{function} in GROUP BY takes a column of times and intervals: {function}({usage})"
        )
    taken = next((one for one in _own_columns(query) if one.name in WINDOW_COLUMNS), None)
    if taken is not None:
        message = f"{function} in GROUP BY adds a column {taken.name!r}; rename this one in a subquery"
        raise error_at(text, taken, message)
    item = source.this
    partition = keys if function == "SESSION" else []
    given = [PartitionedTable(item, [key.copy() for key in partition]), time.copy(), *lengths]
    try:
        table = window_table(function, [("", argument) for argument in given])
    except WindowFunctionError as error:
        raise error_at(text, window, str(error)) from None
    if item.alias_or_name:
        table.set("alias", exp.TableAlias(this=exp.to_identifier(item.alias_or_name, quoted=True)))
    source.set("this", table)
    for position, field in enumerate(query.expressions):
        if isinstance(field, exp.Anonymous) and _property_of(field, window) is not None:
            field.replace(with_name(field, f"EXPR${position}"))
    clauses = [clause for name in ("having", "order") if (clause := query.args.get(name)) is not None]
    bounds = list(WINDOW_COLUMNS[:2])
    for part in (*query.expressions, *clauses):
        for call in list(part.find_all(exp.Anonymous)):
            bound = _property_of(call, window)
            if bound == _PROCTIME:
                call.replace(exp.Anonymous(this=_PROCTIME))
            elif bound is not None:
                call.replace(_column(bound))
                bounds += [bound] if bound not in bounds else []
    query.args["group"].set("expressions", [*map(_column, bounds), *keys])


def _own_columns(query: exp.Select) -> Iterator[exp.Column]:
    """Yield the columns in the clauses of a query, without those of subqueries."""
    for name in ("where", "group", "having", "order"):
        clause = query.args.get(name)
        yield from () if clause is None else _columns_outside_queries(clause)
    for field in query.expressions:
        yield from _columns_outside_queries(field)


def _columns_outside_queries(node: exp.Expr) -> Iterator[exp.Column]:
    nodes = node.walk(prune=lambda part: isinstance(part, exp.Query))
    return (part for part in nodes if isinstance(part, exp.Column))


def _property_of(call: exp.Anonymous, window: exp.Expr) -> str | None:
    """Return the column that a property of a group window is, or ``PROCTIME``; ``None`` for other calls."""
    function, _, name = call.name.upper().rpartition("_")
    if function != window.name.upper() or _unqualified(call) != _unqualified(window):
        return None
    return _PROCTIME if name == _PROCTIME else _PROPERTIES.get(name)


def _unqualified(call: exp.Expr) -> list[object]:
    """Return the arguments of a call, columns by their names."""
    return [part.name if isinstance(part, exp.Column) else part for part in call.expressions]


def _column(name: str) -> exp.Column:
    return exp.column(name, quoted=True)
