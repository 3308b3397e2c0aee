"""Rows, under the name ``pyflink.common.types`` has."""

from __future__ import annotations

from typeinfo.row import Row, RowKind

__all__ = ["Row", "RowKind"]
