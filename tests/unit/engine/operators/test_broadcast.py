"""Broadcast state: write access, read access and the order of both inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.datastream import BroadcastProcessFunction, KeyedBroadcastProcessFunction, OutputTag
from pystream.datastream.state import ListStateDescriptor, MapStateDescriptor, ValueStateDescriptor
from pystream.engine.events import MAX_WATERMARK
from pystream.engine.failure import TaskFailure
from pystream.engine.operators.broadcast.operators import BROADCAST_PROCESS
from tests.unit.engine.driving import Driver
from typeinfo import Types

RULES: MapStateDescriptor[str, int] = MapStateDescriptor("rules", Types.STRING(), Types.INT())
OTHERS: MapStateDescriptor[str, int] = MapStateDescriptor("others", Types.STRING(), Types.INT())
SEEN: ListStateDescriptor[int] = ListStateDescriptor("seen", Types.INT())
LAST: ValueStateDescriptor[int] = ValueStateDescriptor("last", Types.INT())
TAG: OutputTag[str] = OutputTag("side", Types.STRING())
MIN = -(2**63)


class Rules(BroadcastProcessFunction[str, tuple[str, int], Any]):
    """Looks up the rule of each element."""

    def process_element(self, value: str, ctx: BroadcastProcessFunction.ReadOnlyContext) -> Iterator[Any]:
        yield value, ctx.get_broadcast_state(RULES)[value], ctx.timestamp(), ctx.current_watermark()

    def process_broadcast_element(
        self, value: tuple[str, int], ctx: BroadcastProcessFunction.Context
    ) -> Iterator[Any]:
        ctx.get_broadcast_state(RULES)[value[0]] = value[1]
        yield "rule", ctx.timestamp(), ctx.current_processing_time()
        yield TAG, value[0]


class Calls(BroadcastProcessFunction[Any, Any, Any]):
    """Calls an element with the state of its side."""

    def process_element(self, value: Any, ctx: BroadcastProcessFunction.ReadOnlyContext) -> Any:
        return [value(ctx.get_broadcast_state(RULES))]

    def process_broadcast_element(self, value: Any, ctx: BroadcastProcessFunction.Context) -> Any:
        return [value(ctx.get_broadcast_state(RULES))]


class Unknown(BroadcastProcessFunction[Any, MapStateDescriptor[Any, Any], Any]):
    """Requests the state whose descriptor is the element."""

    def process_element(self, value: Any, ctx: BroadcastProcessFunction.ReadOnlyContext) -> Any:
        ctx.get_broadcast_state(value)

    def process_broadcast_element(self, value: Any, ctx: BroadcastProcessFunction.Context) -> Any:
        ctx.get_broadcast_state(value)


class Keyed(KeyedBroadcastProcessFunction[str, tuple[str, int], Any, Any]):
    """Collects elements by key, with timers; a broadcast element returns the state of all keys."""

    def open(self, runtime_context: Any) -> None:
        self.seen = runtime_context.get_list_state(SEEN)
        self.last = runtime_context.get_state(LAST)

    def process_element(
        self, value: tuple[str, int], ctx: KeyedBroadcastProcessFunction.ReadOnlyContext
    ) -> Iterator[Any]:
        self.seen.add(value[1])
        self.last.update(value[1])
        ctx.timer_service().register_event_time_timer(value[1] + 10)
        yield ctx.get_current_key(), list(self.seen), list(ctx.get_broadcast_state(RULES).items())

    def process_broadcast_element(self, value: Any, ctx: KeyedBroadcastProcessFunction.Context) -> Any:
        if value == "visit":
            found: list[Any] = []
            ctx.apply_to_keyed_state(SEEN, lambda key, state: found.append((key, list(state))))
            ctx.apply_to_keyed_state(LAST, lambda key, state: state.clear())
            return found
        ctx.get_broadcast_state(RULES).put(*value)
        return None

    def on_timer(self, timestamp: int, ctx: KeyedBroadcastProcessFunction.OnTimerContext) -> Iterator[Any]:
        rules = dict(ctx.get_broadcast_state(RULES).items())
        yield timestamp, ctx.get_current_key(), ctx.time_domain().name, rules, ctx.current_watermark()


def driver(function: Any, **rest: Any) -> Driver:
    return Driver(BROADCAST_PROCESS, function, broadcast_states=(RULES, OTHERS), **rest)


def keyed(**rest: Any) -> Driver:
    return driver(Keyed(), keys=[lambda value: value[0]], **rest)


def test_the_other_input_reads_earlier_entries() -> None:
    with driver(Rules()) as d:
        d.clock.set(77)
        d.feed(["a"], 0, [5])
        d.feed([("a", 1)], 1, [6])
        d.advance(4)
        d.feed(["a", "b"], 0, [7, 8])
    assert d.results == [("a", None, 5, MIN), ("rule", 6, 77), ("a", 1, 7, 4), ("b", None, 8, 4)]
    assert d.times == [5, 6, 7, 8]
    assert d.sides == {"side": ["a"]}


def test_all_methods_of_broadcast_state() -> None:
    def write(state: Any) -> Any:
        state.put_all({"a": 1, "b": 2, "c": 3})
        state["d"] = 4
        del state["a"]
        state.remove("nothing")
        return [state.get("b"), state["a"], "c" in state, state.contains("a"), list(state), state.is_empty()]

    def read(state: Any) -> Any:
        return [state["b"], list(state.keys()), list(state.values()), list(state.items()), "d" in state]

    def clear(state: Any) -> Any:
        state.clear()
        return state.is_empty()

    with driver(Calls()) as d:
        d.feed([write], 1)
        d.feed([read], 0)
        d.feed([clear], 1)
        d.feed([lambda state: state.is_empty()], 0)
    assert d.results == [
        [2, None, True, False, ["b", "c", "d"], False],
        [2, ["b", "c", "d"], [2, 3, 4], [("b", 2), ("c", 3), ("d", 4)], True],
        True,
        True,
    ]


@pytest.mark.parametrize("method", ["put", "put_all", "remove", "clear", "__setitem__", "__delitem__"])
def test_the_other_input_cannot_write(method: str) -> None:
    with driver(Calls()) as d:
        d.feed([lambda state: hasattr(state, method)], 0)
        d.feed([lambda state: hasattr(state, method)], 1)
    assert d.results == [False, True]


@pytest.mark.parametrize("call", [lambda s: s.put("a", "x"), lambda s: s.put_all({"a": 1, "b": "x"})])
def test_entries_are_validated(call: Any) -> None:
    with driver(Calls()) as d:
        with pytest.raises(TaskFailure, match=r"'Co-Process-Broadcast'.*: 'x' \(str\) is not an INT"):
            d.feed([call], 1)
        d.feed([lambda state: state.is_empty()], 0)
    assert d.results == [True]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize(
    ("descriptor", "message"),
    [
        (
            MapStateDescriptor("rulez", Types.STRING(), Types.INT()),
            "no broadcast state 'rulez'.*'rules', 'others'",
        ),
        (
            MapStateDescriptor("rules", Types.STRING(), Types.LONG()),
            "broadcast state 'rules' is a .*Integer>, not a",
        ),
    ],
)
def test_a_state_must_be_among_those_broadcast(
    side: int, descriptor: MapStateDescriptor[Any, Any], message: str
) -> None:
    with driver(Unknown()) as d, pytest.raises(TaskFailure, match=message):
        d.feed([descriptor], side)


def test_a_keyed_function_has_keys_states_and_timers() -> None:
    with keyed() as d:
        d.feed([("a", 1)], 1)
        d.feed([("k", 2), ("l", 3), ("k", 4)], 0, [2, 3, 4])
        d.advance(13)
    assert d.results == [
        ("k", [2], [("a", 1)]),
        ("l", [3], [("a", 1)]),
        ("k", [2, 4], [("a", 1)]),
        (12, "k", "EVENT_TIME", {"a": 1}, 13),
        (13, "l", "EVENT_TIME", {"a": 1}, 13),
    ]


@pytest.mark.parametrize(
    "key_type", [Types.PICKLED_BYTE_ARRAY, Types.STRING(), Types.BASIC_ARRAY(Types.CHAR())]
)
def test_a_broadcast_element_visits_the_states_of_all_keys(key_type: Any) -> None:
    first, second = (["k"], ["l"]) if key_type == Types.BASIC_ARRAY(Types.CHAR()) else ("k", "l")
    with keyed(key_type=key_type) as d:
        d.feed([(first, 2), (second, 3), (first, 4)], 0)
        del d.results[:]
        d.feed(["visit"], 1)
        d.feed([(first, 5)], 0)
    assert d.results == [(first, [2, 4]), (second, [3]), (first, [2, 4, 5], [])]


def test_a_broadcast_element_has_no_key() -> None:
    class Wrong(Keyed):
        def process_broadcast_element(self, value: Any, ctx: Any) -> Any:
            self.last.value()

    with driver(Wrong(), keys=[lambda value: value[0]]) as d:
        d.feed([("k", 1)], 0)
        with pytest.raises(TaskFailure, match="there is no current key"):
            d.feed([("a", 1)], 1)


@pytest.mark.parametrize("make", [keyed, lambda **rest: driver(Rules(), **rest)])
def test_a_failure_names_operator_and_element(make: Any) -> None:
    with make() as d, pytest.raises(TaskFailure, match=r"'Co-Process-Broadcast'(.|\n)*element: 7"):
        d.feed([7], 1)


def test_in_batch_execution_broadcast_elements_come_first() -> None:
    with keyed(batch=True) as d:
        d.feed([("k", 2), ("l", 3)], 0, [2, 3])
        d.feed([("a", 1)], 1)
        d.feed([("k", 1)], 0, [1])
        d.end_group()
    assert d.results == [
        ("k", [1], [("a", 1)]),
        ("k", [1, 2], [("a", 1)]),
        (11, "k", "EVENT_TIME", {"a": 1}, MAX_WATERMARK),
        (12, "k", "EVENT_TIME", {"a": 1}, MAX_WATERMARK),
        ("l", [3], [("a", 1)]),
        (13, "l", "EVENT_TIME", {"a": 1}, MAX_WATERMARK),
    ]


def test_states_survive_a_restart() -> None:
    with driver(Rules()) as d:
        d.feed([("a", 1)], 1)
        snapshot = d.snapshot()
    with driver(Rules(), snapshot=snapshot) as d:
        d.feed(["a"], 0, [5])
    assert d.results == [("a", 1, 5, MIN)]


def test_keyed_states_survive_a_restart_with_their_keys() -> None:
    key_type = Types.BASIC_ARRAY(Types.CHAR())
    with keyed(key_type=key_type) as d:
        d.feed([("a", 1)], 1)
        d.feed([(["k"], 2)], 0)
        snapshot = d.snapshot()
    with keyed(key_type=key_type, snapshot=snapshot) as d:
        d.feed(["visit"], 1)
        d.advance(12)
    assert d.results == [(["k"], [2]), (12, ["k"], "EVENT_TIME", {"a": 1}, 12)]


class Once(Keyed):
    """Keeps state for some keys until a timer fires."""

    def process_element(self, value: Any, ctx: Any) -> Any:
        if value[1]:
            self.last.update(value[1])
            ctx.timer_service().register_event_time_timer(10)

    def on_timer(self, timestamp: int, ctx: Any) -> Any:
        self.last.clear()


def test_keys_without_state_are_forgotten() -> None:
    with driver(Once(), keys=[lambda value: value[0]], key_type=Types.DOUBLE()) as d:
        d.feed([(0.5, 0), (1.5, 1), (2.5, 2)], 0)
        assert sorted(d.content().keys.values()) == [1.5, 2.5]
        d.advance(10)
        assert d.content().keys == {}


def test_in_batch_execution_finished_keys_are_forgotten() -> None:
    with keyed(key_type=Types.DOUBLE(), batch=True) as d:
        d.feed([(1.0, 1), (2.0, 2)], 0, [1, 2])
        d.end_group()
        assert d.content().keys == {}
