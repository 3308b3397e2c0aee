"""What goes wrong between a program and the files it reads and writes."""

from __future__ import annotations

from typeinfo.errors import PyStreamError

__all__ = ["ConnectorError", "SinkError", "SourceError"]


class ConnectorError(PyStreamError):
    """Report an input or output that cannot be reached; the message names the path."""


class SourceError(ConnectorError):
    """Report an input that is missing or cannot be read; the message names the path and the place in it."""


class SinkError(ConnectorError):
    """Report an output that cannot be written; the message names the path."""
