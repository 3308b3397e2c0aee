"""Intrinsics: pure functions, classes and methods that are lifted without their source."""

from __future__ import annotations

import dataclasses
import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

from pystream.expressions.expression import Expression, Op, constant_value, is_constant
from pystream.lifting import arithmetic as numbers
from pystream.lifting import text as texts
from pystream.lifting.building import FALSE, NONE, call, constant, having_evaluated, list_of, not_null, struct
from pystream.lifting.comparing import truth
from pystream.lifting.conforming import conform_exactly
from pystream.lifting.formatting import formatted, interpolated
from pystream.lifting.imported import check_member
from pystream.lifting.kinds import Kind, NotExact, kind_of, name_of
from pystream.lifting.lists import enumerated, range_of
from pystream.lifting.members import fields_of, is_data_descriptor
from typeinfo import Row, Types
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.errors import PyStreamError

__all__ = ["INTRINSICS", "call_class", "call_method", "checked_defaults"]

Handler = Callable[..., Expression]


def _str(value: Expression | None = None) -> Expression:
    return constant("") if value is None else texts.text_of(value)


def _int(value: Expression | None = None) -> Expression:
    if value is None:
        return constant(0)
    return texts.parsed_int(value) if kind_of(value) is Kind.STR else numbers.to_int(value)


def _float(value: Expression | None = None) -> Expression:
    if value is None:
        return constant(0.0)
    return texts.parsed_float(value) if kind_of(value) is Kind.STR else numbers.to_float(value)


def _bool(value: Expression | None = None) -> Expression:
    return FALSE if value is None else truth(value)


def _len(value: Expression) -> Expression:
    parts = fields_of(value)
    if parts is None:
        return texts.length(value)
    return having_evaluated([value, *parts], constant(len(parts)))


def _round(value: Expression, ndigits: Expression = NONE) -> Expression:
    if ndigits != NONE:
        raise NotExact("uses round() with digits, which Java rounds otherwise")
    return numbers.rounded(value)


def _extremum(values: tuple[Expression, ...], *, least: bool) -> Expression:
    if len(values) == 1:
        parts = fields_of(values[0])
        if not parts:
            raise NotExact(f"uses {'min' if least else 'max'}() of {name_of(values[0])}")
        values = tuple(parts)
    return numbers.extremum(list(values), least=least)


def _min(*values: Expression) -> Expression:
    return _extremum(values, least=True)


def _max(*values: Expression) -> Expression:
    return _extremum(values, least=False)


def _sum(values: Expression, start: Expression | None = None) -> Expression:
    parts = fields_of(values)
    if parts is None:
        raise NotExact(f"uses sum() of {name_of(values)}, which is not lifted")
    total = constant(0) if start is None else start
    if any(kind_of(part) is Kind.FLOAT for part in (total, *parts)):
        raise NotExact("uses sum() of floats, which versions of Python round differently; add them with +")
    for part in parts:
        total = numbers.add(total, part)
    return total


def _tuple(values: Expression) -> Expression:
    parts = fields_of(values)
    if parts is None:
        raise NotExact(f"uses tuple() of {name_of(values)}, which is not lifted")
    return struct(parts)


def _list(values: Expression) -> Expression:
    if kind_of(values) is Kind.LIST:
        return not_null(values)
    parts = fields_of(values)
    if parts is None:
        raise NotExact(f"uses list() of {name_of(values)}, which is not lifted")
    return list_of(parts)


def _range(*bounds: Expression) -> Expression:
    return range_of(list(bounds))


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


def _divmod(a: Expression, b: Expression) -> Expression:
    return struct([numbers.floor_divide(a, b), numbers.modulo(a, b)])


INTRINSICS: dict[Any, Handler] = {
    str: _str,
    int: _int,
    float: _float,
    bool: _bool,
    len: _len,
    abs: numbers.absolute,
    round: _round,
    min: _min,
    max: _max,
    sum: _sum,
    tuple: _tuple,
    list: _list,
    range: _range,
    enumerate: lambda values: enumerated(_list(values)),
    format: _format,
    divmod: _divmod,
    Row: _row,
    math.floor: lambda value: numbers.floor(value, Op.FLOOR),
    math.ceil: lambda value: numbers.floor(value, Op.CEIL),
    math.trunc: numbers.to_int,
    math.sqrt: numbers.square_root,
    math.fabs: lambda value: numbers.absolute(numbers.to_float(value)),
    math.isnan: lambda value: numbers.is_nan(value),
}
"""Handlers of functions and classes; keyed by the objects, as names may be bound to others."""


