"""Functions of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlglot import exp

from pystream.table.sql.functions.building import NotTranslatedError, as_type, call, number, text, when

__all__ = ["NAMED_TEXTS", "TEXTS"]

_DIGESTS = {"SHA224": 224, "SHA256": 256, "SHA384": 384, "SHA512": 512}
_BACKSLASH = "\\"


def _quoted(separator: exp.Expr) -> exp.Expr:
    """Return a regular expression that matches a text only."""
    return call("CONCAT", text(rf"{_BACKSLASH}Q"), separator, text(rf"{_BACKSLASH}E"))


def _split(node: exp.Anonymous) -> exp.Expr:
    value, separator = node.expressions
    nothing = as_type(call("ARRAY"), exp.DataType.build("ARRAY<STRING>", dialect="spark"))
    is_empty = exp.EQ(this=value.copy(), expression=text(""))
    return when(is_empty, nothing, call("SPLIT", value, _quoted(separator)))


def _initcap(node: exp.Initcap) -> exp.Expr:
    """Start words after everything but ASCII letters and digits."""
    word = exp.to_identifier("word")
    first = exp.Upper(this=call("LEFT", word, number(1)))
    rest = exp.Lower(this=call("SUBSTRING", word, number(2)))
    words = call("SPLIT", node.this, text("(?<=[^A-Za-z0-9])"))
    capital = exp.Lambda(this=call("CONCAT", first, rest), expressions=[word.copy()])
    return call("ARRAY_JOIN", exp.Anonymous(this="TRANSFORM", expressions=[words, capital]), text(""))


def _overlay(node: exp.Overlay) -> exp.Expr:
    """Return text that is shorter than the place as it is."""
    is_beyond = exp.GT(this=node.args["from_"].copy(), expression=exp.Length(this=node.this.copy()))
    return when(is_beyond, node.this, node)


def _pad(node: exp.Pad) -> exp.Expr:
    """Return null if there is nothing to pad with."""
    node.set("fill_pattern", call("NULLIF", node.args["fill_pattern"], text("")))
    return node


def _split_index(node: exp.Anonymous) -> exp.Expr:
    value, separator, index = node.expressions
    parts = call("SPLIT", call("NULLIF", value, text("")), _quoted(separator))
    return call("GET", parts, index)


def _regexp_extract(node: exp.Anonymous) -> exp.Expr:
    value, pattern, *group = node.expressions
    extracted = call("REGEXP_EXTRACT", value, pattern, *(group or [number(0)]))
    return when(call("REGEXP_LIKE", value, pattern), extracted, exp.null())


def _trim(node: exp.Anonymous) -> exp.Expr:
    value, *characters = node.expressions
    position = "LEADING" if node.name.upper() == "LTRIM" else "TRAILING"
    return exp.Trim(this=value.copy(), expression=(characters or [text(" ")])[0].copy(), position=position)


def _str_to_map(node: exp.Anonymous) -> exp.Expr:
    value, *delimiters = node.expressions
    return call("STR_TO_MAP", value, *(delimiters or [text(","), text("=")]))


def _to_base64(node: exp.Anonymous) -> exp.Expr:
    return call("BASE64", *node.expressions)


def _like(node: exp.Like) -> exp.Expr:
    """Take a backslash literally, which is no escape in Flink unless it is declared."""
    if isinstance(node.parent, exp.Escape):
        return node
    pattern = node.expression
    if isinstance(pattern, exp.Literal):
        escaped: exp.Expr = text(pattern.name.replace(_BACKSLASH, _BACKSLASH * 2))
    else:
        escaped = call("REPLACE", pattern, text(_BACKSLASH), text(_BACKSLASH * 2))
    node.set("expression", escaped)
    return node


def _from_base64(node: exp.FromBase64) -> exp.Expr:
    return as_type(call("UNBASE64", node.this), exp.DType.TEXT)


def _digest(node: exp.Anonymous) -> exp.Expr:
    return call("SHA2", node.expressions[0], number(_DIGESTS[node.name.upper()]))


def _similar(node: exp.SimilarTo) -> exp.Expr:
    raise NotTranslatedError(node, "SIMILAR TO is not supported; use REGEXP(text, pattern) or LIKE")


TEXTS: Mapping[type[exp.Expr], Callable[[Any], exp.Expr]] = {
    exp.FromBase64: _from_base64,
    exp.Initcap: _initcap,
    exp.Like: _like,
    exp.Overlay: _overlay,
    exp.Pad: _pad,
    exp.SimilarTo: _similar,
}
"""The rules for what the parser knows."""

NAMED_TEXTS: Mapping[str, Callable[[Any], exp.Expr]] = {
    "LTRIM": _trim,
    "REGEXP_EXTRACT": _regexp_extract,
    "RTRIM": _trim,
    "SPLIT": _split,
    "SPLIT_INDEX": _split_index,
    "STR_TO_MAP": _str_to_map,
    "TO_BASE64": _to_base64,
    **dict.fromkeys(_DIGESTS, _digest),
}
"""The rules for other functions, by name."""
