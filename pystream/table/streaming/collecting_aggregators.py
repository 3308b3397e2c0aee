"""Aggregators that keep the values of a group: lists, multisets, percentiles and JSON."""

from __future__ import annotations

from collections.abc import Hashable
from math import floor
from typing import Any

from pystream.table.functions.errors import AggregationError
from pystream.table.functions.values.json_texts import json_text
from pystream.table.streaming.aggregators import Aggregator
from pystream.table.streaming.retracting_aggregators import OfArrivals, RetractingAggregator
from pystream.table.streaming.value_keys import value_key

__all__ = ["ArrayAgg", "Collect", "JsonArrayAgg", "JsonObjectAgg", "ListAgg", "Percentile", "SingleValue"]


_NULL = "null"


class _Listed(OfArrivals, Aggregator):
    """Base class of aggregators that keep the values in the order of arrival."""

    def merge(self, one: list[Any], other: list[Any]) -> list[Any]:
        """Return the values of the first and then those of the second; the first are modified."""
        for value in other[1].values():
            self.add(one, value)
        return one


class ListAgg(_Listed):
    """The texts that came, in this order, with a separator before each one but the first.

    Mirrors ``ListAggWithRetractAggFunction`` and ``ListAggWsWithRetractAggFunction``.
    """

    def result(self, accumulated: list[Any]) -> str | None:
        """Return the texts as one; ``None`` without values."""
        parts: list[str] = []
        for value in accumulated[1].values():
            text, separator = value if isinstance(value, tuple) else (value, ",")
            parts += [separator, text] if parts else [text]
        return "".join(parts) if parts else None


class ArrayAgg(_Listed):
    """The values that came, each a tuple of one, which may be null. Mirrors ``ArrayAggFunction``."""

    def result(self, accumulated: list[Any]) -> list[Any] | None:
        """Return the values; ``None`` without any."""
        return [value for (value,) in accumulated[1].values()] or None


class JsonArrayAgg(_Listed):
    """The values of `ArrayAgg`, which are texts of JSON, as an array. Mirrors ``JsonArrayAggFunction``."""

    def result(self, accumulated: list[Any]) -> str:
        """Return the array."""
        return f"[{','.join(_NULL if value is None else value for (value,) in accumulated[1].values())}]"


class SingleValue(_Listed):
    """The only value. Mirrors ``SingleValueAggFunction``."""

    def result(self, accumulated: list[Any]) -> Any:
        """Return the value; ``None`` without any.

        Raises:
            AggregationError: there are several.
        """
        values = [*accumulated[1].values()]
        if len(values) > 1:
            raise AggregationError(
                f"a scalar subquery, or SINGLE_VALUE, has {len(values)} rows instead of one: add LIMIT 1, or "
                "an aggregate such as MAX"
            )
        return values[0] if values else None


class _OfCounts(RetractingAggregator, Aggregator):
    """Base class of aggregators that keep each value once, and how often it was added."""

    def empty(self) -> dict[Hashable, tuple[Any, int]]:
        """Return no values."""
        return {}

    def add(self, accumulated: dict[Hashable, tuple[Any, int]], value: Any) -> dict[Hashable, Any]:
        """Return the values, modified: with another one."""
        return self._counted(accumulated, value, 1)

    def retract(self, accumulated: dict[Hashable, tuple[Any, int]], value: Any) -> dict[Hashable, Any]:
        """Return the values, modified: without one of them."""
        return self._counted(accumulated, value, -1)

    def _counted(
        self, accumulated: dict[Hashable, tuple[Any, int]], value: Any, change: int
    ) -> dict[Hashable, Any]:
        key = value_key(value)
        first, before = accumulated.get(key, (value, 0))
        accumulated[key] = first, before + change
        if not before + change:
            del accumulated[key]
        return accumulated

    def merge(self, one: dict[Hashable, tuple[Any, int]], other: dict[Hashable, tuple[Any, int]]) -> Any:
        """Return the values of both; those of the first are modified."""
        for value, count in other.values():
            self._counted(one, value, count)
        return one


class Collect(_OfCounts):
    """The values, with how often each came. Mirrors ``CollectAggFunction``."""

    def result(self, accumulated: dict[Hashable, tuple[Any, int]]) -> dict[Any, int]:
        """Return the numbers by value."""
        return {value: count for value, count in accumulated.values() if count > 0}


class Percentile(_OfCounts):
    """The values at shares of the sorted values, interpolated between neighbours.

    A value is the number itself, the share or the list of shares, and how often the number counts. Mirrors
    ``PercentileAggFunction``.
    """

    def _counted(
        self, accumulated: dict[Hashable, tuple[Any, int]], value: Any, change: int
    ) -> dict[Hashable, Any]:
        number, share, *frequency = value
        times = frequency[0] if frequency else 1
        return (
            super()._counted(accumulated, (float(number), share), change * times)
            if times > 0
            else accumulated
        )

    def result(self, accumulated: dict[Hashable, tuple[Any, int]]) -> Any:
        """Return the value at each share; ``None`` without values."""
        if not accumulated:
            return None
        counted = sorted((number, count) for (number, _), count in accumulated.values() if count > 0)
        share = next(iter(accumulated.values()))[0][1]
        return [_at(counted, one) for one in share] if isinstance(share, list) else _at(counted, share)


def _at(counted: list[tuple[float, int]], share: Any) -> float | None:
    total = sum(count for _, count in counted)
    if not total or share is None:
        return None
    if not 0 <= share <= 1:
        raise AggregationError(f"the share of PERCENTILE is between 0 and 1, not {share}")
    position = (total - 1) * float(share)
    lower = floor(position)
    fraction = position - lower
    low, high = _numbered(counted, lower), _numbered(counted, min(lower + 1, total - 1))
    return low if not fraction or low == high else (1 - fraction) * low + fraction * high


def _numbered(counted: list[tuple[float, int]], number: int) -> float:
    for value, count in counted:
        if number < count:
            return value
        number -= count
    raise AssertionError(number)


class JsonObjectAgg(RetractingAggregator, Aggregator):
    """The values, which are texts of JSON, by their keys, as an object. Mirrors ``JsonObjectAggFunction``."""

    def empty(self) -> dict[str, Any]:
        """Return no keys."""
        return {}

    def add(self, accumulated: dict[str, Any], value: tuple[str, Any]) -> dict[str, Any]:
        """Return the values, modified: with another key.

        Raises:
            AggregationError: the key is null, or there already.
        """
        key, item = value
        if key is None:
            raise AggregationError("JSON_OBJECTAGG takes no null as a key")
        if key in accumulated:
            raise AggregationError(f"JSON_OBJECTAGG is of different keys, but {key!r} is there already")
        accumulated[key] = item
        return accumulated

    def retract(self, accumulated: dict[str, Any], value: tuple[str, Any]) -> dict[str, Any]:
        """Return the values, modified: without a key."""
        accumulated.pop(value[0], None)
        return accumulated

    def merge(self, one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        """Return the values of both; those of the first are modified."""
        for entry in other.items():
            self.add(one, entry)
        return one

    def result(self, accumulated: dict[str, Any]) -> str:
        """Return the object, with the keys in order."""
        members = sorted(accumulated.items())
        pairs = (f"{json_text(key)}:{_NULL if value is None else value}" for key, value in members)
        return f"{{{','.join(pairs)}}}"
