"""Codecs of dates, times, instants and durations, all to the microsecond."""

from __future__ import annotations

import datetime
from operator import attrgetter
from typing import Any, ClassVar

import pyarrow as pa

from typeinfo.errors import TypeCheckError, misfit, short_repr
from typeinfo.instant import Instant
from typeinfo.serde.codec import Codec, Column, Dtype, ScalarCodec, ValidBy, per_element, to_list

__all__ = ["DateCodec", "DurationCodec", "InstantCodec", "TimeCodec", "TimestampCodec"]

_fold = attrgetter("fold")
_tzinfo = attrgetter("tzinfo")
_DAY = 86_400_000_000  # in microseconds


class _CountedCodec(ScalarCodec):
    """Base class of codecs whose plain form is the number that Arrow stores."""

    plain = False
    stored: ClassVar[pa.DataType] = pa.int64()

    def read(self, array: pa.Array) -> list[Any]:
        values: list[Any] = array.to_numpy(zero_copy_only=False).tolist()  # far faster than to_pylist
        nulls = values.count(None)
        exact = list(map(type, values)).count(self.exact) == len(values) - nulls
        # numpy leaves values outside of Python's range as numbers, or as None
        return values if exact and nulls == array.null_count else super().read(array)

    def read_with_nulls(self, array: pa.Array) -> list[Any]:
        return self.read(array)

    def write_plain(self, column: Column) -> Column:
        stored: list[int] = self.write(column).view(self.stored).to_numpy().tolist()
        return stored

    def read_plain(self, column: Column) -> Column:
        return self.read(pa.array(column, self.stored).view(self.arrow))


class DateCodec(_CountedCodec):
    """Codec of ``date``; a ``datetime`` is rejected."""

    exact: ClassVar[type] = datetime.date
    stored: ClassVar[pa.DataType] = pa.int32()
    valid_by = ValidBy.EXTREMES
    equal_as_stored = True

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_date(dt)

    def fix(self, value: Any) -> Any:
        if isinstance(value, datetime.datetime) or not isinstance(value, datetime.date):
            raise misfit(value, self.type, "take its .date()" if isinstance(value, datetime.datetime) else "")
        return value if type(value) is datetime.date else datetime.date(value.year, value.month, value.day)


def _refuse_zone(value: datetime.time | datetime.datetime, remedy: str) -> None:
    if value.tzinfo is not None:
        raise TypeCheckError(f"{short_repr(value)} has a time zone, which this type does not keep; {remedy}")


def _refuse_nanos(value: Any) -> None:
    """Reject the additional values of pandas' subclasses: nanoseconds and NaT."""
    if value != value:
        raise TypeCheckError(f"{short_repr(value)} is a missing value; give None where that is allowed")
    if getattr(value, "nanosecond", 0) or getattr(value, "nanoseconds", 0):
        raise TypeCheckError(
            f"{short_repr(value)} has parts of a microsecond, which are not kept; cut them off if that "
            'is intended, with .floor("us")'
        )


class TimeCodec(_CountedCodec):
    """Codec of ``time`` without a zone; its ``fold`` is not kept."""

    exact: ClassVar[type] = datetime.time
    valid_by = ValidBy.EXTREMES
    equal_as_stored = True

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_time(dt)

    def read(self, array: pa.Array) -> list[Any]:
        micros = array.view(pa.int64()).fill_null(0).to_numpy()
        beyond = (micros < 0) | (micros >= _DAY)
        if beyond.any():  # pyarrow would read it as a time of another day
            index = int(beyond.argmax())
            raise TypeCheckError(f"{micros[index]} microseconds are not a time of day", "", index)
        return to_list(array, self.type)

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return super().keeps_all(column, types, seen) and not any(map(_fold, column))

    def fits(self, column: Column) -> bool:
        return set(map(_tzinfo, column)) == {None}

    def fix(self, value: Any) -> Any:
        if not isinstance(value, datetime.time):
            raise misfit(value, self.type, "take its .time()" if isinstance(value, datetime.datetime) else "")
        _refuse_zone(value, "drop it with .replace(tzinfo=None)")
        if type(value) is datetime.time:
            return value
        return datetime.time(value.hour, value.minute, value.second, value.microsecond)


