"""A reference interpreter of expressions in Python, to compare lifting and Spark with."""

from __future__ import annotations

import linecache
import math
import operator
import re
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from pystream.lifting import Expression, Op
from typeinfo import Row
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.row import make_row

LONG = range(-(2**63), 2**63)


class Raised(Exception):  # noqa: N818 - one of several outcomes
    """A guard or an operation of an expression raised."""


def compiled(text: str, **names: Any) -> Callable[..., Any]:
    """Return the function ``f`` that text defines, with its source available as if it came from a file.

    Args:
        text: the source.
        names: global names of the function.
    """
    file = f"<compiled {hash(text)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {"__name__": file, **names}
    exec(compile(text, file, "exec"), scope)
    return scope["f"]  # type: ignore[no-any-return]


def evaluate(expression: Expression, arguments: Sequence[Any]) -> Any:
    """Return the value of an expression for arguments.

    Raises:
        Raised: a guard does not hold, or an operation has no result.
    """
    return _Evaluation(arguments).value(expression)


class _Evaluation:
    def __init__(self, arguments: Sequence[Any]) -> None:
        self.arguments = arguments
        self.variables: dict[Any, Any] = {}

    def value(self, e: Expression) -> Any:
        if e.op in SPECIAL:
            return SPECIAL[e.op](self, e)
        parts = [self.value(part) for part in e.parts]
        if parts == [None] and e.op in (Op.WIDEN, Op.TO_DOUBLE):
            return None
        assert None not in parts, f"{e.op} was given None: {e}"
        return OPERATIONS[e.op](e, *parts)

    def op_input(self, e: Expression) -> Any:
        return self.arguments[e.data[0]]  # type: ignore[call-overload]

    def op_variable(self, e: Expression) -> Any:
        return self.variables[e.data[0]]

    def op_constant(self, e: Expression) -> Any:
        return e.data[0]

    def op_field(self, e: Expression) -> Any:
        composite = self.value(e.parts[0])
        t = e.parts[0].type
        assert isinstance(t, FieldsTypeInfo)
        (index,) = e.data
        if isinstance(t, RecordTypeInfo):
            name = t.field_names[index]  # type: ignore[call-overload]
            return composite[name] if t.kind is RecordKind.TYPED_DICT else getattr(composite, name)
        return composite[index]

    def op_struct(self, e: Expression) -> Any:
        return built(e.type, [self.value(part) for part in e.parts])

    def op_list(self, e: Expression) -> Any:
        return [self.value(part) for part in e.parts]

    def op_if(self, e: Expression) -> Any:
        condition, then, otherwise = e.parts
        return self.value(then if self.truth(condition) else otherwise)

    def truth(self, e: Expression) -> bool:
        value = self.value(e)
        assert value is True or value is False, f"{e} is {value!r}"
        return bool(value)

    def op_and(self, e: Expression) -> Any:
        return all(self.truth(part) for part in e.parts)

    def op_or(self, e: Expression) -> Any:
        return any(self.truth(part) for part in e.parts)

    def op_guard(self, e: Expression) -> Any:
        if not self.truth(e.parts[0]):
            raise Raised(e.data[0])
        return self.value(e.parts[1])

    def op_not_null(self, e: Expression) -> Any:
        value = self.value(e.parts[0])
        if value is None:
            raise Raised("None")
        return value

    def op_is_null(self, e: Expression) -> Any:
        return self.value(e.parts[0]) is None

    def op_evaluated(self, e: Expression) -> Any:
        for part in e.parts:
            self.value(part)
        return True

    def op_null_safe_equal(self, e: Expression) -> Any:
        a, b = map(self.value, e.parts)
        return a is b if a is None or b is None else _order(a, b) == 0

    def op_transform(self, e: Expression) -> Any:
        return [self._with(e, item) for item in self.value(e.parts[0])]

    def op_filter(self, e: Expression) -> Any:
        return [item for item in self.value(e.parts[0]) if self._with(e, item)]

    def _with(self, e: Expression, item: Any) -> Any:
        self.variables[e.data[0]] = item
        return self.value(e.parts[1])


