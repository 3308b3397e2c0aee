"""How laws are called, and how violations are reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import strategies as st

from typeinfo import PyStreamError, Row, RowKind, TypeInferenceError, TypeInformation, Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.serde import ColumnarSerializer, serializer_for
from typeinfo.testing.laws import (
    ALL_LAWS,
    LawViolation,
    Subject,
    check_all,
    check_conforming,
    check_independence,
    check_keys,
    check_misfits_refused,
    check_round_trip,
    laws_of,
)


@dataclass
class Order:
    id: int
    tags: list[str]


class ForgetsBigOnes(ColumnarSerializer[int]):
    """Loses numbers beyond a million."""

    def deserialize(self, data: bytes) -> list[int]:
        return [min(value, 1_000_000) for value in super().deserialize(data)]


class CallsBack(ColumnarSerializer[int]):
    """Keeps the values that it was asked to write."""

    def __init__(self, t: TypeInformation[int]) -> None:
        super().__init__(t)
        self.seen: list[Any] = []

    def serialize(self, values: list[int]) -> bytes:
        self.seen.append(values)
        return super().serialize(values)


BIG = ForgetsBigOnes(Types.LONG())
ROW = Types.ROW_NAMED(["a"], [Types.INT()])


def test_a_class_a_type_and_a_serializer_are_subjects() -> None:
    t = Types.of(Order)
    for given in (Order, t, serializer_for(t)):
        subject = Subject.of(given)
        assert (subject.type, subject.serializer) == (t, serializer_for(t))
        assert Subject.of(subject) is subject
    assert Subject.of(Types.PICKLED_BYTE_ARRAY()).encode_key is None
    with pytest.raises(TypeInferenceError):
        Subject.of(set)


def test_a_search_finds_the_smallest_batch() -> None:
    with pytest.raises(LawViolation) as caught:
        check_round_trip(BIG)
    assert caught.value.values == [1_000_001]
    assert caught.value.law is check_round_trip
    assert caught.value.reason.endswith("element 0, 1000001, became 1000000")
    assert isinstance(caught.value, (AssertionError, PyStreamError))


def test_only_the_values_given_are_checked() -> None:
    check_all(Order, [Order(1, ["a"]), Order(1, ["a"])])
    check_all(ROW, [Row(a=1), Row.of_kind(RowKind.DELETE, a=None)])
    check_all(BIG, [1, 999_999])
    with pytest.raises(LawViolation):
        check_all(BIG, [1, 1_000_001])


def test_a_strategy_given_replaces_the_values() -> None:
    check_all(BIG, strategy=st.integers(0, 1_000_000))
    with pytest.raises(LawViolation) as caught:
        check_all(BIG, strategy=st.integers(2_000_000, 3_000_000))
    assert caught.value.values == [2_000_000]


def test_examples_bound_the_search() -> None:
    seen: list[list[int]] = []

    class Counts(ColumnarSerializer[int]):
        def serialize(self, values: list[int]) -> bytes:
            seen.append(values)
            return super().serialize(values)

    check_round_trip(Counts(Types.LONG()), strategy=st.integers(0, 9), examples=7)
    assert 1 < len(seen) <= 7


def test_a_search_is_the_same_each_time() -> None:
    batches: list[list[list[int]]] = []
    for _ in range(2):
        serializer = CallsBack(Types.LONG())
        seen: list[list[int]] = []
        serializer.serialize = lambda values, seen=seen: seen.append(values) or b""  # type: ignore[method-assign]
        with pytest.raises(LawViolation):
            check_round_trip(serializer)
        batches.append(seen)
    assert batches[0] == batches[1]


def test_a_serializer_is_as_it_was_given_for_each_batch() -> None:
    serializer = CallsBack(Types.LONG())
    check_all(serializer, examples=5)
    assert serializer.seen == []


def test_laws_that_do_not_apply_to_a_type_are_left_out() -> None:
    assert laws_of(Order) == ALL_LAWS
    objects = laws_of(Types.PICKLED_BYTE_ARRAY())
    assert {law for law in ALL_LAWS if law not in objects} == {check_keys, check_misfits_refused}


def test_types_refused_as_keys_must_have_no_encoder() -> None:
    check_keys(Types.PICKLED_BYTE_ARRAY(), [1])
    with pytest.raises(LawViolation, match="cannot be a key, but has an encoder"):
        check_keys(Subject(Types.INT(), serializer_for(Types.INT()), None), [1])


def test_an_error_of_the_serializer_breaks_the_law() -> None:
    class Fails(ColumnarSerializer[int]):
        def conform(self, values: list[Any]) -> list[int]:
            raise KeyError("lost")

    with pytest.raises(LawViolation, match="KeyError was raised: 'lost'") as caught:
        check_conforming(Fails(Types.INT()), [1])
    assert isinstance(caught.value.__cause__, KeyError)


def test_the_message_of_a_violation() -> None:
    with pytest.raises(LawViolation) as caught:
        check_round_trip(BIG)
    assert str(caught.value) == (
        "check_round_trip does not hold for Long: bytes of Long lose something: element 0, 1000001, became"
        " 1000000\n"
        "  law: Columns, Arrow's bytes and serialized bytes give the values back; the last with the kinds of"
        " rows.\n"
        "  values: [1000001]\n"
        "  reproduce it with:\n\n"
        f"    from {__name__} import ForgetsBigOnes\n"
        "    from typeinfo import Types\n"
        "    from typeinfo.testing.laws import check_round_trip\n\n"
        "    check_round_trip(ForgetsBigOnes(Types.LONG()), [1000001])\n"
    )


def test_values_given_are_not_changed() -> None:
    class Clears(ColumnarSerializer[Any]):
        def serialize(self, values: list[Any]) -> bytes:
            data = super().serialize(values)
            for value in values:
                value.clear()
            return data

    given = [[1], [2]]
    with pytest.raises(LawViolation) as caught:
        check_all(Clears(Types.LIST(Types.INT())), given)
    assert given == caught.value.values == [[1], [2]]


class Shelf:
    """Holds its books in a list."""

    def __init__(self, books: list[int]) -> None:
        self.books = books

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shelf) and self.books == other.books

    def __hash__(self) -> int:
        return len(self.books)


class Drawer:
    """Holds a dict in a slot, and another slot is never set."""

    __slots__ = ("labels", "unset")

    def __init__(self, labels: dict[int, int]) -> None:
        self.labels = labels


class Room:
    """Holds shelves, the first of them twice, and itself."""

    def __init__(self, shelves: tuple[Shelf, ...]) -> None:
        self.shelves = shelves
        self.first = shelves[:1]
        self.here = self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Room) and self.shelves == other.shelves

    __hash__ = None  # type: ignore[assignment]


class Plain:
    """Holds nothing that can be changed, but can be changed itself."""

    def __init__(self, number: int) -> None:
        self.number = number


class Constant:
    """One for each name, copies to itself and may be shared, whatever it holds."""

    known: ClassVar[dict[int, Constant]] = {}

    def __init__(self, number: int) -> None:
        self.number, self.aliases = number, [number]

    def __deepcopy__(self, memo: Any) -> Constant:
        return self


@dataclass(frozen=True)
class Kept:
    """Frozen, but caches a computed value beside its fields."""

    number: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "memory", [])


BOOKS = [1, 2]
MEMORY: list[int] = []
SHELVES = {number: Shelf([number]) for number in range(3)}
PLAINS = {number: Plain(number) for number in range(3)}
LABELS = {1: 2}
ARRAY = np.zeros(1)
TALL = Types.of(list[int])


def books(shelf: Shelf) -> list[int]:
    return list(shelf.books)


def number(value: Any) -> int:
    return int(value.number)


def kept_with_memory(number: int) -> Kept:
    kept = Kept(number)
    object.__setattr__(kept, "memory", MEMORY)
    return kept


SHARED = [
    (CustomTypeInfo(Shelf, TALL, books, lambda _: Shelf(BOOKS)), Shelf([1, 2]), "[1, 2]"),
    (
        CustomTypeInfo(Drawer, Types.LONG(), lambda d: len(d.labels), lambda _: Drawer(LABELS)),
        Drawer({1: 2}),
        "{1: 2}",
    ),
    (
        CustomTypeInfo(Room, Types.LONG(), lambda _: 1, lambda n: Room((SHELVES[n],))),
        Room((Shelf([1]),)),
        "[1]",
    ),
    (CustomTypeInfo(Plain, Types.LONG(), number, PLAINS.__getitem__), Plain(1), "Plain(number=1)"),
    (CustomTypeInfo(Kept, Types.LONG(), number, kept_with_memory), Kept(1), "[]"),
    (CustomTypeInfo(Shelf, TALL, lambda _: [], lambda _: Shelf(ARRAY)), Shelf(np.zeros(1)), "array([0.])"),
]


@pytest.mark.parametrize(("t", "value", "shared"), SHARED, ids=lambda part: str(part)[:20])
def test_shared_attributes_are_found(t: Any, value: Any, shared: str) -> None:
    with pytest.raises(LawViolation) as caught:
        check_independence(t, [value])
    assert f"shares {shared}" in caught.value.reason


def constant(number: int) -> Constant:
    return Constant.known.setdefault(number, Constant(number))


def room(numbers: list[int]) -> Room:
    return Room(tuple(Shelf([number]) for number in numbers))


def room_numbers(room: Room) -> list[int]:
    return [shelf.books[0] for shelf in room.shelves]


ALONE = [
    (CustomTypeInfo(Shelf, TALL, books, Shelf), Shelf([1, 2])),
    (CustomTypeInfo(Room, TALL, room_numbers, room), room([1, 2])),
    (CustomTypeInfo(Constant, Types.LONG(), number, constant), constant(1)),
    (CustomTypeInfo(Shelf, TALL, books, lambda parts: Shelf(tuple(parts))), Shelf((1, 2))),
]


@pytest.mark.parametrize(("t", "value"), ALONE, ids=lambda part: str(part)[:20])
def test_attributes_that_are_not_shared_or_may_be_shared(t: Any, value: Any) -> None:
    check_independence(t, [value, value])


class Samples:
    """Holds an array, and numbers that are compared part by part."""

    def __init__(self, values: np.ndarray[Any, Any], phase: complex) -> None:
        self.values, self.phase = values, phase

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Samples) and bool(self.values == other.values) and self.phase == other.phase

    __hash__ = None  # type: ignore[assignment]


@dataclass
class Measured:
    """A dataclass with a field that is pickled."""

    values: Annotated[Any, Types.PICKLED_BYTE_ARRAY()]


def samples_parts(samples: Samples) -> tuple[bytes, float, float]:
    return samples.values.tobytes(), samples.phase.real, samples.phase.imag


def samples_of(parts: tuple[bytes, float, float]) -> Samples:
    return Samples(np.frombuffer(parts[0], "<f8"), complex(*parts[1:]))


def samples_rounded(parts: tuple[bytes, float, float]) -> Samples:
    return Samples(np.frombuffer(parts[0], "<f8").astype("<f4"), complex(*parts[1:]))


def samples_without_signs(parts: tuple[bytes, float, float]) -> Samples:
    return Samples(np.frombuffer(parts[0], "<f8"), complex(*parts[1:]) + 0j)


SAMPLES = Types.TUPLE([Types.of(bytes), Types.DOUBLE(), Types.DOUBLE()])
NAN = float("nan")


def test_classes_that_hold_arrays_and_complex_numbers() -> None:
    values = [Samples(np.array([1.0, NAN, -0.0]), complex(NAN, -0.0)), Samples(np.array([]), 0j)]
    check_all(CustomTypeInfo(Samples, SAMPLES, samples_parts, samples_of), values)
    check_all(Measured, [Measured(np.array([[1.0, NAN]])), Measured(pd.Series([1, None])), Measured(values)])
    for broken in (samples_rounded, samples_without_signs):
        with pytest.raises(LawViolation) as caught:
            check_all(CustomTypeInfo(Samples, SAMPLES, samples_parts, broken), values)
        assert caught.value.law is check_round_trip
