"""Names and texts in SQL."""

from __future__ import annotations

__all__ = ["quoted_name", "quoted_text"]


def quoted_name(name: str) -> str:
    """Return a name as SQL text, in backticks."""
    return f"`{name.replace('`', '``')}`"


def quoted_text(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"