SPECIAL: dict[Op, Callable[[_Evaluation, Expression], Any]] = {
    op: getattr(_Evaluation, name) for op in Op if hasattr(_Evaluation, name := f"op_{op.name.lower()}")
}
"""Operations that do not evaluate all their parts, or take parts that are ``None``."""


def built(t: Any, values: list[Any]) -> Any:
    """Return a composite of a type."""
    if isinstance(t, RowTypeInfo):
        return make_row(values, t.field_names) if t.field_names else Row(*values)
    if isinstance(t, RecordTypeInfo):
        if t.kind is RecordKind.TYPED_DICT:
            return dict(zip(t.field_names, values, strict=True))
        return t.record_class(*values)
    return tuple(values)


def _long(value: int) -> int:
    if value not in LONG:
        raise Raised("overflow")
    return value


def _number(function: Callable[..., Any]) -> Callable[..., Any]:
    def number(e: Expression, *parts: Any) -> Any:
        kinds = set(map(type, parts))
        assert kinds in ({int}, {float}), f"{e.op} of {parts}"
        try:
            value = function(*parts)
        except OverflowError:
            value = math.inf
        return _long(value) if isinstance(value, int) else value

    return number


def _order(a: Any, b: Any) -> int:
    """Compare as Spark does: NaN is greatest and equal to itself."""
    assert type(a) is type(b), f"{a!r} is compared with {b!r}"
    if isinstance(a, Enum):
        return 0 if a is b else 1
    if isinstance(a, float) and (a != a or b != b):
        return (a != a) - (b != b)
    return (a > b) - (a < b)


def _truncated(a: int, b: int) -> int:
    if not b:
        raise Raised("division by zero")
    quotient = abs(a) // abs(b)
    return _long(quotient if (a < 0) == (b < 0) else -quotient)


def _remainder(e: Expression, a: Any, b: Any) -> Any:
    if not b:
        raise Raised("division by zero")
    if isinstance(a, int):
        return a - b * _truncated(a, b) if b != -1 else 0
    return math.nan if math.isinf(a) else math.fmod(a, b)


def _divide(e: Expression, a: float, b: float) -> float:
    if not b:
        raise Raised("division by zero")
    return a / b


def _modulo(e: Expression, a: int, b: int) -> int:
    if not b:
        raise Raised("division by zero")
    assert b > 0
    return a % b


def _to_long(e: Expression, a: float) -> int:
    value = int(a)
    assert value in LONG
    return value


def _narrow(e: Expression, a: int) -> int:
    bits = {"Byte": 7, "Short": 15, "Integer": 31, "Long": 63}[str(e.type)]
    if not -(2**bits) <= a < 2**bits:
        raise Raised("out of range")
    return a


def _to_float(e: Expression, a: float) -> float:
    import numpy as np

    return float(np.float32(a))


def _substring(e: Expression, text: str, start: int, count: int) -> str:
    assert start in range(-(2**31), 2**31)
    assert count in range(2**31)
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    last = first + count
    return text[max(first, 0) : max(last, 0)]


def _whole(function: Callable[[float], Any]) -> Callable[..., Any]:
    return lambda e, a: float(function(a)) if math.isfinite(a) else a


def _element(e: Expression, items: list[Any], place: int) -> Any:
    assert 1 <= abs(place) <= len(items)
    return items[place - 1 if place > 0 else place]


def _split(e: Expression, text: str) -> list[str]:
    pattern, limit = e.data
    python = re.sub(r"\\x\{([0-9a-f]+)\}", lambda m: re.escape(chr(int(m[1], 16))), str(pattern))
    return re.split(python, text, maxsplit=0 if limit == -1 else limit - 1) if limit != 1 else [text]  # type: ignore[operator]


def _matches(e: Expression, text: str) -> bool:
    return re.search(str(e.data[0]).replace(r"\z", r"\Z"), text) is not None


def _part(e: Expression, value: Any) -> int:
    name = str(e.data[0])
    return int(value.weekday() if name == "weekday" else getattr(value, name))


