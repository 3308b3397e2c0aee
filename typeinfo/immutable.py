"""Values that nobody can change, known by their class."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import NoneType
from typing import Any
from uuid import UUID

from typeinfo.instant import Instant

__all__ = ["IMMUTABLE", "are_immutable"]

_PLAIN = (NoneType, bool, int, float, complex, str, bytes, frozenset, range)
IMMUTABLE = frozenset({*_PLAIN, Decimal, date, datetime, time, timedelta, UUID, Instant})


def are_immutable(values: Iterable[Any]) -> bool:
    return IMMUTABLE.issuperset(map(type, values))
