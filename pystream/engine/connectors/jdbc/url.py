"""JDBC URLs, taken apart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple
from urllib.parse import unquote

from pystream.errors import ConfigurationError

__all__ = ["Host", "JdbcUrl", "parse_url", "shown_url"]

_URL = re.compile(r"jdbc:(?P<system>[a-zA-Z0-9+.-]+):(?P<rest>.*)", re.DOTALL)
_SCHEME = re.compile(r"(?:(?:jdbc:)?[a-zA-Z0-9+.-]+:(?:thin:|oci:)?(?://)?)?")
_PLACE = re.compile(r"[^?;&=\s]*")
_HOST = re.compile(r"(?:\[(?P<v6>[0-9a-fA-F:.]+)\]|(?P<name>[^:\[\]/]+))(?::(?P<port>\d+))?")


class Host(NamedTuple):
    """A host of a database.

    Attributes:
        name: its name or address.
        port: its port; ``None`` for that of the system.
    """

    name: str
    port: int | None

    def __str__(self) -> str:
        name = f"[{self.name}]" if ":" in self.name else self.name
        return name if self.port is None else f"{name}:{self.port}"


@dataclass(frozen=True, slots=True)
class JdbcUrl:
    """The parts of a JDBC URL.

    Attributes:
        system: the database system, as in ``jdbc:system:``.
        hosts: the hosts, in order; empty for a database that is a file.
        path: the database, or the path of its file.
        options: what follows the question mark, by key.
    """

    system: str
    hosts: tuple[Host, ...]
    path: str
    options: Mapping[str, str] = field(repr=False)

    def __str__(self) -> str:
        """Return the URL without its options, among which there may be credentials."""
        place = f"//{','.join(map(str, self.hosts))}/" if self.hosts else ""
        return f"jdbc:{self.system}:{place}{self.path}"


def parse_url(url: str) -> JdbcUrl:
    """Take a JDBC URL apart.

    Raises:
        ConfigurationError: it is none; the message does not have its options.
    """
    match = _URL.fullmatch(url.strip()) if isinstance(url, str) else None
    if match is None:
        raise ConfigurationError(f"{shown_url(url)} is not a JDBC URL such as jdbc:postgresql://host:5432/db")
    place, _, query = match["rest"].partition("?")
    parts = [part for part in query.split("&") if part]
    options = dict(_option(number, part, url) for number, part in enumerate(parts, 1))
    if ";" in place:
        raise ConfigurationError(
            f"{shown_url(url)} is followed by a semicolon: options follow a question mark, as in "
            "?key=value&key=value; a ; in the name of a database is written %3B"
        )
    if not place.startswith("//"):
        return JdbcUrl(match["system"].lower(), (), place, options)
    names, _, path = place[2:].partition("/")
    if "@" in place:  # a slash may be part of the password
        raise ConfigurationError(
            f"{shown_url(url)} has credentials before the host, where JDBC does not take them: set user and "
            "password by themselves; an @ in the name of a database is written %40"
        )
    hosts = tuple(_host(name, url) for name in names.split(",") if name)
    return JdbcUrl(match["system"].lower(), hosts, unquote(path), options)


def shown_url(url: object) -> str:
    """Return a URL for messages, without its options, and without its host if there may be credentials."""
    if not isinstance(url, str):
        return f"an object of class {type(url).__name__}"
    start = (_SCHEME if "@" in url else _PLACE).match(url)
    assert start is not None
    return f"{start[0]}***" if "@" in url else start[0]


def _option(number: int, text: str, url: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:  # it may be the rest of a password
        raise ConfigurationError(
            f"{shown_url(url)}: each option must be key=value, which option {number} is not; an & in a value "
            "is written %26"
        )
    return unquote(key), unquote(value)


def _host(text: str, url: str) -> Host:
    match = _HOST.fullmatch(text)
    if match is None:
        raise ConfigurationError(
            f"{shown_url(url)} must name a host behind //, with or without a port: //localhost:5432/db"
        )
    return Host(match["v6"] or match["name"], None if match["port"] is None else int(match["port"]))
