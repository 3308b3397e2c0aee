"""Expiry of state: values, elements of lists and entries of maps."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common.time import Time
from pystream.datastream.state import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pystream.engine.state.backend import KeyedStateBackend
from pystream.engine.state.errors import StateAccessError, TimeToLiveError
from pystream.engine.state.slots import SlotScope
from pystream.engine.time.clock import ManualClock
from typeinfo import Types

UPDATE = StateTtlConfig.UpdateType
VISIBILITY = StateTtlConfig.StateVisibility


class Expiring:
    """State that lives for 10 ms, and the clock."""

    def __init__(self, update: Any = UPDATE.OnCreateAndWrite, visibility: Any = None) -> None:
        builder = StateTtlConfig.new_builder(Time.milliseconds(10)).set_update_type(update)
        self._config = builder.set_state_visibility(visibility or VISIBILITY.NeverReturnExpired).build()
        self.clock = ManualClock(1_000)
        self.backend = KeyedStateBackend(self.clock)
        scope = SlotScope()
        scope.slot = "a"
        self.store = self.backend.store(scope)

    def after(self, milliseconds: int) -> None:
        self.clock.set(self.clock.now() + milliseconds)

    def described(self, descriptor: Any) -> Any:
        descriptor.enable_time_to_live(self._config)
        return descriptor

    def value(self) -> Any:
        return self.store.get_state(self.described(ValueStateDescriptor("v", Types.INT())))

    def list(self) -> Any:
        return self.store.get_list_state(self.described(ListStateDescriptor("l", Types.INT())))

    def map(self) -> Any:
        return self.store.get_map_state(self.described(MapStateDescriptor("m", Types.STRING(), Types.INT())))

    def is_clean(self) -> bool:
        return not any(registered.table for registered in self.backend._registered.values())


@pytest.mark.promise("beh:ttl-read-cleanup")
def test_a_value_expires_when_its_time_is_over_and_not_before() -> None:
    state = Expiring()
    value = state.value()
    value.update(1)
    state.after(9)
    assert value.value() == 1
    state.after(1)
    assert value.value() is None
    assert state.is_clean()


def test_writing_renews() -> None:
    state = Expiring()
    value = state.value()
    value.update(1)
    state.after(9)
    value.update(2)
    state.after(9)
    assert value.value() == 2


@pytest.mark.parametrize(("update", "seen"), [(UPDATE.OnCreateAndWrite, None), (UPDATE.OnReadAndWrite, 1)])
def test_reading_renews_if_configured(update: Any, seen: int | None) -> None:
    state = Expiring(update)
    value = state.value()
    value.update(1)
    state.after(9)
    assert value.value() == 1
    state.after(9)
    assert value.value() == seen


def test_expired_values_can_be_visible_until_removed() -> None:
    state = Expiring(visibility=VISIBILITY.ReturnExpiredIfNotCleanedUp)
    value = state.value()
    value.update(1)
    state.after(10)
    assert value.value() == 1
    assert value.value() is None
    assert state.is_clean()


def test_a_disabled_time_to_live_changes_nothing() -> None:
    state = Expiring(UPDATE.Disabled)
    value = state.value()
    value.update(1)
    state.after(1_000)
    assert value.value() == 1


def test_elements_of_a_list_expire_individually() -> None:
    state = Expiring()
    numbers = state.list()
    numbers.add(1)
    state.after(6)
    numbers.add_all([2, 3])
    assert list(numbers.get()) == [1, 2, 3]
    state.after(4)
    assert list(numbers.get()) == [2, 3]
    state.after(6)
    assert list(numbers) == []
    assert state.is_clean()


def test_reading_a_list_renews_its_elements() -> None:
    state = Expiring(UPDATE.OnReadAndWrite)
    numbers = state.list()
    numbers.add(1)
    state.after(6)
    list(numbers.get())
    state.after(6)
    assert list(numbers.get()) == [1]


def test_entries_of_a_map_expire_individually() -> None:
    state = Expiring()
    entries = state.map()
    entries.put("old", 1)
    state.after(6)
    entries.put("new", 2)
    state.after(4)
    assert not entries.contains("old")
    assert entries.get("old") is None
    assert list(entries.items()) == [("new", 2)]
    state.after(6)
    assert entries.is_empty()
    assert state.is_clean()


@pytest.mark.parametrize("read", ["get", "contains", "items", "keys", "values"])
def test_reading_removes_expired_entries(read: str) -> None:
    state = Expiring()
    entries = state.map()
    entries.put("k", 1)
    state.after(10)
    seen = getattr(entries, read)(*(["k"] if read in ("get", "contains") else []))
    assert not seen
    assert state.is_clean()


def test_reading_an_entry_renews_only_that_entry() -> None:
    state = Expiring(UPDATE.OnReadAndWrite)
    entries = state.map()
    entries.put_all({"a": 1, "b": 2})
    state.after(6)
    assert entries.get("a") == 1
    state.after(6)
    assert list(entries.items()) == [("a", 1)]


def test_expired_entries_can_be_visible_once() -> None:
    state = Expiring(visibility=VISIBILITY.ReturnExpiredIfNotCleanedUp)
    entries = state.map()
    entries.put("k", 1)
    state.after(10)
    assert list(entries.items()) == [("k", 1)]
    assert list(entries.items()) == []


def test_an_expired_reduced_value_is_replaced() -> None:
    state = Expiring()
    descriptor = state.described(ReducingStateDescriptor("r", lambda one, two: one + two, Types.INT()))
    fold = state.store.get_reducing_state(descriptor)
    fold.add(1)
    state.after(9)
    fold.add(2)
    state.after(9)
    assert fold.get() == 3
    state.after(1)
    fold.add(4)
    assert fold.get() == 4


class Count:
    def create_accumulator(self) -> int:
        return 0

    def add(self, value: int, accumulator: int) -> int:
        return accumulator + 1

    def get_result(self, accumulator: int) -> int:
        return accumulator

    def merge(self, acc_a: int, acc_b: int) -> int:
        return acc_a + acc_b


def test_an_expired_accumulator_is_removed() -> None:
    state = Expiring()
    counted: Any = state.store.get_aggregating_state(
        state.described(AggregatingStateDescriptor("a", Count(), Types.INT()))
    )
    counted.add(1)
    counted.add(1)
    state.after(9)
    assert counted.get() == 2
    state.after(1)
    assert counted.get() is None


def test_snapshots_keep_the_time_of_the_last_renewal() -> None:
    state = Expiring()
    state.value().update(1)
    other = Expiring()
    for name, table in state.backend.snapshot().items():
        other.backend.add(name, table)
    value = other.value()
    other.after(9)
    assert value.value() == 1
    other.after(1)
    assert value.value() is None


@pytest.mark.parametrize("milliseconds", [0, -1])
def test_a_time_to_live_is_positive(milliseconds: int) -> None:
    with pytest.raises(TimeToLiveError, match=f"{milliseconds} ms"):
        StateTtlConfig.new_builder(Time.milliseconds(milliseconds)).build()


def test_snapshots_omit_expired_values() -> None:
    state = Expiring(visibility=VISIBILITY.ReturnExpiredIfNotCleanedUp)
    value, numbers, entries = state.value(), state.list(), state.map()
    value.update(1)
    numbers.add(1)
    entries.put("a", 1)
    state.after(6)
    numbers.add(2)
    entries.put("b", 2)
    state.after(4)
    assert state.backend.snapshot() == {"v": {}, "l": {"a": [(2, 1_006)]}, "m": {"a": {"b": (2, 1_006)}}}
    assert (value.value(), list(numbers), list(entries.items())) == (None, [2], [("b", 2)])
    state.after(6)
    assert not any(state.backend.snapshot().values())


def test_one_name_cannot_be_a_state_with_and_without_a_time_to_live() -> None:
    state = Expiring()
    state.value()
    with pytest.raises(StateAccessError, match="state 'v' is requested both with and without a time to live"):
        state.store.get_state(ValueStateDescriptor("v", Types.INT()))
