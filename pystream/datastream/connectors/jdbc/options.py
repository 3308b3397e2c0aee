"""Options of the JDBC sink: the connection, and when it writes."""

from __future__ import annotations

from dataclasses import dataclass, field

from pystream.arguments.checks import require, require_int
from pystream.engine.connectors.jdbc.database import Database
from pystream.engine.connectors.jdbc.databases import database_of
from pystream.engine.connectors.jdbc.sink import Flushing
from pystream.engine.connectors.jdbc.url import shown_url
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments

__all__ = ["JdbcConnectionOptions", "JdbcExecutionOptions"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, repr=False)
class JdbcConnectionOptions:
    """A database and how to log in to it; the ``repr`` has no credentials.

    Mirrors ``org.apache.flink.connector.jdbc.JdbcConnectionOptions``.
    """

    _url: str
    _driver_name: str | None
    _user_name: str | None
    _password: str | None
    _database: Database = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_database", database_of(self._url, self._user_name, self._password))

    def __repr__(self) -> str:
        return f"JdbcConnectionOptions({shown_url(self._url)})"

    def get_db_url(self) -> str:
        """Return the JDBC URL as it was given, with the options in it."""
        return self._url

    def get_driver_name(self) -> str | None:
        """Return the name of the driver's Java class, which is not used; ``None`` if none was given."""
        return self._driver_name

    def get_user_name(self) -> str | None:
        """Return the user name; ``None`` if none was given."""
        return self._user_name

    def get_password(self) -> str | None:
        """Return the password; ``None`` if none was given."""
        return self._password

    @checks_arguments(ArgumentTypeError)
    class JdbcConnectionOptionsBuilder:
        """Build `JdbcConnectionOptions`; every method returns the builder.

        Mirrors ``org.apache.flink.connector.jdbc.JdbcConnectionOptions.JdbcConnectionOptionsBuilder``.
        """

        def __init__(self) -> None:
            self._url: str | None = None
            self._driver_name: str | None = None
            self._user_name: str | None = None
            self._password: str | None = None

        def with_url(self, url: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the JDBC URL, such as ``jdbc:postgresql://host:5432/db?sslmode=require``."""
            require(url, str, "with_url", "a JDBC URL as a str")
            if not url.isprintable():
                raise ConfigurationError("with_url takes a JDBC URL on one line, without control characters")
            self._url = url
            return self

        def with_driver_name(self, driver_name: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the name of the driver's Java class.

            It is taken for the sake of programs for Flink and not used: the URL names the database system,
            and its Python client connects.
            """
            require(driver_name, str, "with_driver_name", "the name of a class as a str")
            self._driver_name = driver_name
            return self

        def with_user_name(self, user_name: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the user name; that in the URL unless given."""
            require(user_name, str, "with_user_name", "a str")
            self._user_name = user_name
            return self

        def with_password(self, password: str) -> JdbcConnectionOptions.JdbcConnectionOptionsBuilder:
            """Set the password; that in the URL unless given."""
            if not isinstance(password, str):
                raise ConfigurationError(f"with_password takes a str, not a {type(password).__name__}")
            self._password = password
            return self

        def build(self) -> JdbcConnectionOptions:
            """Return the options.

            Raises:
                ConfigurationError: the URL is missing or wrong, or of a system that is not supported.
            """
            if self._url is None:
                raise ConfigurationError("JdbcConnectionOptions need a URL: call with_url")
            return JdbcConnectionOptions(self._url, self._driver_name, self._user_name, self._password)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class JdbcExecutionOptions:
    """When a JDBC sink writes what it has buffered, and how often it retries.

    It always writes at the end of the input, and at that of each epoch of an unbounded job.

    Mirrors ``org.apache.flink.connector.jdbc.JdbcExecutionOptions``.
    """

    _batch_interval_ms: int = 0
    _batch_size: int = 5000
    _max_retries: int = 3

    def get_batch_interval_ms(self) -> int:
        """Return after how many ms buffered rows are written; 0 if there is no such limit."""
        return self._batch_interval_ms

    def get_batch_size(self) -> int:
        """Return how many rows are written at once; 0 if there is no such limit."""
        return self._batch_size

    def get_max_retries(self) -> int:
        """Return how often a batch is tried again."""
        return self._max_retries

    def _flushing(self) -> Flushing:
        return Flushing(self._batch_size, self._batch_interval_ms, self._max_retries)

    @staticmethod
    def defaults() -> JdbcExecutionOptions:
        """Return the default options: batches of 5000 rows, no interval, 3 retries."""
        return JdbcExecutionOptions()

    @staticmethod
    def builder() -> JdbcExecutionOptions.Builder:
        """Return a builder, with the defaults."""
        return JdbcExecutionOptions.Builder()

    @checks_arguments(ArgumentTypeError)
    class Builder:
        """Build `JdbcExecutionOptions`; every method returns the builder.

        Mirrors ``org.apache.flink.connector.jdbc.JdbcExecutionOptions.Builder``.
        """

        def __init__(self) -> None:
            default = JdbcExecutionOptions()
            self._interval_ms = default.get_batch_interval_ms()
            self._size = default.get_batch_size()
            self._max_retries = default.get_max_retries()

        def with_batch_size(self, size: int) -> JdbcExecutionOptions.Builder:
            """Set how many rows are written at once, in one transaction; 0 for no such limit.

            Raises:
                ConfigurationError: it is not an int of 0 or more.
            """
            self._size = require_int(size, "with_batch_size: size", 0)
            return self

        def with_batch_interval_ms(self, interval_ms: int) -> JdbcExecutionOptions.Builder:
            """Set after how many ms buffered rows are written at the latest; 0 for no such limit.

            Raises:
                ConfigurationError: it is not an int of 0 or more.
            """
            self._interval_ms = require_int(interval_ms, "with_batch_interval_ms: interval_ms", 0)
            return self

        def with_max_retries(self, max_retries: int) -> JdbcExecutionOptions.Builder:
            """Set how often a batch is tried again after an error that may be gone then.

            The first retry comes at once, the others after one second more each.

            Raises:
                ConfigurationError: it is not an int of 0 or more.
            """
            self._max_retries = require_int(max_retries, "with_max_retries: max_retries", 0)
            return self

        def build(self) -> JdbcExecutionOptions:
            """Return the options."""
            return JdbcExecutionOptions(self._interval_ms, self._size, self._max_retries)
