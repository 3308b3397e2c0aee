"""Classes of immutable values."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any
from uuid import UUID

from typeinfo.instant import Instant

__all__ = ["IMMUTABLE", "are_immutable"]

_PLAIN = (NoneType, bool, int, float, complex, str, bytes, range)
IMMUTABLE = frozenset({*_PLAIN, Decimal, date, datetime, time, timedelta, UUID, Instant})


def are_immutable(values: Iterable[Any]) -> bool:
    """Return whether all values are of these classes."""
    return IMMUTABLE.issuperset(map(type, values))
