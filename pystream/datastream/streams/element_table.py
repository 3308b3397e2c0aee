"""Elements as a table in plain text, for ``show``."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pystream.engine.formats.fields import MISSING, opener_of
from typeinfo.decimals import is_decimal
from typeinfo.extended import OptionalTypeInfo
from typeinfo.formats.layout import columns_of, has_columns
from typeinfo.info import TypeInformation
from typeinfo.text import Text, text_of
from typeinfo.types import Types

__all__ = ["table_text"]

_CUT = "..."
_NULL = "null"
_NUMBERS = frozenset(
    {
        Types.BYTE(),
        Types.SHORT(),
        Types.INT(),
        Types.LONG(),
        Types.FLOAT(),
        Types.DOUBLE(),
        Types.BIG_INT(),
    }
)


def table_text(elements: Iterable[Any], type_info: TypeInformation[Any], width: int | None) -> str:
    """Format elements as an aligned table: a header, a rule, and one line per element.

    A row, tuple or record has a column for each field, any other element one column ``value``. Numbers are
    aligned to the right. Control characters are written as escapes, ``None`` as ``null``, and a key that a
    TypedDict may leave out as an empty cell where it is missing.

    Args:
        elements: the elements.
        type_info: their type.
        width: maximum width of a cell, beyond which it is cut; ``None`` for no limit.
    """
    names, types = [column.name for column in columns_of(type_info)], [type_info]
    opened: Callable[[Any], Sequence[Any]] = _alone
    if has_columns(type_info):
        types, opened = list(type_info.field_types), opener_of(type_info)
    texts = [text_of(t, "encoder") for t in types]
    lines = [[_cut(_escaped(name), width) for name in names]]
    for element in elements:
        cells = zip(texts, opened(element), strict=True)
        lines.append([_cut(_escaped(_cell(text, value)), width) for text, value in cells])
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    right = [_is_number(t) for t in types]
    return "".join(f"{_line(line, widths, right)}\n" for line in lines)


def _is_number(t: TypeInformation[Any]) -> bool:
    plain = t.value_type if isinstance(t, OptionalTypeInfo) else t
    return plain in _NUMBERS or is_decimal(plain)


def _alone(element: Any) -> Sequence[Any]:
    return (element,)


def _cell(text: Text, value: Any) -> str:
    if value is MISSING:
        return ""
    return _NULL if value is None else text(value)


def _escaped(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _cut(text: str, width: int | None) -> str:
    if width is None or _width(text) <= width:
        return text
    kept = text[:width]
    cut = _CUT[:width]
    while _width(kept) > width - len(cut):
        kept = kept[:-1]
    return kept + cut


def _width(text: str) -> int:
    """Return the display width of text on a terminal, in columns."""
    if text.isascii():
        return len(text)
    return sum(
        2 if unicodedata.east_asian_width(c) in "WF" else int(not unicodedata.combining(c)) for c in text
    )


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, is_right in zip(cells, widths, right, strict=True):
        blanks = " " * (width - _width(cell))
        padded.append(blanks + cell if is_right else cell + blanks)
    return "  ".join(padded).rstrip()
