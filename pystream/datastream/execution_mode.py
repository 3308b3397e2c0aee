"""RuntimeExecutionMode: streaming or batch semantics."""

from __future__ import annotations

from pystream.settings.modes import RuntimeExecutionMode

__all__ = ["RuntimeExecutionMode"]
