"""State whose type has changed: added fields get their defaults, anything else is refused by its path."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, NamedTuple, TypedDict
from unittest.mock import patch

import pytest

from pystream.common import Time
from pystream.datastream import KeyedProcessFunction
from pystream.datastream.state import (
    ListStateDescriptor,
    MapStateDescriptor,
    StateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pystream.engine.context import RuntimeContext
from pystream.engine.events import Elements
from pystream.engine.operators.elementwise import PROCESS
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.spec import KeySpec
from pystream.engine.state import keyed_pages
from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.page_store import MemoryPageStore
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import operator
from typeinfo import Row, Types
from typeinfo.info import TypeInformation
from typeinfo.pickling import dumps

LONG, STRING = Types.LONG, Types.STRING
KEY = KeySpec(dumps(lambda value: value[0]), LONG)


class Remember(KeyedProcessFunction[Any, Any, Any]):
    """Writes a value to a state, or reads it."""

    def __init__(self, descriptor: StateDescriptor[Any], lazily: bool = False) -> None:
        self.descriptor = descriptor
        self.lazily = lazily

    def open(self, runtime_context: RuntimeContext) -> None:
        self.context = runtime_context
        if not self.lazily:
            self.state = runtime_context._states._state(self.descriptor)  # type: ignore[union-attr]

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        state: Any = self.context._states._state(self.descriptor) if self.lazily else self.state  # type: ignore[union-attr]
        _, what = value
        match self.descriptor.KIND:
            case "ValueState":
                yield state.value() if what is None else state.update(what)
            case "ListState":
                yield list(state.get()) if what is None else state.add(what)
            case _:
                yield dict(state.items()) if what is None else state.put("k", what)


class Program:
    """A version of a program with one state, over the same store."""

    def __init__(
        self, store: MemoryPageStore, descriptor: StateDescriptor[Any], lazily: bool = False
    ) -> None:
        self.store = store
        made = opened(operator(PROCESS, Remember(descriptor, lazily), keys=(KEY,)))
        assert isinstance(made, KeyedOperator)
        self.operator = made
        made.restore_pages(store)

    def feed(self, *values: Any) -> list[Any]:
        events = self.operator.process(Elements(list(values)), 0)
        return [value for event in events if isinstance(event, Elements) for value in event.values]

    def read(self, key: int = 0) -> Any:
        (found,) = self.feed((key, None))
        return found

    def end(self) -> None:
        self.operator.save_pages()


def written(descriptor: StateDescriptor[Any], *values: Any) -> MemoryPageStore:
    store = MemoryPageStore()
    first = Program(store, descriptor)
    first.feed(*((key, value) for key, value in enumerate(values)))
    first.end()
    return store


def value_of(type_info: TypeInformation[Any]) -> StateDescriptor[Any]:
    return ValueStateDescriptor("s", type_info)


def row(**types: TypeInformation[Any]) -> TypeInformation[Any]:
    return Types.ROW_NAMED(list(types), list(types.values()))


def test_a_field_is_added_to_rows() -> None:
    store = written(value_of(row(a=LONG, b=STRING)), Row(a=1, b="x"))
    assert Program(store, value_of(row(c=LONG, b=STRING, a=LONG))).read() == Row(c=None, b="x", a=1)


def test_a_field_is_added_to_unnamed_rows() -> None:
    store = written(value_of(Types.ROW([LONG])), Row(1))
    assert Program(store, value_of(Types.ROW([LONG, STRING]))).read() == Row(1, None)


def test_rows_inside_are_migrated() -> None:
    def around(inner: TypeInformation[Any]) -> TypeInformation[Any]:
        return Types.TUPLE([LONG, Types.LIST(inner), Types.MAP(STRING, inner)])

    old, new = row(a=LONG), row(a=LONG, b=LONG)
    store = written(value_of(around(old)), (1, [Row(a=2)], {"k": Row(a=3)}))
    expected = (1, [Row(a=2, b=None)], {"k": Row(a=3, b=None)})
    assert Program(store, value_of(around(new))).read() == expected


def test_elements_of_list_and_map_states_are_migrated() -> None:
    old, new = row(a=LONG), row(a=LONG, b=LONG)
    store = written(ListStateDescriptor("s", old), Row(a=1))
    assert Program(store, ListStateDescriptor("s", new)).read() == [Row(a=1, b=None)]
    store = written(MapStateDescriptor("s", STRING, old), Row(a=1))
    assert Program(store, MapStateDescriptor("s", STRING, new)).read() == {"k": Row(a=1, b=None)}


@pytest.mark.parametrize("lazily", [False, True])
def test_values_with_a_time_to_live_are_migrated(lazily: bool) -> None:
    def expiring(descriptor: StateDescriptor[Any]) -> StateDescriptor[Any]:
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)).build())
        return descriptor

    old, new = row(a=LONG), row(a=LONG, b=LONG)
    store = written(expiring(value_of(old)), Row(a=1))
    assert Program(store, expiring(value_of(new)), lazily).read() == Row(a=1, b=None)
    store = written(expiring(ListStateDescriptor("s", old)), Row(a=1))
    assert Program(store, expiring(ListStateDescriptor("s", new)), lazily).read() == [Row(a=1, b=None)]


def test_pages_of_several_versions_are_migrated_as_they_are_loaded() -> None:
    versions = [row(a=LONG), row(a=LONG, b=LONG), row(a=LONG, b=LONG, c=LONG)]
    with patch.object(keyed_pages, "MAX_ENTRIES", 1):
        store = written(value_of(versions[0]), *(Row(a=key) for key in range(20)))
        second = Program(store, value_of(versions[1]))
        second.feed(*((key, Row(a=key, b=key)) for key in range(5)))
        second.end()
        third = Program(store, value_of(versions[2]), lazily=True)
        found = [third.read(key) for key in range(20)]
        third.end()
        again = Program(store, value_of(versions[2]))
        assert [again.read(key) for key in range(20)] == found
    assert found == [Row(a=key, b=key if key < 5 else None, c=None) for key in range(20)]


def refused(old: StateDescriptor[Any], value: Any, new: StateDescriptor[Any]) -> str:
    store = written(old, value)
    with pytest.raises(StateMigrationError) as raised:
        Program(store, new)
    return str(raised.value)


def test_other_types_are_refused_with_their_path() -> None:
    message = refused(
        value_of(Types.LIST(row(a=LONG, b=LONG))),
        [Row(a=1, b=2)],
        value_of(Types.LIST(row(a=LONG, b=STRING))),
    )
    assert "state 's'" in message
    assert "at [].b: it was LONG, and is STRING now" in message


def test_a_removed_field_is_refused() -> None:
    message = refused(value_of(row(a=LONG, b=LONG)), Row(a=1, b=2), value_of(row(a=LONG)))
    assert "another type than the stored one" in message


def test_another_kind_of_state_is_refused() -> None:
    message = refused(value_of(Types.LIST(LONG)), [1], ListStateDescriptor("s", LONG))
    assert "stored as a ValueState" in message
    assert "is a ListState" in message


def test_another_type_of_map_keys_is_refused() -> None:
    old, new = MapStateDescriptor("s", STRING, LONG), MapStateDescriptor("s", LONG, LONG)
    assert "at {}" in refused(old, 1, new)


def test_a_time_to_live_cannot_be_added() -> None:
    new = value_of(LONG)
    new.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)).build())
    assert "with a time to live" in refused(value_of(LONG), 1, new)


class TestClasses:
    """Classes of a module whose next version has more fields."""

    @pytest.fixture
    def module(self) -> Iterator[Any]:
        made: Any = ModuleType("shop_of_the_test")
        with patch.dict(sys.modules, {made.__name__: made}):
            yield made

    @staticmethod
    def put(module: Any, cls: Any) -> Any:
        cls.__module__, cls.__qualname__, cls.__name__ = module.__name__, "Order", "Order"
        module.Order = cls
        return cls

    def test_a_field_with_a_default_is_added_to_a_dataclass(self, module: Any) -> None:
        @dataclass
        class Before:
            x: int

        @dataclass
        class After:
            x: int
            y: int = 7
            tags: list[str] = field(default_factory=list)
            note: str | None = None

        old = self.put(module, Before)
        store = written(value_of(Types.of(old)), old(1), old(2))
        new = self.put(module, After)
        program = Program(store, value_of(Types.of(new)))
        assert program.read() == new(1, 7, [], None)
        program.read().tags.append("t")
        assert program.read(1) == new(2)

    def test_a_field_without_one_is_refused(self, module: Any) -> None:
        @dataclass
        class Before:
            x: int

        @dataclass
        class After:
            x: int
            y: int

        old = self.put(module, Before)
        store = written(value_of(Types.of(old)), old(1))
        with pytest.raises(StateMigrationError, match=r"at \.y: it was absent"):
            Program(store, value_of(Types.of(self.put(module, After))))

    def test_a_field_is_added_to_a_frozen_dataclass_with_slots(self, module: Any) -> None:
        @dataclass(frozen=True, slots=True)
        class Before:
            x: int

        @dataclass(frozen=True, slots=True)
        class After:
            x: int
            y: int = 7

        old = self.put(module, Before)
        store = written(value_of(Types.of(old)), old(1))
        new = self.put(module, After)
        assert Program(store, value_of(Types.of(new))).read() == new(1, 7)

    def test_a_field_is_added_to_a_named_tuple(self, module: Any) -> None:
        class Before(NamedTuple):
            x: int

        class After(NamedTuple):
            x: int
            y: int = 7

        old = self.put(module, Before)
        store = written(value_of(Types.of(old)), old(1))
        new = self.put(module, After)
        assert Program(store, value_of(Types.of(new))).read() == new(1, 7)

    def test_a_key_is_added_to_a_typed_dict(self, module: Any) -> None:
        class Before(TypedDict):
            x: int

        class After(TypedDict):
            x: int
            y: int | None

        old = self.put(module, Before)
        store = written(value_of(Types.of(old)), {"x": 1})
        new = self.put(module, After)
        assert Program(store, value_of(Types.of(new))).read() == {"x": 1, "y": None}
