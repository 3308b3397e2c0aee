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
    texts.substring: _substring,
}
"""The kernels, by the functions of values."""
