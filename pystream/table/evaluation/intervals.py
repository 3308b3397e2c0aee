"""Literals of intervals."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from sqlglot import exp

from pystream.table.evaluation.errors import NotEvaluatedError
from pystream.table.functions.values.units import LENGTHS, MONTHS

__all__ = ["Interval", "interval_of", "is_interval", "unit_of"]

_PARTS = ("DAY", "HOUR", "MINUTE", "SECOND")
_SEPARATORS = {"DAY": " ", "HOUR": ":", "MINUTE": ":"}


class Interval(NamedTuple):
    """A literal of an interval; one of the numbers is 0.

    Attributes:
        months: its months.
        microseconds: its microseconds.
    """

    months: int
    microseconds: int


def unit_of(node: exp.Expr) -> str:
    """Return the name of the unit of an expression, in the singular and in capitals."""
    return str(node.args["unit"].name).upper().removesuffix("S")


def is_interval(node: exp.Expr) -> bool:
    """Return whether an expression is an interval, or a multiple of one."""
    match node:
        case exp.Interval():
            return True
        case exp.Mul():
            return is_interval(node.left) or is_interval(node.right)
        case exp.Paren() | exp.Cast():
            return is_interval(node.this)
    return False


def interval_of(node: exp.Expr) -> Interval:
    """Return the length of an interval, a literal or the product of an integer and a literal.

    Raises:
        NotEvaluatedError: it is another expression.
    """
    match node:
        case exp.Paren() | exp.Cast():
            return interval_of(node.this)
        case exp.Mul():
            factor, interval = (node.right, node.left) if is_interval(node.left) else (node.left, node.right)
            months, microseconds = interval_of(interval)
            times = _integer(factor)
            return Interval(times * months, times * microseconds)
    sign, literal = 1, node.this if isinstance(node, exp.Interval) else None
    if isinstance(literal, exp.Neg):
        sign, literal = -1, literal.this
    if not isinstance(literal, exp.Literal):
        raise NotEvaluatedError(node, "an interval must be a literal such as INTERVAL '1' DAY")
    text: str = literal.name.strip()
    if text.startswith("-"):
        sign, text = -sign, text[1:]
    unit = node.args.get("unit")
    found = _of_span(text, unit) if isinstance(unit, exp.IntervalSpan) else _of_unit(text, unit_of(node))
    if found is None:
        raise NotEvaluatedError(node, f"the interval {node.sql()} is not supported")
    return Interval(sign * found.months, sign * found.microseconds)


def _integer(node: exp.Expr) -> int:
    literal = node.unnest()
    sign = -1 if isinstance(literal, exp.Neg) else 1
    literal = literal.this.unnest() if isinstance(literal, exp.Neg) else literal
    if not (isinstance(literal, exp.Literal) and literal.is_int):
        raise NotEvaluatedError(node, "an interval is multiplied by a literal only")
    return sign * int(literal.name)


def _of_unit(text: str, unit: str) -> Interval | None:
    if unit in MONTHS and text.isdecimal():
        return Interval(int(text) * MONTHS[unit], 0)
    if unit in LENGTHS and re.fullmatch(r"\d+(\.\d{1,3})?" if unit == "SECOND" else r"\d+", text, re.ASCII):
        return Interval(0, int(Decimal(text) * LENGTHS[unit]))
    return None


def _of_span(text: str, span: exp.IntervalSpan) -> Interval | None:
    first, last = span.this.name.upper(), span.expression.name.upper()
    if (first, last) == ("YEAR", "MONTH"):
        years = re.fullmatch(r"(\d+)-(\d+)", text, re.ASCII)
        return None if years is None else Interval(int(years[1]) * 12 + int(years[2]), 0)
    if first not in _PARTS or last not in _PARTS or _PARTS.index(first) > _PARTS.index(last):
        return None
    units = _PARTS[_PARTS.index(first) : _PARTS.index(last) + 1]
    pattern = "".join(
        r"(\d+(?:\.\d{1,6})?)" if unit == "SECOND" else rf"(\d+){_SEPARATORS[unit] if unit != last else ''}"
        for unit in units
    )
    found = re.fullmatch(pattern, text, re.ASCII)
    if found is None:
        return None
    parts = zip(found.groups(), units, strict=True)
    return Interval(0, sum(int(Decimal(part) * LENGTHS[unit]) for part, unit in parts))
