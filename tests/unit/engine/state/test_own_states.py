"""States of operators themselves: their values migrate, and functions cannot use them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest

from pystream.datastream import KeyedProcessFunction, ReduceFunction
from pystream.datastream.state import MapStateDescriptor, StateDescriptor, ValueStateDescriptor
from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, Elements
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.broadcast.state import BroadcastStates
from pystream.engine.operators.elementwise import PROCESS
from pystream.engine.operators.interval_join import INTERVAL_JOIN, IntervalJoinPlan
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.evolution import StateType, StateTypes, merged_history
from pystream.engine.state.page_store import MemoryPageStore
from pystream.engine.task.task import Task
from pystream.engine.task.task_state import StatePart
from pystream.engine.windows.evictors import CountEvictor
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import SlidingEventTimeWindows, TumblingEventTimeWindows
from tests.unit.engine.driving import opened
from tests.unit.engine.task.test_task_state import epoch, task
from tests.unit.engine.tasks import collect, operator, pickled_types
from tests.unit.engine.windows.driving import gather
from typeinfo import Row, Types
from typeinfo.extended import optional_of
from typeinfo.info import TypeInformation
from typeinfo.pickling import dump_state, dumps

LONG, STRING = Types.LONG, Types.STRING
KEY = KeySpec(dumps(lambda value: 1), LONG)
OLD = Types.ROW_NAMED(["a"], [LONG])
NEW = Types.ROW_NAMED(["a", "b"], [LONG, LONG])


@pytest.fixture
def orders() -> Iterator[tuple[Any, Any]]:
    """Two versions of a class of one name; the second is the program's once it is used."""

    @dataclass
    class Before:
        x: int

    @dataclass
    class After:
        x: int
        y: int = 7

    module: Any = ModuleType("shop_of_the_test")
    for cls in (Before, After):
        cls.__module__, cls.__qualname__, cls.__name__ = module.__name__, "Order", "Order"
    del After.y  # a class attribute would hide that the field is missing
    After.__init__.__defaults__ = (7,)  # type: ignore[attr-defined]
    with patch.dict(sys.modules, {module.__name__: module}):
        module.Order = Before
        yield Before, After


def keyed(spec: OperatorSpec, store: MemoryPageStore) -> Any:
    made = opened(spec)
    assert isinstance(made, KeyedOperator)
    made.restore_pages(store)
    return made


def values(events: Iterator[Any]) -> list[Any]:
    return [value for event in events if isinstance(event, Elements) for value in event.values]


WINDOWS = {
    "tumbling": (TumblingEventTimeWindows(100, 0), {}),
    "sliding": (SlidingEventTimeWindows(100, 50, 0), {}),
    "sessions": (EventTimeSessionWindows(100), {}),
    "late": (TumblingEventTimeWindows(100, 0), {"allowed_lateness": 5}),
    "late sessions": (EventTimeSessionWindows(100), {"allowed_lateness": 5}),
    "evicting": (TumblingEventTimeWindows(100, 0), {"evictor": CountEvictor(5)}),
}


@pytest.mark.parametrize("name", WINDOWS)
def test_a_field_is_added_to_a_dataclass_in_windows(orders: tuple[Any, Any], name: str) -> None:
    before, after = orders
    assigner, settings = WINDOWS[name]

    def made(cls: type) -> OperatorSpec:
        plan = gather(assigner, element_type=Types.of(cls), **settings)
        return operator(WINDOW, plan, keys=(KEY,))

    store = MemoryPageStore()
    first = keyed(made(before), store)
    list(first.process(Elements([before(1), before(2)], [60, 70]), 0))
    first.save_pages()
    sys.modules["shop_of_the_test"].Order = after  # type: ignore[attr-defined]
    second = keyed(made(after), store)
    results = values(second.advance(MAX_WATERMARK))
    assert [[vars(order) for order in held] for _, _, held in results] == [
        [{"x": 1, "y": 7}, {"x": 2, "y": 7}]
    ] * (2 if name == "sliding" else 1)


class Pairs:
    def process_element(self, left: Any, right: Any, ctx: Any) -> Any:
        yield left, right


