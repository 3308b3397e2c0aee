"""Regular expressions of Python as ones of RE2, where both are certain to match alike.

RE2 prefers the same of several matches as Python does, except where a repetition may match nothing. If a
pattern asks for the end of the text, texts with ends of lines are left to Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.values.patterns import ANY_CHARACTER, END, like_parts

__all__ = ["LINE_ENDS", "Re2", "re2_of", "re2_of_like"]

LINE_ENDS = r"[\n\r\x{85}\x{2028}\x{2029}]"
"""The expression of the characters that end lines."""
NO_LINE_END = LINE_ENDS.replace("[", "[^", 1)

_ANY = "(?s:.*)"
_BLANKS = r"\t\n\x{b}\f\r "
_ALONE = {r"\s": f"[{_BLANKS}]", r"\S": f"[^{_BLANKS}]"}
_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")
_MOST = 100
"""The greatest number of repetitions; RE2 writes them all out."""

_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_KEPT = ("d", "D", "w", "W")


class Re2(NamedTuple):
    """A regular expression of RE2.

    Attributes:
        text: its text.
        least: the length of the shortest text that it matches.
        is_anchored: whether it asks for the start of the text.
        has_end: whether it asks for the end of the text, so that texts have no characters that end lines.
    """

    text: str
    least: int
    is_anchored: bool
    has_end: bool


@lru_cache(maxsize=512)
def re2_of(pattern: str, group: int | None = None) -> Re2:
    """Return a regular expression of Python, with ASCII classes, as one of RE2.

    Args:
        pattern: the regular expression.
        group: the number of the only group that has a name, 0 for the whole; ``None`` for none.

    Raises:
        NotComputedError: they may match differently.
    """
    reader = _Reader(pattern, group)
    text, least = reader.choice()
    if reader.rest:
        raise NotComputedError("a parenthesis that is not open")
    return Re2(f"(?P<g>{text})" if group == 0 else text, least, reader.is_anchored, reader.has_end)


class _Reader:
    """Reads a regular expression of Python.

    Args:
        pattern: the regular expression.
        group: as `re2_of`.
    """

    def __init__(self, pattern: str, group: int | None) -> None:
        self.rest = pattern
        self.is_anchored = False
        self.has_end = False
        self._group = group
        self._groups = 0

    def choice(self) -> tuple[str, int]:
        """Read alternatives, and return them with the length of the shortest text."""
        texts, lengths = [""], [0]
        while self.rest and not self.rest.startswith(")"):
            if self._took("|"):
                texts.append("")
                lengths.append(0)
                continue
            text, least = self._repeated()
            texts[-1] += text
            lengths[-1] += least
        return "|".join(texts), min(lengths)

    def _took(self, expected: str) -> bool:
        is_next = self.rest.startswith(expected)
        if is_next:
            self.rest = self.rest[len(expected) :]
        return is_next

    def _repeated(self) -> tuple[str, int]:
        """Read an atom, and how often it is repeated."""
        if self._took(END):
            self.has_end = True
            return self._alone(r"\z")
        if self._took(r"\A"):
            self.is_anchored = True
            return self._alone(r"\A")
        if self._took(_ANY):
            return self._alone(_ANY)
        text, least = self._atom()
        if not (self.rest and self.rest[0] in "*+?{"):
            return text, least
        sign, fewest, most = self._count()
        if most > 1 and not least:
            raise NotComputedError("a repetition of what may match nothing")
        lazy = "?" if self._took("?") else ""
        return self._alone(f"{text}{sign}{lazy}", least * fewest)

    def _alone(self, text: str, least: int = 0) -> tuple[str, int]:
        if self.rest and self.rest[0] in "*+?{":
            raise NotComputedError("a repetition of an anchor, or a possessive one")
        return text, least

    def _count(self) -> tuple[str, int, int]:
        """Read a count, and return its text, and the least and the greatest number of repetitions."""
        for sign, fewest, most in (("*", 0, 2), ("+", 1, 2), ("?", 0, 1)):
            if self._took(sign):
                return sign, fewest, most
        found = _COUNT.match(self.rest)
        if found is None:
            raise NotComputedError("a brace")
        self.rest = self.rest[found.end() :]
        fewest = int(found[1])
        most = int(found[3]) if found[3] else fewest if not found[2] else max(fewest, 2)
        if max(fewest, most) > _MOST:
            raise NotComputedError("many repetitions")
        return found[0], fewest, most

    def _atom(self) -> tuple[str, int]:
        if self._took(ANY_CHARACTER):
            return NO_LINE_END, 1
        if self._took("(?:"):
            return self._closed("(?:")
        if self.rest.startswith("(?"):
            raise NotComputedError("a group of another kind")
        if self._took("("):
            self._groups += 1
            return self._closed("(?P<g>" if self._groups == self._group else "(?:")
        if self._took("["):
            return self._class(), 1
        character = self._character()
        return _ALONE.get(character, character), 1

    def _closed(self, opening: str) -> tuple[str, int]:
        text, least = self.choice()
        if not self._took(")"):
            raise NotComputedError("a parenthesis that is not closed")
        return f"{opening}{text})", least

    def _character(self) -> str:
        """Read a character that stands for itself, or the escape of a class, which is returned as it is."""
        character, self.rest = self.rest[0], self.rest[1:]
        if character != "\\":
            if character in "^$.*+?{}[]()|":
                raise NotComputedError("a special character")
            return _literal(character)
        escaped, self.rest = self.rest[:1], self.rest[1:]
        if escaped in _KEPT or escaped in ("s", "S"):
            return f"\\{escaped}"
        if not escaped or (escaped.isalnum() and escaped not in _CONTROLS):
            raise NotComputedError("an escape")
        return _literal(_CONTROLS.get(escaped, escaped))

    def _class(self) -> str:
        members = ["[^" if self._took("^") else "["]
        while not self._took("]"):
            members.append(self._member(is_first=len(members) == 1))
        if len(members) == 1:
            raise NotComputedError("a class of no characters")
        return f"{''.join(members)}]"

    def _member(self, *, is_first: bool) -> str:
        """Read a member of a class: a character, the escape of another class or a range."""
        if not self.rest:
            raise NotComputedError("a class that is not closed")
        if self.rest.startswith("-") and not (is_first or self.rest.startswith("-]")):
            raise NotComputedError("a hyphen within a class")
        first = self._character()
        if first == r"\S":
            raise NotComputedError("a class in a class")
        if first == r"\s":
            return _BLANKS
        if not self.rest.startswith("-") or self.rest.startswith("-]"):
            return first
        self.rest = self.rest[1:]
        last = self._character()
        if not (first.startswith(r"\x") and last.startswith(r"\x")):
            raise NotComputedError("a range of classes")
        return f"{first}-{last}"


def _literal(character: str) -> str:
    if "\ud800" <= character <= "\udfff":
        raise NotComputedError("half of a character")
    return f"\\x{{{ord(character):x}}}"


@lru_cache(maxsize=512)
def re2_of_like(pattern: str, escape: str) -> str:
    """Return a pattern of LIKE as a regular expression of RE2, which matches whole texts.

    Raises:
        NotComputedError: the escape is before a wrong character.
    """
    return rf"\A(?s:{''.join(_parts_of_like(pattern, escape))})\z"


def _parts_of_like(pattern: str, escape: str) -> Iterator[str]:
    for part in like_parts(pattern, escape):
        yield {"%": ".*", "_": NO_LINE_END}.get(part) or _literal(part[-1])
