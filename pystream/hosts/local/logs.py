"""Log levels for the functions of a local job, applied on top of the program's own loggers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from pystream.engine.worker.logs import LogSettings

__all__ = ["log_levels"]

_CURRENT: ContextVar[LogSettings | None] = ContextVar("pystream-log-levels", default=None)


@contextmanager
def log_levels(settings: LogSettings) -> Iterator[None]:
    """Within the block, drop log records of this context that are below the levels of the settings.

    Coroutines that it starts belong to it; other threads of the program do not. The handlers filter, since
    the level of a logger is that of the whole process.
    """

    def is_wanted(record: logging.LogRecord) -> bool:
        return _CURRENT.get() is not settings or record.levelno >= settings.level_of(record.name)

    handlers = _handlers()
    before = _CURRENT.set(settings)
    for handler in handlers:
        handler.addFilter(is_wanted)
    try:
        yield
    finally:
        for handler in handlers:
            handler.removeFilter(is_wanted)
        _CURRENT.reset(before)


def _handlers() -> list[logging.Handler]:
    """Return the handlers of all loggers."""
    root = logging.getLogger()
    loggers = [
        root,
        *(known for known in root.manager.loggerDict.values() if isinstance(known, logging.Logger)),
    ]
    handlers = [handler for logger in loggers for handler in logger.handlers]
    return handlers if logging.lastResort is None else [*handlers, logging.lastResort]
