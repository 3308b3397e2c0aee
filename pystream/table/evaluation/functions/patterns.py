"""LIKE and regular expressions of Java, as regular expressions of Python."""

from __future__ import annotations

import re
from functools import lru_cache

from pystream.table.evaluation.errors import ConversionError

__all__ = ["UntranslatedPatternError", "extracted", "like", "matches", "substituted", "translated_pattern"]

_END = r"(?=\r\n\Z|(?<!\r)\n\Z|[\r\x85\u2028\u2029]\Z|\Z)"
_ANY = r"[^\n\r\x85\u2028\u2029]"
_CLASSES = "dDwWsS"
_CONTROLS = "tnrf"
_GROUPS = ("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>")
_COUNT = re.compile(r"\{\d+(,\d*)?\}")


class UntranslatedPatternError(ValueError):
    """A regular expression means something else in Python, or nothing."""


@lru_cache(maxsize=512)
def _like_pattern(pattern: str, escape: str) -> re.Pattern[str]:
    parts = []
    characters = iter(pattern)
    for character in characters:
        if escape and character == escape:
            following = next(characters, "")
            if following not in ("%", "_", escape) or not following:
                raise ConversionError(
                    f"LIKE {pattern!r} ESCAPE {escape!r}: the escape must be followed by %, _ or itself"
                )
            parts.append(re.escape(following))
        elif character == "%":
            parts.append(".*")
        else:
            parts.append("." if character == "_" else re.escape(character))
    return re.compile("".join(parts), re.DOTALL)


def like(escape: str, text: str, pattern: str) -> bool:
    """Return whether a text has the form of a pattern, in which % stands for any characters and _ for one.

    Args:
        escape: the character before a % or _ that stands for itself; none if it is empty.
        text: the text.
        pattern: the pattern.

    Raises:
        ConversionError: the escape is before another character.
    """
    return _like_pattern(pattern, escape).fullmatch(text) is not None


def translated_pattern(pattern: str) -> re.Pattern[str]:
    """Return a regular expression of Java as one of Python.

    Raises:
        UntranslatedPatternError: it has parts that may mean something else in Python.
    """
    parts: list[str] = []
    index, depth = 0, 0
    while index < len(pattern):
        found = _token(pattern, index)
        if found == "(":
            depth += 1
        index += len(found)
        parts.append(_translated_token(found))
    try:
        return re.compile("".join(parts), re.ASCII)
    except re.error as error:
        raise UntranslatedPatternError(f"{pattern!r}: {error}") from None


def _token(pattern: str, index: int) -> str:
    character = pattern[index]
    if character == "\\":
        return pattern[index : index + 2]
    if character == "[":
        return pattern[index : _end_of_class(pattern, index)]
    if character == "{":
        count = _COUNT.match(pattern, index)
        if count is None:
            raise UntranslatedPatternError(f"{pattern!r}: {{ stands for itself as \\{{")
        return count[0]
    if pattern.startswith("(?", index):
        opening = next((group for group in _GROUPS if pattern.startswith(group, index)), None)
        if opening is None:
            raise UntranslatedPatternError(f"{pattern!r}: groups with names or flags are not supported")
        return opening
    return character


def _end_of_class(pattern: str, start: int) -> int:
    index = start + 2 if pattern.startswith("[^", start) else start + 1
    first = index
    while index < len(pattern):
        character = pattern[index]
        if character == "\\":
            index += 1
        elif character == "[" or pattern.startswith("&&", index) or (character == "]" and index == first):
            raise UntranslatedPatternError(f"{pattern!r}: [ and && in [] are not supported")
        elif character == "]":
            return index + 1
        index += 1
    raise UntranslatedPatternError(f"{pattern!r}: a ] is missing")


def _translated_token(token: str) -> str:
    if token.startswith("\\"):
        return _translated_escape(token)
    if token.startswith("["):
        return _translated_class(token)
    return {".": _ANY, "$": _END, "^": r"\A"}.get(token, token)


def _translated_escape(token: str) -> str:
    escaped = token[1:]
    if escaped in _CLASSES or escaped in _CONTROLS:
        return token
    if not escaped or escaped.isalnum() or not escaped.isascii():
        raise UntranslatedPatternError(f"{token} is not supported in regular expressions")
    return re.escape(escaped)


def _translated_class(token: str) -> str:
    start = "[^" if token.startswith("[^") else "["
    content, parts, index = token[len(start) : -1], [], 0
    while index < len(content):
        if content[index] == "\\":
            parts.append(_translated_escape(content[index : index + 2]))
            index += 2
        else:
            character = content[index]
            parts.append(character if character == "-" else re.escape(character))
            index += 1
    return f"{start}{''.join(parts)}]"


def matches(pattern: re.Pattern[str], text: str) -> bool:
    """Return whether a regular expression is found in a text; an empty one is not."""
    return bool(pattern.pattern) and pattern.search(text) is not None


def extracted(pattern: re.Pattern[str], group: int, text: str) -> str | None:
    """Return a group of the first match; null if there is none."""
    found = pattern.search(text)
    return None if found is None or group > pattern.groups else found[group]


def substituted(pattern: re.Pattern[str], text: str, new: str) -> str:
    """Return the text with another text for all matches."""
    return pattern.sub(new.replace("\\", r"\\"), text)