def _decode(e: Expression, value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise Raised("no UTF-8") from None


def _upper(e: Expression, text: str) -> str:
    assert text.isascii()
    return text.upper() if e.op is Op.UPPER else text.lower()


OPERATIONS: dict[Op, Callable[..., Any]] = {
    Op.NOT: lambda e, a: not a,
    Op.WIDEN: lambda e, a: int(a),
    Op.TO_DOUBLE: lambda e, a: float(a),
    Op.TO_LONG: _to_long,
    Op.NARROW: _narrow,
    Op.TO_FLOAT: _to_float,
    Op.ADD: _number(operator.add),
    Op.SUBTRACT: _number(operator.sub),
    Op.MULTIPLY: _number(operator.mul),
    Op.NEGATE: _number(operator.neg),
    Op.ABSOLUTE: _number(abs),
    Op.DIVIDE: _divide,
    Op.TRUNCATED_DIVIDE: lambda e, a, b: _truncated(a, b),
    Op.REMAINDER: _remainder,
    Op.MODULO: _modulo,
    Op.ROUND_EVEN: lambda e, a: math.copysign(float(round(a)), a) if math.isfinite(a) else a,
    Op.FLOOR: _whole(math.floor),
    Op.CEIL: _whole(math.ceil),
    Op.SQUARE_ROOT: lambda e, a: math.sqrt(a),
    Op.IS_NAN: lambda e, a: a != a,
    Op.LEAST: lambda e, *parts: min(parts),
    Op.GREATEST: lambda e, *parts: max(parts),
    Op.BIT_AND: lambda e, a, b: a & b,
    Op.BIT_OR: lambda e, a, b: a | b,
    Op.BIT_XOR: lambda e, a, b: a ^ b,
    Op.BIT_NOT: lambda e, a: ~a,
    Op.EQUAL: lambda e, a, b: _order(a, b) == 0,
    Op.LESS: lambda e, a, b: _order(a, b) < 0,
    Op.LESS_OR_EQUAL: lambda e, a, b: _order(a, b) <= 0,
    Op.CONCAT: lambda e, *parts: "".join(parts),
    Op.LENGTH: lambda e, a: len(a),
    Op.OCTET_LENGTH: lambda e, a: len(a.encode() if isinstance(a, str) else a),
    Op.SUBSTRING: _substring,
    Op.UPPER: _upper,
    Op.LOWER: _upper,
    Op.STARTS_WITH: lambda e, a, b: a.startswith(b),
    Op.ENDS_WITH: lambda e, a, b: a.endswith(b),
    Op.CONTAINS: lambda e, a, b: b in a,
    Op.STRIP: lambda e, a, b: a.strip(b),
    Op.LEFT_STRIP: lambda e, a, b: a.lstrip(b),
    Op.RIGHT_STRIP: lambda e, a, b: a.rstrip(b),
    Op.REPLACE: lambda e, a, b, c: a.replace(b, c) if b else a,
    Op.FIND: lambda e, a, b: a.find(b) + 1,
    Op.SPLIT: _split,
    Op.REPEAT: lambda e, a, n: a * n,
    Op.MATCHES: _matches,
    Op.TO_TEXT: lambda e, a: str(a),
    Op.PARSE_LONG: lambda e, a: int(a),
    Op.PARSE_DOUBLE: lambda e, a: float(a),
    Op.DECODE: _decode,
    Op.JOIN: lambda e, a, b: b.join(a),
    Op.SIZE: lambda e, a: len(a),
    Op.ELEMENT: _element,
    Op.SLICE: lambda e, a, start, count: a[start - 1 : start - 1 + count],
    Op.IN_LIST: lambda e, a, b: a in b,
    Op.FLATTEN: lambda e, a: [item for items in a for item in items],
    Op.CONCAT_LISTS: lambda e, *parts: [item for items in parts for item in items],
    Op.REMOVE: lambda e, a, b: [item for item in a if item != b],
    Op.RANGE: lambda e, a, b: list(range(a, b + 1)),
    Op.ENUMERATE: lambda e, a: list(enumerate(a)),
    Op.PART: _part,
    Op.TO_DATE: lambda e, a: a.date(),
}
