"""Literals and parentheses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from sqlglot import exp

from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.evaluation.values import Rule, Scope, Value, constant

__all__ = ["LITERALS", "negative_literal"]

_MAX_DIGITS = 38
_INT, _BIGINT = 1 << 31, 1 << 63
_ESCAPE = re.compile(r"\\(?:(\\)|\+([0-9a-fA-F]{6})|([0-9a-fA-F]{4}))?")


def _literal(scope: Scope, node: exp.Literal) -> Value:
    text = node.name
    if node.is_string:
        return constant(text, DataTypes.CHAR(len(text)))
    if "e" in text.lower():
        return constant(float(text), DataTypes.DOUBLE())
    if "." in text:
        whole, _, fraction = text.partition(".")
        digits = len(whole + fraction)
        if digits <= _MAX_DIGITS:
            return constant(Decimal(text), DataTypes.DECIMAL(digits, len(fraction)))
    elif int(text) < _BIGINT:
        return constant(int(text), DataTypes.INT() if int(text) < _INT else DataTypes.BIGINT())
    raise NotEvaluatedError(node, f"the number {text} has too many digits")


def negative_literal(node: exp.Neg) -> Value | None:
    """Return the values of a negative number that is the least one of its type, ``None`` for other ones."""
    literal = node.this
    if isinstance(literal, exp.Literal) and literal.is_int and int(literal.name) in (_INT, _BIGINT):
        data_type = DataTypes.INT() if int(literal.name) == _INT else DataTypes.BIGINT()
        return constant(-int(literal.name), data_type)
    return None


def _boolean(scope: Scope, node: exp.Boolean) -> Value:
    return constant(bool(node.this), DataTypes.BOOLEAN())


def _null(scope: Scope, node: exp.Null) -> Value:
    return constant(None, DataTypes.NULL())


def _bytes(scope: Scope, node: exp.HexString) -> Value:
    try:
        value = bytes.fromhex(node.name)
        return constant(value, DataTypes.BINARY(len(value)))
    except ValueError:
        raise NotEvaluatedError(node, f"X'{node.name}' must have an even number of digits") from None


def _unicode(scope: Scope, node: exp.UnicodeString) -> Value:
    if node.args.get("escape"):
        raise NotEvaluatedError(node, "UESCAPE is not supported")

    def character(found: re.Match[str]) -> str:
        if found[1]:
            return "\\"
        code = found[2] or found[3]
        if code is None:
            raise NotEvaluatedError(node, f"{found[0]} must be followed by four digits of a character")
        return chr(int(code, 16))

    text = _ESCAPE.sub(character, node.name)
    return constant(text, DataTypes.CHAR(len(text)))


def _parentheses(scope: Scope, node: exp.Paren) -> Value:
    return scope.value(node.this)


LITERALS: Mapping[type[exp.Expr], Rule] = {
    exp.Boolean: _boolean,
    exp.HexString: _bytes,
    exp.Literal: _literal,
    exp.Null: _null,
    exp.Paren: _parentheses,
    exp.UnicodeString: _unicode,
}
"""The rules for what the parser knows."""
