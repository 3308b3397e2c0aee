"""Kernels of functions of text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.kernels.operands import Kernel, Operand, pc, require
from pystream.table.functions.values import conversions, patterns, texts

__all__ = ["TEXTS"]


def _of_text(*operands: Operand) -> None:
    if any(operand.type != pa.string() for operand in operands):
        raise NotComputedError("not text")


def _in_case(name: str, text: Operand) -> Operand:
    """Return ASCII text in another case; the case of other characters is Python's."""
    _of_text(text)
    require(pc.string_is_ascii(text), "not ASCII")
    return getattr(pc, name)(text)


def _length(text: Operand) -> Operand:
    _of_text(text)
    return pc.utf8_length(text).cast(pa.int64())


def _concatenated(*operands: Operand) -> Operand:
    _of_text(*operands)
    return pc.binary_join_element_wise(*operands, "")


def _cut(length: int, text: Operand) -> Operand:
    _of_text(text)
    return pc.utf8_slice_codeunits(text, 0, length)


def _substring(text: Operand, start: Operand, count: Operand | None = None) -> Operand:
    """Return parts of text from a character on that is the same for all."""
    _of_text(text)
    if not isinstance(start, pa.Scalar) or not (count is None or isinstance(count, pa.Scalar)):
        raise NotComputedError("parts of different places")
    bounds = [place.as_py() for place in (start, count) if place is not None]
    if None in bounds or bounds[0] < 1 or bounds[-1] < 0:
        raise NotComputedError("a part from the end, or none")
    begin, *most = bounds
    return pc.utf8_slice_codeunits(text, begin - 1, begin - 1 + most[0] if most else None)


def _part(text: Operand, separator: Operand, index: Operand) -> Operand:
    """Return a part of text between separators that are the same for all, as is the number of the part."""
    _of_text(text, separator)
    if not (isinstance(separator, pa.Scalar) and isinstance(index, pa.Scalar) and isinstance(text, pa.Array)):
        raise NotComputedError("parts of different places")
    between, place = separator.as_py(), index.as_py()
    if not between or place is None or place < 0:
        raise NotComputedError("blanks as separators, or no part")
    parts = pc.split_pattern(text, between)
    has_part = pc.and_(pc.greater(pc.list_value_length(parts), place), pc.not_equal(text, ""))
    is_part = has_part.fill_null(False).to_numpy(zero_copy_only=False)
    positions = pa.array(parts.offsets.to_numpy()[:-1] + place, mask=~is_part)
    return parts.values.take(positions)


def _like(escape: str, text: Operand, pattern: Operand) -> Operand:
    """Return whether text starts with, ends with, contains or is a text, as simple patterns say."""
    _of_text(text, pattern)
    if not isinstance(pattern, pa.Scalar) or isinstance(text, pa.Scalar):
        raise NotComputedError("patterns that differ")
    form: str = pattern.as_py()
    inner = form.strip("%")
    if "%" in inner or "_" in inner or (escape and escape in form):
        raise NotComputedError("a pattern with inner places")
    starts, ends = not form.startswith("%"), not form.endswith("%")
    if starts and ends:
        return pc.equal(text, inner)
    if starts:
        return pc.starts_with(text, inner)
    return pc.ends_with(text, inner) if ends else pc.match_substring(text, inner)


TEXTS: Mapping[Any, Kernel] = {
    conversions.cut: _cut,
    len: _length,
    patterns.like: _like,
    str.lower: partial(_in_case, "ascii_lower"),
    str.upper: partial(_in_case, "ascii_upper"),
    texts.concatenated: _concatenated,
    texts.split_part: _part,
    texts.substring: _substring,
}
"""The kernels, by the functions of values."""
