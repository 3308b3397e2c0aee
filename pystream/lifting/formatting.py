"""Formatting of values as text: by ``%s`` and ``%d``, in f-strings and by ``format`` without formats."""

from __future__ import annotations

import re
import string

from pystream.expressions.expression import Expression, constant_value, is_constant
from pystream.lifting.building import having_evaluated, not_null, widened
from pystream.lifting.composites import parts_of
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.text import concatenated, text_of
from pystream.lifting.values import constant

__all__ = ["formatted", "interpolated", "percent"]

_PLACE = re.compile(r"%(.?)", re.DOTALL)


def percent(template: Expression, values: Expression) -> Expression:
    """Return ``template % values`` of a constant with ``%s`` and ``%d``."""
    if not is_constant(template):
        raise NotExact("uses % on text that is not a constant")
    if kind_of(values) is Kind.TUPLE:
        arguments = parts_of(values)
    elif kind_of(values) in (Kind.STR, Kind.INT, Kind.BOOL, Kind.FLOAT):
        arguments = [values]
    else:
        raise NotExact(f"formats {name_of(values)}, which is not lifted")
    parts: list[Expression] = []
    taken = 0
    for piece, sign in _pieces(constant_value(template)):
        parts.append(constant(piece))
        if sign in ("", "%"):
            parts.append(constant(sign))
            continue
        if taken == len(arguments):
            raise NotExact("has fewer values to format than places for them")
        parts.append(_placed(sign, arguments[taken]))
        taken += 1
    if taken != len(arguments):
        raise NotExact("has more values to format than places for them")
    return concatenated(parts)


def _pieces(template: str) -> list[tuple[str, str]]:
    pieces, start = [], 0
    for match in _PLACE.finditer(template):
        if match[1] not in ("s", "d", "i", "%"):
            raise NotExact(f"formats with %{match[1]}, which is not lifted; only %s and %d are")
        pieces.append((template[start : match.start()], match[1]))
        start = match.end()
    return [*pieces, (template[start:], "")]


def _placed(sign: str, value: Expression) -> Expression:
    if sign == "s":
        return text_of(value)
    if kind_of(value) not in (Kind.INT, Kind.BOOL):
        raise NotExact(f"formats {name_of(value)} with %d, which is not lifted")
    return text_of(widened(not_null(value)))


def interpolated(value: Expression, conversion: int, specification: str) -> Expression:
    """Return a field of an f-string: without a format, or ``d`` for an int."""
    if conversion not in (-1, ord("s")):
        raise NotExact("formats with repr() or ascii(), which is not lifted")
    if specification == "d" and kind_of(value) is Kind.INT and conversion == -1:
        return text_of(not_null(value))
    if specification:
        raise NotExact(f"formats with {specification!r}, which is not lifted")
    return text_of(value)


def formatted(template: Expression, values: list[Expression]) -> Expression:
    """Return ``template.format(*values)`` of a constant with plain fields."""
    if not is_constant(template):
        raise NotExact("uses format() of text that is not a constant")
    parts: list[Expression] = []
    count = 0
    try:
        pieces = list(string.Formatter().parse(constant_value(template)))
    except ValueError as error:
        raise NotExact(f"always fails: {error}") from None
    if len({bool(name) for _, name, _, _ in pieces if name is not None}) > 1:
        raise NotExact("formats with numbered and unnumbered fields at once, which always fails")
    for literal, name, specification, conversion in pieces:
        parts.append(constant(literal))
        if name is None:
            continue
        if name and not name.isdigit():
            raise NotExact("formats by name or attribute, which is not lifted")
        index = int(name) if name else count
        count += 1
        if index >= len(values):
            raise NotExact("has fewer values to format than places for them")
        parts.append(interpolated(values[index], ord(conversion) if conversion else -1, specification or ""))
    return having_evaluated(values, concatenated(parts))
