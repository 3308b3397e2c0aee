"""The folds of the elements of each key or window, as aggregations of Spark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP
from pystream.expressions.folds import Aggregation, Fold, Part, Reduction
from pystream.hosts.spark.expressions import Input, castable, evaluated, to_column
from pystream.kinds import AlignedWindows, EventWindows, SessionWindows
from pystream.lifting import GUARD_MARK
from typeinfo.formats.layout import columns_of

__all__ = ["TIME", "KeyedTable", "aggregated", "reduced"]

TIME = "t"
"""The column of event times, after those of the elements."""

_KEY = "k"
_SESSION = "s"
_FOLDS: dict[Fold, Callable[[Column], Column]] = {Fold.SUM: F.sum, Fold.MIN: F.min, Fold.MAX: F.max}
_OF_TWO: dict[Fold, Callable[..., Column]] = {Fold.MIN: F.least, Fold.MAX: F.greatest}  # nulls left out


class KeyedTable:
    """A table of keyed elements to be folded.

    Args:
        frame: the table.
        names: the columns of its elements.
        key: computes their keys.
        folds: aggregations of the elements of a key, or of a window of it, by the names of columns.
        parallelism: number of partitions of the results.
    """

    def __init__(
        self, frame: DataFrame, names: list[str], key: Column, folds: Mapping[str, Column], parallelism: int
    ) -> None:
        self._frame = frame
        self._names = names
        self._key = key.alias(_KEY)
        self._folds = [fold.alias(name) for name, fold in folds.items()]
        self._folded = list(folds)
        self._parallelism = parallelism

    def by_key(self) -> DataFrame:
        """Return one result per key, at the end of time."""
        folded = self._frame.groupBy(self._key).agg(*self._folds)
        return folded.drop(_KEY).withColumn(TIME, F.lit(MAX_WATERMARK))

    def by_window(self, windows: EventWindows, time: Column) -> DataFrame:
        """Return one result per window, at its end; those of a key in order of time.

        Args:
            windows: the windows.
            time: the timestamps of the elements.
        """
        match windows:
            case AlignedWindows():
                no_time = F.raise_error(F.lit(f"{GUARD_MARK}: an element has no event time"))
                return self._aligned(
                    self._timed(F.when(time > NO_TIMESTAMP, time).otherwise(no_time)), windows
                )
            case SessionWindows():
                return self._sessions(self._timed(time), windows)

    def _timed(self, time: Column) -> DataFrame:
        return self._frame.select(*self._names, self._key, time.alias(TIME))

    def _aligned(self, timed: DataFrame, windows: AlignedWindows) -> DataFrame:
        size, slide, time = windows.size, windows.slide, F.col(TIME)
        begun = F.pmod(time - _long(windows.offset), _long(slide))
        last = time - begun + _long(size - 1)
        if slide < size:
            # An element belongs to all windows whose last ms is not before it.
            last = F.explode(F.sequence(last, time, _long(-slide)))
        elif slide > size:
            timed = _only(timed, begun < _long(size))
        folded = timed.select(*self._names, _KEY, last.alias(TIME)).groupBy(_KEY, TIME).agg(*self._folds)
        return self._in_order(folded.repartition(self._parallelism, _KEY))

    def _sessions(self, timed: DataFrame, windows: SessionWindows) -> DataFrame:
        time, gap = F.col(TIME), _long(windows.gap)
        if windows.gap == 1:  # a window of only the minimum time is late from the start
            timed = _only(timed, time > NO_TIMESTAMP)
        in_order = Window.partitionBy(_KEY).orderBy(TIME)
        begins = F.when(time > F.lag(TIME).over(in_order) + gap, 1).otherwise(0)
        until_here = in_order.rowsBetween(Window.unboundedPreceding, Window.currentRow)
        # Keys stay where they are brought once, as their elements must be in order before they are folded.
        by_key = timed.repartition(self._parallelism, _KEY).withColumn(_SESSION, begins)
        numbered = by_key.withColumn(_SESSION, F.sum(_SESSION).over(until_here))
        last = (F.max(TIME) + (gap - 1)).alias(TIME)
        return self._in_order(numbered.groupBy(_KEY, _SESSION).agg(*self._folds, last))

    def _in_order(self, folded: DataFrame) -> DataFrame:
        return folded.sortWithinPartitions(TIME).select(*self._folded, TIME)


def reduced(frame: DataFrame, names: list[str], reduction: Reduction) -> dict[str, Column]:
    """Return the reduced values of elements, column by column."""
    types = [frame.schema[name].dataType for name in names]
    return {
        name: _fold_of(F.col(name), fold).cast(data_type)
        for name, data_type, fold in zip(names, types, reduction.folds, strict=True)
    }


def aggregated(aggregation: Aggregation, inputs: Sequence[Input]) -> dict[str, Column]:
    """Return the accumulators of elements, one column per part."""
    return {
        f"a{position}": _accumulator(part, inputs).cast(castable(column.type))
        for position, (part, column) in enumerate(
            zip(aggregation.parts, columns_of(aggregation.type), strict=True)
        )
    }


def _accumulator(part: Part, inputs: Sequence[Input]) -> Column:
    value = to_column(part.value, inputs)
    if part.fold not in _FOLDS:
        return F.first(value)
    folded = _FOLDS[part.fold](value)
    if part.initial.nullable:
        return folded
    initial = to_column(part.initial, inputs)
    return folded + initial if part.fold is Fold.SUM else _OF_TWO[part.fold](folded, initial)


def _only(timed: DataFrame, condition: Column) -> DataFrame:
    """Select the elements that satisfy a condition; keys of the others are still computed, and may fail."""
    return timed.where(evaluated(F.col(_KEY)) & condition)


def _fold_of(column: Column, fold: Fold) -> Column:
    """Return the aggregate of a column; a null stays in a group of one, and is an error in a larger one."""
    if fold not in _FOLDS:
        return F.first(column)  # part of the key, so that all are the same
    size = F.count(F.lit(1))
    failure = F.raise_error(F.lit(f"{GUARD_MARK}: None is folded"))
    return F.when((size == 1) | (F.count(column) == size), _FOLDS[fold](column)).otherwise(failure)


def _long(value: int) -> Column:
    return F.lit(value).cast("long")
