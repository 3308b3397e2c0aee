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

_DATE = "1000-00-00"  # the first digit is the least one: Python has no year 0
_TIMES = ["00:00:00", *(f"00:00:00.{'0' * digits}" for digits in range(1, 7))]
# Timestamps of other styles also come in forms that Arrow does not parse.
_SEPARATORS: dict[TimeStyle, str] = {"RFC-3339": "T", "SQL": " ", "ISO-8601": "T", "CSV": " ", "JDBC": " "}


class TimeColumns:
    """Parse columns of times that are all written as Arrow reads them, and as `TimeParser` does.

    Args:
        forms: the forms of the times, of different lengths.
        dt: their type in Arrow.
        is_zoned: whether they end with the zone, as ``Z``.
    """

    def __init__(self, forms: list[str], dt: pa.DataType, *, is_zoned: bool) -> None:
        self._forms = {len(form): form.encode() for form in forms}
        self._type = dt
        self._is_zoned = is_zoned

    def read(self, texts: pa.Array) -> pa.Array | None:
        """Return the times in texts, null for null; ``None`` if they are to be read one by one."""
        import pyarrow as pa
        import pyarrow.compute as pc

        present = texts.drop_null()
        lengths = pc.binary_length(present)
        distinct = lengths.unique().to_pylist()
        for length in distinct:
            form = self._forms.get(length)
            alike = present if len(distinct) == 1 else present.filter(pc.equal(lengths, length))
            if form is None or not _have_form(form, alike):
                return None
        try:
            return texts.cast(pa.timestamp("us", "UTC") if self._is_zoned else self._type).cast(self._type)
        except pa.ArrowInvalid:  # no such day or hour
            return None


def _have_form(form: bytes, texts: Any) -> bool:
    """Return whether texts, as long as a form and none null, have that form if Arrow parses them at all.

    Arrow takes digits only where the form has them, once what stands between them is that of the form.
    """
    import numpy as np

    count = len(texts)
    _, offsets, data = texts.buffers()
    (start,) = np.frombuffer(offsets, np.int32, 1, texts.offset * 4)
    chars = np.frombuffer(data, np.uint8, count * len(form), start).reshape(count, len(form))
    between = [position for position in range(len(form)) if not form[position : position + 1].isdigit()]
    return bool((chars[:, 0] >= form[0]).all()) and all(
        bool((chars[:, position] == form[position]).all()) for position in between
    )


def time_columns(t: TypeInformation[Any], style: TimeStyle) -> TimeColumns | None:
    """Return the parser of the columns of a type in a style, ``None`` for types without one."""
    from typeinfo.serde.registry import codec_for

    if not isinstance(t, ScalarTypeInfo):
        return None
    zone = "Z" if t.value_class is Instant or style == "RFC-3339" else ""
    timestamps = [f"{_DATE}{_SEPARATORS[style]}{time}{zone}" for time in _TIMES]
    if t.value_class is date:
        return TimeColumns([_DATE], codec_for(t).arrow, is_zoned=False)
    if t.value_class is datetime:
        return TimeColumns(timestamps, codec_for(t).arrow, is_zoned=bool(zone))
    if t.value_class is Instant:
        return TimeColumns(timestamps, codec_for(t).arrow, is_zoned=True)
    return None
