"""Write elements as JSON text by code that is generated for a type."""

from __future__ import annotations

import datetime
from functools import partial
from json.encoder import encode_basestring
from typing import Any

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import Field, fields_of, has_plain_attributes, stored_by
from pystream.engine.formats.json_values import ValueCompiler, Write
from typeinfo.basic import BOOLEAN, DOUBLE, STRING
from typeinfo.composite import FieldsTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row, row_class, row_values
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["FastValueCompiler"]


class FastValueCompiler(ValueCompiler):
    """Compile a type to a function that writes elements of the usual classes.

    It writes an element as `ValueCompiler` does the conformed element, or raises an exception.
    """

    def element_writer(self, t: TypeInformation[Any]) -> Write:
        """Return the function for elements, which need not be conformed."""
        if not isinstance(t, FieldsTypeInfo):
            return _refused
        fields = fields_of(t)
        opening = _opening(t)
        if opening is None or None in self._skipped or any(field.may_be_missing for field in fields):
            return _refused
        scope: dict[str, Any] = {"cls": _class_of(t), "Row": Row, "values_of": row_values}
        scope |= {"quoted": encode_basestring, "date": datetime.date, "datetime": datetime.datetime}
        lines = ["def write(element):", *opening]
        for i, field in enumerate(fields):
            value = f"v{i}"
            scope[f"w{i}"] = self._part_writer(field)
            scope[f"q{i}"] = self.writer(field.type, "")
            scope[f"n{i}"] = f"{',' if i else '{'}{encode_basestring(field.name)}:"
            lines.append(f"    {value} = {_text(field.type, value, f'q{i}', f'w{i}')}")
        parts = "".join(f"{{n{i}}}{{v{i}}}" for i in range(len(fields)))
        lines.append(f"    return f'{parts if fields else '{{'}}}}}'")
        exec(compile("\n".join(lines), __file__, "exec"), scope)
        write: Write = scope["write"]
        return write

    def _part_writer(self, field: Field) -> Write:
        """Return the function for values of a field of any class."""
        if isinstance(field.type, FieldsTypeInfo):
            return partial(_null_or, field.nullable, self.element_writer(field.type))
        write = partial(_write_conformed, field.type, self.writer(field.type, ""))
        return partial(_null_or, field.nullable, write)


def _opening(t: FieldsTypeInfo[Any]) -> list[str] | None:
    """Return the statements that assign the fields of an element to variables."""
    names = t.get_field_names()
    if not names:
        return None
    values = "".join(f"v{i}, " for i in range(len(names)))
    match t:
        case RowTypeInfo():
            unfit = "type(element) is not cls and type(element) is not Row"
            return [f"    if {unfit}: raise TypeError", f"    {values}= values_of(element)"]
        case TupleTypeInfo():
            return ["    if type(element) is not tuple: raise TypeError", f"    {values}= element"]
    if stored_by(t) is None or not has_plain_attributes(t):
        return None
    lines = [
        "    if type(element) is not cls: raise TypeError",
        "    attributes = element.__dict__",
        f"    if len(attributes) != {len(names)}: raise TypeError",
    ]
    return lines + [f"    v{i} = attributes[{name!r}]" for i, name in enumerate(names)]


def _class_of(t: FieldsTypeInfo[Any]) -> Any:
    return row_class(tuple(t.get_field_names())) if isinstance(t, RowTypeInfo) else stored_by(t)


def _text(t: TypeInformation[Any], value: str, write: str, write_any: str) -> str:
    """Return an expression for the text of a value, quickly if it is of the usual class."""
    otherwise = f"{write_any}({value})"
    if t == BOOLEAN:
        return f"'true' if {value} is True else 'false' if {value} is False else {otherwise}"
    if t == STRING:
        return f"quoted({value}) if type({value}) is str else {otherwise}"
    if t == DOUBLE:
        return f"repr({value}) if type({value}) is float and {value} - {value} == 0 else {otherwise}"
    if isinstance(t, ScalarTypeInfo):
        if t.value_class is int and t.traits.bounds is not None:
            least, greatest = t.traits.bounds
            return f"{value} if type({value}) is int and {least} <= {value} <= {greatest} else {otherwise}"
        if t.value_class is datetime.datetime:
            is_plain = f"type({value}) is datetime and {value}.tzinfo is None"
            return f"{write}({value}) if {is_plain} else {otherwise}"
        if t.value_class is datetime.date:
            return f"{write}({value}) if type({value}) is date else {otherwise}"
    return otherwise


def _refused(element: Any) -> str:
    raise FieldError("no code is generated for the type")


def _null_or(nullable: bool, write: Write, value: Any) -> str:
    if value is not None:
        return write(value)
    if not nullable:
        raise FieldError("null is not allowed by the type")
    return "null"


def _write_conformed(t: TypeInformation[Any], write: Write, value: Any) -> str:
    from typeinfo.serde import serializer_for

    (conformed,) = serializer_for(t).conform([value])
    return write(conformed)
