"""Write elements that are columns as JSON messages."""

from __future__ import annotations

from functools import lru_cache
from json.encoder import encode_basestring
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.column_texts import column_texts, joined_texts
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import fields_of
from pystream.engine.formats.json_values import ValueCompiler
from pystream.engine.formats.times import TimeStyle
from typeinfo.basic import STRING
from typeinfo.composite import FieldsTypeInfo
from typeinfo.formats.layout import has_columns

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.vectorised.columns import Column, ColumnValues

__all__ = ["JsonColumnWriter", "json_column_writer"]

_ESCAPED = r'["\\\x00-\x1f]'
_WITHOUT_EXPONENT = (1e-4, 1e9)


class JsonColumnWriter:
    """Write elements of a type as `JsonWriter` does.

    Args:
        t: the type of the elements, with at least one field, none of which may be missing.
        time_style: how times and timestamps are written.
        has_exponents: whether decimals are written with an exponent.
    """

    def __init__(self, t: FieldsTypeInfo[Any], time_style: TimeStyle, has_exponents: bool) -> None:
        self._arguments = (t, time_style, has_exponents)
        self._type = t
        compiler = ValueCompiler(time_style, has_exponents=has_exponents)
        fields = fields_of(t)
        before = [f",{encode_basestring(field.name)}:" for field in fields]
        before[0] = f"{{{before[0][1:]}"
        writes = [compiler.writer(field.type, "") for field in fields]
        self._fields = list(zip(before, [field.type for field in fields], writes, strict=True))

    def __reduce__(self) -> Any:
        return json_column_writer, self._arguments

    def messages(self, values: ColumnValues) -> pa.Array | None:
        """Return the messages as bytes, ``None`` if the elements are to be written one by one."""
        return self._written(values, "}")

    def lines(self, values: ColumnValues) -> pa.Array | None:
        """Return the messages as lines, or ``None`` as `messages` does."""
        return self._written(values, "}\n")

    def _written(self, values: ColumnValues, end: str) -> pa.Array | None:
        if values.layout.type != self._type or not values.are_columns:
            return None
        parts: list[Any] = []
        try:
            for (before, t, write), column in zip(self._fields, values.columns, strict=True):
                parts += (before, self._texts(t, column, write))
        except (FieldError, OverflowError):
            return None
        return joined_texts([*parts, end])

    def _texts(self, t: Any, column: Column, write: Any) -> pa.Array:
        import pyarrow.compute as pc

        array = column.array if t == STRING else None
        if array is not None and not pc.any(pc.match_substring_regex(array, _ESCAPED)).as_py():
            texts = pc.binary_join_element_wise('"', array, '"', "")
        else:
            texts = column_texts(t, column, write, _WITHOUT_EXPONENT)
        return pc.fill_null(texts, "null") if texts.null_count else texts


@lru_cache(maxsize=256)
def json_column_writer(
    t: Any, time_style: TimeStyle = "RFC-3339", has_exponents: bool = False
) -> JsonColumnWriter | None:
    """Return the writer of elements of a type, ``None`` if they are written one by one.

    Args:
        t: the type.
        time_style: how times and timestamps are written.
        has_exponents: whether decimals are written with the exponent that is left without trailing zeros.
    """
    if not has_columns(t) or any(field.may_be_missing for field in fields_of(t)):
        return None
    return JsonColumnWriter(t, time_style, has_exponents)
