"""The methods of each kind of keyed state, without and with a time to live that does not expire."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common.time import Time
from pystream.datastream.state import (
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pystream.engine.state.backend import KeyedStateBackend
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.slots import SlotScope
from pystream.engine.time.clock import ManualClock
from typeinfo import Types
from typeinfo.errors import TypeCheckError


class Average:
    def create_accumulator(self) -> tuple[int, int]:
        return 0, 0

    def add(self, value: int, accumulator: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + value, accumulator[1] + 1

    def get_result(self, accumulator: tuple[int, int]) -> float:
        return accumulator[0] / accumulator[1]

    def merge(self, acc_a: tuple[int, int], acc_b: tuple[int, int]) -> tuple[int, int]:
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


class Keyed:
    """A state backend and its current key."""

    def __init__(self, expiring: bool) -> None:
        self._expiring = expiring
        self.backend = KeyedStateBackend(ManualClock(1_000))
        self.scope = SlotScope()
        self.scope.slot = "a"
        self.store = self.backend.store(self.scope)

    def lasting(self, descriptor: Any) -> Any:
        if self._expiring:
            descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.days(1)).build())
        return descriptor

    def value(self, name: str = "v") -> Any:
        return self.store.get_state(self.lasting(ValueStateDescriptor(name, Types.INT())))

    def list(self) -> ListState[int]:
        return self.store.get_list_state(self.lasting(ListStateDescriptor("l", Types.INT())))

    def map(self) -> MapState[str, int]:
        return self.store.get_map_state(self.lasting(MapStateDescriptor("m", Types.STRING(), Types.INT())))

    def is_clean(self) -> bool:
        """Whether no table has an entry left."""
        return not any(self.backend.snapshot().values())


@pytest.fixture(params=[False, True], ids=["lasting", "expiring"])
def keyed(request: pytest.FixtureRequest) -> Keyed:
    return Keyed(request.param)


def test_each_key_has_its_own_value(keyed: Keyed) -> None:
    state = keyed.value()
    assert state.value() is None
    state.update(1)
    keyed.scope.slot = "b"
    assert state.value() is None
    state.update(0)
    assert state.value() == 0
    keyed.scope.slot = "a"
    assert state.value() == 1


@pytest.mark.promise("beh:value-state-none-clears")
@pytest.mark.parametrize("removal", ["clear", "none"])
def test_a_removed_value_leaves_no_entry(keyed: Keyed, removal: str) -> None:
    state = keyed.value()
    state.update(1)
    if removal == "clear":
        state.clear()
    else:
        state.update(None)
    assert state.value() is None
    assert keyed.is_clean()
    state.clear()


def test_values_are_validated(keyed: Keyed) -> None:
    state = keyed.value()
    state.update(1)
    with pytest.raises(TypeCheckError, match="INT"):
        state.update("text")
    assert state.value() == 1


def test_a_list_grows_in_order(keyed: Keyed) -> None:
    state = keyed.list()
    assert list(state.get()) == []
    state.add(3)
    state.add_all([1, 2])
    state.add_all([])
    assert list(state.get()) == [3, 1, 2]
    assert list(state) == [3, 1, 2]
    keyed.scope.slot = "b"
    assert list(state.get()) == []


def test_a_list_is_replaced(keyed: Keyed) -> None:
    state = keyed.list()
    state.add(1)
    state.update([7, 8])
    assert list(state.get()) == [7, 8]
    state.update([])
    assert list(state.get()) == []
    assert keyed.is_clean()


def test_a_list_can_change_during_iteration(keyed: Keyed) -> None:
    state = keyed.list()
    state.add_all([1, 2])
    for number in state.get():
        state.add(number + 10)
    assert list(state.get()) == [1, 2, 11, 12]


def test_reading_a_list_returns_a_copy(keyed: Keyed) -> None:
    state: Any = keyed.list()
    state.add(1)
    state.get().append(2)
    assert list(state.get()) == [1]


@pytest.mark.parametrize("change", ["add", "add_all", "update"])
def test_an_invalid_element_leaves_a_list_unchanged(keyed: Keyed, change: str) -> None:
    state: Any = keyed.list()
    state.add(1)
    with pytest.raises(TypeCheckError):
        getattr(state, change)("text" if change == "add" else [2, "text"])
    assert list(state.get()) == [1]


def test_invalid_elements_leave_no_entry(keyed: Keyed) -> None:
    numbers: Any = keyed.list()
    entries: Any = keyed.map()
    with pytest.raises(TypeCheckError):
        numbers.add("text")
    with pytest.raises(TypeCheckError):
        entries.put("k", "text")
    assert keyed.is_clean()


def test_a_map_is_read_and_written(keyed: Keyed) -> None:
    state = keyed.map()
    assert state.is_empty()
    assert state.get("none") is None
    state.put("b", 1)
    state.put_all({"a": 2, "b": 3})
    state["c"] = 4
    assert (state.get("b"), state["a"], state["none"]) == (3, 2, None)
    assert "c" in state
    assert state.contains("a")
    assert "none" not in state
    assert list(state.items()) == [("b", 3), ("a", 2), ("c", 4)]
    assert list(state.keys()) == list(state) == ["b", "a", "c"]
    assert list(state.values()) == [3, 2, 4]
    assert not state.is_empty()


@pytest.mark.parametrize("entries", [[("a", 2), ("b", 3)], {"a": 2, "b": 3}.items(), [["a", 2], ["b", 3]]])
def test_a_map_takes_pairs(keyed: Keyed, entries: Any) -> None:
    state = keyed.map()
    state.put_all(entries)
    assert list(state.items()) == [("a", 2), ("b", 3)]


@pytest.mark.parametrize("entries", [1, None, ["a"], [("a", 1, 2)]])
def test_what_is_neither_a_dict_nor_pairs_is_refused(keyed: Keyed, entries: Any) -> None:
    state = keyed.map()
    with pytest.raises(TypeCheckError, match=r"put_all takes a dict or pairs of key and value, not "):
        state.put_all(entries)
    assert state.is_empty()


def test_removed_entries_leave_nothing_behind(keyed: Keyed) -> None:
    state = keyed.map()
    state.put_all({"a": 1, "b": 2})
    state.remove("a")
    state.remove("none")
    assert list(state) == ["b"]
    del state["b"]
    assert state.is_empty()
    assert keyed.is_clean()
    del state["b"]
    state.put("a", 1)
    state.clear()
    assert keyed.is_clean()


def test_a_map_can_change_during_iteration(keyed: Keyed) -> None:
    state = keyed.map()
    state.put_all({"a": 1, "b": 2})
    for key in state:
        state.remove(key)
        state.put(key * 2, 0)
    assert list(state.items()) == [("aa", 0), ("bb", 0)]


def test_none_is_valid_as_a_value_but_not_as_a_key(keyed: Keyed) -> None:
    state: Any = keyed.map()
    state.put("a", None)
    assert state.get("a") is None
    assert state.contains("a")
    assert list(state.items()) == [("a", None)]
    with pytest.raises(TypeCheckError):
        state.put(None, 1)


@pytest.mark.parametrize(("key", "value"), [(1, 1), ("a", "b")])
def test_entries_are_validated(keyed: Keyed, key: Any, value: Any) -> None:
    with pytest.raises(TypeCheckError):
        keyed.map().put(key, value)


def test_reducing_state(keyed: Keyed) -> None:
    descriptor = keyed.lasting(ReducingStateDescriptor("r", lambda one, two: one * 10 + two, Types.INT()))
    state = keyed.store.get_reducing_state(descriptor)
    assert state.get() is None
    for value in (1, 2, 3):
        state.add(value)
    assert state.get() == 123
    keyed.scope.slot = "b"
    assert state.get() is None
    keyed.scope.slot = "a"
    state.clear()
    assert state.get() is None
    assert keyed.is_clean()


@pytest.mark.promise("beh:aggregating-accumulator-type")
def test_aggregating_state(keyed: Keyed) -> None:
    descriptor = AggregatingStateDescriptor("a", Average(), Types.TUPLE([Types.INT(), Types.INT()]))
    state: Any = keyed.store.get_aggregating_state(keyed.lasting(descriptor))
    assert state.get() is None
    state.add(1)
    state.add(4)
    assert state.get() == 2.5
    state.clear()
    assert state.get() is None
    assert keyed.is_clean()


def test_descriptors_with_the_same_name_are_the_same_state(keyed: Keyed) -> None:
    keyed.value().update(5)
    assert keyed.value().value() == 5
    assert keyed.value("other").value() is None


@pytest.mark.parametrize(
    "other", [ValueStateDescriptor("l", Types.LIST(Types.INT())), ListStateDescriptor("l", Types.LONG())]
)
def test_a_name_cannot_be_reused_with_another_kind_or_type(keyed: Keyed, other: StateDescriptor[Any]) -> None:
    keyed.list()
    get: Any = keyed.store.get_state
    if isinstance(other, ListStateDescriptor):
        get = keyed.store.get_list_state
    with pytest.raises(StateAccessError, match="'l'"):
        get(other)


def test_prefixes_are_namespaces(keyed: Keyed) -> None:
    descriptor = ValueStateDescriptor("v", Types.INT())
    keyed.store.get_state(descriptor).update(1)
    assert keyed.backend.store(keyed.scope, "window ").get_state(descriptor).value() is None


def test_access_without_a_key_is_refused(keyed: Keyed) -> None:
    value, items, entries = keyed.value(), keyed.list(), keyed.map()
    keyed.scope.leave()
    for use in (
        value.value,
        value.clear,
        lambda: value.update(1),
        items.get,
        lambda: items.add(1),
        lambda: items.update([1]),
        lambda: entries.get("a"),
        lambda: entries.put("a", 1),
        entries.is_empty,
        entries.items,
    ):
        with pytest.raises(StateAccessError, match="no current key"):
            use()


def test_a_snapshot_is_restored_to_states_created_before_and_after(keyed: Keyed) -> None:
    keyed.value().update(1)
    keyed.list().add(2)
    other = Keyed(keyed._expiring)
    before = other.value()
    for name, table in keyed.backend.snapshot().items():
        other.backend.add(name, table)
    assert before.value() == 1
    assert set(other.backend.snapshot()) == {"v", "l"}
    assert list(other.list().get()) == [2]


_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["put", "remove", "clear", "put_all"]), st.sampled_from("abc"), st.integers(0, 9)
    ),
    max_size=30,
)


@given(_STEPS, st.booleans())
def test_a_map_behaves_as_a_dict(steps: list[tuple[str, str, int]], expiring: bool) -> None:
    keyed = Keyed(expiring)
    state, model = keyed.map(), dict[str, int]()
    for step, key, value in steps:
        match step:
            case "put":
                state.put(key, value)
                model[key] = value
            case "put_all":
                state.put_all({key: value, "z": value})
                model.update({key: value, "z": value})
            case "remove":
                state.remove(key)
                model.pop(key, None)
            case "clear":
                state.clear()
                model.clear()
        assert list(state.items()) == list(model.items())
        assert state.is_empty() is not bool(model)
    assert keyed.is_clean() is not bool(model)


@pytest.mark.parametrize(
    ("method", "descriptor"),
    [
        ("get_state", ListStateDescriptor("s", Types.LONG())),
        ("get_list_state", ValueStateDescriptor("s", Types.LONG())),
        ("get_map_state", "s"),
        ("get_reducing_state", ValueStateDescriptor("s", Types.LONG())),
        ("get_aggregating_state", MapStateDescriptor("s", Types.LONG(), Types.LONG())),
    ],
)
def test_a_descriptor_of_another_kind_is_refused(keyed: Keyed, method: str, descriptor: Any) -> None:
    with pytest.raises(StateAccessError, match=rf"^{method} takes a \w+StateDescriptor, not "):
        getattr(keyed.store, method)(descriptor)
