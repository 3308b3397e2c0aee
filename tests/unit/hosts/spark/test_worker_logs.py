"""Log records of workers: malformed lines, and drivers that cannot be reached."""

from __future__ import annotations

import json
import logging
import socket
from typing import Any

import pytest

from pystream.engine.worker.logs import LogSettings, logging_to_driver
from pystream.hosts.spark.worker_logs import _read


def test_lines_that_are_not_records_are_skipped(caplog: pytest.LogCaptureFixture) -> None:
    record = {"job": "0a", "msg": "seen", "name": "app", "levelno": logging.ERROR, "levelname": "ERROR"}
    ours, theirs = socket.socketpair()
    with theirs:
        theirs.sendall(b'1\n[]\nnull\n"x"\n{\n' + json.dumps(record).encode() + b"\n")
    _read(ours, "0a")
    assert caplog.messages == ["seen"]


def test_a_driver_that_cannot_be_reached_is_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def refuse(address: tuple[str, int], timeout: float) -> Any:
        tried.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", refuse)
    with logging_to_driver(LogSettings(address=("localhost", 1)), "0a", "Map"):
        logging.getLogger("app").error("first")
        logging.getLogger("app").error("second")
    assert tried == [("localhost", 1)]


def test_the_connection_to_a_lost_driver_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    monkeypatch.setattr(socket, "create_connection", lambda address, timeout: ours)
    with logging_to_driver(LogSettings(address=("localhost", 1)), "0a", "Map"):
        logging.getLogger("app").error("lost")
        assert ours.fileno() == -1
