"""Hints behind the name of a table, ``t /*+ OPTIONS('key' = 'value') */``, which the tokenizer drops."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["OPTIONS", "OptionsHint", "hint_after"]

OPTIONS = "options"
"""The argument of a table in a tree that holds the options of its hint, pairs of key and value."""

_COMMENTS = r"(?:\s|--[^\n]*(?:\n|$)|/\*(?!\+).*?\*/)*"
_HINT = re.compile(rf"{_COMMENTS}/\*\+(.*?)\*/", re.S)
_TEXT = r"'((?:[^']|'')*)'"
_OPTION = rf"\s*{_TEXT}\s*=\s*{_TEXT}\s*"
_OPTIONS = re.compile(rf"\s*OPTIONS\s*\({_OPTION}(?:,{_OPTION})*\)\s*", re.I)


class OptionsHint(NamedTuple):
    """A hint in a text.

    Attributes:
        options: pairs of key and value.
        end: where it ends.
    """

    options: tuple[tuple[str, str], ...]
    end: int


def hint_after(text: str, start: int) -> OptionsHint | None:
    """Return the hint that comes next in a text, ``None`` if none does.

    Args:
        text: the text of a statement.
        start: where the name of a table has ended.

    Raises:
        ValueError: it is another hint, or its options are not pairs of texts.
    """
    hint = _HINT.match(text, start)
    if hint is None:
        return None
    if not _OPTIONS.fullmatch(hint[1]):
        raise ValueError(
            "the hint of a table is OPTIONS, with keys and values in quotes, as in "
            "/*+ OPTIONS('number-of-rows' = '10') */; other hints stand behind SELECT"
        )
    pairs = re.findall(_OPTION, hint[1])
    options = tuple((key.replace("''", "'"), value.replace("''", "'")) for key, value in pairs)
    return OptionsHint(options, hint.end())
