"""Send records of Python's logging from a worker to the driver."""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from pystream.engine.exception_encoding import encodable, shorten

__all__ = ["LogSettings", "logging_to_driver"]

_PER_SECOND = 2_000
_TEXT_LIMIT = 20_000
_FIELDS = (
    "name",
    "levelno",
    "levelname",
    "pathname",
    "lineno",
    "funcName",
    "created",
    "threadName",
    "process",
)


@dataclass(frozen=True, slots=True)
class LogSettings:
    """The logging settings of functions: levels, and the address that workers send records to.

    Attributes:
        level: the minimum level of loggers without an override.
        overrides: the minimum level by logger name; also applies to child loggers.
        address: host and port the driver listens on; ``None`` for the worker's standard error.
    """

    level: int = logging.INFO
    overrides: Mapping[str, int] = field(default_factory=dict)
    address: tuple[str, int] | None = None

    def level_of(self, name: str) -> int:
        """Return the minimum level of a logger."""
        while name not in self.overrides and name:
            name = name.rpartition(".")[0]
        return self.overrides.get(name, self.level)


@contextmanager
def logging_to_driver(settings: LogSettings, job_id: str, task: str) -> Iterator[None]:
    """Send records logged within the block to the driver, or to standard error.

    Args:
        settings: levels, and the address that records are sent to.
        job_id: the job of the records; the driver ignores those of other jobs.
        task: operators and subtask, the prefix of each record.
    """
    root = logging.getLogger()
    loggers = {root: settings.level}
    loggers |= {logging.getLogger(name): level for name, level in settings.overrides.items()}
    before = {logger: logger.level for logger in loggers}
    handler: logging.Handler
    if settings.address is None:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(f"%(asctime)s %(levelname)s %(name)s: [{task}] %(message)s"))
    else:
        handler = _DriverHandler(settings.address, job_id, task)
    for logger, level in loggers.items():
        logger.setLevel(level)
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
        handler.close()
        for logger, level in before.items():
            logger.setLevel(level)


class _DriverHandler(logging.Handler):
    """Send records as lines of JSON, up to a number per second; the others are only counted.

    It connects at the first record. If the driver cannot be reached, it sends no further records.
    """

    def __init__(self, address: tuple[str, int], job_id: str, task: str) -> None:
        super().__init__()
        self._address = address
        self._job_id = job_id
        self._task = task
        self._socket: socket.socket | None = None
        self._is_gone = False
        self._second = 0
        self._sent = self._dropped = 0

    def emit(self, record: logging.LogRecord) -> None:
        second = int(time.monotonic())
        if second != self._second:
            self._tell_dropped()
            self._second, self._sent = second, 0
        if self._sent >= _PER_SECOND:
            self._dropped += 1
            return
        self._sent += 1
        try:
            text = record.getMessage()
            if record.exc_info:
                text += f"\n{logging.Formatter().formatException(record.exc_info)}"
        except Exception:  # noqa: BLE001 - a record's arguments may be any objects
            self.handleError(record)
            return
        self._send({name: getattr(record, name) for name in _FIELDS}, text)

    def close(self) -> None:
        self._tell_dropped()
        self._disconnect()
        super().close()

    def _tell_dropped(self) -> None:
        if self._dropped:
            warning = logging.makeLogRecord(
                {"name": __name__, "levelno": logging.WARNING, "levelname": "WARNING"}
            )
            text = f"{self._dropped} records were dropped: a subtask logs at most {_PER_SECOND} a second"
            self._dropped = 0
            self._send({name: getattr(warning, name) for name in _FIELDS}, text)

    def _send(self, fields: dict[str, object], text: str) -> None:
        if self._is_gone:
            return
        message = encodable(f"[{self._task}] {shorten(text, _TEXT_LIMIT)}")
        line = json.dumps({"job": self._job_id, "msg": message, **fields})
        try:
            if self._socket is None:
                self._socket = socket.create_connection(self._address, 10)
            self._socket.sendall(line.encode() + b"\n")
        except OSError:
            self._is_gone = True  # the job will be cancelled, too
            self._disconnect()

    def _disconnect(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
