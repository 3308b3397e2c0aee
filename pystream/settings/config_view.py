"""Typed views over a configuration."""

from __future__ import annotations

from typing import Self, TypeVar

from pystream.durations import Duration
from pystream.errors import ArgumentTypeError
from pystream.settings.config_options import ConfigOption
from pystream.settings.configuration import Configuration
from typeinfo.arguments import checks_arguments

__all__ = ["ConfigView"]

T = TypeVar("T")


@checks_arguments(ArgumentTypeError)
class ConfigView:
    """Base class of views: getters and setters of some settings of a configuration.

    A view has no state of its own, so that all views of one configuration agree with it. A setter raises
    `ConfigurationError` for a value that is not allowed, and changes nothing. Views of the same class are
    equal if their configurations are.

    Args:
        configuration: holds the settings; a new one by default.
    """

    def __init__(self, configuration: Configuration | None = None) -> None:
        self._configuration = Configuration() if configuration is None else configuration

    def _get(self, option: ConfigOption[T]) -> T:
        return self._configuration.get(option)

    def _set(self, option: ConfigOption[T], value: T) -> Self:
        self._configuration.set(option, value)
        return self

    def _get_millis(self, option: ConfigOption[Duration]) -> int:
        return self._get(option).to_millis()

    def _set_millis(self, option: ConfigOption[Duration], millis: int) -> Self:
        return self._set(option, Duration.of_millis(millis))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._configuration == getattr(other, "_configuration", None)

    def __hash__(self) -> int:
        return hash((type(self), self._configuration))