def test_the_buffers_of_an_interval_join_are_migrated_for_each_side() -> None:
    def made(left: TypeInformation[Any], right: TypeInformation[Any]) -> OperatorSpec:
        plan = IntervalJoinPlan(Pairs(), -10, 10, types=(left, right))
        return operator(INTERVAL_JOIN, plan, keys=(KEY, KEY))

    store = MemoryPageStore()
    first = keyed(made(OLD, LONG), store)
    list(first.process(Elements([Row(a=1)], [0]), 0))
    first.save_pages()
    with pytest.raises(
        StateMigrationError, match=r"'left-buffer' .* at \[\]\[\]: it was .*, and is LONG now"
    ):
        keyed(made(LONG, LONG), store)
    second = keyed(made(NEW, LONG), store)
    assert values(second.process(Elements([5], [5]), 1)) == [(Row(a=1, b=None), 5)]


class Reusing(ReduceFunction[int]):
    def open(self, runtime_context: RuntimeContext) -> None:
        runtime_context.get_state(ValueStateDescriptor("_reduce_state", LONG))

    def reduce(self, value1: int, value2: int) -> int:
        return value1 + value2


def test_a_function_cannot_use_a_state_of_its_operator() -> None:
    with pytest.raises(TaskFailure, match=r"'_reduce_state' is one of the operator itself: use another name"):
        opened(operator(REDUCE, Reusing(), keys=(KEY,), output_type=LONG))


def test_broadcast_states_are_migrated_and_checked() -> None:
    def states(of: TypeInformation[Any]) -> BroadcastStates:
        return BroadcastStates([MapStateDescriptor("rules", STRING, of)])

    first = states(OLD)
    first.state(MapStateDescriptor("rules", STRING, OLD)).put("k", Row(a=1))
    second = states(NEW)
    second.restore(first.snapshot())
    assert second.view(MapStateDescriptor("rules", STRING, NEW)).get("k") == Row(a=1, b=None)
    assert [declared.type_info for declared in second.history()["rules"]] == [
        Types.MAP(STRING, of) for of in (OLD, NEW)
    ]
    with pytest.raises(StateMigrationError, match=r"state 'rules' .* at \[\]"):
        states(LONG).restore(first.snapshot())


# types of several subtasks


class Late(KeyedProcessFunction[Any, Any, Any]):
    """Uses a state from its first element on: emits its value, and replaces it."""

    def __init__(self, descriptor: StateDescriptor[Any], names: str = "a") -> None:
        self.descriptor = descriptor
        self.names = names

    def open(self, runtime_context: RuntimeContext) -> None:
        self.context = runtime_context

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        state = self.context.get_state(self.descriptor)  # type: ignore[arg-type]
        yield state.value()
        state.update(Row(**dict.fromkeys(self.names, value)))


VERSIONS = [Types.ROW_NAMED(names, [LONG] * len(names)) for names in (["a"], ["a", "b"], ["a", "b", "c"])]


def late(version: int, index: int) -> Task:
    function = Late(ValueStateDescriptor("last", VERSIONS[version]), "abc"[: version + 1])
    key = KeySpec(dumps(lambda value: value), LONG)
    return task(operator(PROCESS, function, collect(), keys=(key,)), index=index, parallelism=2)


def exported(tasks: list[Task]) -> tuple[Any, list[StatePart]]:
    """Return the merged types of tasks, and their state."""
    (uid,) = tasks[0].state_types()
    histories = [each.state_types()[uid].get("last", []) for each in tasks]
    return {uid: dump_state({"last": merged_history("last", histories)})}, [
        part for each in tasks for part in each.export()
    ]


def imported(version: int, types: Any, parts: list[StatePart]) -> tuple[list[Task], list[MemoryPageStore]]:
    tasks, stores = [late(version, index) for index in range(2)], [MemoryPageStore() for _ in range(2)]
    for each, store in zip(tasks, stores, strict=True):
        each.import_(store, types, parts)
    return tasks, stores


def test_a_state_that_only_one_subtask_has_used_since_its_type_changed_is_migrated() -> None:
    keys = range(20)
    tasks, stores = imported(0, {}, [])
    owned = [[key for key in keys if each._subtask.owns(group_of(key))] for each in tasks]
    assert all(owned)
    for each, store, own in zip(tasks, stores, owned, strict=True):
        epoch(each, store, own)
    tasks, stores = imported(1, *exported(tasks))
    for number, (each, store) in enumerate(zip(tasks, stores, strict=True)):
        epoch(each, store, *([owned[number][:1]] if number else []))
    for order in (1, -1):
        again, their_stores = imported(2, *exported(tasks[::order]))
        found = {}
        for each, store, own in zip(again, their_stores, owned, strict=True):
            found |= dict(zip(own, epoch(each, store, own), strict=True))
        assert found == {key: Row(a=key, b=key if key == owned[1][0] else None, c=None) for key in keys}


