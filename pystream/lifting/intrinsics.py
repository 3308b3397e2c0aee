"""Intrinsics: Python's own functions, classes and methods, lifted without their source."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from pystream.expressions.expression import Expression, Op, constant_value, is_constant
from pystream.lifting import arithmetic as numbers
from pystream.lifting import text as texts
from pystream.lifting.building import call, having_evaluated, not_null
from pystream.lifting.comparing import truth
from pystream.lifting.composites import list_of, struct
from pystream.lifting.formatting import formatted, interpolated
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.lists import enumerated, range_of
from pystream.lifting.members import fields_of, parts_in
from pystream.lifting.values import NONE, constant
from typeinfo import Row
from typeinfo.composite import RowTypeInfo

__all__ = ["INTRINSICS", "apply", "call_method"]

Handler = Callable[..., Expression]


def _int(value: Expression) -> Expression:
    return texts.parsed_int(value) if kind_of(value) is Kind.STR else numbers.to_int(value)


def _float(value: Expression) -> Expression:
    return texts.parsed_float(value) if kind_of(value) is Kind.STR else numbers.to_float(value)


def _len(value: Expression) -> Expression:
    parts = fields_of(value)
    if parts is None:
        return texts.length(value)
    return having_evaluated([value, *parts], constant(len(parts)))


def _round(value: Expression, ndigits: Expression = NONE) -> Expression:
    if ndigits != NONE:
        raise NotExact("uses round() with digits, which Java rounds otherwise")
    return numbers.rounded(value)


def _extremum(*values: Expression, least: bool) -> Expression:
    name = "min" if least else "max"
    parts = parts_in(values[0], f"uses {name}() of") if len(values) == 1 else values
    return numbers.extremum(parts, least=least)


def _sum(values: Expression, start: Expression | None = None) -> Expression:
    parts = parts_in(values, "uses sum() of")
    total = constant(0) if start is None else start
    if any(kind_of(part) is Kind.FLOAT for part in (total, *parts)):
        raise NotExact("uses sum() of floats, which versions of Python round differently; add them with +")
    for part in parts:
        total = numbers.add(total, part)
    return total


def _list(values: Expression) -> Expression:
    if kind_of(values) is Kind.LIST:
        return not_null(values)
    return list_of(parts_in(values, "uses list() of"))


def _format(value: Expression, specification: Expression | None = None) -> Expression:
    if specification is not None and not is_constant(specification):
        raise NotExact("uses a format that is not a constant")
    plain = "" if specification is None else constant_value(specification)
    return interpolated(value, -1, plain)


def _row(*values: Expression, **named: Expression) -> Expression:
    if (values and named) or not (values or named):
        raise NotExact("makes a Row of no fields, or of both positional and named ones")
    parts = list(values or named.values())
    return struct(parts, RowTypeInfo([part.type for part in parts], list(named) if named else None))


INTRINSICS: dict[Any, Handler] = {
    str: texts.text_of,
    int: _int,
    float: _float,
    bool: truth,
    len: _len,
    abs: numbers.absolute,
    round: _round,
    min: lambda *values: _extremum(*values, least=True),
    max: lambda *values: _extremum(*values, least=False),
    sum: _sum,
    tuple: lambda values: struct(parts_in(values, "uses tuple() of")),
    list: _list,
    range: lambda *bounds: range_of(bounds),
    enumerate: lambda values: enumerated(_list(values)),
    format: _format,
    divmod: lambda a, b: struct([numbers.floor_divide(a, b), numbers.modulo(a, b)]),
    Row: _row,
    math.floor: lambda value: numbers.floor(value, Op.FLOOR),
    math.ceil: lambda value: numbers.floor(value, Op.CEIL),
    math.trunc: numbers.to_int,
    math.sqrt: numbers.square_root,
    math.fabs: lambda value: numbers.absolute(numbers.to_float(value)),
    math.isnan: numbers.is_nan,
}
"""Handlers of functions and classes; keyed by the objects, as names may be bound to others."""


def _method_split(
    value: Expression, sep: Expression = NONE, maxsplit: Expression | None = None
) -> Expression:
    limit = -1 if maxsplit is None else constant_value(maxsplit) if is_constant(maxsplit) else None
    if type(limit) is not int:
        raise NotExact("splits text a number of times that is not a constant")
    return texts.split(value, sep, limit)


def _affixes(affix: Expression) -> list[Expression]:
    return (fields_of(affix) or []) if kind_of(affix) is Kind.TUPLE else [affix]


def _capitalised(value: Expression) -> Expression:
    first = texts.text_slice(value, NONE, constant(1))
    rest = texts.text_slice(value, constant(1), NONE)
    return texts.concatenated([texts.cased(first, Op.UPPER), texts.cased(rest, Op.LOWER)])


_TEXT_METHODS: dict[str, Handler] = {
    "upper": lambda value: texts.cased(value, Op.UPPER),
    "lower": lambda value: texts.cased(value, Op.LOWER),
    "capitalize": _capitalised,
    "strip": lambda value, chars=NONE, /: texts.stripped(value, chars, Op.STRIP),
    "lstrip": lambda value, chars=NONE, /: texts.stripped(value, chars, Op.LEFT_STRIP),
    "rstrip": lambda value, chars=NONE, /: texts.stripped(value, chars, Op.RIGHT_STRIP),
    "startswith": lambda value, affix, /: texts.starts_or_ends(value, _affixes(affix), Op.STARTS_WITH),
    "endswith": lambda value, affix, /: texts.starts_or_ends(value, _affixes(affix), Op.ENDS_WITH),
    "replace": lambda value, old, new, /: texts.replaced(value, old, new),
    "find": lambda value, sub, /: texts.found(value, sub, required=False),
    "index": lambda value, sub, /: texts.found(value, sub, required=True),
    "count": lambda value, sub, /: texts.counted(value, sub),
    "split": _method_split,
    "join": lambda value, items, /: texts.joined(value, items),
    "format": lambda value, *values: formatted(value, list(values)),
    "isdigit": lambda value: texts.all_characters(value, "0-9"),
    "isdecimal": lambda value: texts.all_characters(value, "0-9"),
    "isnumeric": lambda value: texts.all_characters(value, "0-9"),
    "isalpha": lambda value: texts.all_characters(value, "A-Za-z"),
    "isalnum": lambda value: texts.all_characters(value, "A-Za-z0-9"),
}


def _weekday(value: Expression) -> Expression:
    return call(Op.PART, value, data=("weekday",), bounds=(0, 6))


_DATE_METHODS: dict[str, Handler] = {
    "weekday": _weekday,
    "isoweekday": lambda value: numbers.add(_weekday(value), constant(1)),
}


def _decoded(value: Expression, encoding: Expression = NONE) -> Expression:
    name = "utf-8" if encoding == NONE else constant_value(encoding) if is_constant(encoding) else ""
    if str(name).lower() not in ("utf-8", "utf8"):
        raise NotExact("decodes bytes other than as UTF-8")
    return call(Op.DECODE, value, fails=True)


_METHODS: dict[Kind, dict[str, Handler]] = {
    Kind.STR: _TEXT_METHODS,
    Kind.BYTES: {"decode": _decoded},
    Kind.DATE: _DATE_METHODS,
    Kind.DATETIME: {**_DATE_METHODS, "date": lambda value: call(Op.TO_DATE, value)},
}


def call_method(
    receiver: Expression, name: str, arguments: list[Expression], named: Mapping[str, Expression]
) -> Expression:
    """Return the result of a method of a value.

    Raises:
        NotExact: the method is not known to be pure, or Spark may compute another result.
    """
    method = _METHODS.get(kind_of(receiver), {}).get(name)
    if method is None:
        raise NotExact(f"calls .{name}() of {name_of(receiver)}, which is not lifted")
    return apply(method, f".{name}()", [not_null(receiver), *arguments], named)


_NAMED: dict[Handler, frozenset[str]] = {
    _sum: frozenset({"start"}),
    _method_split: frozenset({"sep", "maxsplit"}),
    _decoded: frozenset({"encoding"}),
}
"""Names of keyword arguments that are accepted."""


def apply(
    handler: Handler, name: str, arguments: list[Expression], named: Mapping[str, Expression]
) -> Expression:
    """Call a handler; arguments it does not take are not lifted."""
    if handler is not _row and not named.keys() <= _NAMED.get(handler, frozenset()):
        raise NotExact(f"calls {name} with arguments by name, which are not lifted")
    try:
        return handler(*arguments, **named)
    except TypeError as error:
        raise NotExact(f"calls {name} with arguments that are not lifted ({error})") from None
