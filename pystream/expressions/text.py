"""Operations on text, by code point."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pystream.expressions.control import constant_value, is_constant
from pystream.expressions.operation import (
    ANY,
    BOOLEANS,
    COUNTS,
    INTS,
    LONGS,
    TEXTS,
    Kernel,
    NotComputedError,
    Operation,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pystream.expressions.expression import Expression

__all__ = ["Text"]


def _octets(value: str | bytes) -> int:
    return len(value.encode()) if isinstance(value, str) else len(value)


def _substring(text: str, start: int, count: int) -> str:
    first = start - 1 if start > 0 else len(text) + start if start < 0 else 0
    return text[max(first, 0) : max(first + count, 0)]


def _split(text: str, pattern: str, limit: int) -> list[str]:
    if limit == 1:
        return [text]
    return re.split(_in_python(pattern), text, maxsplit=max(limit - 1, 0))


def _matches(text: str, pattern: str) -> bool:
    return re.search(_in_python(pattern), text) is not None


def _in_python(pattern: str) -> str:
    r"""Return a regular expression of Java's as Python's: ``\Z`` for ``\z``, characters for ``\x{…}``."""
    with_characters = re.sub(r"\\x\{([0-9a-f]+)\}", lambda match: re.escape(chr(int(match[1], 16))), pattern)
    return with_characters.replace(r"\z", r"\Z")


def _constants(e: Expression) -> list[Any]:
    return [constant_value(part) for part in e.parts[1:]]


def _are_constants(e: Expression) -> bool:
    """Return whether all parts but the first are constants, and none is empty."""
    return all(is_constant(part) and constant_value(part) for part in e.parts[1:])


def _with_constant(name: str, parameter: str = "pattern") -> Kernel:
    """Return a kernel of a text and a constant that is not empty."""
    return Kernel(
        lambda pc, e, text: getattr(pc, name)(text, **{parameter: constant_value(e.parts[1])}),
        _are_constants,
        columns=1,
    )


def _cut(pc: Any, e: Expression, text: Any) -> Any:
    start, count = _constants(e)
    first = start - 1 if start > 0 else start
    stop = first + count
    return pc.utf8_slice_codeunits(text, first, None if first < 0 <= stop else stop)


def _are_given(e: Expression) -> bool:
    """Return whether all parts but the first are constants, and the second is not empty or zero."""
    return all(map(is_constant, e.parts[1:])) and bool(constant_value(e.parts[1]))


def _replaced(pc: Any, e: Expression, text: Any) -> Any:
    old, new = _constants(e)
    return pc.replace_substring(text, pattern=old, replacement=new)


def _found(pc: Any, e: Expression, text: Any) -> Any:
    if not pc.all(pc.string_is_ascii(text)).as_py():
        raise NotComputedError("positions are counted in bytes")
    return pc.add(pc.find_substring(text, pattern=constant_value(e.parts[1])), 1)


_END_OF_TEXT = 2**31 - 1


def _concatenated(pc: Any, e: Expression, *parts: Any) -> Any:
    """Join texts; constants around a single other one replace an empty slice of it, which is much faster."""
    others = [at for at, part in enumerate(e.parts) if not is_constant(part)]
    if len(others) != 1:
        return pc.binary_join_element_wise(*parts, "")
    (at,) = others
    before, after = ("".join(map(constant_value, some)) for some in (e.parts[:at], e.parts[at + 1 :]))
    text = pc.binary_replace_slice(parts[at], 0, 0, before.encode()) if before else parts[at]
    return pc.binary_replace_slice(text, _END_OF_TEXT, _END_OF_TEXT, after.encode()) if after else text


_LITERAL = re.compile(r"(?:\\\W|[\w\s])+", re.ASCII)


_SET = re.compile(r"\[(?:\\x\{[0-9a-f]+\})+\]\+")
"""One or more of some characters, given by their numbers."""


def _is_plain_split(e: Expression) -> bool:
    pattern, limit = e.data
    if _SET.fullmatch(str(pattern)):
        return limit == -1
    return _LITERAL.fullmatch(str(pattern)) is not None and limit != 1


def _kernel_of_split(pc: Any, e: Expression, text: Any) -> Any:
    pattern, limit = e.data
    assert isinstance(limit, int)
    if _SET.fullmatch(str(pattern)):
        return pc.split_pattern_regex(text, pattern=str(pattern))
    separator = re.sub(r"\\(\W)", r"\1", str(pattern), flags=re.ASCII)
    return pc.split_pattern(text, pattern=separator, max_splits=None if limit < 0 else limit - 1)


def _kernel_of_join(pc: Any, e: Expression, items: Any, separator: Any) -> Any:
    import pyarrow as pa

    return pc.binary_join(pc.cast(items, pa.list_(pa.string())), separator)


def _columns_of_text(name: str, *casts: int) -> Callable[..., Any]:
    """Return a function of Spark, some parts of which must be of 32 bits."""

    def made(sql: Any, e: Expression, *parts: Any) -> Any:
        return getattr(sql, name)(
            *(part.cast("int") if at in casts else part for at, part in enumerate(parts))
        )

    return made


def _search(python: str, arrow: str, spark: str) -> Operation:
    return Operation((TEXTS, TEXTS), BOOLEANS, python, _with_constant(arrow), spark)


def _strip(python: str, arrow: str, spark: str) -> Operation:
    return Operation((TEXTS, TEXTS), TEXTS, python, _with_constant(arrow, "characters"), spark)


class Text:
    """Operations on text, by code point."""

    CONCAT = Operation(
        (TEXTS,),
        TEXTS,
        '"".join(({parts:, },))',
        Kernel(_concatenated),
        "concat",
        variadic=True,
    )
    LENGTH = Operation((TEXTS,), INTS, len, Kernel("utf8_length"), "length", bounds=COUNTS)
    # In UTF-8; also of bytes.
    OCTET_LENGTH = Operation((ANY,), INTS, _octets, Kernel("binary_length"), "octet_length", bounds=COUNTS)
    # Text, position from 1 or from the end if negative, length; they fit 32 bits.
    SUBSTRING = Operation(
        (TEXTS, LONGS, LONGS),
        TEXTS,
        _substring,
        Kernel(_cut, _are_given, columns=1),
        _columns_of_text("substring", 1, 2),
    )
    UPPER = Operation((TEXTS,), TEXTS, "{}.upper()", Kernel("ascii_upper"), "upper")  # ASCII only
    LOWER = Operation((TEXTS,), TEXTS, "{}.lower()", Kernel("ascii_lower"), "lower")
    STARTS_WITH = _search("{}.startswith({})", "starts_with", "startswith")
    ENDS_WITH = _search("{}.endswith({})", "ends_with", "endswith")
    CONTAINS = _search("({1} in {0})", "match_substring", "contains")
    # Text, characters to strip.
    STRIP = _strip("{}.strip({})", "utf8_trim", "btrim")
    LEFT_STRIP = _strip("{}.lstrip({})", "utf8_ltrim", "ltrim")
    RIGHT_STRIP = _strip("{}.rstrip({})", "utf8_rtrim", "rtrim")
    # Text, old, new; the old one is not empty.
    REPLACE = Operation(
        (TEXTS, TEXTS, TEXTS),
        TEXTS,
        "{}.replace({}, {})",
        Kernel(_replaced, _are_given, columns=1),
        "replace",
    )
    # From 1; 0 if there is none.
    FIND = Operation(
        (TEXTS, TEXTS),
        INTS,
        "({}.find({}) + 1)",
        Kernel(_found, _are_constants, columns=1),
        "instr",
        bounds=COUNTS,
    )
    # Data: a regular expression, and a limit, -1 for none.
    SPLIT = Operation(
        (TEXTS,),
        ANY,
        _split,
        Kernel(_kernel_of_split, _is_plain_split),
        lambda sql, e, text: sql.split(text, *e.data),
    )
    REPEAT = Operation(
        (TEXTS, LONGS), TEXTS, "({} * {})", Kernel("binary_repeat"), _columns_of_text("repeat", 1)
    )
    # Data: a regular expression, sought anywhere.
    MATCHES = Operation(
        (TEXTS,),
        BOOLEANS,
        _matches,
        Kernel(lambda pc, e, text: pc.match_substring_regex(text, pattern=e.data[0])),
        lambda sql, e, text: text.rlike(e.data[0]),
    )
    # A list of text, and a separator.
    JOIN = Operation(
        (ANY, TEXTS),
        TEXTS,
        "{1}.join({0})",
        Kernel(_kernel_of_join),
        lambda sql, e, items, separator: sql.call_function("array_join", items, separator),
    )
