"""Parse whole columns of text, where Arrow parses them exactly as `text_reader` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from typeinfo.basic import BOOLEAN, BYTE, DOUBLE, INT, LONG, SHORT, STRING
from typeinfo.info import TypeInformation

__all__ = ["parsed"]

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
"""Texts that Arrow casts to what Python makes of them; it also takes others, such as 0x1F."""


def parsed(
    t: TypeInformation[Any], arrow: pa.DataType, texts: Sequence[str], null: str | None
) -> pa.Array | None:
    """Parse texts to values of an atomic type; ``None`` if they must be parsed one by one.

    Args:
        t: the type.
        arrow: its Arrow type.
        texts: one text a value.
        null: the text of null, ``None`` if there is none.

    Raises:
        ArrowException: a text is not a value of the type.
        UnicodeEncodeError: a text cannot be encoded.
    """
    if t not in _PATTERNS:
        return None
    array = pa.array(texts, pa.string())
    if null is not None:
        array = pc.if_else(pc.equal(array, null), pa.scalar(None, pa.string()), array)
    pattern = _PATTERNS[t]
    if pattern is not None and pc.all(pc.match_substring_regex(array, pattern)).as_py() is False:
        return None
    return array.cast(arrow)
