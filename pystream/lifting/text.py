"""Operations on text: by code point, with the blanks of Python; changes of case for ASCII only."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pystream.expressions.expression import Expression, Op, Operation, constant_value, is_constant
from pystream.lifting.building import (
    all_of,
    any_of,
    call,
    guarded,
    having_evaluated,
    is_null,
    negation,
    not_null,
    of_kind,
    whole,
    widened,
)
from pystream.lifting.composites import conditional
from pystream.lifting.kinds import Kind, NotExact, bounds_of, kind_of, name_of
from pystream.lifting.values import NONE, constant
from typeinfo import Types
from typeinfo.collection import ListTypeInfo

__all__ = ["concatenated", "length", "repeated", "text_of", "text_slice"]

STRING = Types.STRING()
LONGEST = 2**31 - 1
BLANKS = "".join(chr(c) for c in range(0x3001) if chr(c).isspace())
_ASCII_BLANKS = r"[\t-\r ]*"


def text(value: Expression, what: str) -> Expression:
    """Return a text value, guarded against ``None``.

    Raises:
        NotExact: it is not text.
    """
    return of_kind(value, what, Kind.STR)


def length(value: Expression) -> Expression:
    """Return ``len(value)`` of text, bytes or a list."""
    ops = {Kind.STR: Op.LENGTH, Kind.BYTES: Op.OCTET_LENGTH, Kind.LIST: Op.SIZE}
    op = ops.get(kind_of(value))
    if op is None:
        raise NotExact(f"uses len() of {name_of(value)}, which is not lifted")
    value = not_null(value)
    if value.op is Op.LIST:
        return having_evaluated(value.parts, constant(len(value.parts)))
    return widened(call(op, value))


def concatenated(parts: list[Expression]) -> Expression:
    """Return the concatenation of texts."""
    flat: list[Expression] = []
    for part in parts:
        flat += part.parts if part.op is Op.CONCAT else [text(part, "joins text with")]
    flat = [part for part in flat if part != constant("")]
    if not flat:
        return constant("")
    return flat[0] if len(flat) == 1 else call(Op.CONCAT, *flat)


def repeated(value: Expression, times: Expression) -> Expression:
    """Return ``value * times``."""
    count = whole(times, "multiplies text by")
    low, high = bounds_of(count)
    if high > LONGEST:
        fits = call(Op.LESS_OR_EQUAL, count, constant(LONGEST))
        count = guarded(fits, count, "text is repeated too often")
    if low < 0:
        count = call(Op.GREATEST, count, constant(0))
    return call(Op.REPEAT, text(value, "repeats"), count, fails=True)


def text_of(value: Expression) -> Expression:
    """Return ``str(value)``."""
    kind = kind_of(value)
    if value.nullable:
        if kind is Kind.NONE and value == NONE:
            return constant("None")
        return conditional(is_null(value), constant("None"), text_of(not_null(value)))
    if is_constant(value) and kind in (Kind.INT, Kind.BOOL, Kind.FLOAT, Kind.STR):
        return constant(str(constant_value(value)))
    match kind:
        case Kind.STR:
            return value
        case Kind.INT:
            return call(Op.TO_TEXT, widened(value))
        case Kind.BOOL:
            return conditional(value, constant("True"), constant("False"))
        case Kind.FLOAT:
            raise NotExact("turns a float into text, which Java writes with other digits")
    raise NotExact(f"turns {name_of(value)} into text, which is not lifted")


def is_ascii(value: Expression) -> Expression:
    """Return whether text is all ASCII: as many bytes as characters."""
    return call(Op.EQUAL, call(Op.OCTET_LENGTH, value), call(Op.LENGTH, value))


def cased(value: Expression, op: Operation) -> Expression:
    """Return ASCII text in upper or lower case: Python and Java have different versions of Unicode."""
    return guarded(is_ascii(value), call(op, value), "letters beyond ASCII change case")


def substring(value: Expression, start: Expression, count: Expression) -> Expression:
    """Return a part of text.

    Args:
        value: the text.
        start: LONG position from 1, or from the end if negative; fits 32 bits.
        count: LONG number of characters, none if negative; fits 32 bits.
    """
    return call(Op.SUBSTRING, value, start, count)


def text_slice(value: Expression, start: Expression, stop: Expression) -> Expression:
    """Return ``value[start:stop]``; a bound left out is ``None``."""
    value = text(value, "slices")
    low, high = _constant_bound(start, 0), _constant_bound(stop, LONGEST)
    if low == 0 and high == LONGEST:
        return value
    if low is not None and high is not None:
        if low >= 0 and high >= 0:
            return substring(value, constant(min(low + 1, LONGEST)), constant(max(high - low, 0)))
        if low < 0 and high == LONGEST:
            return substring(value, constant(low), constant(-low))
    return substring(value, *slice_position(start, stop, length(value)))


def _constant_bound(bound: Expression, missing: int) -> int | None:
    if bound == NONE:
        return missing
    value = constant_value(bound) if is_constant(bound) else None
    return max(min(value, LONGEST), -LONGEST) if type(value) is int else None


def slice_position(start: Expression, stop: Expression, size: Expression) -> tuple[Expression, Expression]:
    """Return the position of a slice, counted from 1, and its length."""
    first, last = _from_start(start, size, constant(0)), _from_start(stop, size, size)
    position = call(Op.ADD, first, constant(1), bounds=(1, LONGEST))
    return position, call(Op.GREATEST, call(Op.SUBTRACT, last, first), constant(0))


def index_position(index: Expression, size: Expression) -> tuple[Expression, Expression]:
    """Return the position of an index, counted from 1, or from the end if negative, and whether it exists."""
    if is_constant(index):
        number = constant_value(index)
        position = number + 1 if number >= 0 else number
        return constant(position), call(Op.LESS_OR_EQUAL, constant(abs(position)), size)
    exists = all_of(call(Op.LESS, index, size), call(Op.LESS_OR_EQUAL, call(Op.NEGATE, size), index))
    after = call(Op.ADD, index, constant(1), bounds=(1, LONGEST))
    return conditional(call(Op.LESS, index, constant(0)), index, after), exists


def _from_start(bound: Expression, size: Expression, missing: Expression) -> Expression:
    """Return a bound of a slice counted from the start, from 0 to the length; ``None`` is as if left out."""
    if bound == NONE:
        return missing
    if bound.nullable:
        given = _from_start(replace(bound, nullable=False), size, missing)
        return conditional(is_null(bound), missing, given)
    bound = whole(bound, "slices with")
    low, high = bounds_of(bound)
    cut = call(Op.LEAST, bound, size, bounds=(0, LONGEST))
    if low >= 0:
        return cut
    # The sum cannot overflow: one is negative, the other not.
    from_end = call(Op.GREATEST, call(Op.ADD, bound, size, bounds=(low, LONGEST)), constant(0))
    return from_end if high < 0 else conditional(call(Op.LESS, bound, constant(0)), from_end, cut)


def character(value: Expression, index: Expression) -> Expression:
    """Return ``value[index]``, raising beyond the ends."""
    value = text(value, "indexes")
    position, exists = index_position(whole(index, "indexes text with"), length(value))
    return guarded(exists, substring(value, position, constant(1)), "an index is out of range")


def starts_or_ends(value: Expression, affixes: list[Expression], op: Operation) -> Expression:
    """Return ``value.startswith(…)`` or ``value.endswith(…)`` of one of some texts."""
    tests = [call(op, value, text(affix, "looks for")) for affix in affixes]
    return having_evaluated([value, *affixes], any_of(*tests))


def stripped(value: Expression, characters: Expression, op: Operation) -> Expression:
    """Return text without some characters at its ends: Python's blanks if they are left out."""
    if characters == NONE:
        return call(op, value, constant(BLANKS))
    wanted = text(characters, "strips")
    if not is_constant(wanted) or not constant_value(wanted):
        raise NotExact("strips characters that are not a constant")
    return call(op, value, wanted)


