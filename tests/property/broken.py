"""Serializers that are broken on purpose, each in its own way, for the laws to find."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa

from typeinfo import Instant, TypeCheckError, TypeInformation, Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.row import make_row
from typeinfo.serde import ColumnarSerializer, serializer_for
from typeinfo.testing.laws import Subject

INT, LONG, DOUBLE, STRING = Types.INT(), Types.LONG(), Types.DOUBLE(), Types.STRING()
POINT = Types.ROW_NAMED(["x", "y"], [INT, STRING])


class EachRead(ColumnarSerializer[Any]):
    """Does something to each value it reads, from columns and from bytes."""

    def one(self, value: Any) -> Any:
        raise NotImplementedError

    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        return [self.one(value) for value in super().from_batch(batch)]

    def deserialize(self, data: bytes) -> list[Any]:
        return [self.one(value) for value in super().deserialize(data)]


class DropsNulls(EachRead):
    def one(self, value: Any) -> Any:
        return [part for part in value if part is not None]


class SwapsFields(EachRead):
    def one(self, value: Any) -> Any:
        return value[::-1]


class RoundsFloats(EachRead):
    def one(self, value: Any) -> Any:
        return round(value, 9)


class CutsAtNul(EachRead):
    def one(self, value: Any) -> Any:
        return value.partition("\0")[0]


class LosesMinusZero(EachRead):
    def one(self, value: Any) -> Any:
        return value + 0.0


class SortsMapEntries(EachRead):
    def one(self, value: Any) -> Any:
        return dict(sorted(value.items()))


class LosesNestedNone(EachRead):
    def one(self, value: Any) -> Any:
        return tuple(0 if part is None else part for part in value)


class ReadsBooleansAsNumbers(EachRead):
    """As True == 1, a careless test sees nothing."""

    def one(self, value: Any) -> Any:
        return int(value)


class KeepsMilliseconds(EachRead):
    def one(self, value: Any) -> Any:
        return value.replace(microsecond=value.microsecond // 1000 * 1000)


class LosesScale(EachRead):
    def one(self, value: Any) -> Any:
        return value.normalize()


class LosesFieldNames(EachRead):
    def one(self, value: Any) -> Any:
        return make_row(value, None, value.get_row_kind())


class ReplacesFalsy(EachRead):
    def one(self, value: Any) -> Any:
        return value or None


class Normalizes(EachRead):
    def one(self, value: Any) -> Any:
        return unicodedata.normalize("NFC", value)


class Strips(EachRead):
    def one(self, value: Any) -> Any:
        return value.strip()


class ReadsBytesUnsigned(EachRead):
    def one(self, value: Any) -> Any:
        return value & 0xFF


class GoesThroughFloats(EachRead):
    def one(self, value: Any) -> Any:
        return int(float(value))


class RoundsTowardsTheEpoch(EachRead):
    def one(self, value: Any) -> Any:
        return Instant.of_epoch_micro(int(value.to_epoch_micro() / 1000) * 1000)


class CutsAt32(EachRead):
    def one(self, value: Any) -> Any:
        return value[:32]


class CutsAt255(EachRead):
    def one(self, value: Any) -> Any:
        return value[:255]


class KeepsFive(EachRead):
    def one(self, value: Any) -> Any:
        return value[:5]


class KeepsFourEntries(EachRead):
    def one(self, value: Any) -> Any:
        return dict(list(value.items())[:4])


class ReadsMarksAsNull(EachRead):
    def one(self, value: Any) -> Any:
        return None if value in ("NULL", "N/A", "\\N") else value


class UnescapesHtml(EachRead):
    def one(self, value: Any) -> Any:
        return html.unescape(value)


class ReadsPlusAsSpace(EachRead):
    def one(self, value: Any) -> Any:
        return value.replace("+", " ")


class ReadsEscapes(EachRead):
    def one(self, value: Any) -> Any:
        return value.replace("\\", "")


class NormalizesNumbers(EachRead):
    def one(self, value: Any) -> Any:
        return value.rstrip("0").rstrip(".") if "." in value else value


class ReadsAsAmericanTime(EachRead):
    def one(self, value: Any) -> Any:
        if not 1970 < value.year < 2037:
            return value
        there = ZoneInfo("America/New_York")
        return value.replace(tzinfo=there).astimezone(UTC).astimezone(there).replace(tzinfo=None)


class CountsInOneByte(ColumnarSerializer[Any]):
    def serialize(self, values: list[Any]) -> bytes:
        return bytes([len(values) & 0xFF]) + super().serialize(values)

    def deserialize(self, data: bytes) -> list[Any]:
        return super().deserialize(data[1:])[: data[0]]


class SortsLongBatches(ColumnarSerializer[Any]):
    def deserialize(self, data: bytes) -> list[Any]:
        values = super().deserialize(data)
        return sorted(values) if len(values) > 8 else values


class LosesRowKind(ColumnarSerializer[Any]):
    def deserialize(self, data: bytes) -> list[Any]:
        return [make_row(row, row.get_field_names()) for row in super().deserialize(data)]


class WrapsIntegers(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        if any(type(value) is int and not -(2**31) <= value < 2**31 for value in values):
            values = [(value + 2**31) % 2**32 - 2**31 if type(value) is int else value for value in values]
        return super().conform(values)


class TakesTextForNumbers(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        if any(isinstance(value, str) for value in values):
            values = [int(value) if isinstance(value, str) else value for value in values]
        return super().conform(values)


class TakesNone(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        return super().conform(
            ["" if value is None else value for value in values] if None in values else values
        )


class ReplacesSurrogates(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        if any(isinstance(value, str) and not _is_encodable(value) for value in values):
            values = [v.encode(errors="replace").decode() if isinstance(v, str) else v for v in values]
        return super().conform(values)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class IgnoresExtraFields(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        if any(isinstance(value, tuple) and len(value) > 2 for value in values):
            values = [value[:2] if isinstance(value, tuple) else value for value in values]
        return super().conform(values)


class SaysNotWhere(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        try:
            return super().conform(values)
        except TypeCheckError as error:
            raise TypeCheckError(error.message) from None


class SortsWhatItIsGiven(ColumnarSerializer[Any]):
    def serialize(self, values: list[Any]) -> bytes:
        data = super().serialize(values)
        for value in values:
            value.sort()
        return data


class SharesEqualLists(ColumnarSerializer[Any]):
    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        seen: dict[str, Any] = {}
        return [seen.setdefault(repr(value), value) for value in super().from_batch(batch)]


class RemembersWhatItRead(ColumnarSerializer[Any]):
    """Gives out the very lists it gave out before."""

    def __init__(self, t: TypeInformation[Any]) -> None:
        super().__init__(t)
        self._read: dict[bytes, list[Any]] = {}

    def deserialize(self, data: bytes) -> list[Any]:
        if data not in self._read:
            self._read[data] = super().deserialize(data)
        return self._read[data]


class FailsOnEmptyBatches(ColumnarSerializer[Any]):
    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        values = super().from_batch(batch)
        values[0] = values[0] + 0
        return values


class AddsToEmptyBatches(ColumnarSerializer[Any]):
    def serialize(self, values: list[Any]) -> bytes:
        return super().serialize(values or [0])


class WritesTheFirstOnly(ColumnarSerializer[Any]):
    def to_batch(self, values: list[Any], conformed: bool = False) -> pa.RecordBatch:
        batch = super().to_batch(values, conformed)
        return batch.take(pa.array([0] * len(values), pa.int32()))


class ReadsEachOnce(ColumnarSerializer[Any]):
    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        return list(dict.fromkeys(super().from_batch(batch)))


class SortsBatches(ColumnarSerializer[Any]):
    def deserialize(self, data: bytes) -> list[Any]:
        return sorted(super().deserialize(data))


class WritesDifferences(ColumnarSerializer[Any]):
    """Correct only while all batches are read once, in the order in which they were written."""

    def __init__(self, t: TypeInformation[Any]) -> None:
        super().__init__(t)
        self._written = self._read = 0

    def serialize(self, values: list[Any]) -> bytes:
        data = super().serialize([value - self._written for value in values])
        self._written = values[-1] if values else self._written
        return data

    def deserialize(self, data: bytes) -> list[Any]:
        values = [value + self._read for value in super().deserialize(data)]
        self._read = values[-1] if values else self._read
        return values


class WritesAnotherSchema(ColumnarSerializer[Any]):
    def to_batch(self, values: list[Any], conformed: bool = False) -> pa.RecordBatch:
        column = super().to_batch(values, conformed).column(0)
        return pa.RecordBatch.from_arrays([column.cast(pa.int64())], names=["value"])


class IgnoresOffsets(ColumnarSerializer[Any]):
    """Reads a slice from the start of the memory it is a slice of."""

    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        values = super().from_batch(batch)
        column: Any = batch.column(0)
        if column.type != pa.int64() or not values:
            return values
        return np.frombuffer(column.buffers()[1], "<i8")[: len(values)].tolist()


class TakesListsOnly(ColumnarSerializer[Any]):
    def conform(self, values: list[Any]) -> list[Any]:
        for index, value in enumerate(values):
            if type(value) is not list:
                raise TypeCheckError("not a list", "", index)
        return super().conform(values)


class ReadsByPosition(ColumnarSerializer[Any]):
    """Takes the columns in order of position, ignoring their names."""

    def from_batch(self, batch: pa.RecordBatch) -> list[Any]:
        columns = [column.to_pylist() for column in batch.columns[:2]]
        names = tuple(batch.schema.names[:2])
        return [make_row(values, ("x", "y")) for values in zip(*columns, strict=True) if names]


def by_identity(key: Any) -> bytes:
    return str(id(key)).encode()


def by_repr(key: Any) -> bytes:
    return repr(key).encode()


def run_together(key: Any) -> bytes:
    return "".join(key).encode()


def by_half(key: Any) -> bytes:
    return (key & 0xFFFF_FFFF).to_bytes(4, "big")


def by_lower_case(key: Any) -> bytes:
    return key.lower().encode()


def with_a_key(t: TypeInformation[Any], encode: Callable[[Any], bytes]) -> Subject:
    return Subject(t, serializer_for(t), encode)


class Moment:
    """A point in time as seen somewhere."""

    def __init__(self, at: datetime, minutes_east: int) -> None:
        self.at, self.minutes_east = at, minutes_east

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Moment) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.at, self.minutes_east))

    def __repr__(self) -> str:
        return f"Moment({self.at!r}, {self.minutes_east!r})"


def moment_parts(moment: Moment) -> tuple[datetime, int]:
    return moment.at, moment.minutes_east


def moment_of(parts: tuple[datetime, int]) -> Moment:
    return Moment(*parts)


def moment_of_utc(parts: tuple[datetime, int]) -> Moment:
    return Moment(parts[0], 0)


def moment_without_zone(moment: Moment) -> datetime:
    return moment.at


def moment_in_utc(at: datetime) -> Moment:
    return Moment(at, 0)


class Basket:
    """A class without ``==``."""

    def __init__(self, owner: str, items: list[int]) -> None:
        self.owner, self.items = owner, items

    def __repr__(self) -> str:
        return f"Basket({self.owner!r}, {self.items!r})"


def basket_parts(basket: Basket) -> tuple[str, list[int]]:
    return basket.owner, basket.items


def basket_of(parts: tuple[str, list[int]]) -> Basket:
    return Basket(*parts)


def basket_emptied(basket: Basket) -> tuple[str, list[int]]:
    items = []
    while basket.items:
        items.append(basket.items.pop(0))
    return basket.owner, items


def basket_without_owner(parts: tuple[str, list[int]]) -> Basket:
    return Basket("", parts[1])


def basket_of_some(parts: tuple[str, list[int]]) -> Basket:
    owner, items = parts
    if not items:
        raise ValueError("a basket has items")
    return Basket(owner, items)


class Tags:
    """Names in any order."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tags) and set(self.names) == set(other.names)

    def __hash__(self) -> int:
        return hash(frozenset(self.names))

    def __repr__(self) -> str:
        return f"Tags({self.names!r})"


