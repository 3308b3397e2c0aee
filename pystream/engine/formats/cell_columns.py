"""Convert columns of CSV cells to columns of values, by Arrow where it reads a text as Python does."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.csv_cells import CsvOptions
from pystream.engine.formats.csv_reader import CellsReader
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.time_columns import time_columns
from pystream.engine.formats.times import TimeStyle
from typeinfo.basic import BOOLEAN, BYTE, DOUBLE, INT, LONG, SHORT, STRING
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.formats.fields import FieldRead
    from pystream.engine.vectorised.columns import Column, ColumnValues
    from typeinfo.serde.codec import Codec

__all__ = ["CellColumns"]

_INTEGER = r"^-?[0-9]{1,19}$"
_NUMBER = r"^-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,4})?$"
_PATTERNS: dict[TypeInformation[Any], str | None] = {
    STRING: None,
    BOOLEAN: "^(true|false)$",
    BYTE: _INTEGER,
    SHORT: _INTEGER,
    INT: _INTEGER,
    LONG: _INTEGER,
    DOUBLE: _NUMBER,
}
"""Texts that Arrow and Python parse to the same value; Arrow also accepts others, such as 0x1F."""


class CellColumns:
    """Convert the cells of many records at once.

    Columns that Arrow does not parse are kept as values of Python, which have their own digits.

    Args:
        t: the type of the elements.
        options: the format.
        cells: converts the cells of single records.
    """

    def __init__(self, t: FieldsTypeInfo[Any], options: CsvOptions, cells: CellsReader) -> None:
        from pystream.engine.vectorised.columns import layout_of

        self._layout = layout_of(t)
        self._fields = list(zip(self._layout.codecs, cells.fields, strict=True))
        self._nulls = options.null_texts
        self._style: TimeStyle = options.time_style

    def elements(self, columns: Sequence[Sequence[str] | pa.Array], count: int) -> ColumnValues | None:
        """Return the elements, ``None`` if the records are to be read one by one.

        Args:
            columns: the cells of each field.
            count: the number of records.
        """
        from pyarrow import ArrowException

        from pystream.engine.vectorised.columns import ColumnValues

        found = []
        try:
            for (codec, field_read), texts in zip(self._fields, columns, strict=True):
                column = self._column(codec, field_read, texts)
                if column is None:
                    return None
                found.append(column)
        except (ArrowException, FieldError, TypeCheckError, UnicodeEncodeError):
            return None
        return ColumnValues.of_columns(self._layout, found, count)

    def _column(self, codec: Codec, field_read: FieldRead, texts: Sequence[str] | pa.Array) -> Column | None:
        """Return the values of a field, ``None`` if one is null and must not be."""
        from pystream.engine.vectorised.columns import Column

        field, read = field_read
        is_cast = field.cast is not None and not isinstance(codec.type, BigDecimalTypeInfo)
        array = None if is_cast else _parsed(codec, texts, read, self._nulls, self._style)
        if array is not None:
            has_nulls, column = array.null_count > 0, Column(codec, array)
        else:
            cells = texts if isinstance(texts, Sequence) else texts.to_pylist()
            values = codec.conform([read(text) for text in cells])
            has_nulls, column = None in values, Column(codec, values=values)
        return None if has_nulls and (field.is_required or not codec.nullable) else column


def _decimal_pattern(t: BigDecimalTypeInfo) -> str:
    """Return the texts of decimals that have no more digits than their type, so that no cast changes them."""
    before, after = t.precision - t.scale, t.scale
    whole = f"[0-9]{{1,{before}}}" if before else "0"
    return rf"^-?{whole}(\.[0-9]{{1,{after}}})?$" if after else f"^-?{whole}$"


def _parsed(
    codec: Codec,
    texts: Sequence[str] | pa.Array,
    read: Callable[[str], Any],
    nulls: Sequence[str],
    style: TimeStyle,
) -> pa.Array | None:
    """Parse texts to values of an atomic type; ``None`` if they must be parsed one by one.

    Args:
        codec: the codec of the type.
        texts: one text a value.
        read: parses one text, for those that Arrow may parse to other values.
        nulls: the texts that mean null.
        style: how times are written.

    Raises:
        ArrowException: a text is not a value of the type.
        FieldError: likewise.
        UnicodeEncodeError: a text cannot be encoded.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    t, arrow = codec.type, codec.arrow
    times = time_columns(t, style)
    if t not in _PATTERNS and times is None and not isinstance(t, BigDecimalTypeInfo):
        return None
    array = texts if isinstance(texts, pa.Array) else pa.array(texts, pa.string())
    for null in nulls:
        array = pc.if_else(pc.equal(array, null), pa.scalar(None, pa.string()), array)
    if times is not None:
        return times.read(array)
    pattern = _decimal_pattern(t) if isinstance(t, BigDecimalTypeInfo) else _PATTERNS[t]
    if pattern is None:
        return array.cast(arrow)
    others = pc.invert(pc.match_substring_regex(array, pattern)).fill_null(False)
    has_others = others.true_count > 0
    parsed = (pc.if_else(others, pa.scalar(None, pa.string()), array) if has_others else array).cast(arrow)
    infinities = (math.inf, -math.inf) if pa.types.is_floating(arrow) else ()
    if any(pc.any(pc.equal(parsed, infinity)).as_py() for infinity in infinities):
        return None
    if not has_others:
        return parsed
    values = codec.conform_and_encode([read(text) for text in array.filter(others).to_pylist()])
    return pc.replace_with_mask(parsed, others, values)
