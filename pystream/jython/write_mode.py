"""WriteMode: what to do about output that exists already."""

from __future__ import annotations

from enum import Enum

__all__ = ["NO_OVERWRITE", "OVERWRITE", "WriteMode"]


class WriteMode(Enum):
    """The treatment of an output path that exists.

    Mirrors ``org.apache.flink.core.fs.FileSystem.WriteMode``.
    """

    NO_OVERWRITE = "NO_OVERWRITE"
    OVERWRITE = "OVERWRITE"


NO_OVERWRITE = WriteMode.NO_OVERWRITE
OVERWRITE = WriteMode.OVERWRITE
