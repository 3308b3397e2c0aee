"""Copies share no mutable parts with the value, whether its type is declared or not."""

from __future__ import annotations

import copyreg
import re
import threading
from collections import defaultdict, namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, TypedDict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from typeinfo import Row, RowKind, TypeCheckError, Types, register_custom_type
from typeinfo.info import TypeInformation
from typeinfo.serde import serializer_for
from typeinfo.serde.copiers import copier_for
from typeinfo.serde.copies import CopyError, copy_of
from typeinfo.testing.sameness import same
from typeinfo.testing.strategies import batches, type_infos

PLAIN = st.none() | st.integers() | st.text(max_size=3) | st.tuples(st.integers(), st.text(max_size=2))


@dataclass
class Own:
    part: Any

    def __hash__(self) -> int:
        return hash(type(self))


@dataclass(slots=True)
class Slotted:
    part: Any


@dataclass(frozen=True)
class Frozen:
    number: int


@dataclass(frozen=True, slots=True)
class FrozenWithList:
    part: list[int]


@dataclass
class Counted:
    """Has a field that the constructor does not take."""

    part: list[int]
    also: list[int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self.also = [1]


class Named(NamedTuple):
    part: Any


class Keyed(TypedDict, total=False):
    part: list[int]
    number: int


class Colour(Enum):
    RED = 1


class Boxed:
    def __init__(self, parts: list[int]) -> None:
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Boxed) and other.parts == self.parts

    __hash__ = None  # type: ignore[assignment]


BOXED = register_custom_type(Boxed, Types.LIST(Types.LONG()), lambda box: box.parts, Boxed)


