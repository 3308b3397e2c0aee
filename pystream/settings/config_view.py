"""Typed views over a configuration."""

from __future__ import annotations

from typing import Self, TypeVar

from pystream.durations import Duration
from pystream.settings.config_options import ConfigOption
from pystream.settings.configuration import Configuration

__all__ = ["ConfigView"]

T = TypeVar("T")


class ConfigView:
    """Access some settings of a configuration through getters and setters.

    A view has no state of its own: all views over one configuration, and the configuration itself, always
    agree. Two views of one class over equal configurations are equal.

    Args:
        configuration: holds the settings; a new one by default.
    """

    def __init__(self, configuration: Configuration | None = None) -> None:
        self._configuration = Configuration() if configuration is None else configuration

    def _get_millis(self, option: ConfigOption[Duration]) -> int:
        return self._configuration.get(option).to_millis()

    def _set_millis(self, option: ConfigOption[Duration], millis: int) -> Self:
        return self._set(option, Duration.of_millis(millis))

    def _set(self, option: ConfigOption[T], value: T) -> Self:
        self._configuration.set(option, value)
        return self

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._configuration == getattr(other, "_configuration", None)

    def __hash__(self) -> int:
        return hash((type(self), self._configuration))