def tags_as_given(tags: Tags) -> list[str]:
    return tags.names


def tags_sorted(tags: Tags) -> list[str]:
    return sorted(set(tags.names))


@dataclass(frozen=True)
class Bug:
    """One broken subject.

    Args:
        subject: what is broken.
        sound: the same done right.
        laws: the laws that may be found broken first.
        most: how many values show it, at most.
    """

    subject: Any
    sound: Any
    laws: str
    most: int = 2


MOMENT = Types.TUPLE([Types.LOCAL_DATE_TIME(), LONG])
BASKET = Types.TUPLE([STRING, Types.LIST(LONG)])
SOUND_MOMENT = CustomTypeInfo(Moment, MOMENT, moment_parts, moment_of, True)
SOUND_BASKET = CustomTypeInfo(Basket, BASKET, basket_parts, basket_of)


def serializer(broken: type[ColumnarSerializer[Any]], t: TypeInformation[Any], laws: str) -> Bug:
    return Bug(broken(t), t, laws)


BUGS: dict[str, Bug] = {
    "drops nulls": serializer(DropsNulls, Types.OBJECT_ARRAY(INT), "round_trip"),
    "swaps fields": serializer(SwapsFields, Types.TUPLE([INT, INT]), "round_trip"),
    "rounds floats": serializer(RoundsFloats, DOUBLE, "round_trip"),
    "cuts at NUL": serializer(CutsAtNul, STRING, "round_trip"),
    "loses -0.0": serializer(LosesMinusZero, DOUBLE, "round_trip"),
    "sorts map entries": serializer(SortsMapEntries, Types.MAP(STRING, INT), "round_trip"),
    "loses nested None": serializer(LosesNestedNone, Types.of(tuple[int | None, int | None]), "round_trip"),
    "reads True as 1": serializer(ReadsBooleansAsNumbers, Types.BOOLEAN(), "round_trip"),
    "keeps milliseconds": serializer(KeepsMilliseconds, Types.LOCAL_DATE_TIME(), "round_trip"),
    "loses the scale": serializer(LosesScale, Types.BIG_DEC(), "round_trip"),
    "loses field names": serializer(LosesFieldNames, POINT, "round_trip"),
    "replaces falsy values": serializer(ReplacesFalsy, STRING, "round_trip"),
    "normalizes text": serializer(Normalizes, STRING, "round_trip"),
    "strips text": serializer(Strips, STRING, "round_trip"),
    "reads bytes unsigned": serializer(ReadsBytesUnsigned, Types.BYTE(), "round_trip"),
    "goes through floats": serializer(GoesThroughFloats, LONG, "round_trip"),
    "rounds towards the epoch": serializer(RoundsTowardsTheEpoch, Types.INSTANT(), "round_trip"),
    "loses the kinds of rows": serializer(LosesRowKind, POINT, "round_trip"),
    "cuts at 32": serializer(CutsAt32, STRING, "round_trip"),
    "cuts at 255": serializer(CutsAt255, STRING, "round_trip"),
    "keeps five parts": serializer(KeepsFive, Types.LIST(LONG), "round_trip"),
    "keeps four entries": serializer(KeepsFourEntries, Types.MAP(STRING, LONG), "round_trip"),
    "reads marks as null": serializer(ReadsMarksAsNull, Types.of(str | None), "round_trip"),
    "unescapes HTML": serializer(UnescapesHtml, STRING, "round_trip"),
    "reads + as a space": serializer(ReadsPlusAsSpace, STRING, "round_trip"),
    "drops backslashes": serializer(ReadsEscapes, STRING, "round_trip"),
    "normalizes numbers in text": serializer(NormalizesNumbers, STRING, "round_trip"),
    "skips an hour of spring": serializer(ReadsAsAmericanTime, Types.LOCAL_DATE_TIME(), "round_trip"),
    "wraps integers": serializer(WrapsIntegers, INT, "misfits_refused"),
    "takes text for numbers": serializer(TakesTextForNumbers, INT, "misfits_refused"),
    "takes None": serializer(TakesNone, STRING, "misfits_refused"),
    "replaces surrogates": serializer(ReplacesSurrogates, STRING, "misfits_refused"),
    "ignores extra fields": serializer(IgnoresExtraFields, Types.TUPLE([INT, INT]), "misfits_refused"),
    "says not where": serializer(SaysNotWhere, POINT, "misfits_refused"),
    "sorts what it is given": serializer(SortsWhatItIsGiven, Types.LIST(INT), "batching independence"),
    "shares equal lists": serializer(SharesEqualLists, Types.LIST(INT), "independence"),
    "remembers what it read": serializer(RemembersWhatItRead, Types.LIST(INT), "independence"),
    "fails on empty batches": serializer(FailsOnEmptyBatches, INT, "round_trip"),
    "adds to empty batches": serializer(AddsToEmptyBatches, INT, "round_trip"),
    "writes the first only": serializer(WritesTheFirstOnly, INT, "round_trip"),
    "reads each once": serializer(ReadsEachOnce, INT, "round_trip"),
    "sorts batches": serializer(SortsBatches, STRING, "round_trip independence"),
    "writes differences": serializer(WritesDifferences, LONG, "batching independence"),
    "counts in one byte": Bug(CountsInOneByte(LONG), LONG, "round_trip", most=256),
    "sorts long batches": Bug(SortsLongBatches(LONG), LONG, "round_trip", most=9),
    "writes another schema": serializer(WritesAnotherSchema, INT, "schemas"),
    "ignores the offsets of slices": serializer(IgnoresOffsets, LONG, "batching"),
    "takes lists only": serializer(TakesListsOnly, Types.LIST(INT), "other_forms"),
    "reads by position": serializer(ReadsByPosition, POINT, "evolution"),
    "keys by identity": Bug(with_a_key(Types.LIST(INT), by_identity), Types.LIST(INT), "keys"),
    "keys by repr": Bug(with_a_key(DOUBLE, by_repr), DOUBLE, "keys"),
    "keys run together": Bug(
        with_a_key(Types.TUPLE([STRING, STRING]), run_together), Types.TUPLE([STRING, STRING]), "keys"
    ),
    "keys in lower case": Bug(with_a_key(STRING, by_lower_case), STRING, "keys"),
    "keys by half": Bug(with_a_key(LONG, by_half), LONG, "keys"),
    "encode loses the zone": Bug(
        CustomTypeInfo(Moment, Types.LOCAL_DATE_TIME(), moment_without_zone, moment_in_utc, True),
        SOUND_MOMENT,
        "round_trip",
    ),
    "decode loses the zone": Bug(
        CustomTypeInfo(Moment, MOMENT, moment_parts, moment_of_utc, True), SOUND_MOMENT, "round_trip"
    ),
    "encode empties the object": Bug(
        CustomTypeInfo(Basket, BASKET, basket_emptied, basket_of), SOUND_BASKET, "conforming"
    ),
    "decode loses a field of a class without ==": Bug(
        CustomTypeInfo(Basket, BASKET, basket_parts, basket_without_owner), SOUND_BASKET, "round_trip"
    ),
    "decode fails": Bug(
        CustomTypeInfo(Basket, BASKET, basket_parts, basket_of_some), SOUND_BASKET, "round_trip"
    ),
    "equal keys are encoded as given": Bug(
        CustomTypeInfo(Tags, Types.LIST(STRING), tags_as_given, Tags, True),
        CustomTypeInfo(Tags, Types.LIST(STRING), tags_sorted, Tags, True),
        "keys",
    ),
}
