"""SIMILAR TO: regular expressions of SQL."""

from __future__ import annotations

import re
from functools import lru_cache

import regex

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values.patterns import ANY_CHARACTER, BoundedPattern, translated_token

__all__ = ["similar", "similar_pattern"]

_CLASSES = {
    "ALNUM": "a-zA-Z0-9",
    "ALPHA": "a-zA-Z",
    "DIGIT": "0-9",
    "LOWER": "a-z",
    "SPACE": " ",
    "UPPER": "A-Z",
    "WHITESPACE": r"\s",
}
_SPECIALS = "[]()|^-+*_%?{}"
_PARTS = {"%": "(?s:.*)", "_": ANY_CHARACTER, "\\": r"\\", "$": r"\$"}
_NAMED_CLASS = re.compile(r"\[:(\w+):\]")


def similar(escape: str, text: str, pattern: str) -> bool:
    """Return whether a text has the form of a regular expression of SQL, as SIMILAR TO takes it.

    Args:
        escape: the character before a special one that stands for itself; none if it is empty.
        text: the text.
        pattern: the regular expression.

    Raises:
        ConversionError: it is wrong, or matching takes too long.
    """
    return similar_pattern(pattern, escape).is_whole(text)


@lru_cache(maxsize=512)
def similar_pattern(pattern: str, escape: str) -> BoundedPattern:
    """Return a regular expression of SQL as one of Python.

    Raises:
        ConversionError: it is wrong.
    """
    parts, index = [], 0
    while index < len(pattern):
        character = pattern[index]
        index += 1
        if character == escape:
            parts.append(_escaped(pattern, escape, index))
            index += 1
        elif character == "[":
            members, index = _class(pattern, escape, index)
            parts.append(members)
        else:
            parts.append(_PARTS.get(character) or translated_token(character))
    try:
        return BoundedPattern(pattern, regex.compile("".join(parts), regex.ASCII))
    except regex.error as error:
        raise ConversionError(f"SIMILAR TO {pattern!r}: {error}") from None


def _escaped(pattern: str, escape: str, index: int) -> str:
    """Return the character at a place of a pattern, after the escape, as one that stands for itself."""
    escaped = pattern[index : index + 1]
    if escaped not in (*_SPECIALS, escape):
        raise ConversionError(
            f"SIMILAR TO {pattern!r} ESCAPE {escape!r}: the escape must be followed by a special character"
        )
    return re.escape(escaped)


def _class(pattern: str, escape: str, index: int) -> tuple[str, int]:
    """Return the class of characters whose members start at a place of a pattern, and the place after it."""
    members = ["["]
    if pattern.startswith("^", index):
        members.append("^")
        index += 1
    while index < len(pattern):
        character = pattern[index]
        named = _NAMED_CLASS.match(pattern, index)
        index += 1
        if character == escape:
            members.append(_escaped(pattern, escape, index))
            index += 1
        elif named is not None and named[1].upper() in _CLASSES:
            members.append(_CLASSES[named[1].upper()])
            index = named.end()
        elif character == "]" and len(members) > 1:
            return f"{''.join(members)}]", index
        elif character in _SPECIALS and character not in "-^":
            break
        else:
            members.append(character if character == "-" else re.escape(character))
    raise ConversionError(f"SIMILAR TO {pattern!r}: wrong class of characters in []")
