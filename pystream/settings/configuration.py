"""Configuration: the key-value settings of a job."""

from __future__ import annotations

import builtins
from collections.abc import Mapping, MutableMapping
from typing import Any, TypeVar

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings.config_options import ConfigOption
from pystream.settings.config_values import (
    BOOLEAN,
    BYTES,
    DOUBLE,
    LONG,
    STRING,
    ValueType,
    parse_list,
    to_text,
)
from typeinfo.arguments import checks_arguments

__all__ = ["Configuration"]

T = TypeVar("T")
D = TypeVar("D")

_SECRET_PARTS = (
    "password",
    "secret",
    "fs.azure.account.key",
    "apikey",
    "api-key",
    "auth-params",
    "service-key",
    "token",
    "basic-auth",
    "jaas.config",
    "http-headers",
)


@checks_arguments(ArgumentTypeError)
class Configuration:
    """Settings by key.

    A value set as text and the same value set as a number, boolean, duration or enum member read alike,
    but the two configurations are not equal, as in Flink. Mirrors
    ``org.apache.flink.configuration.Configuration``.

    Args:
        other: initial settings; they are copied.

    Examples:
        >>> from pystream.common import Configuration
        >>> configuration = Configuration().set_integer("parallelism.default", 4)
        >>> configuration.get_integer("parallelism.default", 1)
        4
    """

    def __init__(self, other: Configuration | None = None) -> None:
        self._values: dict[str, Any] = {} if other is None else dict(other._values)

    @classmethod
    def from_dict(cls, map: Mapping[str, str]) -> Configuration:
        """Return a configuration from a dict of strings.

        Raises:
            ConfigurationError: a key or a value is not text.
        """
        configuration = cls()
        for key, value in map.items():
            configuration.set_string(key, value)
        return configuration

    def get(self, option: ConfigOption[T]) -> T:
        """Return the value of an option, or its default if neither its key nor a fallback key is set.

        Raises:
            ConfigurationError: the value is not allowed.
        """
        for key in option.keys:
            if key in self._values:
                return option.read(self._values[key])
        return option.default

    def set(self, option: ConfigOption[T], value: T) -> Configuration:
        """Set an option; return this object.

        Raises:
            ConfigurationError: the value is not allowed; nothing is changed.
        """
        self._values[option.key] = option.accept(value)
        return self

    def contains(self, option: ConfigOption[Any]) -> bool:
        """Return whether the option's key or a fallback key is set."""
        return any(key in self._values for key in option.keys)

    def remove(self, option: ConfigOption[Any]) -> bool:
        """Remove an option under all its keys; return whether it was set."""
        return sum(self.remove_config(key) for key in option.keys) > 0

    def get_string(self, key: str, default_value: D) -> str | D:
        """Return the text of the value under ``key``, or ``default_value``."""
        return self._look_up(key, STRING, default_value)

    def set_string(self, key: str, value: str) -> Configuration:
        """Set text under ``key``; return this object.

        Raises:
            ConfigurationError: key or value is not text.
        """
        return self._put(key, STRING, value)

    def get_integer(self, key: str, default_value: D) -> int | D:
        """Return the integer under ``key``, or ``default_value``.

        Raises:
            ConfigurationError: the value is not an integer of 64 bits.
        """
        return self._look_up(key, LONG, default_value)

    def set_integer(self, key: str, value: int) -> Configuration:
        """Set an integer under ``key``; return this object.

        Raises:
            ConfigurationError: the key is not text, or the value not an integer of 64 bits.
        """
        return self._put(key, LONG, value)

    def get_boolean(self, key: str, default_value: D) -> bool | D:
        """Return the boolean under ``key``, or ``default_value``.

        Raises:
            ConfigurationError: the value is neither true nor false.
        """
        return self._look_up(key, BOOLEAN, default_value)

    def set_boolean(self, key: str, value: bool) -> Configuration:
        """Set a boolean under ``key``; return this object.

        Raises:
            ConfigurationError: the key is not text, or the value neither true nor false.
        """
        return self._put(key, BOOLEAN, value)

    def get_float(self, key: str, default_value: D) -> float | D:
        """Return the number under ``key``, or ``default_value``.

        Raises:
            ConfigurationError: the value is not a number.
        """
        return self._look_up(key, DOUBLE, default_value)

    def set_float(self, key: str, value: float) -> Configuration:
        """Set a number under ``key``; return this object.

        Raises:
            ConfigurationError: the key is not text, or the value not a number.
        """
        return self._put(key, DOUBLE, value)

    def get_bytearray(self, key: str, default_value: D) -> bytearray | D:
        """Return the bytes under ``key``, or ``default_value``.

        Raises:
            ConfigurationError: the value is not bytes.
        """
        return self._look_up(key, BYTES, default_value)

    def set_bytearray(self, key: str, value: bytearray) -> Configuration:
        """Set bytes under ``key``; return this object.

        Raises:
            ConfigurationError: the key is not text, or the value not bytes.
        """
        return self._put(key, BYTES, value)

    def key_set(self) -> builtins.set[str]:
        """Return the keys that are set."""
        return {*self._values}

    def contains_key(self, key: str) -> bool:
        """Return whether this key is set, ignoring fallback keys."""
        return key in self._values

    def remove_config(self, key: str) -> bool:
        """Remove the value of this key, ignoring fallback keys; return whether there was one."""
        found = key in self._values
        self._values.pop(key, None)
        return found

    def add_all(self, other: Configuration, prefix: str | None = None) -> Configuration:
        """Add all settings of another configuration, with ``prefix`` before each key; return this object."""
        for key, value in other._values.items():
            self._values[(prefix or "") + key] = value
        return self

    def add_all_to_dict(self, target_dict: MutableMapping[str, Any]) -> None:
        """Add all settings to a dict, with numbers and booleans converted."""
        target_dict.update(self._values)

    def to_dict(self) -> dict[str, str]:
        """Return all settings as text, secrets included."""
        return {key: to_text(value) for key, value in self._values.items()}

    @staticmethod
    def parse_list_value(value: str) -> list[str]:
        """Parse the text of a list setting, ``a;b`` or ``[a, b]``; empty for ``None``."""
        return parse_list(value) if value else []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Configuration) and _typed(self._values) == _typed(other._values)

    def __hash__(self) -> int:
        return hash(frozenset(self.to_dict().items()))

    def __str__(self) -> str:
        """Return all settings as ``{key=text, …}``, passwords and other secrets hidden."""
        shown = (f"{key}={_hidden(key, text)}" for key, text in self.to_dict().items())
        return f"{{{', '.join(shown)}}}"

    def __repr__(self) -> str:
        return f"Configuration({self})"

    def _look_up(self, key: str, value_type: ValueType[T], default: D) -> T | D:
        if key not in self._values:
            return default
        option: ConfigOption[Any] = ConfigOption(key, value_type, None)
        value: T = option.read(self._values[key])
        return value

    def _put(self, key: str, value_type: ValueType[T], value: T) -> Configuration:
        if not isinstance(key, str):
            raise ConfigurationError(f"configuration key {key!r} is not allowed; it takes text")
        return self.set(ConfigOption(key, value_type, value), value)


def _typed(values: Mapping[str, Any]) -> dict[str, tuple[type, Any]]:
    return {key: (type(value), value) for key, value in values.items()}


def _hidden(key: str, text: str) -> str:
    return "******" if any(part in key.lower() for part in _SECRET_PARTS) else text
