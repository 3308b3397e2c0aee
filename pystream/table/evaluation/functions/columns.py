"""Columns of rows."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pystream.table.evaluation.functions.decimals import rounded

__all__ = ["decimal_at"]


def decimal_at(step: Decimal, position: int, row: Sequence[Any]) -> Decimal | None:
    """Return a decimal in the scale of its column, which a stream of decimals does not have."""
    value = row[position]
    return None if value is None else rounded(value, step)
