"""Names, texts and options in SQL."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["options_clause", "quoted_name", "quoted_text"]


def quoted_name(name: str) -> str:
    """Return a name as SQL text, in backticks."""
    return f"`{name.replace('`', '``')}`"


def quoted_text(text: str) -> str:
    """Return a text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def options_clause(options: Mapping[str, str]) -> str:
    """Return options as the clause ``WITH``, a line each, in the order of their names."""
    own = ",\n".join(f"  {quoted_text(key)} = {quoted_text(value)}" for key, value in sorted(options.items()))
    return f"WITH (\n{own}\n)"
