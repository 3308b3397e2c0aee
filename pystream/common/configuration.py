"""The key-value settings of a job."""

from __future__ import annotations

from pystream.settings.configuration import Configuration

__all__ = ["Configuration"]
