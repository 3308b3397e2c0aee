"""ConfigOption: key, type, default and range of a configuration option."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Generic, TypeVar

from pystream.durations import Duration
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings import config_values
from pystream.settings.config_values import ValueType, to_text
from pystream.settings.memory_size import MemorySize
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["ConfigOption", "ConfigOptions", "Range"]

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


@dataclass(frozen=True, slots=True)
class Range:
    """The allowed values: those from a minimum to a maximum, both included, and ``also`` those listed."""

    minimum: Any = None
    maximum: Any = None
    also: tuple[Any, ...] = ()

    def __contains__(self, value: Any) -> bool:
        if value in self.also:
            return True
        return (self.minimum is None or value >= self.minimum) and (
            self.maximum is None or value <= self.maximum
        )

    def __str__(self) -> str:
        bounds = []
        if self.minimum is not None:
            bounds.append(f"at least {to_text(self.minimum)}")
        if self.maximum is not None:
            bounds.append(f"at most {to_text(self.maximum)}")
        return " or ".join([" and ".join(bounds), *map(to_text, self.also)])


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class ConfigOption(Generic[T]):
    """A configuration option; built by `ConfigOptions`.

    Mirrors ``org.apache.flink.configuration.ConfigOption``.

    Attributes:
        key: the name the setting is stored under.
        value_type: the kind of its values.
        default: the default value.
        fallback_keys: older names that are read when ``key`` itself is not set, in this order.
        allowed: the range a set value must lie in; the default need not.
    """

    key: str
    value_type: ValueType[Any] = field(repr=False)
    default: T
    fallback_keys: tuple[str, ...] = ()
    allowed: Range = Range()

    def with_fallback_keys(self, *keys: str) -> ConfigOption[T]:
        """Return this option with older keys as fallbacks."""
        return replace(self, fallback_keys=keys)

    @property
    def keys(self) -> tuple[str, ...]:
        """The key and its fallbacks."""
        return (self.key, *self.fallback_keys)

    def read(self, value: object) -> T:
        """Parse a stored value.

        Raises:
            ConfigurationError: its text is malformed, or it is out of range.
        """
        return self._converted(self.value_type.read, value)

    def accept(self, value: object) -> T:
        """Convert a value from a program, or its text, to this option's type.

        Raises:
            ConfigurationError: it is of another class, or out of range.
        """
        return self._converted(self.value_type.accept, value)

    def _converted(self, convert: Callable[[object], Any], value: object) -> T:
        try:
            converted: T = convert(value)
            if converted in self.allowed:
                return converted
            reason = None
        except ValueError as error:
            reason = error
        bounds = str(self.allowed)
        raise ConfigurationError(
            f"{self.key}: {_shown(value)} is not allowed; it takes {self.value_type.allowed}"
            + (f", {bounds}" if bounds else "")
        ) from reason


@checks_arguments(ArgumentTypeError)
class ConfigOptions:
    """Build a `ConfigOption`: ``ConfigOptions.key("my.size").int_type().default_value(3)``.

    Mirrors ``org.apache.flink.configuration.ConfigOptions``.
    """

    @staticmethod
    def key(key: str) -> ConfigOptions.OptionBuilder:
        """Return a builder of an option with a key."""
        return ConfigOptions.OptionBuilder(key)

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True, slots=True)
    class OptionBuilder:
        """A key that still needs a type."""

        key: str

        def boolean_type(self) -> ConfigOptions.TypedConfigOptionBuilder[bool]:
            """Set the type to boolean."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.BOOLEAN)

        def int_type(self) -> ConfigOptions.TypedConfigOptionBuilder[int]:
            """Set the type to 32-bit integer."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.INT)

        def long_type(self) -> ConfigOptions.TypedConfigOptionBuilder[int]:
            """Set the type to 64-bit integer."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.LONG)

        def float_type(self) -> ConfigOptions.TypedConfigOptionBuilder[float]:
            """Set the type to number; unlike in Flink, all 64 bits are kept."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.DOUBLE)

        def double_type(self) -> ConfigOptions.TypedConfigOptionBuilder[float]:
            """Set the type to number."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.DOUBLE)

        def string_type(self) -> ConfigOptions.TypedConfigOptionBuilder[str]:
            """Set the type to string."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.STRING)

        def string_list_type(self) -> ConfigOptions.TypedConfigOptionBuilder[list[str]]:
            """Set the type to list of strings."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.STRING_LIST)

        def map_type(self) -> ConfigOptions.TypedConfigOptionBuilder[dict[str, str]]:
            """Set the type to map of strings."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.MAP)

        def duration_type(self) -> ConfigOptions.TypedConfigOptionBuilder[Duration]:
            """Set the type to duration."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.DURATION)

        def memory_type(self) -> ConfigOptions.TypedConfigOptionBuilder[MemorySize]:
            """Set the type to memory size."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.MEMORY)

        def enum_type(self, enum: type[E]) -> ConfigOptions.TypedConfigOptionBuilder[E]:
            """Set the type to a member of ``enum``, by case-insensitive name."""
            return ConfigOptions.TypedConfigOptionBuilder(self.key, config_values.enum_of(enum))

    @checks_arguments(ArgumentTypeError)
    @dataclass(frozen=True, slots=True)
    class TypedConfigOptionBuilder(Generic[T]):
        """A key and a type that still need a default."""

        key: str
        value_type: ValueType[T]

        def default_value(self, value: T) -> ConfigOption[T]:
            """Return the option with a default value."""
            return ConfigOption(self.key, self.value_type, value)

        def no_default_value(self) -> ConfigOption[T | None]:
            """Return the option without a default value: it is ``None`` unless set."""
            return ConfigOption(self.key, self.value_type, None)


def _shown(value: object) -> str:
    return to_text(value) if isinstance(value, Duration | MemorySize | Enum) else short_repr(value)
