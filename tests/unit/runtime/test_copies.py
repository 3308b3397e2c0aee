"""Copies of values share nothing that can be changed with them."""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pystream.runtime.copies import copy_of
from typeinfo import Row, RowKind

PLAIN = st.none() | st.integers() | st.text(max_size=3) | st.tuples(st.integers(), st.text(max_size=2))


def _nested(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    few = st.lists(parts, max_size=3)
    return few | few.map(tuple) | few.map(lambda v: Row(*v)) | st.dictionaries(PLAIN, parts, max_size=3)


@dataclass
class Own:
    """What can only be copied as pickle does."""

    part: Any

    def __hash__(self) -> int:
        return hash(type(self))


VALUES = st.recursive(PLAIN, _nested)
WITH_INSTANCES = st.recursive(PLAIN, lambda parts: _nested(parts) | parts.map(Own))


def _changeable(value: Any) -> Iterator[Any]:
    """Yield the parts of a value that can be changed, itself included."""
    if isinstance(value, (list, dict, Row, Own)):
        yield value
    parts = (value.part,) if isinstance(value, Own) else value.values() if isinstance(value, dict) else value
    if isinstance(parts, (list, tuple, Row)) or parts is not value:
        for part in parts:
            yield from _changeable(part)


@given(WITH_INSTANCES)
def test_a_copy_is_equal_and_shares_nothing_that_can_be_changed(value: Any) -> None:
    made = copy_of(value)
    assert made == value
    assert type(made) is type(value)
    assert not {id(part) for part in _changeable(value)} & {id(part) for part in _changeable(made)}


@given(VALUES)
def test_what_is_changed_in_a_copy_stays_as_it_was_in_the_value(value: Any) -> None:
    before = copy.deepcopy(value)
    for part in list(_changeable(copy_of(value))):
        if isinstance(part, list):
            part.append("more")
        elif isinstance(part, dict):
            part["more"] = 1
        elif len(part):
            part[0] = "more"
    assert value == before


def test_one_object_inside_a_value_is_one_in_the_copy() -> None:
    shared: list[int] = []
    first, second = copy_of(Row(shared, {"a": shared}))
    assert first is second["a"]
    assert first is not shared


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


def test_a_row_keeps_its_names_and_kind() -> None:
    row = Row.of_kind(RowKind.DELETE, a=[1], b=2)
    made = copy_of(row)
    assert (made, made.get_row_kind(), made.get_field_names()) == (row, RowKind.DELETE, ["a", "b"])


def test_a_tuple_held_by_its_own_list_is_one_in_the_copy() -> None:
    inner: list[Any] = []
    inner.append((inner,))
    made = copy_of(inner[0])
    assert made[0][0] is made
    assert made[0] is not inner


def test_what_stands_in_a_frozenset_is_copied() -> None:
    row = Row(1)
    (made,) = copy_of([frozenset({row})])[0]
    assert made == row
    assert made is not row


def test_a_dict_whose_key_was_changed_is_given_back() -> None:
    key = Row(1)
    given = {key: [1]}
    key[0] = []
    assert copy_of(given) is given


def test_what_cannot_be_copied_is_given_back() -> None:
    lock = [threading.Lock()]
    assert copy_of(lock) is lock
