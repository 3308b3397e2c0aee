"""TableConfig: the settings of a table environment."""

from __future__ import annotations

import datetime
from typing import overload

from pystream.arguments.checks import require_int
from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment
from pystream.errors import ArgumentTypeError, UnsupportedOperationError
from pystream.settings.configuration import Configuration
from pystream.settings.options import LOCAL_TIME_ZONE, PYTHON_EXECUTABLE, STATE_TTL
from pystream.table.session_zone import local_zone
from pystream.table.sql_dialect import SqlDialect
from pystream.zones import zone_of_machine
from typeinfo.arguments import checks_arguments

__all__ = ["TableConfig"]

_CODE_LENGTH = "table.generated-code.max-length"


@checks_arguments(ArgumentTypeError)
class TableConfig:
    """The settings of a table environment: those of its environment of streams, by key.

    What is set applies to the streams of that environment as well. Mirrors
    ``org.apache.flink.table.api.TableConfig``.

    Args:
        stream_execution_environment: the environment of the streams; unless given, the settings are no
            environment's.

    Examples:
        >>> from pystream.table import StreamTableEnvironment
        >>> config = StreamTableEnvironment.create(env).get_config()
        >>> config.set("pipeline.name", "words").get("pipeline.name", "")
        'words'
    """

    def __init__(self, stream_execution_environment: StreamExecutionEnvironment | None = None) -> None:
        self._streams = stream_execution_environment
        streams = stream_execution_environment
        self._configuration = Configuration() if streams is None else streams._configuration

    @staticmethod
    def get_default() -> TableConfig:
        """Return new settings of no environment, all at their defaults."""
        return TableConfig()

    @overload
    def get(self, key: str, default_value: str) -> str: ...

    @overload
    def get(self, key: str, default_value: None) -> str | None: ...

    def get(self, key: str, default_value: str | None) -> str | None:
        """Return the text of a setting, or ``default_value`` if it is not set."""
        return self._configuration.get_string(key, default_value)

    def set(self, key: str, value: str) -> TableConfig:
        """Set a setting; return this object.

        Raises:
            ConfigurationError: the value is not allowed.
            DependencyError: a file for the workers does not exist.
        """
        self.add_configuration(Configuration.from_dict({key: value}))
        return self

    def add_configuration(self, configuration: Configuration) -> None:
        """Set all settings of a configuration.

        Raises:
            ConfigurationError: a value is not allowed.
            DependencyError: a file for the workers does not exist.
        """
        if configuration.contains(LOCAL_TIME_ZONE):
            local_zone(configuration)
        if self._streams is None:
            self._configuration.add_all(configuration)
        else:
            self._streams.configure(configuration)

    def get_configuration(self) -> Configuration:
        """Return the settings themselves: what is set there applies, and is checked when it is used.

        Files for the workers are to be given to ``set`` or ``add_configuration``.
        """
        return self._configuration

    def get_local_timezone(self) -> str:
        """Return the time zone of ``TIMESTAMP_LTZ``: that of the machine unless it is set."""
        zone_id = self._configuration.get(LOCAL_TIME_ZONE)
        return zone_of_machine() if zone_id == LOCAL_TIME_ZONE.default else zone_id

    def set_local_timezone(self, timezone_id: str) -> None:
        """Set the time zone in which ``TIMESTAMP_LTZ`` is printed, and in which queries convert it.

        Args:
            timezone_id: e.g. ``America/Los_Angeles`` or ``GMT-08:00``.

        Raises:
            ConfigurationError: there is no such zone.
        """
        self.set(LOCAL_TIME_ZONE.key, timezone_id)

    def get_idle_state_retention(self) -> datetime.timedelta:
        """Return how long state of keys without changes is kept; no time for all of it forever."""
        return datetime.timedelta(milliseconds=self._configuration.get(STATE_TTL).to_millis())

    def set_idle_state_retention(self, duration: datetime.timedelta) -> None:
        """Set how long queries keep state of keys without changes, as ``table.exec.state.ttl`` does.

        Raises:
            ConfigurationError: the time is negative.
        """
        self.set(STATE_TTL.key, f"{duration // datetime.timedelta(milliseconds=1)} ms")

    def get_max_generated_code_length(self) -> int:
        """Return the length at which Flink splits the code that it generates; here it has no effect."""
        return self._configuration.get_integer(_CODE_LENGTH, 4000)

    def set_max_generated_code_length(self, max_generated_code_length: int) -> None:
        """Set the length at which Flink splits the code that it generates; here it has no effect."""
        require_int(max_generated_code_length, "max_generated_code_length", 1)
        self._configuration.set_integer(_CODE_LENGTH, max_generated_code_length)

    def get_sql_dialect(self) -> SqlDialect:
        """Return the language of statements, which is Flink's."""
        return SqlDialect.DEFAULT

    def set_sql_dialect(self, sql_dialect: SqlDialect) -> None:
        """Set the language of statements.

        Raises:
            UnsupportedOperationError: it is that of Hive.
        """
        if sql_dialect is not SqlDialect.DEFAULT:
            raise UnsupportedOperationError(
                "set_sql_dialect: statements of Hive are not supported; write them in Flink's SQL, "
                "SqlDialect.DEFAULT"
            )

    def to_map(self) -> dict[str, str]:
        """Return all settings by their keys."""
        return self._configuration.to_dict()

    def get_python_executable(self) -> str | None:
        """Return the interpreter of the workers, ``None`` if it is not set."""
        return self._configuration.get(PYTHON_EXECUTABLE)

    def set_python_executable(self, python_exec: str) -> None:
        """Choose the workers' interpreter; a path may lead into an archive."""
        self.set(PYTHON_EXECUTABLE.key, python_exec)