def replaced(value: Expression, old: Expression, new: Expression) -> Expression:
    """Return ``value.replace(old, new)``."""
    old, new = text(old, "replaces"), text(new, "replaces by")
    is_something = negation(call(Op.EQUAL, old, constant("")))
    if is_constant(old):
        if not constant_value(old):
            raise NotExact("replaces nothing, which stands between all characters")
        return call(Op.REPLACE, value, old, new)
    return guarded(is_something, call(Op.REPLACE, value, old, new), "nothing is replaced")


def found(value: Expression, part: Expression, *, required: bool) -> Expression:
    """Return ``value.find(part)``, or ``value.index(part)``, which raises if there is none."""
    place = call(Op.FIND, value, text(part, "looks for"))
    position = call(Op.SUBTRACT, widened(place), constant(1))
    if not required:
        return position
    return guarded(call(Op.LESS_OR_EQUAL, constant(0), position), position, "text is not found")


def counted(value: Expression, part: Expression) -> Expression:
    """Return ``value.count(part)`` of a constant."""
    if not is_constant(part) or not constant_value(text(part, "counts")):
        raise NotExact("counts text that is not a constant, or empty")
    without = length(call(Op.REPLACE, value, part, constant("")))
    lost = call(Op.SUBTRACT, length(value), without, bounds=(0, LONGEST))
    return call(Op.TRUNCATED_DIVIDE, lost, constant(len(constant_value(part))), bounds=(0, LONGEST))


