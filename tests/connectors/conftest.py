"""Servers that the tests of connectors share, each started when a test first needs it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.availability import server_or_skip
from tests.servers.databases import Database, database_at
from tests.servers.kafka import Broker
from tests.servers.mariadb import MariadbServer
from tests.servers.postgresql import PostgresqlServer
from tests.servers.schema_registry import SchemaRegistry


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A Kafka broker."""
    with server_or_skip(lambda: Broker(tmp_path_factory.mktemp("kafka"))) as broker:
        yield broker


@pytest.fixture(scope="session")
def schema_registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SchemaRegistry]:
    """A schema registry."""
    with server_or_skip(lambda: SchemaRegistry(tmp_path_factory.mktemp("registry"))) as registry:
        yield registry


@pytest.fixture(scope="session")
def postgresql(temporary_files: None) -> Iterator[Database]:
    """A PostgreSQL database."""
    with server_or_skip(PostgresqlServer) as server:
        yield database_at(server)


@pytest.fixture(scope="session")
def mariadb(temporary_files: None) -> Iterator[Database]:
    """A MariaDB database."""
    with server_or_skip(MariadbServer) as server:
        yield database_at(server)


@pytest.fixture(params=["sqlite", "postgresql", "mariadb"])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Database:
    """A database of each system."""
    if request.param == "sqlite":
        return database_at(tmp_path_factory.mktemp("sqlite") / "test.db")
    found: Database = request.getfixturevalue(request.param)
    return found
