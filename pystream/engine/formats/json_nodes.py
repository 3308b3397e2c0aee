"""Convert parsed JSON to values of a type."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Any

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import (
    MISSING,
    Declaration,
    FieldRead,
    fields_of,
    maker_of,
    read_each,
    without_optional,
)
from pystream.engine.formats.scalars import (
    checked_integer,
    from_carrier,
    literal_value,
    rounded_float,
    text_reader,
)
from pystream.engine.formats.times import TimeStyle
from typeinfo.basic import BIG_DEC, BOOLEAN, DOUBLE, FLOAT, STRING
from typeinfo.carried import CarriedTypeInfo, TextTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import is_decimal
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.number_text import double_text
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["Convert", "NodeCompiler", "cast_after", "only_text_reader"]

Convert = Callable[[Any], Any]

_MAX_DIGITS = 400  # limit of a double; prevents the conversion of 1e999999999 to an int


class NodeCompiler:
    """Compile a type to a function that converts parsed JSON to values, or raises `FieldError`.

    Args:
        fail_on_missing_field: whether a field that is not in an object is an error instead of ``None``.
        ignore_parse_errors: whether what cannot be converted becomes ``None`` where the type allows it.
        time_style: how times and timestamps are written.
        declarations: what a table declares of its columns, the fields of the elements.
    """

    def __init__(
        self,
        fail_on_missing_field: bool,
        ignore_parse_errors: bool,
        time_style: TimeStyle,
        declarations: Sequence[Declaration] = (),
    ) -> None:
        self._declarations = declarations
        self.fail_on_missing_field = fail_on_missing_field
        self.ignore_parse_errors = ignore_parse_errors
        self.time_style: TimeStyle = time_style

    def slot(
        self, t: TypeInformation[Any], nullable: bool, path: str, cast: Convert | None = None
    ) -> Convert:
        """Return the conversion of a part that may be null, and that is cast afterwards."""
        t, nullable = without_optional(t, nullable)
        convert = self.convert(t, path)
        if cast is not None:
            convert = partial(cast_after, cast, convert)
        if not nullable:
            return partial(_not_null, convert)
        return partial(_null_for_errors if self.ignore_parse_errors else _null_or, convert)

    def fields(self, t: FieldsTypeInfo[Any], path: str) -> list[FieldRead]:
        """Return the fields of a composite with their conversions.

        Raises:
            UnsupportedTypeError: JSON cannot represent a part of the type.
        """
        return [
            (field, self.slot(field.type, field.nullable, f"{path}.{field.name}", field.cast))
            for field in fields_of(t, () if path else self._declarations)
        ]

    def convert(self, t: TypeInformation[Any], path: str) -> Convert:
        """Return the conversion of a part that is not null.

        Raises:
            UnsupportedTypeError: JSON cannot represent a part of the type; the message names it.
        """
        match t:
            case FieldsTypeInfo():
                return partial(_fields, self.fields(t, path), maker_of(t), self.fail_on_missing_field)
            case MapTypeInfo():
                key, value = t.slots()
                read_key = text_reader(key.type, self.time_style)
                if read_key is None:
                    raise UnsupportedTypeError(
                        f"JSON has no map with keys of type {key.type} (field {path[1:]})"
                    )
                return partial(_map, read_key, self.slot(value.type, value.nullable, f"{path}[]"))
            case ArrayTypeInfo() if not (isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes):
                (element,) = t.slots()
                return partial(_array, self.slot(element.type, element.nullable, f"{path}[]"))
            case CarriedTypeInfo() if not isinstance(t, TextTypeInfo):
                return partial(_carried, t, self.convert(t.carrier, path))
            case LiteralTypeInfo():
                return partial(literal_value, t, self.convert(t.value_type, path))
            case ScalarTypeInfo() if t.value_class is int:
                return partial(_integer, t)
            case ScalarTypeInfo() if t in _FROM_OTHER_NODES:
                return _FROM_OTHER_NODES[t]
            case _ if is_decimal(t):
                return _decimal
        read = only_text_reader(t, self.time_style)
        if read is None:
            raise UnsupportedTypeError(f"JSON has no values of type {t} (field {path[1:]})")
        return partial(_string, read, "a string")


def only_text_reader(t: TypeInformation[Any], time_style: TimeStyle) -> Callable[[str], Any] | None:
    """Return the function that reads a type from strings, if JSON has its values in no other form."""
    is_other = t in _FROM_OTHER_NODES or is_decimal(t) or isinstance(t, LiteralTypeInfo)
    is_integer = isinstance(t, ScalarTypeInfo) and t.value_class is int
    return None if is_other or is_integer else text_reader(t, time_style)


def cast_after(cast: Convert, convert: Convert, node: Any) -> Any:
    """Convert a node, and cast the value."""
    return cast(convert(node))


def _null_or(convert: Convert, node: Any) -> Any:
    return None if node is None else convert(node)


def _null_for_errors(convert: Convert, node: Any) -> Any:
    if node is None:
        return None
    try:
        return convert(node)
    except FieldError:
        return None


def _not_null(convert: Convert, node: Any) -> Any:
    if node is None:
        raise FieldError("null is not allowed by the type")
    return convert(node)


def _fields(
    fields: list[FieldRead],
    make: Callable[[list[Any]], Any],
    fail_on_missing_field: bool,
    node: Any,
) -> Any:
    if type(node) is not dict:
        raise FieldError(f"expected an object, not {_json(node)}")
    values = []
    for field, convert in fields:
        name = field.name
        try:
            if name in node:
                values.append(convert(node[name]))
            elif field.may_be_missing:
                values.append(MISSING)
            elif field.nullable and not fail_on_missing_field:
                values.append(None)
            else:
                raise FieldError(f"missing; the message has {list(node)}")
        except FieldError as error:
            error.is_fatal |= field.is_required
            raise error.under(f".{name}") from None
    return make(values)


def _array(convert: Convert, node: Any) -> list[Any]:
    if type(node) is not list:
        raise FieldError(f"expected an array, not {_json(node)}")
    return read_each(convert, node)


def _map(read_key: Callable[[str], Any], convert: Convert, node: Any) -> dict[Any, Any]:
    if type(node) is not dict:
        raise FieldError(f"expected an object, not {_json(node)}")
    entries = {}
    for name, item in node.items():
        try:
            entries[read_key(name)] = convert(item)
        except FieldError as error:
            raise error.under(f"[{name!r}]") from None
    return entries


def _carried(t: CarriedTypeInfo[Any], convert: Convert, node: Any) -> Any:
    return from_carrier(t, convert(node))


def _string(read: Callable[[str], Any], wanted: str, node: Any) -> Any:
    if type(node) is not str:
        raise FieldError(f"expected {wanted}, not {_json(node)}")
    return read(node)


def _any_text(node: Any) -> str:
    if isinstance(node, str):
        return node
    if isinstance(node, (float, Decimal)):
        return double_text(float(node))
    return _json(node)


def _boolean(node: Any) -> bool:
    return node if type(node) is bool else bool(_in_string(BOOLEAN, "true or false", node))


def _integer(t: ScalarTypeInfo[Any], node: Any) -> int:
    match node:
        case bool():
            pass
        case int():
            return checked_integer(t, node)
        case float() | Decimal():
            if not _is_whole(node):
                raise FieldError(f"{node} is not a whole number that fits {t.display_name()}")
            return checked_integer(t, int(node))
    return int(_in_string(t, "a whole number", node))


def _is_whole(number: float | Decimal) -> bool:
    if isinstance(number, Decimal):
        return number.adjusted() < _MAX_DIGITS and number == number.to_integral_value()
    return float(number).is_integer()


def _double(node: Any) -> float:
    if type(node) in (int, float, Decimal):
        try:
            number = float(node)
        except OverflowError:
            raise FieldError(f"an integer of {len(str(node))} digits does not fit DOUBLE") from None
        if math.isinf(number):
            raise FieldError("the number does not fit DOUBLE")
        return number
    return float(_in_string(DOUBLE, "a number", node))


def _float(node: Any) -> float:
    return rounded_float(_double(node))


def _decimal(node: Any) -> Decimal:
    if type(node) in (int, Decimal):
        return Decimal(node)
    if type(node) is float:
        raise FieldError("the exponent of the number is beyond those of decimals")
    return Decimal(_in_string(BIG_DEC, "a number", node))


def _in_string(t: ScalarTypeInfo[Any], wanted: str, node: Any) -> Any:
    read = text_reader(t, "SQL")  # a number or boolean, whose text is the same in every style
    assert read is not None
    return _string(read, wanted, node)


def _json(node: Any) -> str:
    return json.dumps(node, ensure_ascii=False, separators=(",", ":"), default=float)


_FROM_OTHER_NODES: dict[TypeInformation[Any], Convert] = {
    STRING: _any_text,
    BOOLEAN: _boolean,
    DOUBLE: _double,
    FLOAT: _float,
}
"""Types whose values are read from nodes other than strings as well."""
