"""The names of columns in the text of expressions."""

from __future__ import annotations

from collections.abc import Set

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from pystream.sql_types.names import quoted_name
from pystream.table.sql.dialect import Flink
from pystream.table.sql.syntax import parsed

__all__ = ["names_in", "with_quoted_names"]


def names_in(expression: str) -> set[str]:
    """Return the names of the columns that an expression reads.

    Raises:
        SqlError: the text is not one expression.
    """
    (tree,) = parsed(expression, exp.Condition)
    return {column.parts[0].name for column in tree.find_all(exp.Column)}


def with_quoted_names(expression: str, names: Set[str]) -> str:
    """Return an expression with the names of columns in backticks.

    Args:
        expression: the expression.
        names: the names of the columns.
    """
    tokens = Flink().tokenize(expression)
    parts = []
    position = 0
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        is_call = following is not None and following.token_type == TokenType.L_PAREN
        is_name = token.token_type not in (TokenType.STRING, TokenType.IDENTIFIER, TokenType.NUMBER)
        if is_name and token.text in names and not is_call:
            parts += [expression[position : token.start], quoted_name(token.text)]
            position = token.end + 1
    return "".join([*parts, expression[position:]])
