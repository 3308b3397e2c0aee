"""Functions of text, whose characters are code points."""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote_plus

from pystream.table.evaluation.errors import ConversionError
from pystream.table.evaluation.functions.calls import Evaluate

__all__ = [
    "ascii_code",
    "capitalized",
    "character",
    "chosen",
    "concatenated",
    "digest",
    "from_base64",
    "hex_of_text",
    "is_digits",
    "joined",
    "left",
    "left_padded",
    "located",
    "overlaid",
    "part",
    "position",
    "repeated",
    "reversed_text",
    "right",
    "right_padded",
    "rest",
    "split_part",
    "to_base64",
    "translated",
    "url_encoded",
]

_WORD = re.compile("[A-Za-z0-9]+")
_BLANK = re.compile("[\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]")


def capitalized(text: str) -> str:
    """Start each word with a capital; only ASCII letters and digits are parts of words, and change."""
    return _WORD.sub(_capitalized_word, text)


def _capitalized_word(found: re.Match[str]) -> str:
    return found[0].capitalize()


def concatenated(*texts: str) -> str:
    """Return texts one after the other."""
    return "".join(texts)


def joined(separator: Evaluate, texts: Sequence[Evaluate], row: Sequence[Any]) -> str | None:
    """Return the texts that are not null with a separator between them; null if the separator is."""
    between: str | None = separator(row)
    if between is None:
        return None
    return between.join(found for text in texts if (found := text(row)) is not None)


def rest(text: str, start: int) -> str:
    """Return the text from a character on, counted from 1, or from the end if it is negative."""
    begin = _beginning(text, start)
    return "" if begin < 0 else text[begin:]


def part(text: str, start: int, count: int) -> str | None:
    """Return some characters from one on, as `rest`; null if their number is negative."""
    if count < 0:
        return None
    begin = _beginning(text, start)
    return "" if begin < 0 else text[begin : begin + count]


def _beginning(text: str, start: int) -> int:
    return start - 1 if start > 0 else start and start + len(text)


def left(text: str, count: int) -> str:
    """Return the first characters."""
    return text[: max(count, 0)]


def right(text: str, count: int) -> str:
    """Return the last characters."""
    return text[max(len(text) - count, 0) :] if count > 0 else ""


def left_padded(text: str, size: int, filler: str) -> str | None:
    """Return the text in a size, filled up before it; null if it cannot be filled."""
    if size < 0 or not filler:
        return None
    return _filler(size - len(text), filler) + text[:size]


def right_padded(text: str, size: int, filler: str) -> str | None:
    """Return the text in a size, filled up after it; null if it cannot be filled."""
    if size < 0 or not filler:
        return None
    return text[:size] + _filler(size - len(text), filler)


def _filler(size: int, filler: str) -> str:
    return (filler * (size // len(filler) + 1))[:size] if size > 0 else ""


def position(text: str, wanted: str) -> int:
    """Return where a text is found in another, from 1; 0 if it is not."""
    return text.find(wanted) + 1


def located(text: str, wanted: str, start: int) -> int:
    """Return where a text is found in another from a place on."""
    return text.find(wanted, max(start - 1, 0)) + 1 if wanted else 1


def translated(text: str, old: str, new: str) -> str:
    """Return the text with other characters; those without a counterpart are left out."""
    table: dict[int, str] = {}
    for index, character in enumerate(old):
        table.setdefault(ord(character), new[index : index + 1])
    return text.translate(table)


def overlaid(text: str, new: str, start: int, count: int | None = None) -> str:
    """Return the text with another in the place of some characters, as many as it has unless given.

    As in Flink, the text ends there if they are none.
    """
    if not 0 < start <= len(text):
        return text
    replaced_count = len(new) if count is None else count
    rest_of_text = text[start - 1 + replaced_count :] if replaced_count > 0 else ""
    return text[: start - 1] + new + rest_of_text


def reversed_text(text: str) -> str:
    """Return the characters in reverse."""
    return text[::-1]


def repeated(text: str, times: int) -> str:
    """Return a text several times."""
    return text * times


def split_part(text: str, separator: str, index: int) -> str | None:
    """Return one of the parts of a text, from 0; null if there are less.

    Args:
        text: the text; an empty one has no parts.
        separator: what is between them; blanks if it is empty.
        index: the number of the part.
    """
    if not text or index < 0:
        return None
    parts = text.split(separator) if separator else _BLANK.split(text)
    return parts[index] if index < len(parts) else None


def digest(algorithm: str, text: str) -> str:
    """Return a digest of the UTF-8 bytes, in hexadecimal."""
    return hashlib.new(algorithm, text.encode(), usedforsecurity=False).hexdigest()


def ascii_code(text: str) -> int:
    """Return the first byte in UTF-8, with a sign; 0 for no text."""
    first = text[:1].encode()[:1]
    return int.from_bytes(first, "big", signed=True)


def character(code: int) -> str:
    """Return the character of the lowest eight bits of a number; none if it is negative."""
    return "" if code < 0 else chr(code & 0xFF)


def is_digits(text: Evaluate, row: Sequence[Any]) -> bool:
    """Return whether a text is made of digits, at least one; false for null."""
    found: str | None = text(row)
    return found is not None and found.isdecimal()


def chosen(index: Evaluate, texts: Sequence[Evaluate], row: Sequence[Any]) -> str | None:
    """Return one of several texts, from 1; null if there is none."""
    number: int | None = index(row)
    return texts[number - 1](row) if number is not None and 1 <= number <= len(texts) else None


def hex_of_text(text: str) -> str:
    """Return the UTF-8 bytes in hexadecimal."""
    return text.encode().hex().upper()


def to_base64(text: str) -> str:
    """Return the UTF-8 bytes in Base64."""
    return b64encode(text.encode()).decode()


def from_base64(text: str) -> str:
    """Return the text whose UTF-8 bytes are in Base64.

    Raises:
        ConversionError: it is not Base64.
    """
    padded = text + "=" * (-len(text) % 4)
    try:
        return b64decode(padded, validate=True).decode("utf-8", "replace")
    except ValueError:
        raise ConversionError(f"{text!r} is not Base64") from None


def url_encoded(text: str) -> str:
    """Return a text as a part of a URL."""
    return quote_plus(text, safe="*").replace("~", "%7E")
