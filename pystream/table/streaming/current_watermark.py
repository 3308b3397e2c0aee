"""The watermark at which rows come, as a column."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from pystream.datastream.functions import ProcessFunction
from pystream.engine.events import NO_TIMESTAMP
from pystream.table.algebra.current_watermark import CurrentWatermark
from pystream.table.streaming.operators import positional_rows, results, results_type
from pystream.table.table import Table
from typeinfo.instant import Instant
from typeinfo.row import Row, make_row
from typeinfo.types import Types

__all__ = ["with_current_watermarks"]

_EPOCH = datetime(1970, 1, 1)


class _Watermark(ProcessFunction[Row[Any], Row[Any]]):
    """Add the current watermark to each row.

    Args:
        is_instant: whether it is an instant, and not a local time.
    """

    def __init__(self, is_instant: bool) -> None:
        self._is_instant = is_instant

    def process_element(self, value: Row[Any], ctx: ProcessFunction.Context) -> Iterator[Row[Any]]:
        """Yield the row and the watermark."""
        millis = ctx.timer_service().current_watermark()
        watermark: Instant | datetime | None = None
        if millis > NO_TIMESTAMP and self._is_instant:
            watermark = Instant.of_epoch_milli(millis)
        elif millis > NO_TIMESTAMP:
            watermark = _EPOCH + timedelta(milliseconds=millis)
        yield make_row((*value, watermark), None, value.get_row_kind())


def with_current_watermarks(node: CurrentWatermark, rows: Table) -> Table:
    """Return rows followed by the watermark at which they come."""
    given = positional_rows(rows)
    is_instant = node.columns[-1].type_info == Types.INSTANT
    stream = given.process(_Watermark(is_instant), results_type(node)).name("CurrentWatermark")
    stream.set_parallelism(given.get_parallelism())  # rows keep their order
    return results(node, rows, stream)