def split(value: Expression, separator: Expression, limit: int) -> Expression:
    """Return ``value.split(separator, limit)``; without a separator, text is split at Python's blanks."""
    texts: ListTypeInfo[Any] = ListTypeInfo(STRING)
    if separator == NONE:
        if limit >= 0:
            raise NotExact("splits at blanks a number of times")
        blanks = "[" + "".join(f"\\x{{{ord(c):x}}}" for c in BLANKS) + "]+"
        parts = call(Op.SPLIT, value, type=texts, data=(blanks, -1))
        return call(Op.REMOVE, parts, constant(""), type=texts)
    wanted = text(separator, "splits at")
    if not is_constant(wanted) or not constant_value(wanted):
        raise NotExact("splits at text that is not a constant")
    pattern = re.sub(r"([^\w\s])", r"\\\1", constant_value(wanted), flags=re.ASCII)
    return call(Op.SPLIT, value, type=texts, data=(pattern, limit + 1 if limit >= 0 else -1))


def joined(separator: Expression, items: Expression) -> Expression:
    """Return ``separator.join(items)``."""
    element = items.type.slots()[0] if kind_of(items) is Kind.LIST else None
    if element is None or kind_of(element.type) is not Kind.STR or element.nullable:
        raise NotExact(f"joins {items.type}, not a list of text that is never None")
    return call(Op.JOIN, not_null(items), separator)


def parsed_int(value: Expression) -> Expression:
    """Return ``int(value)`` of plain ASCII digits; other forms that Python accepts raise."""
    value = text(value, "int() of")
    plain = call(Op.MATCHES, value, data=(rf"\A{_ASCII_BLANKS}[+-]?[0-9]{{1,18}}{_ASCII_BLANKS}\z",))
    return guarded(plain, call(Op.PARSE_LONG, value), "text is not a plain int")


def parsed_float(value: Expression) -> Expression:
    """Return ``float(value)`` of plain ASCII digits; other forms that Python accepts raise."""
    value = text(value, "float() of")
    digits = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
    plain = call(Op.MATCHES, value, data=(rf"\A{digits}\z",))
    return guarded(plain, call(Op.PARSE_DOUBLE, value), "text is not a plain float")


def all_characters(value: Expression, characters: str) -> Expression:
    """Return whether ASCII text consists of characters of a class, and of at least one."""
    matches = call(Op.MATCHES, value, data=(rf"\A[{characters}]+\z",))
    return guarded(is_ascii(value), matches, "characters beyond ASCII are tested")
