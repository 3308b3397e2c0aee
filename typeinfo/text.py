"""Format elements as text, as Flink's print sink and string encoder do."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal

from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, UnionTypeInfo, VariadicTupleTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.decimals import is_decimal
from typeinfo.errors import UnsupportedTypeError, short_repr
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.serde.registry import canonical_unwrap

__all__ = ["Style", "Text", "text_of"]

Text = Callable[[Any], str]
Style = Literal["print", "encoder"]


def text_of(t: TypeInformation[Any], style: Style) -> Text:
    """Return the function that formats elements of a type as text.

    Strings are unquoted, numbers as in Java (``1.0E10``), a tuple is ``(a,1)``, a list ``[0, 7]``, a
    map ``{a=1}``, a row ``+I[1, a, null]`` with its kind in front, an element of unknown type as by
    ``str``. Arrays are written like lists; bytes as a list of signed numbers. Beyond Flink, a record is
    ``Point(x=1, y=null)``, an enum member its name, a duration ``PT1H0.5S``.

    Args:
        t: the type of the elements.
        style: ``print`` writes a row as PyFlink's print sink does, each field by ``str`` and without
            spaces: ``+I[1,a,None]``. Apart from that it equals ``encoder``, the string encoder of file sinks.

    Raises:
        UnsupportedTypeError: ``t`` is of an unknown class.
    """
    if style == "print":
        if isinstance(t, RowTypeInfo):
            return partial(_printed_row, [_printed_field(field) for field in t.field_types])
        if isinstance(t, OptionalTypeInfo):
            return partial(_or_null, text_of(t.value_type, style))
    return _text(t)


def _printed_row(parts: list[Text], row: Row[Any]) -> str:
    return f"{row.get_row_kind()}[{','.join(part(value) for part, value in zip(parts, row, strict=True))}]"


def _printed_field(t: TypeInformation[Any]) -> Text:
    return partial(_or_null, t.traits.text, null="None") if is_decimal(t) else str


def _text(t: TypeInformation[Any]) -> Text:
    match t:
        case ScalarTypeInfo():
            return t.traits.text
        case LiteralTypeInfo():
            return _text(t.value_type)
        case UnionTypeInfo():
            return partial(_member_text, t, [_text(member) for member in t.member_types])
        case VariadicTupleTypeInfo():
            return partial(_any_tuple, _text(t.element_type))
        case SetTypeInfo():
            return partial(_set, canonical_unwrap(t), _text(t.element_type))
        case PickledBytesTypeInfo() | CustomTypeInfo() | CarriedTypeInfo():
            return str
        case OptionalTypeInfo():
            return partial(_or_null, _text(t.value_type))
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return _bytes
        case ArrayTypeInfo():
            return partial(_list, _parts(t)[0])
        case MapTypeInfo():
            key, value = _parts(t)
            return partial(_map, key, value)
        case TupleTypeInfo():
            return partial(_tuple, _parts(t))
        case RowTypeInfo():
            return partial(_row, _parts(t))
        case RecordTypeInfo():
            write = _typed_dict if t.kind is RecordKind.TYPED_DICT else _record
            return partial(write, t.record_class.__name__, list(zip(t.field_names, _parts(t), strict=True)))
    raise UnsupportedTypeError(f"{short_repr(t)} has no text")


def _parts(t: TypeInformation[Any]) -> list[Text]:
    return [partial(_or_null, _text(slot.type)) if slot.nullable else _text(slot.type) for slot in t.slots()]


def _or_null(text: Text, value: Any, null: str = "null") -> str:
    return null if value is None else text(value)


def _bytes(value: bytes) -> str:
    return f"[{', '.join(str(byte - 256 if byte > 127 else byte) for byte in value)}]"


def _list(element: Text, values: Iterable[Any]) -> str:
    return f"[{', '.join(map(element, values))}]"


def _set(unwrap: Callable[[Any], list[Any]], element: Text, values: Iterable[Any]) -> str:
    return _list(element, unwrap(values))


def _any_tuple(element: Text, values: Iterable[Any]) -> str:
    return f"({','.join(map(element, values))})"


def _member_text(t: UnionTypeInfo[Any], members: list[Text], value: Any) -> str:
    return members[t.member_of(value) or 0](value)


def _map(key: Text, value: Text, entries: dict[Any, Any]) -> str:
    return f"{{{', '.join(f'{key(k)}={value(v)}' for k, v in entries.items())}}}"


def _tuple(parts: list[Text], values: tuple[Any, ...]) -> str:
    return f"({','.join(part(value) for part, value in zip(parts, values, strict=True))})"


def _row(parts: list[Text], row: Row[Any]) -> str:
    fields = (part(value) for part, value in zip(parts, row, strict=True))
    return f"{row.get_row_kind()}[{', '.join(fields)}]"


def _record(name: str, fields: list[tuple[str, Text]], value: Any) -> str:
    return f"{name}({', '.join(f'{field}={part(getattr(value, field))}' for field, part in fields)})"


def _typed_dict(name: str, fields: list[tuple[str, Text]], value: dict[str, Any]) -> str:
    present = (f"{field}={part(value[field])}" for field, part in fields if field in value)
    return f"{name}({', '.join(present)})"
