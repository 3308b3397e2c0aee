"""Convert JSON that orjson has parsed, by code that is generated for a type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import Declaration, Field, FieldRead, maker_of, stored_by
from pystream.engine.formats.json_nodes import Convert, NodeCompiler, cast_after, only_text_reader
from pystream.engine.formats.times import TimeStyle
from typeinfo.basic import BOOLEAN, DOUBLE, STRING
from typeinfo.composite import FieldsTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["UNFIT", "FastNodeCompiler"]

UNFIT = (FieldError, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""Exceptions after which a message is to be read in the exact way."""

_EXACT = 2**63  # orjson parses integers of more than 64 bits, which are not less than this, as floats


class FastNodeCompiler(NodeCompiler):
    """Compile a type to a function that converts what orjson has parsed, or raises one of `UNFIT`.

    It converts a value as `NodeCompiler` does what the exact parser gives, or not at all.
    """

    def __init__(
        self, fail_on_missing_field: bool, time_style: TimeStyle, declarations: Sequence[Declaration] = ()
    ) -> None:
        super().__init__(fail_on_missing_field, False, time_style, declarations)

    def convert(self, t: TypeInformation[Any], path: str) -> Convert:
        """Return the conversion of a part that is not null."""
        if isinstance(t, FieldsTypeInfo):
            fields = self.fields(t, path)
            if not any(field.may_be_missing for field, _ in fields):
                return self._object(t, fields)
        convert = super().convert(t, path)
        has_digits = t == STRING or (isinstance(t, ScalarTypeInfo) and t.value_class is int)
        return partial(_if_exact, convert) if has_digits else convert

    def _object(self, t: FieldsTypeInfo[Any], fields: list[FieldRead]) -> Convert:
        scope: dict[str, Any] = {}
        lines = ["def read(node):", "    get = node.get"]
        for i, (field, convert) in enumerate(fields):
            value = f"v{i}"
            may_lack = field.nullable and not self.fail_on_missing_field
            lines.append(f"    {value} = {f'get({field.name!r})' if may_lack else f'node[{field.name!r}]'}")
            scope[f"c{i}"] = convert
            scope[f"t{i}"] = read = _text_reader(field, self.time_style)
            lines.append(f"    {_conversion(field, read is not None, value, f'c{i}', f't{i}')}")
        values = "".join(f"v{i}, " for i in range(len(fields)))
        constructor = stored_by(t)
        scope["make"] = constructor or maker_of(t)
        lines.append(f"    return make({values})" if constructor else f"    return make(({values}))")
        exec(compile("\n".join(lines), __file__, "exec"), scope)
        convert_object: Convert = scope["read"]
        return convert_object


def _text_reader(field: Field, time_style: TimeStyle) -> Convert | None:
    """Return the function that reads the values of a field from strings, their usual form; else ``None``."""
    if field.type == STRING:
        return field.cast
    read = only_text_reader(field.type, time_style)
    return read if read is None or field.cast is None else partial(cast_after, field.cast, read)


def _conversion(field: Field, is_text: bool, value: str, convert: str, read: str) -> str:
    """Return a statement that converts a value, quickly if it is of the usual class."""
    if is_text:
        return f"{value} = {read}({value}) if type({value}) is str else {convert}({value})"
    unusual = None if field.cast is not None else _unusual(field.type, value)
    return (
        f"{value} = {convert}({value})" if unusual is None else f"if {unusual}: {value} = {convert}({value})"
    )


def _unusual(t: TypeInformation[Any], value: str) -> str | None:
    """Return the condition under which a value is not one of the type yet; ``None`` if it never is."""
    if isinstance(t, ScalarTypeInfo) and t.value_class is int:
        if t.traits.bounds is None:
            return f"type({value}) is not int"
        least, greatest = t.traits.bounds
        return f"type({value}) is not int or not {least} <= {value} <= {greatest}"
    if t == BOOLEAN:
        return f"{value} is not True and {value} is not False"
    if t == STRING:
        return f"type({value}) is not str"
    if t == DOUBLE:
        return f"type({value}) is not float"
    return None


def _if_exact(convert: Convert, node: Any) -> Any:
    """Convert a node if it has kept all digits of its numbers."""
    if isinstance(node, (dict, list)) or (type(node) is float and abs(node) >= _EXACT):
        raise FieldError("the parser may have lost digits")
    return convert(node)
