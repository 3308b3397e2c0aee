"""The parser of queries."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from pystream.table.sql.dialect import FlinkParser
from pystream.table.sql.parsed_query import ParsedQuery
from pystream.table.sql.state_ttl_hints import with_state_ttls
from pystream.table.sql.syntax import path_of
from pystream.table.sql.table_hints import hint_after

__all__ = ["QueryParser"]


class QueryParser(FlinkParser):
    """Parse one query."""

    def parse(self, raw_tokens: list[Token], sql: str) -> list[Any]:
        """Parse tokens, and return a query, or another tree, for each part between semicolons.

        Args:
            raw_tokens: the tokens.
            sql: the text that they are of.
        """
        read: Any = QueryParser._query_or_tree
        queries: list[Any] = self._parse(read, raw_tokens, sql)
        return queries

    def _query_or_tree(self) -> Any:
        first = self._curr
        tree = self._parse_statement() if first else None
        return self._query_of(tree, first) if isinstance(tree, exp.Query | exp.Values | exp.Table) else tree

    def _error(self, complaint: str, token: Token | None = None) -> ParseError:
        """Return an error at a token, the current one unless given."""
        try:
            self.raise_error(complaint, token or self._curr or self._prev)
        except ParseError as error:
            return error
        raise AssertionError("this parser raises each error at once")

    def _query(self) -> ParsedQuery:
        """Parse a query."""
        first = self._curr
        if not first:
            raise self._error("a query is missing, such as SELECT * FROM a table")
        return self._query_of(self._parse_statement(), first)

    def _query_of(self, tree: Any, first: Token) -> ParsedQuery:
        """Return the query that a tree is, which was parsed from a token on."""
        end = self._prev.end + 1
        hint = hint_after(self.sql, end)
        written = self.sql[first.start : end if hint is None else hint.end]
        match tree:
            case exp.Table():  # TABLE name
                rows = exp.select("*").from_(tree)
                return ParsedQuery(self.sql, rows, _whole_table(rows), written, first.start)
            case exp.Values():
                return ParsedQuery(self.sql, exp.select("*").from_(_named(tree)), None, written, first.start)
            case exp.Query():
                whole = _whole_table(tree)
                query = with_state_ttls(self.sql, _without_parentheses(tree))
                return ParsedQuery(self.sql, query, whole, written, first.start)
        raise self._error("a query is missing here, such as SELECT * FROM a table", first)


def _named(values: exp.Values) -> exp.Values:
    """Return VALUES with names of columns."""
    first = values.expressions[0]
    width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
    names = [exp.to_identifier(f"EXPR${n}", quoted=True) for n in range(width)]
    values.set("alias", exp.TableAlias(this=exp.to_identifier("EXPR$", quoted=True), columns=names))
    return values


def _without_parentheses(query: exp.Query) -> exp.Query:
    """Return a query in which no table stands alone in parentheses."""
    for item in list(query.find_all(exp.Subquery)):
        if isinstance(item.this, exp.Table) and not item.args.get("joins"):
            table = item.this
            if item.args.get("alias"):
                table.set("alias", item.args["alias"])
            item.replace(table)
    return query


def _whole_table(query: exp.Query) -> str | None:
    """Return the name of the table that a query is all of, if it is."""
    clauses = {key for key, value in query.args.items() if value}
    if clauses != {"expressions", "from_"}:
        return None
    match query.expressions, query.args["from_"].this:
        case [exp.Star() as star], exp.Table() as table:
            is_plain = not any(star.args.values()) and {k for k, v in table.args.items() if v} <= _NAME
            return path_of(table) if is_plain else None
    return None


_NAME = {"this", "db", "catalog"}