class TimestampCodec(_CountedCodec):
    """Codec of naive ``datetime``, independent of time zones; its ``fold`` is not kept."""

    exact: ClassVar[type] = datetime.datetime
    valid_by = ValidBy.EXTREMES
    equal_as_stored = True
    dtype = Dtype.TIME

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_timestamp(dt) and dt.tz is None

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return super().keeps_all(column, types, seen) and not any(map(_fold, column))

    def fits(self, column: Column) -> bool:
        return set(map(_tzinfo, column)) == {None}

    def fix(self, value: Any) -> Any:
        if not isinstance(value, datetime.datetime):
            raise misfit(value, self.type, "give a datetime.datetime")
        _refuse_nanos(value)
        _refuse_zone(value, "use Types.INSTANT(), or drop it with .replace(tzinfo=None)")
        if type(value) is datetime.datetime:
            return value
        return datetime.datetime(*value.timetuple()[:6], value.microsecond)


_INT64 = 2**63


class InstantCodec(Codec):
    """Codec of points in time; an aware ``datetime`` becomes an Instant."""

    can_keep = True
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True
    dtype = Dtype.TIME

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_timestamp(dt) and dt.tz is not None

    def check(self, column: Column, types: set[type]) -> Column:
        if types == {Instant}:
            micros = [instant.seconds * 1_000_000 for instant in column]
            whole = not any(instant.nanos % 1000 for instant in column)
            if whole and min(micros) >= -_INT64 and max(micros) < _INT64 - 1_000_000:
                return column
        return per_element(self._fix, column)

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        micros = [value.to_epoch_micro() for value in column] if types == {Instant} else []
        return (
            bool(micros)
            and min(micros) >= -_INT64
            and max(micros) < _INT64
            and not any(value.nanos % 1000 for value in column)
        )

    def _fix(self, value: Any) -> Any:
        if isinstance(value, datetime.datetime):
            _refuse_nanos(value)
            if value.utcoffset() is None:
                lack = "no time zone" if value.tzinfo is None else "a time zone without an offset"
                raise TypeCheckError(
                    f"{short_repr(value)} has {lack}, so it names no point in time; set one with"
                    " .replace(tzinfo=datetime.UTC), or use Types.SQL_TIMESTAMP()"
                )
            return Instant.of_datetime(value)
        if not isinstance(value, Instant):
            raise misfit(value, self.type, "give an Instant or a datetime with a time zone")
        if value.nanos % 1000:
            raise TypeCheckError(
                f"{value!r} has parts of a microsecond, which are not kept; give "
                "Instant.of_epoch_micro(instant.to_epoch_micro()) if that is intended"
            )
        if not -_INT64 <= value.to_epoch_micro() < _INT64:
            raise TypeCheckError(
                f"{value!r} does not fit: microseconds since the Unix epoch must fit 64 bits"
            )
        return value

    def write_plain(self, column: Column) -> Column:
        return [instant.seconds * 1_000_000 + instant.nanos // 1000 for instant in column]

    def read_plain(self, column: Column) -> Column:
        return list(map(Instant.of_epoch_micro, column))

    def write(self, column: Column) -> pa.Array:
        return pa.array(self.write_plain(column), pa.int64()).view(self.arrow)

    def read(self, array: pa.Array) -> list[Any]:
        return list(self.read_plain(array.view(pa.int64()).to_numpy().tolist()))


_MICROSECOND = datetime.timedelta(microseconds=1)
_LONGEST = datetime.timedelta(microseconds=_INT64 - 1)


class DurationCodec(_CountedCodec):
    """Codec of ``timedelta`` of up to 292,271 years."""

    exact: ClassVar[type] = datetime.timedelta
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True
    dtype = Dtype.TIME

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_duration(dt)

    def fits(self, column: Column) -> bool:
        return bool(min(column) >= -_LONGEST and max(column) <= _LONGEST)

    def fix(self, value: Any) -> Any:
        if not isinstance(value, datetime.timedelta):
            raise misfit(value, self.type, "give a datetime.timedelta")
        _refuse_nanos(value)
        if not -_LONGEST <= value <= _LONGEST:
            raise TypeCheckError(f"{value!r} does not fit DURATION: its microseconds must fit 64 bits")
        return (
            value
            if type(value) is datetime.timedelta
            else datetime.timedelta(value.days, value.seconds, value.microseconds)
        )

    def write(self, column: Column) -> pa.Array:
        try:
            return super().write(column)
        except pa.ArrowInvalid:  # pyarrow rejects values below -(2**63 - 1_000_000)
            counts = [None if value is None else value // _MICROSECOND for value in column]
            return pa.array(counts, pa.int64()).view(self.arrow)

    write_with_nulls = write
