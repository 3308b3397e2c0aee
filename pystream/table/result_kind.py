"""ResultKind: what the rows of a result are."""

from __future__ import annotations

from enum import Enum

__all__ = ["ResultKind"]


class ResultKind(Enum):
    """What the rows of a result are.

    Mirrors ``org.apache.flink.table.api.ResultKind``.
    """

    SUCCESS = 0
    """The statement succeeded; the only row says ``OK``."""

    SUCCESS_WITH_CONTENT = 1
    """The statement has rows."""
