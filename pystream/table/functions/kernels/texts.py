"""Kernels of functions of text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import pyarrow as pa

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.errors import ConversionError
from pystream.table.functions.kernels.operands import Kernel, Operand, pc, require
from pystream.table.functions.kernels.patterns import LINE_ENDS, Re2, re2_of, re2_of_like
from pystream.table.functions.values import conversions, patterns, similar, texts
from pystream.table.functions.values.pattern_groups import optional_groups
from pystream.table.functions.values.patterns import BoundedPattern
from pystream.table.functions.values.similar import similar_pattern

__all__ = ["OF_PATTERN", "TEXTS"]

T = TypeVar("T")


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
    """Return whether text has the form of a pattern, which is the same for all."""
    _of_text(text, pattern)
    if not isinstance(pattern, pa.Scalar) or isinstance(text, pa.Scalar):
        raise NotComputedError("patterns that differ")
    form: str = pattern.as_py()
    inner = form.strip("%")
    if "%" in inner or "_" in inner or (escape and escape in form):
        return pc.match_substring_regex(text, _checked(re2_of_like, form, escape))
    starts, ends = not form.startswith("%"), not form.endswith("%")
    if starts and ends:
        return pc.equal(text, inner)
    if starts:
        return pc.starts_with(text, inner)
    return pc.ends_with(text, inner) if ends else pc.match_substring(text, inner)


def _similar(escape: str, text: Operand, pattern: Operand) -> Operand:
    """Return whether text has the form of a regular expression of SQL, which is the same for all."""
    _of_text(text, pattern)
    if not isinstance(pattern, pa.Scalar) or isinstance(text, pa.Scalar):
        raise NotComputedError("patterns that differ")
    found = _searched(text, re2_of(_checked(similar_pattern, pattern.as_py(), escape).compiled.pattern))
    return pc.match_substring_regex(text, rf"\A(?:{found.text})\z")


def _checked(translate: Callable[[str, str], T], pattern: str, escape: str) -> T:
    try:
        return translate(pattern, escape)
    except ConversionError as error:
        raise NotComputedError(str(error)) from error


def _searched(text: Operand, pattern: Re2) -> Re2:
    """Return a pattern that matches parts of text as Python does.

    Raises:
        NotComputedError: it may not.
    """
    if not isinstance(text, pa.Array):
        raise NotComputedError("a constant")
    _of_text(text)
    if pattern.has_end:
        require(pc.invert(pc.match_substring_regex(text, LINE_ENDS)), "ends of lines")
    return pattern


def _matches(text: Operand, pattern: BoundedPattern) -> Operand:
    if not pattern.written:
        raise NotComputedError("an empty pattern, which is found nowhere")
    return pc.match_substring_regex(text, _searched(text, re2_of(pattern.compiled.pattern)).text)


def _extracted(text: Operand, pattern: BoundedPattern, group: int = 0) -> Operand:
    if not pattern.has_group(group) or group in optional_groups(pattern):
        raise NotComputedError("a group that may be null")
    form = _searched(text, re2_of(pattern.compiled.pattern, group))
    return pc.struct_field(pc.extract_regex(text, form.text), [0])


def _replaced(text: Operand, pattern: BoundedPattern, new: str) -> Operand:
    form = _searched(text, re2_of(pattern.compiled.pattern))
    if not form.least:
        raise NotComputedError("a pattern that may match nothing")
    return pc.replace_substring_regex(text, form.text, new.replace("\\", r"\\"))


def _count_of(text: Operand, pattern: BoundedPattern) -> Operand:
    form = _searched(text, re2_of(pattern.compiled.pattern))
    if not form.least or form.is_anchored:
        raise NotComputedError("a pattern that may match nothing, or only the start")
    return pc.count_substring_regex(text, form.text).cast(pa.int64())


OF_PATTERN: Mapping[Any, Callable[..., Operand]] = {
    patterns.count_of: _count_of,
    patterns.extracted: _extracted,
    patterns.matches: _matches,
    patterns.replaced: _replaced,
}
"""The kernels of functions of text and of constants, which they get as they are."""

TEXTS: Mapping[Any, Kernel] = {
    conversions.cut: _cut,
    len: _length,
    patterns.like: _like,
    similar.similar: _similar,
    str.lower: partial(_in_case, "ascii_lower"),
    str.upper: partial(_in_case, "ascii_upper"),
    texts.concatenated: _concatenated,
    texts.split_part: _part,
    texts.substring: _substring,
}
"""The kernels, by the functions of values."""
