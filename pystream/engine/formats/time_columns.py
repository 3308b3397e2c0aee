"""Parse columns of dates, timestamps and instants in text, by Arrow."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from pystream.engine.formats.times import TimeStyle
from typeinfo.instant import Instant
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

    from typeinfo.info import TypeInformation

__all__ = ["TimeColumns", "time_columns"]

_YEAR = r"([1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])"  # Python has no year 0
_DATE = rf"{_YEAR}-\d\d-\d\d"
_TIME = r"\d\d:\d\d:\d\d(\.\d{1,6})?"
# Timestamps of other styles also come in forms that Arrow does not parse.
_SEPARATORS: dict[TimeStyle, str] = {"RFC-3339": "T", "SQL": " ", "ISO-8601": "T", "CSV": " ", "JDBC": " "}


class TimeColumns:
    """Parse columns of times that are all written as Arrow reads them, and as `TimeParser` does.

    Args:
        pattern: the pattern of the times.
        dt: their type in Arrow.
        is_zoned: whether they end with the zone, as ``Z``.
    """

    def __init__(self, pattern: str, dt: pa.DataType, *, is_zoned: bool) -> None:
        self._pattern = f"^{pattern}{'Z' if is_zoned else ''}$"
        self._type = dt
        self._is_zoned = is_zoned

    def read(self, texts: pa.Array) -> pa.Array | None:
        """Return the times in texts, null for null; ``None`` if they are to be read one by one."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if pc.all(pc.match_substring_regex(texts, self._pattern)).as_py() is False:
            return None
        try:
            return texts.cast(pa.timestamp("us", "UTC") if self._is_zoned else self._type).cast(self._type)
        except pa.ArrowInvalid:  # no such day or hour
            return None


def time_columns(t: TypeInformation[Any], style: TimeStyle) -> TimeColumns | None:
    """Return the parser of the columns of a type in a style, ``None`` for types without one."""
    from typeinfo.serde.registry import codec_for

    if not isinstance(t, ScalarTypeInfo):
        return None
    timestamp = f"{_DATE}{_SEPARATORS[style]}{_TIME}"
    if t.value_class is date:
        return TimeColumns(_DATE, codec_for(t).arrow, is_zoned=False)
    if t.value_class is datetime:
        return TimeColumns(timestamp, codec_for(t).arrow, is_zoned=style == "RFC-3339")
    if t.value_class is Instant:
        return TimeColumns(timestamp, codec_for(t).arrow, is_zoned=True)
    return None