def group_of(key: int) -> int:
    from pystream.engine.keys import KeyGroups

    return KeyGroups(128)[key]


def test_an_incompatible_type_names_operator_state_and_path_as_state_is_imported_or_used() -> None:
    tasks, stores = imported(0, {}, [])
    epoch(tasks[0], stores[0], [key for key in range(20) if tasks[0]._subtask.owns(group_of(key))][:1])
    types, parts = exported(tasks)
    wrong = ValueStateDescriptor("last", Types.ROW_NAMED(["a"], [STRING]))

    function = Late(wrong)
    key = KeySpec(dumps(lambda value: value), LONG)
    made = task(operator(PROCESS, function, collect(), keys=(key,)), index=1, parallelism=2)
    store = MemoryPageStore()
    made.import_(store, types, parts)  # this subtask has none of the state
    with pytest.raises(
        TaskFailure, match=r"'PROCESS' \(uid .*'last' has another type .* at \.a: it was LONG"
    ):
        epoch(made, store, [1])


def test_different_types_in_subtasks_are_refused() -> None:
    one, two = (StateType("ValueState", of, False) for of in (LONG, STRING))
    assert merged_history("s", [[one], [], [one, two]]) == [one, two]
    with pytest.raises(StateMigrationError, match="'s' is a ValueState of Long in one subtask"):
        merged_history("s", [[one], [two]])


def test_values_that_may_be_absent_are_migrated() -> None:
    def migrated(before: TypeInformation[Any], after: TypeInformation[Any], value: Any) -> Any:
        types = StateTypes({"s": [StateType("ValueState", Types.TUPLE([before]), False)]})
        types.register("s", StateType("ValueState", Types.TUPLE([after]), False))
        for migration in types.migrations("s", 0):
            value = migration(value)
        return value

    assert migrated(optional_of(OLD), optional_of(NEW), (None,)) == (None,)
    assert migrated(optional_of(OLD), optional_of(NEW), (Row(a=1),)) == (Row(a=1, b=None),)
    assert migrated(OLD, optional_of(NEW), (Row(a=1),)) == (Row(a=1, b=None),)
    with pytest.raises(StateMigrationError, match=r"at \[0\]"):
        migrated(optional_of(OLD), OLD, (None,))


def test_state_of_a_class_that_is_gone_names_the_operator(orders: tuple[Any, Any]) -> None:
    before, _ = orders

    def made(function: Any) -> Task:
        return task(operator(REDUCE, function, collect(), keys=(KEY,)))

    first = made(lambda one, _: one)
    epoch(first, MemoryPageStore(), [before(1)])
    types, parts = pickled_types(first), list(first.export())
    del sys.modules["shop_of_the_test"].Order
    second = made(lambda one, _: one)
    with pytest.raises(TaskFailure, match=r"'Reduce' \(uid .* cannot be loaded: AttributeError: .*'Order'"):
        second.import_(MemoryPageStore(), types, parts)


def test_a_missing_class_is_the_advice_only_if_one_is_missing(orders: tuple[Any, Any]) -> None:
    before, _ = orders

    def made() -> Task:
        return task(operator(REDUCE, lambda one, _: one, collect(), keys=(KEY,)))

    def refuse(order: Any, state: Any) -> None:
        raise ValueError("a refund")

    first = made()
    epoch(first, MemoryPageStore(), [before(1)])
    types, parts = pickled_types(first), list(first.export())
    with patch.object(before, "__setstate__", refuse, create=True), pytest.raises(TaskFailure) as failed:
        made().import_(MemoryPageStore(), types, parts)
    assert "ValueError: a refund; give the operator a new uid" in str(failed.value)
    del sys.modules["shop_of_the_test"].Order
    with pytest.raises(TaskFailure, match="; restore the class that it names, or give the operator"):
        made().import_(MemoryPageStore(), types, parts)
