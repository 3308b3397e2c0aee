"""Rows, under their module name in PyFlink."""

from __future__ import annotations

from typeinfo.row import Row, RowKind

__all__ = ["Row", "RowKind"]
