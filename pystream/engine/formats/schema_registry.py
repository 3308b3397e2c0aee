"""Clients of a schema registry with Confluent's REST interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import unquote, urlsplit, urlunsplit

from pystream.engine.connectors.packages import client_library
from pystream.errors import (
    ConfigurationError,
    ConnectorError,
    DeserializationError,
    PyStreamError,
    SerializationError,
)

__all__ = ["Registry", "RegistryAddress", "WriterSchema", "registry_at"]

_EXTRA = "confluent-registry"
_TIMEOUT = 30.0  # seconds for a request, unless configured
_REFUSED = 400  # to 499: the registry works, but not for this request
_UNAVAILABLE = 500
_DENIED = (401, 403, 407, 408, 429)
_NUMBERS = ("timeout", "max.retries", "retries.wait.ms", "retries.max.wait.ms", "cache.capacity")
_USER_INFO = "basic.auth.user.info"
_JAVA_PREFIX = "schema.registry."


@dataclass(frozen=True, slots=True)
class RegistryAddress:
    """Where a registry is, and how to sign in; its text has no credentials.

    Attributes:
        urls: its URLs without user and password.
        properties: the properties of the client.
    """

    urls: tuple[str, ...]
    properties: tuple[tuple[str, str], ...]

    @staticmethod
    def of(url: str, properties: Mapping[str, str]) -> RegistryAddress:
        """Return an address, with the user and password of a URL among the properties.

        Args:
            url: one URL, or several separated by commas.
            properties: those of confluent_kafka's client, also with the prefix ``schema.registry.``.

        Raises:
            ConfigurationError: it is not a URL of HTTP, or a property is not a text.
        """
        known = {}
        for key, value in properties.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise ConfigurationError(f"the property {key!r} of a schema registry must be a str")
            known[key.removeprefix(_JAVA_PREFIX)] = value
        if known.pop("basic.auth.credentials.source", "USER_INFO") not in ("USER_INFO", "URL"):
            raise ConfigurationError("basic.auth.credentials.source must be USER_INFO or URL")
        urls = []
        for one in url.split(",") if isinstance(url, str) else ():
            parts = urlsplit(one.strip())
            if parts.scheme not in ("http", "https") or not parts.hostname:
                raise ConfigurationError(
                    "the url of a schema registry must be like http://registry:8081, not "
                    f"{_without_user(one.strip())!r}"
                )
            if parts.username is not None:
                known.setdefault(_USER_INFO, f"{unquote(parts.username)}:{unquote(parts.password or '')}")
            urls.append(_without_user(one.strip()))
        if not urls:
            raise ConfigurationError(f"the url of a schema registry must be a str, not {url!r}")
        return RegistryAddress(tuple(urls), tuple(sorted(known.items())))

    def __str__(self) -> str:
        return ", ".join(self.urls)

    def __repr__(self) -> str:
        return f"RegistryAddress({self})"


def _without_user(url: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


@dataclass(frozen=True, slots=True)
class WriterSchema:
    """A schema from a registry.

    Attributes:
        text: the schema, as JSON.
        references: the schemas that define the names in it, in an order to parse them in.
    """

    text: str
    references: tuple[str, ...]


@lru_cache(maxsize=64)
def registry_at(address: RegistryAddress) -> Registry:
    """Return the client of a registry, which keeps what it was told.

    Raises:
        ConfigurationError: the client does not take a property.
        DependencyError: the client library is not installed.
    """
    return Registry(address)


class Registry:
    """Looks up schemas by id, and registers schemas by subject.

    Args:
        address: of the registry.
    """

    def __init__(self, address: RegistryAddress) -> None:
        self._address = address
        self._library = client_library("confluent_kafka.schema_registry", _EXTRA)
        properties: dict[str, Any] = {"timeout": _TIMEOUT, **dict(address.properties)}
        try:
            numbers = {key: float(properties[key]) for key in _NUMBERS if key in properties}
            self._client = self._library.SchemaRegistryClient(
                {"url": ",".join(address.urls), **properties, **numbers}
            )
        except (ValueError, TypeError, OSError) as error:
            # The text of the error names properties and files, never their values.
            raise ConfigurationError(f"the client of the schema registry {address}: {error}") from None

    def writer_schema(self, identity: int) -> WriterSchema:
        """Return the schema of an id.

        Raises:
            ConnectorError: the registry cannot be reached, or denies access.
            DeserializationError: it has no Avro schema of this id.
        """
        what = f"the schema of id {identity}"
        found: WriterSchema = self._request(
            what, DeserializationError, lambda: self._with_references(identity)
        )
        return found

    def register(self, subject: str, schema: str) -> int:
        """Register a schema unless it is registered, and return its id.

        Raises:
            ConnectorError: the registry cannot be reached, or denies access.
            SerializationError: it refuses the schema, such as one that is not compatible to earlier ones.
        """
        new = self._library.Schema(schema, "AVRO")
        what = f"a schema of the subject {subject!r}"
        identity: int = self._request(
            what, SerializationError, lambda: self._client.register_schema(subject, new)
        )
        return identity

    def _with_references(self, identity: int) -> WriterSchema:
        schema = self._client.get_schema(identity)
        if schema.schema_type != "AVRO":
            raise DeserializationError(
                f"the schema of id {identity} in {self._address} is of type {schema.schema_type}, not AVRO"
            )
        references: dict[str, None] = {}
        self._collect(schema, references)
        return WriterSchema(schema.schema_str, tuple(references))

    def _collect(self, schema: Any, references: dict[str, None]) -> None:
        for reference in schema.references or ():
            found = self._client.get_version(reference.subject, reference.version).schema
            self._collect(found, references)
            references.setdefault(found.schema_str)

    def _request(self, what: str, refused: type[Exception], ask: Any) -> Any:
        try:
            return ask()
        except PyStreamError:
            raise
        except self._library.SchemaRegistryError as error:
            status = error.http_status_code
            has_refused = _REFUSED <= status < _UNAVAILABLE and status not in _DENIED
            kind = refused if has_refused else ConnectorError
            raise kind(f"{what}: the schema registry {self._address} answers: {error}") from None
        except Exception as error:  # of the HTTP library that the client has chosen
            raise ConnectorError(
                f"{what}: the schema registry {self._address} cannot be reached: {error}"
            ) from error
