"""TypeSerializer: what writes windows of a user's own to bytes."""

from __future__ import annotations

from pystream.runtime.windows.windows import WindowSerializer as TypeSerializer

__all__ = ["TypeSerializer"]
