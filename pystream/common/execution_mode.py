"""Data exchange between the operators of a batch program."""

from __future__ import annotations

from pystream.settings.modes import ExecutionMode

__all__ = ["ExecutionMode"]
