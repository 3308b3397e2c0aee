"""Evaluation of expressions by the Python text of their operations, which defines what they compute."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pystream.expressions.control import failed
from pystream.expressions.expression import Expression, Op, constant_value
from pystream.expressions.operation import Nulls
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.row import Row, make_row

__all__ = ["PythonCode", "compiled"]

_BITS = {"Byte": 8, "Short": 16, "Integer": 32, "Long": 64}


def compiled(expression: Expression, arguments: int = 1) -> Callable[..., Any]:
    """Return a function of the arguments of an expression.

    It raises where evaluating the expression does: ``GuardError`` where it is not exact, else Python's error.
    """
    names = [f"x{position}" for position in range(arguments)]
    code = PythonCode(names)
    text = code.text(expression)
    function: Callable[..., Any] = eval(f"lambda {', '.join(names)}: {text}", code.names)
    return function


class PythonCode:
    """Writes expressions of the same arguments as Python source.

    Args:
        arguments: the source of each argument.

    Attributes:
        names: the values of other names in the source.
    """

    def __init__(self, arguments: Sequence[str]) -> None:
        self._arguments = arguments
        self.names: dict[str, Any] = {"failed": failed, "kept": _kept, "within": _within}

    def text(self, expression: Expression) -> str:
        """Return an expression as source."""
        op = expression.op
        parts = [self.text(part) for part in expression.parts]
        match op:
            case Op.INPUT:
                (position,) = expression.data
                assert isinstance(position, int)
                return self._arguments[position]
            case Op.CONSTANT:
                return self._named(constant_value(expression), "c")
            case Op.FIELD:
                return _field(expression.parts[0].type, expression.data[0], parts[0])
            case Op.STRUCT:
                return f"{self._named(_constructor(expression.type), 'make')}({', '.join(parts)})"
        if isinstance(op.python, str):
            text = op.python.format(*parts, parts=_Joined(parts), data=expression.data)
        else:
            self.names[op.name] = op.python
            given = [*parts, *map(repr, expression.data)]
            text = f"{op.name}({', '.join(given)})"
            if op.nulls is Nulls.KEPT and expression.nullable:
                text = f"kept({op.name}, {parts[0]})"
        bits = _BITS.get(str(expression.type))
        if op.overflows and bits and expression.fails_itself:
            text = f"within({text}, {2 ** (bits - 1)})"
        return text

    def _named(self, value: Any, prefix: str) -> str:
        name = f"{prefix}{len(self.names)}"
        self.names[name] = value
        return name


class _Joined:
    """The sources of parts, which a format joins by what it says."""

    def __init__(self, parts: list[str]) -> None:
        self._parts = parts

    def __format__(self, separator: str) -> str:
        return separator.join(self._parts)


def _kept(function: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else function(value)


def _within(value: int, reach: int) -> int:
    if not -reach <= value < reach:
        raise OverflowError("an integer does not fit its type")
    return value


def _field(t: Any, index: Any, whole: str) -> str:
    if isinstance(t, RecordTypeInfo):
        name = t.field_names[index]
        return f"{whole}[{name!r}]" if t.kind is RecordKind.TYPED_DICT else f"{whole}.{name}"
    return f"{whole}[{index}]"


def _constructor(t: Any) -> Callable[..., Any]:
    """Return a function that makes a composite of its fields."""
    assert isinstance(t, FieldsTypeInfo)
    names = t.get_field_names()
    if isinstance(t, RowTypeInfo):
        return (lambda *values: make_row(values, t.field_names)) if t.field_names else Row
    if isinstance(t, RecordTypeInfo):
        is_dict = t.kind is RecordKind.TYPED_DICT
        return (lambda *values: dict(zip(names, values, strict=True))) if is_dict else t.record_class
    return lambda *values: values
