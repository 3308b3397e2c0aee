"""LIKE and regular expressions of Java, in time that is bounded whatever the data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

from pystream.table.functions.errors import ConversionError

__all__ = [
    "ANY_CHARACTER",
    "END",
    "BoundedPattern",
    "UntranslatedPatternError",
    "all_extracted",
    "count_of",
    "extracted",
    "like",
    "like_parts",
    "matches",
    "place_of",
    "replaced",
    "tokens",
    "translated_pattern",
    "translated_token",
]

MATCHING_SECONDS = 5
"""Processor time for one text, after which matching it fails: backtracking may take exponential time."""

END = r"(?=\r\n\Z|(?<!\r)\n\Z|[\r\x85\u2028\u2029]\Z|\Z)"
"""The regular expression of the end of a text, or of the place before the end of its last line."""

ANY_CHARACTER = r"[^\n\r\x85\u2028\u2029]"
"""The regular expression of a character other than those that end lines."""

_CLASSES = "dDwWsS"
_CONTROLS = "tnrf"
_GROUPS = ("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>")
_COUNT = re.compile(r"\{\d+(,\d*)?\}")


class UntranslatedPatternError(ValueError):
    """A regular expression means something else in Python, or nothing."""


def like_parts(pattern: str, escape: str) -> Iterator[str]:
    """Yield the parts of a pattern of LIKE: %, _, and characters, those after the escape with it.

    Raises:
        ConversionError: the escape is before another character than %, _ or itself.
    """
    characters = iter(pattern)
    for character in characters:
        if not escape or character != escape:
            yield character
            continue
        following = next(characters, "")
        if following not in ("%", "_", escape) or not following:
            raise ConversionError(
                f"LIKE {pattern!r} ESCAPE {escape!r}: the escape must be followed by %, _ or itself"
            )
        yield escape + following


@lru_cache(maxsize=512)
def _like_pattern(pattern: str, escape: str) -> re.Pattern[str]:
    parts = [""]
    for part in like_parts(pattern, escape):
        if part == "%":
            parts.append("")
        else:
            parts[-1] += ANY_CHARACTER if part == "_" else re.escape(part[-1])
    start, *others = parts
    # Atomic groups: the first place of each part is final, so that combinations of places are not tried.
    middle = "".join(f"(?>.*?{part})" for part in others[:-1])
    end = "".join(f".*{part}" for part in others[-1:])
    return re.compile(start + middle + end, re.DOTALL)


def like(escape: str, text: str, pattern: str) -> bool:
    """Return whether a text has the form of a pattern, in which % stands for any characters and _ for one.

    As in Flink, _ stands for no character that ends a line.

    Args:
        escape: the character before a % or _ that stands for itself; none if it is empty.
        text: the text.
        pattern: the pattern.

    Raises:
        ConversionError: the escape is before another character.
    """
    return _like_pattern(pattern, escape).fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class BoundedPattern:
    """A regular expression of Java or SQL, which is matched in bounded time.

    Attributes:
        written: its text in the program.
        compiled: the same in Python.
    """

    written: str
    compiled: regex.Pattern[str]

    def is_in(self, text: str) -> bool:
        """Return whether it is found in a text; an empty one is not.

        Raises:
            ConversionError: matching takes too long.
        """
        return bool(self.written) and self._search(text) is not None

    def is_whole(self, text: str) -> bool:
        """Return whether a whole text matches.

        Raises:
            ConversionError: matching takes too long.
        """
        try:
            return self.compiled.fullmatch(text, timeout=MATCHING_SECONDS) is not None
        except TimeoutError:
            raise self._too_slow(text) from None

    def group_in(self, group: int, text: str) -> str | None:
        """Return a group of the first match; null if there is no match or no such group.

        Raises:
            ConversionError: matching takes too long.
        """
        found = self._search(text) if self.has_group(group) else None
        return None if found is None else found[group]

    def has_group(self, group: int) -> bool:
        """Return whether there is a group of a number; 0 is the whole match."""
        return 0 <= group <= self.compiled.groups

    def all_in(self, text: str) -> list[regex.Match[str]]:
        """Return all matches in a text.

        Raises:
            ConversionError: matching takes too long.
        """
        try:
            return list(self.compiled.finditer(text, timeout=MATCHING_SECONDS))
        except TimeoutError:
            raise self._too_slow(text) from None

    def replaced(self, text: str, new: str) -> str:
        """Return the text with another text for all matches.

        Raises:
            ConversionError: matching takes too long.
        """
        try:
            return self.compiled.sub(lambda match: new, text, timeout=MATCHING_SECONDS)
        except TimeoutError:
            raise self._too_slow(text) from None

    def _search(self, text: str) -> regex.Match[str] | None:
        try:
            return self.compiled.search(text, timeout=MATCHING_SECONDS)
        except TimeoutError:
            raise self._too_slow(text) from None

    def _too_slow(self, text: str) -> ConversionError:
        return ConversionError(
            f"the regular expression {self.written!r} takes more than {MATCHING_SECONDS} s for a text of "
            f"{len(text)} characters: write it without repetitions inside of repetitions, such as (a+)+"
        )


def matches(text: str, pattern: BoundedPattern) -> bool:
    """Return whether a pattern is found in a text."""
    return pattern.is_in(text)


def extracted(text: str, pattern: BoundedPattern, group: int = 0) -> str | None:
    """Return a group of the first match of a pattern; null if there is none."""
    return pattern.group_in(group, text)


def all_extracted(text: str, pattern: BoundedPattern, group: int = 1) -> list[str] | None:
    """Return a group of all matches of a pattern; null if it has no such group."""
    if not pattern.has_group(group):
        return None
    return [found[group] for found in pattern.all_in(text)]


def count_of(text: str, pattern: BoundedPattern) -> int:
    """Return how many matches of a pattern there are."""
    return len(pattern.all_in(text))


def place_of(text: str, pattern: BoundedPattern) -> int:
    """Return where the first match of a pattern starts, from 1; 0 if there is none."""
    return next((found.start() + 1 for found in pattern.all_in(text)), 0)


def replaced(text: str, pattern: BoundedPattern, new: str) -> str:
    """Return a text with another one for all matches of a pattern."""
    return pattern.replaced(text, new)


def translated_pattern(pattern: str) -> BoundedPattern:
    """Return a regular expression of Java as one of Python.

    Raises:
        UntranslatedPatternError: it has parts that may mean something else in Python.
    """
    text = "".join(map(translated_token, tokens(pattern)))
    try:
        return BoundedPattern(pattern, regex.compile(text, regex.ASCII))
    except regex.error as error:
        raise UntranslatedPatternError(f"{pattern!r}: {error}") from None


def tokens(pattern: str) -> Iterator[str]:
    """Yield the parts of a regular expression: characters, escapes, classes, counts and starts of groups.

    Raises:
        UntranslatedPatternError: a part is not supported.
    """
    index = 0
    while index < len(pattern):
        token = _token(pattern, index)
        yield token
        index += len(token)


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


def translated_token(token: str) -> str:
    """Return a part of a regular expression of Java as one of Python."""
    if token.startswith("\\"):
        return _translated_escape(token)
    if token.startswith("["):
        return _translated_class(token)
    return {".": ANY_CHARACTER, "$": END, "^": r"\A"}.get(token, token)


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
