"""The expressions of ``MATCH_RECOGNIZE``, as ones over the rows that are matched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from pystream.table.sql.functions.aggregates import is_aggregate
from pystream.table.sql.match_calls import (
    ALL_VARIABLES,
    MATCH_CLAUSE,
    MATCH_TIME,
    MATCH_VALUE,
    VARIABLE_AGGREGATE,
    MatchCall,
    has_matches,
)
from pystream.table.sql.naming import with_name
from pystream.table.sql.pattern_parser import MatchClause
from pystream.table.sql.syntax import error_at

__all__ = ["with_matches"]

_ROWS, _MATCHES = "$rows", "$matches"  # names that no table of a program has

_REFUSED: Mapping[str, str] = {
    "PREV": "PREV is not supported; LAST(variable.column, 1) is the row before among those of the variable",
    "NEXT": "NEXT is not supported: rows are matched as they come",
    "CLASSIFIER": "CLASSIFIER is not supported; COUNT the rows of a variable",
    "MATCH_NUMBER": "MATCH_NUMBER is not supported",
}


def with_matches(text: str, tree: exp.Query) -> exp.Query:
    """Return a query whose expressions of ``MATCH_RECOGNIZE`` are columns of subqueries.

    They name the columns of the rows, and stand for values of rows by calls of `MATCH_PARTS`. `match_call`
    returns what these rows are matched by.

    Args:
        text: the text of the statement, for messages.
        tree: the query.

    Raises:
        SqlError: an expression is wrong, or not supported; the message names the place.
    """
    if not has_matches(tree):
        return tree
    tree = tree.copy()
    for item in reversed(list(tree.find_all(exp.Subquery))):
        clause = item.args.get(MATCH_CLAUSE)
        if isinstance(clause, MatchClause):
            item.set(MATCH_CLAUSE, None)
            _replace(text, item, clause)
    return tree


def _replace(text: str, item: exp.Subquery, clause: MatchClause) -> None:
    """Make the query of an item that of the columns of matches."""
    source = item.this.args["from_"].this
    if not source.alias_or_name:
        source.set("alias", exp.TableAlias(this=exp.to_identifier(_ROWS, quoted=True)))
    keys = clause.args.get("partition_by") or []
    order = clause.args["order"].expressions
    for key in (*keys, *(field.this for field in order)):
        if not isinstance(key, exp.Column) or key.table:
            complaint = f"MATCH_RECOGNIZE is partitioned and ordered by columns, and {key.sql()} is not one"
            raise error_at(
                text, key, f"{complaint}; name them without a table, and compute others in a subquery"
            )
    pattern = [variable.name for variable in clause.pattern]
    defined = _defined(text, clause)
    unused = [name for name in defined if name not in pattern]
    expressions = _Expressions(text, pattern, [], source.alias_or_name, order[0].this)
    unused_expressions = _Expressions(text, pattern, unused, source.alias_or_name, order[0].this)
    measures = clause.args["measures"]
    conditions = {pattern.index(name): defined[name] for name in defined if name in pattern}
    columns = [
        *map(expressions.column, keys),
        *(expressions.column(field.this) for field in order),
        *(expressions.of(measure.this) for measure in measures),
        *map(expressions.of, conditions.values()),
        *(unused_expressions.of(defined[name]) for name in unused),
    ]
    first, last = len(keys) + len(order), len(keys) + len(order) + len(measures)
    names = [*(key.name for key in keys), *(measure.alias for measure in measures)]
    for number, name in enumerate(names):
        if name in names[:number]:
            node = measures[number - len(keys)] if number >= len(keys) else keys[number]
            raise error_at(
                text, node, f"matches have two columns of the name {name!r}; name the measure apart"
            )
    rows = exp.Select(
        expressions=[
            *map(_aliased, columns[: len(keys)], names),
            *(_aliased(column, f"$order{n}") for n, column in enumerate(columns[len(keys) : first])),
            *map(_aliased, columns[first:last], names[len(keys) :]),
            *(_aliased(column, f"$define{n}") for n, column in enumerate(columns[last:])),
        ]
    ).from_(source)
    made = exp.Subquery(this=rows, alias=exp.TableAlias(this=exp.to_identifier(_MATCHES, quoted=True)))
    directions = tuple((bool(field.args.get("desc")), bool(field.args.get("nulls_first"))) for field in order)
    numbers = tuple(conditions)
    call = MatchCall(
        len(keys), directions, len(measures), clause.pattern, clause.skip, numbers, clause.within
    )
    made.set(MATCH_CLAUSE, call)
    shown = [_aliased(exp.column(name, table=_MATCHES, quoted=True), name) for name in names]
    item.set("this", exp.Select(expressions=shown).from_(made))


def _defined(text: str, clause: MatchClause) -> Mapping[str, exp.Expr]:
    """Return the conditions of variables."""
    defined: dict[str, exp.Expr] = {}
    for definition in clause.args["define"]:
        name = definition.alias
        if name in defined:
            raise error_at(text, definition, f"DEFINE has two conditions of {name}; write one, with AND")
        defined[name] = definition.this
    return defined


class _Expressions:
    """Makes expressions of measures and conditions ones of columns of rows.

    Args:
        text: the text of the statement, for messages.
        pattern: the names of the variables.
        unused: the names of others, which no rows are mapped to; they stand for all variables in results.
        table: the name of the rows.
        time: the column of their times.
    """

    def __init__(
        self, text: str, pattern: Sequence[str], unused: Sequence[str], table: str, time: exp.Column
    ) -> None:
        self._text = text
        self._names = [*pattern, *unused]
        self._mapped = len(pattern)
        self._table = table
        self._time = time

    def column(self, column: exp.Column) -> exp.Expr:
        """Return a column, with the name of the rows."""
        *_, name = column.parts
        return self._of_table(column, [name])

    def of(self, node: exp.Expr) -> exp.Expr:
        """Return an expression of mapped rows, with calls of `MATCH_PARTS` for what it has of them."""
        if isinstance(node, exp.Query | exp.Subquery):
            raise self._error(node, "MATCH_RECOGNIZE takes no subqueries; join their results before it")
        if isinstance(node, exp.Window):
            raise self._error(node, "MATCH_RECOGNIZE takes no functions of OVER; compute them in a subquery")
        if isinstance(node, exp.Column):
            return self._value(node, -1)
        if is_aggregate(node) or isinstance(node, exp.Filter):
            return self._aggregate(node)
        if isinstance(node, exp.Anonymous):
            name = node.name.upper()
            if name in _REFUSED:
                raise self._error(node, _REFUSED[name])
            if name in ("FIRST", "LAST"):
                return self._chosen(node, name)
            if name == "MATCH_ROWTIME":
                return self._rowtime(node)
            if name == "MATCH_PROCTIME":
                return exp.Anonymous(this="PROCTIME")
        result = node.copy()
        for part in list(result.iter_expressions()):
            part.replace(self.of(part))
        return result

    def _chosen(self, call: exp.Anonymous, name: str) -> exp.Expr:
        """Return the value of the row that ``FIRST`` or ``LAST`` chooses."""
        value, *offsets = call.expressions or [None]
        usage = f"{name} takes a value, and a number of rows: {name}(variable.column, 1)"
        if value is None or len(offsets) > 1 or (offsets and not _is_count(offsets[0])):
            raise self._error(call, usage)
        inside = next((part for part in value.walk() if self._is_of_rows(part)), None)
        if inside is not None:
            raise self._error(inside, f"{name} takes a value of a row, not one of several rows")
        offset = int(offsets[0].name) if offsets else 0
        return self._value(value, offset if name == "FIRST" else -1 - offset)

    def _is_of_rows(self, node: exp.Expr) -> bool:
        is_choice = isinstance(node, exp.Anonymous) and node.name.upper() in ("FIRST", "LAST", *_REFUSED)
        return is_choice or is_aggregate(node) or isinstance(node, exp.Query | exp.Window)

    def _value(self, value: exp.Expr, offset: int) -> exp.Expr:
        variable, inner = self._of_one_variable(value)
        return _call(MATCH_VALUE, self._number_of(variable), _number(offset), inner)

    def _aggregate(self, node: exp.Expr) -> exp.Expr:
        if isinstance(node, exp.Filter):
            raise self._error(node, "MATCH_RECOGNIZE takes no FILTER; use CASE in the argument")
        if node.find(exp.Distinct):
            raise self._error(node, "MATCH_RECOGNIZE takes no DISTINCT aggregates")
        inside = [part for part in node.walk() if part is not node and self._is_of_rows(part)]
        if inside:
            raise self._error(
                inside[0], "an aggregate of MATCH_RECOGNIZE takes values of rows, not of several"
            )
        if not node.find(exp.Column, exp.Star):
            raise self._error(node, "an aggregate of MATCH_RECOGNIZE takes a column of a variable")
        variable, inner = self._of_one_variable(node)
        return _call(VARIABLE_AGGREGATE, self._number_of(variable), inner)

    def _rowtime(self, call: exp.Anonymous) -> exp.Expr:
        match call.expressions:
            case []:
                column = self._time.copy()
            case [exp.Column() as column] if column.name == self._time.name:
                column = column.copy()
            case _:
                complaint = (
                    f"MATCH_ROWTIME takes the column of the time of rows, {self._time.name}, or nothing"
                )
                raise self._error(call, complaint)
        return _call(MATCH_TIME, self.column(column))

    def _of_one_variable(self, node: exp.Expr) -> tuple[int, exp.Expr]:
        """Return the only variable of an expression, and the expression of a row of it."""
        found = [self._variable(column) for column in node.find_all(exp.Column)]
        if len({*found}) > 1:
            complaint = f"{node.sql()} is of rows of several variables; it takes the columns of one"
            raise self._error(node, complaint)

        def of_row(part: exp.Expr) -> exp.Expr:
            if not isinstance(part, exp.Column):
                return part
            parts = part.parts
            return self._of_table(part, parts if self._variable(part) == ALL_VARIABLES else parts[1:])

        return (found[0] if found else ALL_VARIABLES), node.copy().transform(of_row, copy=False)

    def _number_of(self, variable: int) -> exp.Literal:
        return _number(variable if variable < self._mapped else ALL_VARIABLES)

    def _variable(self, column: exp.Column) -> int:
        first, *others = column.parts
        if isinstance(column.this, exp.Star):
            complaint = f"MATCH_RECOGNIZE does not support {column.sql()}; name a column of the variable"
            raise self._error(column, complaint)
        if not others:
            return ALL_VARIABLES
        if first.name not in self._names:
            complaint = f"there is no pattern variable {first.name!r}; there are: {', '.join(self._names)}"
            raise self._error(column, complaint)
        return self._names.index(first.name)

    def _of_table(self, column: exp.Column, parts: Sequence[exp.Expr]) -> exp.Expr:
        """Return a column of the rows, or a field in it."""
        name, *fields = parts
        result: exp.Expr = exp.Column(this=name.copy(), table=exp.to_identifier(self._table, quoted=True))
        result.meta.update(column.meta)
        for one in fields:
            result = exp.Dot(this=result, expression=one.copy())
        return result

    def _error(self, node: exp.Expr, complaint: str) -> Exception:
        return error_at(self._text, node, complaint)


def _aliased(node: exp.Expr, name: str) -> exp.Expr:
    return with_name(node, name)


def _call(name: str, *arguments: exp.Expr) -> exp.Anonymous:
    return exp.Anonymous(this=name, expressions=[*arguments])


def _number(value: int) -> exp.Literal:
    return exp.Literal(this=str(value), is_string=False)


def _is_count(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and not node.is_string and node.name.isdecimal()
