"""JdbcSource: the rows of a query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar, cast

from pystream.arguments.checks import require, require_int
from pystream.datastream.connectors.base import Source
from pystream.datastream.connectors.jdbc.parameters import JdbcParameterValuesProvider
from pystream.engine.connectors.jdbc.columns import column_kinds
from pystream.engine.connectors.jdbc.databases import database_of
from pystream.engine.connectors.jdbc.source import QueryInput
from pystream.engine.connectors.jdbc.statements import shown_sql
from pystream.engine.formats.fields import require_fields
from pystream.errors import ArgumentTypeError, ConfigurationError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation

__all__ = ["JdbcSource", "JdbcSourceBuilder"]

OUT = TypeVar("OUT", covariant=True)
T = TypeVar("T")
U = TypeVar("U")

_FETCH_SIZE = 2048


@checks_arguments(ArgumentTypeError)
class JdbcSource(Source[OUT], Generic[OUT]):
    """The rows of a query, read on the workers; bounded.

    With parameters, the query is executed once for each set of them, which the subtasks share out: so they
    read parts of a table in parallel. Each execution is a transaction of its own, so that rows which change
    meanwhile may be in two parts or in none. A job that is restarted executes the query again.

    Made by `builder`. Mirrors ``org.apache.flink.connector.jdbc.source.JdbcSource``.

    Examples:
        >>> import sqlite3, tempfile
        >>> from pystream.common import Types, WatermarkStrategy
        >>> from pystream.datastream.connectors.jdbc import JdbcNumericBetweenParametersProvider, JdbcSource
        >>> path = f"{tempfile.mkdtemp()}/shop.db"
        >>> with sqlite3.connect(path) as db:
        ...     db.execute("CREATE TABLE orders (id INTEGER, amount TEXT)").close()
        ...     db.executemany("INSERT INTO orders VALUES (?, ?)", [(1, "9.50"), (2, None)]).close()
        >>> ranges = JdbcNumericBetweenParametersProvider(1, 2).of_batch_num(2)
        >>> source = (
        ...     JdbcSource.builder()
        ...     .set_db_url(f"jdbc:sqlite:{path}")
        ...     .set_sql("SELECT id, amount FROM orders WHERE id BETWEEN ? AND ?")
        ...     .set_jdbc_parameter_values_provider(ranges)
        ...     .set_type_information(Types.TUPLE((Types.LONG(), Types.of(str | None))))
        ...     .build()
        ... )
        >>> env.from_source(source, WatermarkStrategy.no_watermarks(), "orders").take(2)
        [(1, '9.50'), (2, None)]
    """

    def __init__(self, reader: QueryInput) -> None:
        self._reader = reader

    @staticmethod
    def builder() -> JdbcSourceBuilder[Any]:
        """Return a builder."""
        return JdbcSourceBuilder()

    def is_bounded(self) -> bool:
        """Return True."""
        return True

    def get_produced_type(self) -> TypeInformation[OUT]:
        """Return the type of the rows."""
        return self._reader.type_info

    def reader(self) -> QueryInput:
        """Return the reader of the rows."""
        return self._reader


class JdbcSourceBuilder(Generic[T]):
    """Build a `JdbcSource`; every method returns the builder.

    Mirrors ``org.apache.flink.connector.jdbc.source.JdbcSourceBuilder``.
    """

    def __init__(self) -> None:
        self._sql: str | None = None
        self._url: str | None = None
        self._username: str | None = None
        self._password: str | None = None
        self._parameters: tuple[tuple[Any, ...], ...] = ((),)
        self._fetch_size = _FETCH_SIZE
        self._type: TypeInformation[Any] | None = None

    def set_sql(self, sql: str) -> JdbcSourceBuilder[T]:
        """Set the query, with ``?`` for each parameter."""
        require(sql, str, "set_sql", "a query as a str")
        self._sql = sql
        return self

    def set_db_url(self, db_url: str) -> JdbcSourceBuilder[T]:
        """Set the JDBC URL, such as ``jdbc:postgresql://host:5432/db``."""
        require(db_url, str, "set_db_url", "a JDBC URL as a str")
        self._url = db_url
        return self

    def set_driver_name(self, driver_name: str) -> JdbcSourceBuilder[T]:
        """Take the name of the driver's Java class, which is not used: the URL names the database system."""
        require(driver_name, str, "set_driver_name", "the name of a class as a str")
        return self

    def set_username(self, username: str) -> JdbcSourceBuilder[T]:
        """Set the user name; that in the URL unless given."""
        require(username, str, "set_username", "a str")
        self._username = username
        return self

    def set_password(self, password: str) -> JdbcSourceBuilder[T]:
        """Set the password; that in the URL unless given."""
        if not isinstance(password, str):
            raise ConfigurationError(f"set_password takes a str, not a {type(password).__name__}")
        self._password = password
        return self

    def set_jdbc_parameter_values_provider(
        self, parameter_values_provider: JdbcParameterValuesProvider
    ) -> JdbcSourceBuilder[T]:
        """Set the values of the placeholders for each execution; one execution without values by default."""
        call = "set_jdbc_parameter_values_provider"
        require(parameter_values_provider, JdbcParameterValuesProvider, call, "a JdbcParameterValuesProvider")
        found: Sequence[Sequence[Any]] = parameter_values_provider.get_parameter_values()
        self._parameters = tuple(map(tuple, found))
        return self

    def set_result_set_fetch_size(self, result_set_fetch_size: int) -> JdbcSourceBuilder[T]:
        """Set how many rows a worker reads at once, and holds in memory; 2048 by default.

        Raises:
            ConfigurationError: it is not an int of 1 or more.
        """
        self._fetch_size = require_int(result_set_fetch_size, "set_result_set_fetch_size", 1)
        return self

    def set_type_information(self, type_information: TypeInformation[U]) -> JdbcSourceBuilder[U]:
        """Set the type of the elements: of a row, tuple or record, whose fields are the columns by position.

        A value becomes one of the field's type if it is equal: an integer of any width or a decimal without
        fraction is a LONG, but a text is not. NULL is ``None``, which fields of tuples and records must
        admit.

        Raises:
            UnsupportedTypeError: it has no fields, or databases have no columns of a field's type.
        """
        column_kinds(require_fields(type_information, "set_type_information"), "set_type_information")
        self._type = type_information
        return cast("JdbcSourceBuilder[U]", self)

    def build(self) -> JdbcSource[T]:
        """Return the source.

        Raises:
            ConfigurationError: URL, query or type are missing, the URL is wrong, or the values do not match
                the placeholders.
        """
        if self._sql is None or self._url is None or self._type is None:
            missing = {"set_sql": self._sql, "set_db_url": self._url, "set_type_information": self._type}
            calls = ", ".join(call for call, value in missing.items() if value is None)
            raise ConfigurationError(f"a JdbcSource needs more: call {calls}")
        database = database_of(self._url, self._username, self._password)
        arity = database.statement(self._sql).arity
        for values in self._parameters:
            if len(values) != arity:
                raise ConfigurationError(
                    f"JdbcSource: {shown_sql(self._sql)} has {arity} placeholders, but there are "
                    f"{len(values)} values for them; give them with set_jdbc_parameter_values_provider"
                )
        fields = require_fields(self._type, "set_type_information")
        kinds = column_kinds(fields, "set_type_information")
        reader = QueryInput(database, self._sql, self._parameters, fields, kinds, self._fetch_size)
        return JdbcSource(reader)
