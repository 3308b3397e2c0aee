"""Character sets, URLs and IPv4 addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote_plus, urlsplit

from pystream.table.functions.errors import ConversionError

__all__ = [
    "address_of_number",
    "decoded",
    "encoded",
    "number_of_address",
    "part_of_url",
    "url_decoded",
]

_CHARSETS: Mapping[str, str] = {
    "US-ASCII": "ascii",
    "ISO-8859-1": "latin-1",
    "UTF-8": "utf-8",
    "UTF-16": "utf-16",
    "UTF-16BE": "utf-16-be",
    "UTF-16LE": "utf-16-le",
}
_MARK = b"\xfe\xff"
"""The mark before text in UTF-16 that begins with the greater byte."""

_WRONG_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_PROTOCOLS = ("file", "ftp", "http", "https", "jar", "jmod", "jrt", "mailto")
_ADDRESS = re.compile(r"(\[.*\]|[^:]*)(?::(?:\+?[0-9]+|-0*1)?)?")
_MOST = 1 << 32


def _charset(name: str) -> str:
    try:
        return _CHARSETS[name.upper()]
    except KeyError:
        raise ConversionError(
            f"there is no character set {name!r}; there are: {', '.join(_CHARSETS)}"
        ) from None


def encoded(text: str, charset: str) -> bytes:
    """Return the bytes of a text in a character set, with a question mark for what it lacks.

    Raises:
        ConversionError: there is no such character set.
    """
    name = _charset(charset)
    if name == "utf-16":
        return _MARK + text.encode("utf-16-be", "replace")
    return text.encode(name, "replace")


def decoded(value: bytes, charset: str) -> str:
    """Return the text of bytes in a character set.

    Raises:
        ConversionError: there is no such character set.
    """
    name = _charset(charset)
    if name == "utf-16" and value[:2] not in (_MARK, _MARK[::-1]):
        name = "utf-16-be"
    return bytes(value).decode(name, "replace")


def url_decoded(text: str) -> str | None:
    """Return the text of a part of a URL; null if it is none."""
    return None if _WRONG_ESCAPE.search(text) else unquote_plus(text)


def part_of_url(url: str, part: str, key: str | None = None) -> str | None:
    """Return a part of a URL, or the value of a key of its query; null if it has none.

    As in Java, a URL has a known protocol, and its port is a number.
    """
    try:
        parsed = urlsplit(url)
    except ValueError:
        return None
    user, at, address = parsed.netloc.rpartition("@")
    host = _ADDRESS.fullmatch(address)
    if parsed.scheme not in _PROTOCOLS or host is None:
        return None
    query = parsed.query if "?" in url else None
    if key is not None:
        found = re.search(rf"(?:^|&){re.escape(key)}=([^&]*)", query or "") if part == "QUERY" else None
        return None if found is None else found[1]
    parts = {
        "AUTHORITY": parsed.netloc,
        "FILE": parsed.path if query is None else f"{parsed.path}?{query}",
        "HOST": host[1],
        "PATH": parsed.path,
        "PROTOCOL": parsed.scheme,
        "QUERY": query,
        "REF": parsed.fragment if "#" in url else None,
        "USERINFO": user if at else None,
    }
    return parts.get(part)


def number_of_address(address: str) -> int | None:
    """Return the number of an IPv4 address, whose last part may stand for several; null if it is none."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,3}){0,3}", address, re.ASCII):
        return None
    *first, last = map(int, address.split("."))
    if any(part > 255 for part in (*first, last)):
        return None
    return sum(part << (24 - 8 * place) for place, part in enumerate(first)) + last


def address_of_number(number: int) -> str | None:
    """Return the IPv4 address of a number; null if there is none."""
    if not 0 <= number < _MOST:
        return None
    return ".".join(str(number >> shift & 255) for shift in (24, 16, 8, 0))