def call_class(cls: type[Any], arguments: list[Expression], named: Mapping[str, Expression]) -> Expression:
    """Return an instance of a NamedTuple, or of a dataclass that only stores its arguments.

    Raises:
        NotExact: the class does more, or a value is not of its field's type as it is.
    """
    if cls.__module__ == "builtins":
        raise NotExact(f"calls {cls.__name__}(), which is not lifted")
    try:
        t = Types.of(cls)
    except PyStreamError as error:
        raise NotExact(f"makes a {cls.__name__}: {error}") from None
    if not isinstance(t, RecordTypeInfo):
        raise NotExact(f"makes a {cls.__name__}, which is not known to be pure")
    defaults = checked_defaults(cls, t)
    given = dict(zip(t.field_names, arguments, strict=False))
    if (
        len(arguments) > len(t.field_names)
        or given.keys() & named.keys()
        or named.keys() - set(t.field_names)
    ):
        raise NotExact(f"calls {cls.__name__}() with other arguments than its fields")
    given |= named
    parts = []
    for name, field_type in zip(t.field_names, t.field_types, strict=True):
        if name not in given and name not in defaults:
            raise NotExact(f"calls {cls.__name__}() without {name!r}, which always fails")
        if name not in given:
            check_member(cls, name, defaults[name])
        value = given[name] if name in given else constant(defaults[name])
        parts.append(conform_exactly(value, field_type, f"{cls.__name__}.{name}"))
    return struct(parts, t)


def checked_defaults(cls: type[Any], t: RecordTypeInfo[Any]) -> dict[str, Any]:
    """Return the defaults of the fields of a class whose constructor only stores its arguments.

    Raises:
        NotExact: it does more.
    """
    if t.kind is RecordKind.TYPED_DICT:
        return {}
    if type(cls).__call__ is not type.__call__:
        raise NotExact(f"makes a {cls.__name__}, whose metaclass has a __call__ of its own")
    if t.kind is RecordKind.NAMED_TUPLE:
        if _defines(cls, "__init__"):
            raise NotExact(f"makes a {cls.__name__}, which has an __init__ of its own")
        if cls.__new__.__code__.co_filename.startswith("<string>") or cls.__new__.__module__.startswith(
            "namedtuple_"
        ):
            return dict(cls._field_defaults)
        raise NotExact(f"makes a {cls.__name__}, which has a __new__ of its own")
    if t.kind is not RecordKind.DATACLASS:
        raise NotExact(f"makes a {cls.__name__}, whose constructor ({t.kind.value}) is not lifted")
    own = [name for name in ("__post_init__", "__new__", "__setattr__") if _defines(cls, name)]
    if own or not cls.__dataclass_params__.init or not _is_generated(cls.__init__):
        raise NotExact(f"makes a {cls.__name__}, which has a {(*own, '__init__')[0]} of its own")
    fields = dataclasses.fields(cls)
    if len(fields) < len(inspect.signature(cls.__init__).parameters) - 1:
        raise NotExact(f"makes a {cls.__name__}, whose constructor takes more than its fields")
    if any(is_data_descriptor(cls, f.name) for f in fields):
        raise NotExact(f"makes a {cls.__name__}, which has fields that descriptors store")
    if any(not f.init or f.kw_only for f in fields):
        raise NotExact(f"makes a {cls.__name__}, which has fields that are not given by position")
    return {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}


def _defines(cls: type[Any], name: str) -> bool:
    found = getattr(cls, name, None)
    if name == "__setattr__" and hasattr(cls, "__dataclass_params__") and cls.__dataclass_params__.frozen:
        return False
    return found is not None and found is not getattr(object, name, None)


def _is_generated(method: Any) -> bool:
    """Return whether a method of a dataclass is generated by the decorator, not written in source."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"


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
