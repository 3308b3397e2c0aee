"""The names of columns in SQL."""

from __future__ import annotations

__all__ = ["quoted_name"]


def quoted_name(name: str) -> str:
    """Return a name as SQL text, in backticks."""
    return f"`{name.replace('`', '``')}`"
