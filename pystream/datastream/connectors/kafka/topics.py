"""require_topic: check the name of a topic as brokers do."""

from __future__ import annotations

import re

from pystream.arguments.checks import require
from pystream.errors import ConfigurationError

__all__ = ["require_topic"]

_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}")


def require_topic(name: str, call: str) -> None:
    """Check the name of a topic.

    Raises:
        ConfigurationError: no broker has a topic of that name.
    """
    require(name, str, call, "the names of topics")
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise ConfigurationError(
            f"{call}: {name!r} is not the name of a Kafka topic: it has 1 to 249 letters, digits, '.', '_' "
            "and '-'"
        )
