"""Servers that the tests of connectors share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers.availability import server_or_skip
from tests.servers.kafka import Broker


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    """A Kafka broker."""
    with server_or_skip(lambda: Broker(tmp_path_factory.mktemp("kafka"))) as broker:
        yield broker
