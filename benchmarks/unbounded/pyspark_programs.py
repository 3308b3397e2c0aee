"""The programs for PySpark: ``transformWithState`` with rows and with pandas, and Spark's own windows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pandas as pd
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle

from benchmarks.unbounded.cases import Case

_RESULT = "key long, value long"


class RowSum(StatefulProcessor):
    """Sums the values of a key, and returns a row with the sum so far for each row."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Get the state of the sum."""
        self._total = handle.getValueState("total", "total long")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N803
        """Return the sums."""
        known = self._total.get()
        total = 0 if known is None else known[0]
        for row in rows:
            total += row.value
            yield Row(key=key[0], value=total)
        self._total.update((total,))


class PandasSum(StatefulProcessor):
    """Sums the values of a key, and returns the sums so far for each batch of rows."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Get the state of the sum."""
        self._total = handle.getValueState("total", "total long")

    def handleInputRows(
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        """Return the sums."""
        known = self._total.get()
        total = 0 if known is None else known[0]
        for frame in rows:
            sums = frame["value"].cumsum() + total
            total = int(sums.iloc[-1])
            yield pd.DataFrame({"key": frame["key"], "value": sums})
        self._total.update((total,))


class _WindowSum(StatefulProcessor):
    """Sums the values of each window of a key; a timer at the end of the window returns the sum."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Get the state of the sums by the ends of windows."""
        self._handle = handle
        self._sums = handle.getMapState("sums", "end long", "total long")

    def add(self, sums: dict[int, int]) -> None:
        """Add sums to those of the windows that end then."""
        for end, total in sums.items():
            known = self._sums.getValue((end,))
            if known is None:
                self._handle.registerTimer(end)
            self._sums.updateValue((end,), (total + (0 if known is None else known[0]),))

    def take(self, end: int) -> int:
        """Remove and return the sum of a window."""
        total: int = self._sums.getValue((end,))[0]
        self._sums.removeKey((end,))
        return total


class RowWindow(_WindowSum):
    """Sums windows from rows."""

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N803
        """Add rows to their windows."""
        sums: Counter[int] = Counter()
        for row in rows:
            sums[row.end] += row.value
        self.add(sums)
        return iter(())

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[Row]:  # noqa: N803
        """Return the sum of the window that ends."""
        yield Row(key=key[0], value=self.take(expiredTimerInfo.getExpiryTimeInMs()))


class PandasWindow(_WindowSum):
    """Sums windows from batches of rows."""

    def handleInputRows(
        self,
        key: Any,
        rows: Iterator[pd.DataFrame],
        timerValues: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        """Add rows to their windows."""
        for frame in rows:
            self.add(frame.groupby("end")["value"].sum().to_dict())
        return iter(())

    def handleExpiredTimer(
        self,
        key: Any,
        timerValues: Any,  # noqa: N803
        expiredTimerInfo: Any,  # noqa: N803
    ) -> Iterator[pd.DataFrame]:
        """Return the sum of the window that ends."""
        total = self.take(expiredTimerInfo.getExpiryTimeInMs())
        yield pd.DataFrame({"key": [key[0]], "value": [total]})


def numbered(numbers: DataFrame, case: Case) -> DataFrame:
    """Return the records of a frame with a column ``value`` of their numbers."""
    millis = case.window_millis
    return numbers.selectExpr(
        f"value * 7919 % {case.keys} as key",
        "value + 1 as value",
        f"value div {millis} * {millis} + {millis} as end",
        "timestamp_millis(value) as time",
    )


def program(numbers: DataFrame, case: Case, contender: str) -> DataFrame:
    """Apply the program of a case to record numbers."""
    records = numbered(numbers, case)
    if contender == "PySpark windows":
        timed = records.withWatermark("time", "0 seconds")
        window = F.window("time", f"{case.window_millis} milliseconds")
        return timed.groupBy("key", window).agg(F.sum("value").alias("value"))
    with_pandas = contender == "PySpark pandas"
    if case.kind == "reduce":
        grouped = records.select("key", "value").groupBy("key")
        if with_pandas:
            return grouped.transformWithStateInPandas(PandasSum(), _RESULT, "append", "None")
        return grouped.transformWithState(RowSum(), _RESULT, "append", "None")
    grouped = records.withWatermark("time", "0 seconds").groupBy("key")
    if with_pandas:
        return grouped.transformWithStateInPandas(PandasWindow(), _RESULT, "append", "EventTime")
    return grouped.transformWithState(RowWindow(), _RESULT, "append", "EventTime")


class RowCount(StatefulProcessor):
    """Counts the rows of a key, and returns the count with the time of creation of each."""

    def init(self, handle: StatefulProcessorHandle) -> None:
        """Get the state of the count."""
        self._count = handle.getValueState("count", "count long")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N803
        """Return the counts."""
        known = self._count.get()
        count = 0 if known is None else known[0]
        for row in rows:
            count += 1
            yield Row(number=count, created=row.created)
        self._count.update((count,))


def timed_program(lines: DataFrame, case: Case) -> DataFrame:
    """Apply the program of a case that measures latency; the result has the times of creation."""
    parsed = lines.select(F.split("value", ",").alias("parts")).selectExpr(
        "cast(parts[0] as long) as number", "cast(parts[1] as long) as created"
    )
    if case.kind == "stateless":
        return parsed.mapInPandas(_doubled, "number long, created long")
    keyed = parsed.selectExpr(f"number % {case.keys} as key", "created").groupBy("key")
    return keyed.transformWithState(RowCount(), "number long, created long", "append", "None")


def _doubled(frames: Iterator[pd.DataFrame]) -> Iterator[pd.DataFrame]:
    for frame in frames:
        yield frame.assign(number=frame["number"] * 2)
