"""All database systems by the names that JDBC URLs have for them."""

from __future__ import annotations

from pystream.engine.connectors.jdbc.database import Database
from pystream.engine.connectors.jdbc.mysql import Mysql
from pystream.engine.connectors.jdbc.postgresql import Postgresql
from pystream.engine.connectors.jdbc.sqlite import Sqlite
from pystream.engine.connectors.jdbc.url import parse_url, shown_url
from pystream.errors import ConfigurationError

__all__ = ["SYSTEMS", "database_of"]

SYSTEMS: dict[str, type[Database]] = {
    "postgresql": Postgresql,
    "mysql": Mysql,
    "mariadb": Mysql,
    "sqlite": Sqlite,
}


def database_of(url: str, user: str | None = None, password: str | None = None) -> Database:
    """Return the database of a JDBC URL.

    Args:
        url: the URL.
        user: the name to log in with; that of the URL unless given.
        password: the password; that of the URL unless given.

    Raises:
        ConfigurationError: it is no JDBC URL, or of a system that is not supported.
    """
    parsed = parse_url(url)
    if parsed.system not in SYSTEMS:
        raise ConfigurationError(
            f"{shown_url(url)} is of a database system that is not supported; there are "
            f"{', '.join(f'jdbc:{name}:' for name in SYSTEMS)}"
        )
    known = {key.lower(): value for key, value in parsed.options.items()}
    return SYSTEMS[parsed.system].of(
        parsed,
        known.get("user") if user is None else user,
        known.get("password") if password is None else password,
    )
