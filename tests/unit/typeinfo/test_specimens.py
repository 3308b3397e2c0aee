"""Specimens: all are made and tried first, and the violations they find are simplified."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NotRequired, TypedDict

import pytest
from hypothesis import strategies as st

from tests.property.broken import EachRead
from typeinfo import Row, RowKind, TypeInformation, Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.serde import ColumnarSerializer, serializer_for
from typeinfo.testing.laws import LawViolation, check_all, check_round_trip
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import RECORDS, ValuesError, register_values
from typeinfo.testing.strategies.specimens import Specimens
from typeinfo.testing.strategies.tricky import tricky


@dataclass
class Item:
    name: str | None
    amount: int


@dataclass
class Delivery:
    """Of ten fields."""

    a: int
    b: str
    c: float
    d: bool
    e: list[Item]
    f: dict[str, Item]
    g: str | None
    h: Decimal | None
    i: bytes
    j: tuple[int, str]


class Loose(TypedDict):
    name: NotRequired[str]


DELIVERY = Types.of(Delivery)
ATOMS = [t for t in vars(Types).values() if isinstance(t, TypeInformation)]
TYPES = [
    *(*ATOMS, *RECORDS, DELIVERY, Types.of(Loose), Types.of(int | None), Types.of(bytes)),
    *map(Types.LIST, ATOMS),
    *(Types.OBJECT_ARRAY(t) for t in (Types.STRING(), DELIVERY)),
    *(Types.MAP(Types.INT(), t) for t in ATOMS),
    Types.MAP(Types.of(tuple[int, str]), Types.LIST(Types.LIST(Types.STRING()))),
    Types.ROW_NAMED(["a", "b"], [Types.STRING(), Types.ROW([Types.DOUBLE()])]),
]


def made(t: TypeInformation[Any]) -> list[Any]:
    specimens = Specimens(t)
    return [specimens.made(number)[0] for number in range(specimens.count)]


@pytest.mark.parametrize("t", TYPES, ids=str)
def test_specimens_are_values_of_their_type(t: TypeInformation[Any]) -> None:
    batch = made(t)
    assert batch
    assert same(serializer_for(t).conform(batch), batch)
    assert same(made(t), batch)


def texts(t: TypeInformation[Any]) -> Iterator[list[Any]]:
    """Yield the value at each text position in the specimens of a delivery."""
    batch = made(t)
    yield [delivery.b for delivery in batch]
    yield [delivery.g for delivery in batch]
    yield [delivery.j[1] for delivery in batch]
    yield [item.name for delivery in batch for item in delivery.e]
    yield [item.name for delivery in batch for item in delivery.f.values()]
    yield [key for delivery in batch for key in delivery.f]


@pytest.mark.parametrize("place", range(6))
def test_each_tricky_text_stands_in_each_place(place: int) -> None:
    every = {text for text in tricky(Types.STRING()) or [] if len(text) < 300}
    assert {"None", "", "\0", "x" * 33} < every
    assert every <= set(list(texts(DELIVERY))[place])


def test_each_tricky_value_stands_in_each_atomic_place() -> None:
    batch = made(DELIVERY)
    for name, t in {
        "a": Types.LONG(),
        "c": Types.DOUBLE(),
        "d": Types.BOOLEAN(),
        "h": Types.BIG_DEC(),
    }.items():
        found = {repr(getattr(delivery, name)) for delivery in batch}
        assert {repr(value) for value in tricky(t) or []} <= found
    assert {row.get_row_kind() for row in made(Types.ROW([Types.BOOLEAN()]))} == set(RowKind)
    assert {row[0] for row in made(Types.ROW([Types.BOOLEAN()]))} == {None, False, True}
    assert made(Types.of(Loose))[0] == {}


def test_lists_and_maps_of_anything_are_long_now_and_then() -> None:
    for lengths in (
        {len(delivery.e) for delivery in made(DELIVERY)},
        {len(delivery.f) for delivery in made(DELIVERY)},
        {len(value) for value in made(Types.LIST(Types.LIST(Types.INT())))},
        {len(value) for value in made(Types.MAP(Types.INT(), Types.LIST(DELIVERY)))},
    ):
        assert {0, 1, 2, 5, 17, 64, 65} <= lengths
        assert max(lengths) <= 65
    assert 300 in {len(value) for value in made(Types.LIST(Types.INT()))}
    assert 300 in {len(value) for value in made(Types.MAP(Types.STRING(), Types.INT()))}


def test_none_stands_where_it_is_admitted() -> None:
    assert None not in [item for delivery in made(DELIVERY) for item in delivery.f.values()]
    assert None in [item for value in made(Types.MAP(Types.INT(), DELIVERY)) for item in value.values()]
    assert None in [item for value in made(Types.OBJECT_ARRAY(DELIVERY)) for item in value]


class TakesNoneForNone(EachRead):
    def one(self, value: Any) -> Any:
        return None if value == "None" else value


class TakesNoneForNoneDeepInside(EachRead):
    def one(self, value: Any) -> Any:
        for item in value.e:
            item.name = None if item.name == "None" else item.name
        return value


class KeepsFour(EachRead):
    def one(self, value: Any) -> Any:
        return value[:4]


class Keeps64(EachRead):
    def one(self, value: Any) -> Any:
        return dict(list(value.items())[:64])


class LosesOneOf64(EachRead):
    def one(self, value: Any) -> Any:
        value.e = value.e[:-1] if len(value.e) == 64 else value.e
        return value


ITEMS = [Item(None, 0)]
BUGS = [
    (TakesNoneForNone(Types.of(str | None)), ["None"]),
    (
        TakesNoneForNoneDeepInside(DELIVERY),
        [Delivery(0, "", 0.0, False, [Item("None", 0)], {}, None, None, b"", (0, ""))],
    ),
    (KeepsFour(Types.LIST(Types.of(Item))), [[Item(None, 0)] * 5]),
    (Keeps64(Types.MAP(Types.STRING(), Types.of(Item))), None),
    (LosesOneOf64(DELIVERY), [Delivery(0, "", 0.0, False, ITEMS * 64, {}, None, None, b"", (0, ""))]),
]


@pytest.mark.parametrize(("broken", "smallest"), BUGS, ids=lambda part: type(part).__name__)
@pytest.mark.parametrize("examples", [1, 100])
def test_well_known_bugs_are_found_however_short_the_search(
    broken: Any, smallest: list[Any] | None, examples: int
) -> None:
    with pytest.raises(LawViolation) as caught:
        check_all(broken, examples=examples)
    assert caught.value.law is check_round_trip
    if smallest is not None:
        assert caught.value.values == smallest
    else:
        assert [len(value) for value in caught.value.values] == [65]
    with pytest.raises(LawViolation):
        exec(compile(caught.value.reproduction(), "pasted", "exec"), {})


class Sees(ColumnarSerializer[Any]):
    """Keeps what it writes in one list for all copies of it."""

    def serialize(self, values: list[Any]) -> bytes:
        SEEN.append(values)
        return super().serialize(values)


SEEN: list[list[Any]] = []


def test_specimens_are_tried_before_anything_else() -> None:
    SEEN.clear()
    check_round_trip(Sees(Types.STRING()), examples=3)
    assert SEEN[:2] == [[], made(Types.STRING())]
    assert max(map(len, SEEN)) == len(SEEN[1])
    SEEN.clear()
    check_round_trip(Sees(Types.STRING()), examples=20)
    assert [len(batch) for batch in SEEN[-8:]] == [127, 128, 255, 256, 257, 65_535, 65_536, 65_537]
    SEEN.clear()
    check_round_trip(Sees(Types.STRING()), strategy=st.just("a"), examples=1)
    assert all(set(batch) <= {"a"} for batch in SEEN)


class Even:
    """Accepts only even numbers, and does not declare it."""

    def __init__(self, *numbers: int) -> None:
        (number,) = numbers
        if number % 2:
            raise ValueError("odd")
        self.number = number


class Odd(Even):
    """Made of what a strategy makes."""

    def __init__(self, *numbers: int) -> None:
        (number,) = numbers
        super().__init__(number - 1)


def number(even: Even) -> int:
    return int(even.number)


def odd(number: int) -> Odd:
    return Odd(number + 1)


def test_classes_that_values_are_registered_for() -> None:
    register_values(Odd, st.integers(0, 9).map(lambda n: Odd(2 * n + 1)))
    t: TypeInformation[Any] = Types.LIST(CustomTypeInfo(Odd, Types.LONG(), number, odd))
    batch = made(t)
    assert {type(one) for value in batch for one in value} == {Odd}
    assert same(made(t), batch)
    check_all(t, examples=5)


@dataclass(frozen=True)
class Label:
    name: Any
    number: int


KEYED: list[TypeInformation[Any]] = [
    Types.MAP(Types.PICKLED_BYTE_ARRAY(), Types.INT()),
    Types.MAP(Types.TUPLE([Types.PICKLED_BYTE_ARRAY(), Types.INT()]), Types.PICKLED_BYTE_ARRAY()),
    Types.MAP(Types.ROW([Types.INT()]), Types.INT()),
    Types.of(dict[Label, int]),
]


@pytest.mark.parametrize("t", KEYED, ids=repr)
def test_keys_of_maps_are_hashable_and_rows_among_them_of_one_kind(t: TypeInformation[Any]) -> None:
    keys = [key for value in made(t) for key in value]
    assert len(set(keys)) > 10
    assert {key.get_row_kind() for key in keys if isinstance(key, Row)} <= {RowKind.INSERT}
    check_all(t, examples=20)


def test_a_specimen_that_a_class_refuses_is_an_error() -> None:
    with pytest.raises(ValuesError, match=r"Even cannot be decoded from -?\d+: odd; call register_values"):
        check_all(CustomTypeInfo(Even, Types.LONG(), number, Even), examples=1)
