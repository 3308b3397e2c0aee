"""EnvironmentSettings: how a table environment is made."""

from __future__ import annotations

from typing import ClassVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.checks import require, require_text
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings.configuration import Configuration
from pystream.settings.modes import RuntimeExecutionMode
from pystream.settings.options import BUILTIN_CATALOG, BUILTIN_DATABASE, RUNTIME_MODE, apply_configuration
from typeinfo.arguments import checks_arguments

__all__ = ["EnvironmentSettings"]


@checks_arguments(ArgumentTypeError)
class EnvironmentSettings:
    """The settings of a table environment when it is created: streaming or batch mode, and others by key.

    Made by ``new_instance``, ``in_streaming_mode`` or ``in_batch_mode``; they never change.
    Mirrors ``org.apache.flink.table.api.EnvironmentSettings``.

    Args:
        configuration: the settings by key, copied.

    Examples:
        >>> from pystream.table import EnvironmentSettings
        >>> EnvironmentSettings.in_batch_mode().is_streaming_mode()
        False
    """

    _example: ClassVar[str] = "EnvironmentSettings.in_streaming_mode()"

    @hints_at_equivalents
    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Builds settings; its methods return it."""

        def __init__(self) -> None:
            self._configuration = Configuration()

        def with_configuration(self, config: Configuration) -> EnvironmentSettings.Builder:
            """Add settings by key.

            Raises:
                ConfigurationError: a value is not allowed.
            """
            require(config, Configuration, "with_configuration", "a Configuration")
            apply_configuration(config, self._configuration)
            return self

        def in_streaming_mode(self) -> EnvironmentSettings.Builder:
            """Choose streaming mode, the default: rows come as their input does, with their kinds."""
            self._configuration.set(RUNTIME_MODE, RuntimeExecutionMode.STREAMING)
            return self

        def in_batch_mode(self) -> EnvironmentSettings.Builder:
            """Choose batch mode: all input is bounded, and only final results are given."""
            self._configuration.set(RUNTIME_MODE, RuntimeExecutionMode.BATCH)
            return self

        def with_built_in_catalog_name(self, built_in_catalog_name: str) -> EnvironmentSettings.Builder:
            """Name the catalog that is current first, which keeps its tables until the program ends.

            Raises:
                ConfigurationError: the name is empty.
            """
            call, parameter = "with_built_in_catalog_name", "built_in_catalog_name"
            require_text(built_in_catalog_name, call, parameter, "the name of a catalog")
            self._configuration.set(BUILTIN_CATALOG, built_in_catalog_name)
            return self

        def with_built_in_database_name(self, built_in_database_name: str) -> EnvironmentSettings.Builder:
            """Name the database that is current first.

            Raises:
                ConfigurationError: the name is empty.
            """
            call, parameter = "with_built_in_database_name", "built_in_database_name"
            require_text(built_in_database_name, call, parameter, "the name of a database")
            self._configuration.set(BUILTIN_DATABASE, built_in_database_name)
            return self

        def build(self) -> EnvironmentSettings:
            """Return the settings.

            Raises:
                ConfigurationError: the mode is AUTOMATIC, which tables do not have.
            """
            return EnvironmentSettings(self._configuration)

    def __init__(self, configuration: Configuration) -> None:
        if configuration.get(RUNTIME_MODE) is RuntimeExecutionMode.AUTOMATIC:
            raise ConfigurationError(
                f"{RUNTIME_MODE.key} of a table environment is STREAMING or BATCH, not AUTOMATIC"
            )
        self._configuration = Configuration(configuration)

    @staticmethod
    def new_instance() -> EnvironmentSettings.Builder:
        """Return a builder."""
        return EnvironmentSettings.Builder()

    @staticmethod
    def in_streaming_mode() -> EnvironmentSettings:
        """Return the settings of streaming mode."""
        return EnvironmentSettings.new_instance().in_streaming_mode().build()

    @staticmethod
    def in_batch_mode() -> EnvironmentSettings:
        """Return the settings of batch mode."""
        return EnvironmentSettings.new_instance().in_batch_mode().build()

    def get_built_in_catalog_name(self) -> str:
        """Return the name of the catalog that is current first, ``default_catalog`` unless given."""
        return self._configuration.get(BUILTIN_CATALOG)

    def get_built_in_database_name(self) -> str:
        """Return the name of the database that is current first, ``default_database`` unless given."""
        return self._configuration.get(BUILTIN_DATABASE)

    def is_streaming_mode(self) -> bool:
        """Return whether the mode is streaming, not batch."""
        return self._configuration.get(RUNTIME_MODE) is RuntimeExecutionMode.STREAMING

    def get_configuration(self) -> Configuration:
        """Return a copy of the settings by key."""
        return Configuration(self._configuration)
