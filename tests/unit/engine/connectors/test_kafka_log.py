"""What Kafka's client logs."""

from __future__ import annotations

import logging

import pytest

from pystream.engine.connectors.kafka import client_library


def test_failed_attempts_to_connect_are_logged_once_in_a_while(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(client_library.time, "monotonic", lambda: now[0])
    logger = logging.getLogger("pystream.kafka")
    for millis in range(3):
        logger.warning("connection to %s refused after %d ms", "a:9092", millis)
        logger.warning("connection to %s refused after %d ms", "b:9092", millis)
    now[0] += 30
    logger.warning("connection to %s refused after 4 ms", "a:9092")
    assert [record.getMessage() for record in caplog.records] == [
        "connection to a:9092 refused after 0 ms",
        "connection to b:9092 refused after 0 ms",
        "connection to a:9092 refused after 4 ms",
    ]