def _nested(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    few = st.lists(parts, max_size=3)
    return (
        few
        | few.map(tuple)
        | few.map(lambda v: Row(*v))
        | st.dictionaries(PLAIN, parts, max_size=3)
        | st.sets(PLAIN, max_size=2)
        | st.sampled_from([Own, Slotted, Named]).flatmap(lambda cls: parts.map(cls))
    )


VALUES = st.recursive(PLAIN, _nested)


CHANGEABLE = (list, dict, set, bytearray, Row, Own, Slotted, Counted, Boxed)


def changeable(value: Any) -> Iterator[Any]:
    """Yield the parts of a value that can change, itself included."""
    if isinstance(value, CHANGEABLE):
        yield value
    if isinstance(value, dict):
        parts = [*value, *value.values()]
    elif isinstance(value, (list, tuple, set, frozenset, Row)):
        parts = list(value)
    else:
        parts = [getattr(value, name) for name in ("part", "parts", "also") if hasattr(value, name)]
    for part in parts:
        yield from changeable(part)


def assert_apart(made: Any, value: Any) -> None:
    assert same(made, value)
    assert not {id(part) for part in changeable(value)} & {id(part) for part in changeable(made)}


@given(VALUES)
def test_a_copy_is_the_same_and_shares_nothing_that_can_change(value: Any) -> None:
    assert_apart(copy_of(value), value)


@given(st.data())
@settings(max_examples=40)
def test_a_copy_of_any_type_is_the_same_and_shares_nothing_that_can_change(data: st.DataObject) -> None:
    t: TypeInformation[Any] = data.draw(type_infos(max_leaves=6))
    conform = serializer_for(t).conform
    values = conform(data.draw(batches(t, max_size=3)))
    copier, checked_next = copier_for(t), copier_for(t, conformed=True)
    if copier is None or checked_next is None:
        assert copier is checked_next
        return
    for value, made in zip(values, copier.each(values), strict=True):
        assert_apart(made, value)
    assert same(conform(list(checked_next.each(values))), values)
    serializer, copies = serializer_for(t), list(checked_next.each(values))
    assert serializer.serialize(copies) == serializer.serialize(values)
    of_copies, of_values = (serializer.to_batch(each, conformed=True) for each in (copies, values))
    assert same(serializer.from_batch(of_copies), serializer.from_batch(of_values))


@dataclass
class Temperature:
    place: str
    celsius: float = 0.0


@dataclass
class Checked:
    parts: list[int]
    number: int = field(init=False)

    def __post_init__(self) -> None:
        self.number = len(self.parts)


@pytest.mark.parametrize(
    "value",
    [
        *(Temperature("a", 1.5), Checked([1]), FrozenWithList([1]), Counted([1])),
        *(Keyed(part=[1]), Slotted([1])),
    ],
)
def test_a_copy_of_a_record_has_its_attributes(value: Any) -> None:
    t = Types.of(Keyed) if isinstance(value, dict) else Types.of(type(value))
    copier = copier_for(t)
    assert copier is not None
    made = copier(value)
    assert made is not value
    assert type(made) is type(value)
    assert made == value
    assert getattr(made, "__dict__", None) == getattr(value, "__dict__", None)


def test_a_record_without_a_value_for_a_field_is_copied_unchanged() -> None:
    value = Temperature("a")
    del value.place
    copier = copier_for(Types.of(Temperature))
    assert copier is not None
    assert vars(copier(value)) == {"celsius": 0.0}


@pytest.mark.parametrize(
    ("t", "value"),
    [
        (Types.LIST(Types.LONG()), (1, 2)),
        (Types.TUPLE([Types.LONG(), Types.LONG()]), [1, 2]),
        (Types.TUPLE([Types.LONG(), Types.LIST(Types.LONG())]), Row(1, [2])),
        (Types.ROW([Types.LIST(Types.LONG())]), ([1],)),
        (Types.ROW_NAMED(["a"], [Types.LIST(Types.LONG())]), {"a": [1]}),
        (Types.ROW_NAMED(["a"], [Types.LONG()]), Row.of_kind(RowKind.DELETE, a=1)),
        (Types.ROW_NAMED(["a", "b"], [Types.LONG(), Types.LONG()]), Row(b=1, a=2)),
        (Types.MAP(Types.LONG(), Types.LIST(Types.LONG())), defaultdict(list, {1: [2]})),
        (Types.PRIMITIVE_ARRAY(Types.BYTE()), bytearray(b"a")),
        (Types.of(Counted), Counted([1])),
        (Types.of(FrozenWithList), FrozenWithList([1])),
        (Types.of(Keyed), {"part": [1]}),
        (BOXED, Boxed([1])),
    ],
)
def test_values_that_need_conversion_are_copied(t: TypeInformation[Any], value: Any) -> None:
    copier = copier_for(t, conformed=True)
    assert copier is not None
    made = copier(value)
    assert not {id(part) for part in changeable(value)} & {id(part) for part in changeable(made)}
    conform = serializer_for(t).conform
    assert same(conform([made]), conform([value]))


@pytest.mark.parametrize(
    "t",
    [
        *(Types.LONG(), Types.STRING(), Types.SQL_TIMESTAMP(), Types.INSTANT(), Types.BIG_DEC()),
        *(Types.of(Colour), Types.of(int | None)),
    ],
)
def test_values_that_cannot_change_need_no_copier(t: TypeInformation[Any]) -> None:
    assert copier_for(t) is None


@pytest.mark.parametrize(
    ("t", "value"),
    [
        (Types.TUPLE([Types.LONG(), Types.STRING()]), (1, "a")),
        (Types.of(Frozen), Frozen(1)),
        (Types.PICKLED_BYTE_ARRAY(), (1, ("a", frozenset({2.5})), None)),
        (Types.PICKLED_BYTE_ARRAY(), Colour.RED),
        (Types.PICKLED_BYTE_ARRAY(), np.float64(1)),
        (Types.PICKLED_BYTE_ARRAY(), int),
        (Types.PICKLED_BYTE_ARRAY(), namedtuple("Point", "x y")(1, 2)),
    ],
)
def test_values_that_cannot_change_are_their_own_copies(t: TypeInformation[Any], value: Any) -> None:
    copier = copier_for(t)
    assert copier is not None
    assert copier(value) is value


def test_one_object_inside_a_value_is_one_in_its_copy() -> None:
    shared: list[int] = []
    first, second = copy_of(Row(shared, {"a": shared}))
    assert first is second["a"]
    assert first is not shared


def test_a_copy_of_a_declared_type_is_a_tree() -> None:
    shared: list[int] = [1]
    copier = copier_for(Types.LIST(Types.LIST(Types.LONG())))
    assert copier is not None
    first, second = copier([shared, shared])
    assert first == second
    assert first is not second


def test_keys_are_copied_too() -> None:
    key = Own(1)
    made = copy_of({(key,): 1})
    assert made == {(key,): 1}
    assert next(iter(made))[0] is not key


def test_a_list_that_holds_itself_is_copied() -> None:
    own: list[Any] = [1]
    own.append((own,))
    made = copy_of(own)
    assert made is not own
    assert made[1][0] is made


def test_a_tuple_held_by_its_own_list_is_one_in_the_copy() -> None:
    inner: list[Any] = []
    inner.append((inner,))
    made = copy_of(inner[0])
    assert made[0][0] is made
    assert made[0] is not inner


def test_an_object_that_holds_itself_is_copied() -> None:
    own = Own(None)
    own.part = [own]
    made = copy_of(own)
    assert made is not own
    assert made.part[0] is made


def test_a_row_keeps_its_names_and_kind() -> None:
    row = Row.of_kind(RowKind.DELETE, a=[1], b=2)
    made = copy_of(row)
    assert (made, made.get_row_kind(), made.get_field_names()) == (row, RowKind.DELETE, ["a", "b"])


def test_elements_of_a_frozenset_are_copied() -> None:
    row = Row(1)
    (made,) = copy_of([frozenset({row})])[0]
    assert made == row
    assert made is not row


@pytest.mark.parametrize("wrap", [lambda lock: lock, lambda lock: [lock], lambda lock: Own({1: lock})])
def test_values_that_cannot_be_copied_are_an_error(wrap: Any) -> None:
    with pytest.raises(CopyError, match=r"lock.*cannot be copied: .*cannot pickle.*emit plain values"):
        copy_of(wrap(threading.Lock()))


def test_a_value_that_cannot_be_copied_is_named_once() -> None:
    with pytest.raises(CopyError) as failure:
        copy_of(threading.Lock())
    assert str(failure.value).count("<unlocked _thread.lock object at") == 1
    assert "cannot be copied: cannot pickle '_thread.lock' object. Elements" in str(failure.value)


def test_a_dict_whose_key_was_changed_is_an_error() -> None:
    key = Row(1)
    value = {key: [1]}
    key[0] = []
    with pytest.raises(CopyError, match="unhashable"):
        copy_of(value)


@pytest.mark.parametrize("part", [Types.STRING(), Types.LIST(Types.STRING())])
@pytest.mark.parametrize("row", [Row(1), Row(1, "a", 3), Row("f0", "f1")(1)])
def test_a_row_of_another_arity_is_still_shown_as_a_row(part: TypeInformation[Any], row: Row) -> None:
    t = Types.ROW([Types.LONG(), part])
    copier = copier_for(t, conformed=True)
    assert copier is not None
    with pytest.raises(TypeCheckError, match=re.escape(repr(row))):
        serializer_for(t).to_batch([copier(row)])


@dataclass
class Empty:
    pass


def test_an_instance_without_fields_is_copied() -> None:
    copier = copier_for(Types.of(Empty))
    assert copier is not None
    given = Empty()
    assert copier(given) == given
    assert copier(given) is not given


class Registered:
    """A class whose instances are pickled by a registered function, which leaves an attribute out."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.scratch = [number]


def made_registered(number: int) -> Registered:
    made = Registered.__new__(Registered)
    made.number = number
    return made


def test_a_class_with_a_registered_reduction_is_copied_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(copyreg.dispatch_table, Registered, lambda value: (made_registered, (value.number,)))
    assert vars(copy_of(Registered(3))) == {"number": 3}


def test_a_function_is_copied_with_what_it_refers_to() -> None:
    counts = [0]
    made = copy_of(lambda: counts[0])
    counts[0] = 1
    assert made() == 0
