"""Column aggregators: how aggregate functions accumulate the columns of the rows of many groups.

They accumulate as `aggregators` do, value after value in the order of arrival, for all groups at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute

from pystream.sql_types.data_types import DataType
from pystream.table.streaming.arithmetic import arithmetic_of
from pystream.table.streaming.column_ranks import parts_of_decimals, ranks_of
from pystream.table.streaming.group_codes import Codes, ValueCodes, first_positions
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

__all__ = ["ColumnAggregator", "added_numbers", "averages", "column_aggregator", "wrapped"]

pc: Any = pyarrow.compute
_LONG = 1 << 63
_SIGN = 1 << 31


class ColumnAggregator(ABC):
    """Base class of aggregators of columns; what is accumulated has an entry for each group.

    Attributes:
        size: the number of further entries, with all of which each part of the rows is compared.
    """

    size: int = 0

    @abstractmethod
    def add(self, codes: Codes, values: pa.Array | None, groups: int) -> None:
        """Accumulate further values.

        Args:
            codes: the number of the group of each value.
            values: the values, without nulls; ``None`` for ``COUNT(*)``.
            groups: the number of groups.
        """

    @abstractmethod
    def results(self, groups: int) -> pa.Array:
        """Return the results of the groups."""


def _grown(array: npt.NDArray[Any], count: int, fill: Any) -> npt.NDArray[Any]:
    """Return an array with further entries."""
    if len(array) == count:
        return array
    return np.concatenate([array, np.full(count - len(array), fill, array.dtype)])


class _Count(ColumnAggregator):
    def __init__(self) -> None:
        self._counts = np.zeros(0, np.int64)

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """The number of values of each group."""
        return self._counts

    def add(self, codes: Codes, values: pa.Array | None, groups: int) -> None:
        self._counts = _grown(self._counts, groups, 0)
        self._counts += np.bincount(codes, minlength=groups)

    def results(self, groups: int) -> pa.Array:
        return pa.array(_grown(self._counts, groups, 0))


class _Sum(ColumnAggregator):
    """The sums of numbers; integers wrap at the width of their type.

    Args:
        dtype: the type of NumPy in which they are added.
        neutral: the number that changes no other when it is added.
        beyond: for integers, the least positive one that is out of the range of their type.
    """

    def __init__(self, dtype: Any, neutral: float, beyond: int = _LONG) -> None:
        self._totals = np.zeros(0, dtype)
        self._neutral = neutral
        self._beyond = beyond
        self._counts = _Count()

    def add(self, codes: Codes, values: pa.Array | None, groups: int) -> None:
        self._counts.add(codes, None, groups)
        self._totals = _grown(self._totals, groups, self._neutral)
        assert values is not None
        with np.errstate(all="ignore"):
            np.add.at(self._totals, codes, values.to_numpy().astype(self._totals.dtype))

    def _parts(self, groups: int) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        """Return the total and the number of values of each group."""
        totals = _grown(self._totals, groups, self._neutral)
        return totals, _grown(self._counts.counts, groups, 0)

    def results(self, groups: int) -> pa.Array:
        totals, counts = self._parts(groups)
        return pa.array(wrapped(totals, self._beyond), mask=counts == 0)


class _Average(_Sum):
    """The averages of numbers; those of integers are truncated towards zero."""

    def results(self, groups: int) -> pa.Array:
        totals, counts = self._parts(groups)
        return pa.array(averages(totals, counts), mask=counts == 0)


def wrapped(totals: npt.NDArray[Any], beyond: int) -> npt.NDArray[Any]:
    """Return totals that wrap around as integers of a type do.

    Args:
        totals: the totals.
        beyond: the least positive integer that the type does not have.
    """
    return totals if beyond >= _LONG else (totals + beyond) % (2 * beyond) - beyond


def averages(totals: npt.NDArray[Any], counts: npt.NDArray[np.int64]) -> Any:
    """Return the averages of numbers of values; those of integers are truncated towards zero."""
    numbers = np.maximum(counts, 1)
    if totals.dtype != np.int64:
        with np.errstate(all="ignore"):
            return totals / numbers
    quotients = totals // numbers
    quotients += (quotients < 0) & (totals % numbers != 0)
    return quotients


class _Held(ColumnAggregator):
    """Base class of aggregators to one of the values of each group, which is held in Arrow."""

    def __init__(self) -> None:
        self._held: pa.Array | None = None

    def add(self, codes: Codes, values: pa.Array | None, groups: int) -> None:
        assert values is not None
        held = pa.nulls(0, values.type) if self._held is None else self._held
        if len(held) < groups:
            held = pa.concat_arrays([held, pa.nulls(groups - len(held), values.type)])
        if len(codes):
            chosen = self._chosen(held, codes, values, groups)
            taken = np.where(chosen < 0, np.arange(groups), chosen + groups)
            held = pa.concat_arrays([held, values]).take(pa.array(taken))
        self._held = held

    @abstractmethod
    def _chosen(self, held: pa.Array, codes: Codes, values: pa.Array, groups: int) -> Codes:
        """Return the position of the value that each group is to hold, -1 for the one that it holds."""

    def results(self, groups: int) -> pa.Array:
        if self._held is None:
            return pa.nulls(groups)
        return pa.concat_arrays([self._held, pa.nulls(groups - len(self._held), self._held.type)])


class _First(_Held):
    def _chosen(self, held: pa.Array, codes: Codes, values: pa.Array, groups: int) -> Codes:
        chosen = np.full(groups, -1, np.int64)
        chosen[codes[::-1]] = np.arange(len(codes))[::-1]
        chosen[np.asarray(held.is_valid())] = -1
        return chosen


class _Last(_Held):
    def _chosen(self, held: pa.Array, codes: Codes, values: pa.Array, groups: int) -> Codes:
        chosen = np.full(groups, -1, np.int64)
        chosen[codes] = np.arange(len(codes))
        return chosen


class _Extreme(_Held):
    """The least or the greatest values; the first of equal ones, and a NaN only if it comes first.

    Args:
        is_greatest: whether it is the greatest.
    """

    def __init__(self, *, is_greatest: bool) -> None:
        super().__init__()
        self._is_greatest = is_greatest

    def _chosen(self, held: pa.Array, codes: Codes, values: pa.Array, groups: int) -> Codes:
        if groups == 1 and not pa.types.is_floating(values.type):
            return self._chosen_of_one(held, values)
        whole = pa.concat_arrays([held, values])
        ranks = ranks_of(whole)
        if self._is_greatest:
            ranks = ~ranks
        known, given = ranks[:groups], ranks[groups:]
        chosen = _First()._chosen(held, codes, values, groups)
        is_new = chosen >= 0
        best = known.copy()
        best[is_new] = given[chosen[is_new]]
        if pa.types.is_floating(whole.type):
            is_nan = np.isnan(whole.fill_null(0).to_numpy(zero_copy_only=False))
            keeps_nan = is_nan[:groups] & ~is_new
            keeps_nan[is_new] |= is_nan[groups:][chosen[is_new]]
            usable = ~(is_nan[groups:] | keeps_nan[codes])
            codes, given, positions = codes[usable], given[usable], np.flatnonzero(usable)
        else:
            positions = np.arange(len(codes))
        least = best.copy()
        np.minimum.at(least, codes, given)
        is_better = (least < best)[codes] & (given == least[codes])
        chosen[codes[is_better][::-1]] = positions[is_better][::-1]
        return chosen

    def _chosen_of_one(self, held: pa.Array, values: pa.Array) -> Codes:
        """Return the same of one group, without comparing each value with those of other groups."""
        best = pc.min_max(values)["max" if self._is_greatest else "min"]
        is_better = pc.greater if self._is_greatest else pc.less
        is_kept = held[0].is_valid and not is_better(best, held[0]).as_py()
        return np.array([-1 if is_kept else pc.index(values, best).as_py()], np.int64)


class _Distinct(ColumnAggregator):
    """Accumulates equal values of a group once.

    Args:
        distinct: accumulates the values that differ.
    """

    def __init__(self, distinct: ColumnAggregator) -> None:
        self._distinct = distinct
        self._values = ValueCodes()
        self._pairs = ValueCodes()

    def add(self, codes: Codes, values: pa.Array | None, groups: int) -> None:
        assert values is not None
        before = self._pairs.count
        pairs = self._pairs.codes(pa.array(codes << 31 | self._values.codes(values)))
        firsts = first_positions(pairs, before, self._pairs.count)
        self.size = self._pairs.count
        self._distinct.add(codes[firsts], values.take(pa.array(firsts)), groups)

    def results(self, groups: int) -> pa.Array:
        return self._distinct.results(groups)


class _DecimalSum(ColumnAggregator):
    """The sums of decimals of few enough digits, so that none is out of range.

    Args:
        arrow: the type of the results.
    """

    def __init__(self, arrow: pa.DataType) -> None:
        self._arrow = arrow
        self._totals = np.zeros((0, 4), np.int64)  # of each of the four parts of 32 bits
        self._counts = _Count()

    def add(self, codes: Codes, values: pa.Array | None, groups: int) -> None:
        self._counts.add(codes, None, groups)
        self._totals = self._grown_totals(groups)
        assert values is not None
        if len(codes):
            parts = parts_of_decimals(values, np.uint32).astype(np.int64)
            parts[:, 3] = (parts[:, 3] ^ _SIGN) - _SIGN
            for part in range(4):
                np.add.at(self._totals[:, part], codes, parts[:, part])

    def _grown_totals(self, groups: int) -> npt.NDArray[np.int64]:
        more = np.zeros((groups - len(self._totals), 4), np.int64)
        return np.concatenate([self._totals, more]) if len(more) else self._totals

    def _sums(self, groups: int, arrow: Any) -> tuple[pa.Array, npt.NDArray[np.int64]]:
        """Return the sum and the number of values of each group."""
        totals = self._grown_totals(groups).copy()
        for part in range(3):
            totals[:, part + 1] += totals[:, part] >> 32
        counts = _grown(self._counts.counts, groups, 0)
        digits = pa.py_buffer((totals & 0xFFFFFFFF).astype(np.uint32).tobytes())
        whole = pa.Array.from_buffers(arrow, groups, [None, digits])
        return pc.if_else(pa.array(counts > 0), whole, pa.scalar(None, arrow)), counts

    def results(self, groups: int) -> pa.Array:
        return self._sums(groups, self._arrow)[0]


class _DecimalAverage(_DecimalSum):
    """The averages of decimals, rounded as those of values.

    Args:
        result: the type of the results.
        scale: the scale of the values.
    """

    def __init__(self, result: DataType, scale: int) -> None:
        super().__init__(_arrow(result))
        self._result = result
        self._scale = scale

    def results(self, groups: int) -> pa.Array:
        average = arithmetic_of(self._result, "AVG").average
        sums, counts = self._sums(groups, pa.decimal128(38, self._scale))
        averages = [
            None if total is None else average(total, count)
            for total, count in zip(sums.to_pylist(), counts.tolist(), strict=True)
        ]
        return pa.array(averages, self._arrow)


def _sum_of(result: DataType) -> _Sum:
    dtype, beyond = added_numbers("SUM", result)
    return _Sum(dtype, 0 if dtype is np.int64 else -0.0, beyond)


def _average_of(result: DataType) -> _Sum:
    dtype, beyond = added_numbers("AVG", result)
    return _Average(dtype, 0, beyond)


def added_numbers(function: str, result: DataType) -> tuple[Any, int]:
    """Return the type of NumPy in which a function adds numbers.

    Args:
        function: SUM or AVG.
        result: the type of its results.

    Returns:
        The type, and the least positive integer that is out of the range of the result.
    """
    type_info = result.type_info
    bounds = type_info.traits.bounds if isinstance(type_info, ScalarTypeInfo) else None
    if bounds is not None:
        return np.int64, bounds[1] + 1
    return np.float32 if function == "SUM" and pa.types.is_float32(_arrow(result)) else np.float64, _LONG


def _arrow(data_type: DataType) -> pa.DataType:
    from typeinfo.formats.arrow import to_arrow

    return to_arrow(data_type.type_info)


_MOST_DIGITS = 28
"""The most digits of decimals that are summed by columns; no sum of rows in memory is out of range then."""


def _of_decimals(function: str, result: DataType, argument: BigDecimalTypeInfo) -> ColumnAggregator | None:
    if argument.precision > _MOST_DIGITS:
        return None
    return _DecimalSum(_arrow(result)) if function == "SUM" else _DecimalAverage(result, argument.scale)


_AGGREGATORS: dict[str, Callable[[DataType], ColumnAggregator]] = {
    "AVG": _average_of,
    "COUNT": lambda _: _Count(),
    "FIRST_VALUE": lambda _: _First(),
    "LAST_VALUE": lambda _: _Last(),
    "MAX": lambda _: _Extreme(is_greatest=True),
    "MIN": lambda _: _Extreme(is_greatest=False),
    "SUM": _sum_of,
}

_SAME_IF_DISTINCT = ("FIRST_VALUE", "MAX", "MIN")


def column_aggregator(
    function: str, result: DataType, argument: TypeInformation[Any] | None, *, is_distinct: bool
) -> ColumnAggregator | None:
    """Return the aggregator of a function of plain values, ``None`` if it has none of columns.

    Args:
        function: the name of the function.
        result: the type of its results.
        argument: the type of the values; ``None`` for ``COUNT(*)``.
        is_distinct: whether equal values are aggregated once.
    """
    made: ColumnAggregator | None = None
    if isinstance(argument, BigDecimalTypeInfo) and function in ("AVG", "SUM"):
        made = _of_decimals(function, result, argument)
    elif function in _AGGREGATORS:
        made = _AGGREGATORS[function](result)
    if made is None:
        return None
    return _Distinct(made) if is_distinct and function not in _SAME_IF_DISTINCT else made
