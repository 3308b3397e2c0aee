"""Client libraries of connectors, which are installed with an extra of the distribution."""

from __future__ import annotations

import logging
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from pystream.distribution import install_command
from pystream.errors import DependencyError

__all__ = ["client_library", "limit_logs"]


def client_library(module: str, extra: str) -> ModuleType:
    """Import the client library of a connector.

    Args:
        module: the name of its module.
        extra: the extra that installs it.

    Raises:
        DependencyError: it is not installed, or the program has its name.
    """
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        raise DependencyError(
            f"this connector needs the package {error.name}: {install_command(extra)}"
        ) from None
    program, file = getattr(sys.modules["__main__"], "__file__", None), found.__file__
    if program is not None and file is not None and Path(program).resolve() == Path(file).resolve():
        raise DependencyError(
            f"this connector needs the package {module}, which the program {program} hides: rename the file"
        )
    return found


def limit_logs(logger: str, level: int) -> None:
    """Let a client library log from a level on, unless the program has set one.

    Args:
        logger: the name of its logger.
        level: the level.
    """
    log = logging.getLogger(logger)
    if log.level == logging.NOTSET:
        log.setLevel(level)
