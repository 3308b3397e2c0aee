"""Functions of text, whose characters are code points."""

from __future__ import annotations

import hashlib
import re
import uuid
from base64 import b64decode, b64encode
from urllib.parse import quote_plus

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values.mathematics import in_base_16
from pystream.table.functions.values.patterns import BoundedPattern, translated_pattern

_COMMA, _EQUALS = translated_pattern(","), translated_pattern("=")

__all__ = [
    "is_letters",
    "is_number",
    "ascii_code",
    "capitalized",
    "character",
    "checked_bits",
    "chosen",
    "concatenated",
    "digest",
    "from_base64",
    "hexadecimal",
    "is_digits",
    "joined",
    "left",
    "left_padded",
    "left_trimmed",
    "located",
    "map_of_text",
    "overlaid",
    "place_of",
    "random_uuid",
    "repeated",
    "reversed_text",
    "right",
    "right_padded",
    "right_trimmed",
    "sha2",
    "split_part",
    "split",
    "substring",
    "to_base64",
    "translated",
    "trimmed",
    "url_encoded",
]

_BITS = (224, 256, 384, 512)
_NUMBER = re.compile(
    r"[\x00-\x20]*[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[dDfF]?)[\x00-\x20]*"
)
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


def joined(separator: str | None, *texts: str | None) -> str | None:
    """Return the texts that are not null with a separator between them; null if the separator is."""
    return None if separator is None else separator.join(text for text in texts if text is not None)


def substring(text: str, start: int, count: int | None = None) -> str | None:
    """Return the text from a character on, counted from 1, or from the end if it is negative.

    Args:
        text: the text.
        start: the number of the character.
        count: how many characters there are at most; null is the result if it is negative.
    """
    if count is not None and count < 0:
        return None
    begin = _beginning(text, start)
    if begin < 0:
        return ""
    return text[begin:] if count is None else text[begin : begin + count]


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


def located(text: str, wanted: str, start: int = 1) -> int:
    """Return where a text is found in another, from 1; 0 if it is not.

    Args:
        text: the other one.
        wanted: the text.
        start: where it starts at the earliest; if negative, where it ends at the latest, from the end.
    """
    if not wanted or start == 0:
        return int(start != 0)
    if start < 0:
        return text.rfind(wanted, 0, max(len(text) + start + 1, 0)) + 1
    return text.find(wanted, start - 1) + 1


def place_of(wanted: str, text: str, start: int = 1) -> int:
    """Return where a text is found in another, from 1; 0 if it is not.

    Args:
        wanted: the text.
        text: the other one.
        start: where it starts at the earliest, which is the first place for all numbers below.
    """
    return located(text, wanted, max(start, 1))


def trimmed(text: str, characters: str = " ") -> str:
    """Return the text without some characters at both ends."""
    return text.strip(characters)


def left_trimmed(text: str, characters: str = " ") -> str:
    """Return the text without some characters at its start."""
    return text.lstrip(characters)


def right_trimmed(text: str, characters: str = " ") -> str:
    """Return the text without some characters at its end."""
    return text.rstrip(characters)


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


def digest(algorithm: str, value: str | bytes) -> str:
    """Return a digest of the UTF-8 bytes of a text, or of bytes, in hexadecimal."""
    return hashlib.new(algorithm, _encoded(value), usedforsecurity=False).hexdigest()


def sha2(value: str | bytes, bits: int) -> str:
    """Return the SHA-2 digest of some bits."""
    return digest(f"sha{bits}", value)


def checked_bits(bits: int) -> int:
    """Return the number of bits of a SHA-2 digest.

    Raises:
        ValueError: there is none of that many.
    """
    if bits not in _BITS:
        raise ValueError("SHA2 takes 224, 256, 384 or 512 bits")
    return bits


def _encoded(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value


def ascii_code(text: str) -> int:
    """Return the first byte in UTF-8, with a sign; 0 for no text."""
    first = text[:1].encode()[:1]
    return int.from_bytes(first, "big", signed=True)


def character(code: int) -> str:
    """Return the character of the lowest eight bits of a number; none if it is negative."""
    return "" if code < 0 else chr(code & 0xFF)


def is_letters(text: str | None) -> bool:
    """Return whether a text is made of letters, at least one; false for null."""
    return text is not None and text.isalpha()


def is_number(text: str | None) -> bool:
    """Return whether a text is a number as Java reads it, with blanks around it; false for null."""
    return text is not None and _NUMBER.fullmatch(text) is not None


def is_digits(text: str | None) -> bool:
    """Return whether a text is made of digits, at least one; false for null."""
    return text is not None and text.isdecimal()


def chosen(index: int | None, *texts: str | None) -> str | None:
    """Return one of several texts, from 1; null if there is none."""
    return texts[index - 1] if index is not None and 1 <= index <= len(texts) else None


def hexadecimal(value: str | int) -> str:
    """Return the UTF-8 bytes of a text, or an integer, in hexadecimal."""
    return value.encode().hex().upper() if isinstance(value, str) else in_base_16(value)


def to_base64(value: str | bytes) -> str:
    """Return the UTF-8 bytes of a text, or bytes, in Base64."""
    return b64encode(_encoded(value)).decode()


def from_base64(value: str | bytes) -> str:
    """Return the text whose UTF-8 bytes are in Base64.

    Raises:
        ConversionError: it is not Base64.
    """
    encoded = _encoded(value)
    try:
        return b64decode(encoded + b"=" * (-len(encoded) % 4), validate=True).decode("utf-8", "replace")
    except ValueError:
        raise ConversionError(f"{value!r} is not Base64") from None


def url_encoded(text: str) -> str:
    """Return a text as a part of a URL."""
    return quote_plus(text, safe="*").replace("~", "%7E")


def random_uuid() -> str:
    """Return a random UUID."""
    return str(uuid.uuid4())


def split(text: str, separator: str) -> list[str]:
    """Return the parts of a text between the occurrences of another; none of no text."""
    if not text:
        return []
    return text.split(separator) if separator else list(text)


def map_of_text(
    text: str, entries: BoundedPattern = _COMMA, parts: BoundedPattern = _EQUALS
) -> dict[str, str | None]:
    """Return the map whose entries stand in a text; null for a key without a value.

    Args:
        text: the text.
        entries: what is between the entries.
        parts: what is between a key and its value.
    """
    found = entries.compiled.split(text)
    while found and not found[-1]:
        found.pop()
    pairs = (parts.compiled.split(one, maxsplit=1) for one in found)
    return {pair[0]: pair[1] if len(pair) > 1 else None for pair in pairs}
