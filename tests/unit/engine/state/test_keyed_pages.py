"""Keyed state in pages: any operator, cut into epochs at any points, yields what it yields without pages."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Time
from pystream.datastream import (
    KeyedProcessFunction,
    MapFunction,
    ProcessWindowFunction,
)
from pystream.datastream.state import (
    ListStateDescriptor,
    MapStateDescriptor,
    StateTtlConfig,
    ValueStateDescriptor,
)
from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, Elements, Event
from pystream.engine.keys import KeyPositions
from pystream.engine.operators.broadcast.operators import BROADCAST_PROCESS
from pystream.engine.operators.elementwise import CO_PROCESS, MAP, PROCESS
from pystream.engine.operators.interval_join import INTERVAL_JOIN, IntervalJoinPlan
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.spec import KeySpec, OperatorSpec
from pystream.engine.state import keyed_pages
from pystream.engine.state.keyed_pages import OWN_PAGE, RECENT_PAGE
from pystream.engine.state.page_store import MemoryPageStore
from pystream.engine.time.clock import ManualClock
from pystream.engine.windows.builtin_triggers import CountTrigger, EventTimeTrigger
from pystream.engine.windows.continuous_triggers import ContinuousEventTimeTrigger
from pystream.engine.windows.count_windows import CountTumblingWindowAssigner
from pystream.engine.windows.evictors import CountEvictor
from pystream.engine.windows.factory import WINDOW
from pystream.engine.windows.plan import WindowCall
from pystream.engine.windows.session_windows import EventTimeSessionWindows
from pystream.engine.windows.time_windows import (
    SlidingEventTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from tests.unit.engine.driving import opened
from tests.unit.engine.tasks import operator
from tests.unit.engine.windows.driving import gather, plan
from typeinfo import Types
from typeinfo.pickling import dumps

RULES = MapStateDescriptor("rules", Types.STRING(), Types.LONG())
SUM = ValueStateDescriptor("sum", Types.LONG())


class Timers(KeyedProcessFunction[Any, Any, Any]):
    """Keeps values and lists of a key, sets timers of both domains, and clears when one fires."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.sum = runtime_context.get_state(SUM)
        self.seen = runtime_context.get_list_state(ListStateDescriptor("seen", Types.LONG()))

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        key, time, number = value
        self.sum.update((self.sum.value() or 0) + number)
        self.seen.add(number)
        service = ctx.timer_service()
        if number % 3 == 0:
            service.register_event_time_timer(time + number)
        elif number % 3 == 1:
            service.register_processing_time_timer(service.current_processing_time() + number)
        else:
            service.delete_event_time_timer(time + number + 1)
        yield key, self.sum.value()

    process_element1 = process_element2 = process_element

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[Any]:
        yield (
            ctx.get_current_key(),
            ctx.time_domain().name,
            timestamp,
            self.sum.value(),
            list(self.seen.get()),
        )
        self.sum.clear()
        if timestamp % 2:
            self.seen.clear()
            ctx.timer_service().register_event_time_timer(timestamp + 3)


class CoTimers(Timers):
    """The same with two inputs."""


class Joined:
    """Returns pairs."""

    def process_element(self, left: Any, right: Any, ctx: Any) -> list[Any]:
        return [(left, right)]


class Rules(Timers):
    """Adds a rule to the state of all keys."""

    def process_element(self, value: Any, ctx: Any) -> Iterator[Any]:
        yield len(list(ctx.get_broadcast_state(RULES).items()))
        yield from super().process_element(value, ctx)

    def process_broadcast_element(self, value: Any, ctx: Any) -> list[Any]:
        _, time, number = value
        found: list[Any] = []
        ctx.get_broadcast_state(RULES).put(str(number), time)

        def visit(key: Any, state: Any) -> None:
            found.append((key, state.value()))
            state.update(state.value() + number)

        ctx.apply_to_keyed_state(SUM, visit)
        return sorted(found, key=repr)


class Expiring(MapFunction[Any, Any]):
    """Counts the elements of a key that come within 5 ms of each other."""

    def open(self, runtime_context: RuntimeContext) -> None:
        descriptor = ValueStateDescriptor("count", Types.LONG())
        descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.milliseconds(5)).build())
        self.count = runtime_context.get_state(descriptor)

    def map(self, value: Any) -> Any:
        self.count.update((self.count.value() or 0) + 1)
        return value[0], self.count.value()


class PerWindow(ProcessWindowFunction[Any, Any, Any, Any]):
    """Counts the firings of a window, and of a key."""

    def process(self, key: Any, context: Any, elements: Any) -> Iterator[Any]:
        window = context.window_state().get_state(SUM)
        of_key = context.global_state().get_state(SUM)
        for state in (window, of_key):
            state.update((state.value() or 0) + 1)
        yield key, context.window(), list(elements), window.value(), of_key.value()

    def clear(self, context: Any) -> None:
        context.window_state().get_state(SUM).clear()


def _first(value: Any) -> Any:
    return value[0]


def _list_of_first(value: Any) -> Any:
    return [value[0]]


UNTYPED = KeySpec(dumps(_first), Types.PICKLED_BYTE_ARRAY())
UNHASHABLE = KeySpec(dumps(_list_of_first), Types.PICKLED_BYTE_ARRAY())


def keyed(kind: Any, function: Any, key: KeySpec = UNTYPED, inputs: int = 1, **rest: Any) -> OperatorSpec:
    return operator(kind, function, keys=(key,) * inputs, **rest)


def _lateness(assigner: Any, **rest: Any) -> Any:
    return gather(assigner, allowed_lateness=3, **rest)


def _larger(a: Any, b: Any) -> Any:
    return max(a, b)


KINDS: dict[str, tuple[OperatorSpec, int]] = {
    "reduce": (keyed(REDUCE, _larger), 1),
    "map with time to live": (keyed(MAP, Expiring()), 1),
    "process": (keyed(PROCESS, Timers()), 1),
    "process, encoded keys": (keyed(PROCESS, Timers(), UNHASHABLE), 1),
    "co-process": (keyed(CO_PROCESS, CoTimers(), inputs=2), 2),
    "interval join": (keyed(INTERVAL_JOIN, IntervalJoinPlan(Joined(), -3, 4), inputs=2), 2),
    "broadcast": (keyed(BROADCAST_PROCESS, Rules(), UNHASHABLE, broadcast_states=(RULES,)), 2),
    "tumbling": (keyed(WINDOW, gather(TumblingEventTimeWindows(10, 0))), 1),
    "sliding, encoded keys": (keyed(WINDOW, gather(SlidingEventTimeWindows(10, 3, 1)), UNHASHABLE), 1),
    "sessions": (keyed(WINDOW, gather(EventTimeSessionWindows(4))), 1),
    "late sessions": (keyed(WINDOW, _lateness(EventTimeSessionWindows(4))), 1),
    "late windows": (keyed(WINDOW, _lateness(SlidingEventTimeWindows(10, 5, 0))), 1),
    "processing time": (keyed(WINDOW, gather(TumblingProcessingTimeWindows(7, 0))), 1),
    "counts": (keyed(WINDOW, gather(CountTumblingWindowAssigner(3), CountTrigger(3))), 1),
    "evicting": (keyed(WINDOW, gather(TumblingEventTimeWindows(10, 0), evictor=CountEvictor(2))), 1),
    "continuous": (
        keyed(WINDOW, gather(TumblingEventTimeWindows(20, 0), ContinuousEventTimeTrigger(6))),
        1,
    ),
    "state of windows": (
        keyed(
            WINDOW,
            plan(
                TumblingEventTimeWindows(10, 0),
                EventTimeTrigger(),
                allowed_lateness=5,
                call=WindowCall.PROCESS,
                function=PerWindow(),
            ),
        ),
        1,
    ),
}


class Epochs:
    """An operator whose work is cut into epochs."""

    def __init__(self, spec: OperatorSpec) -> None:
        self.spec = spec
        self.clock = ManualClock(1_000)
        self.store = MemoryPageStore()
        self.operator = self.opened()
        self.operator.restore_pages(self.store)

    def opened(self) -> KeyedOperator:
        made = opened(self.spec, clock=self.clock)
        assert isinstance(made, KeyedOperator)
        return made

    def cut(self, replaced: bool) -> None:
        """End an epoch, and begin the next one from the pages, with the same operator or another."""
        self.operator.save_pages()
        if replaced:
            self.operator = self.opened()
        self.operator.restore_pages(self.store)

    def move(self) -> None:
        """End an epoch, and begin the next one from a savepoint."""
        self.operator.save_pages()
        exported = list(self.operator.export_pages())
        self.operator, self.store = self.opened(), MemoryPageStore()
        self.operator.restore_pages(self.store)
        for group, _, content in exported:
            if group == OWN_PAGE:
                self.operator.restore(self.operator.merge([pickle.loads(content)]))
            else:
                self.operator.import_group(content)
        self.operator.save_pages()
        self.operator.restore_pages(self.store)


elements = st.tuples(st.integers(0, 12), st.integers(-10, 10), st.integers(0, 11))
batches = st.tuples(st.just("elements"), st.lists(elements, min_size=1, max_size=6), st.integers(0, 1))
steps = st.lists(
    batches
    | st.tuples(st.just("watermark"), st.integers(1, 15))
    | st.tuples(st.just("clock"), st.integers(1, 9))
    | st.tuples(st.just("cut"), st.sampled_from(["keep", "replace", "move"])),
    max_size=25,
)


def results(events: Iterator[Event]) -> list[Any]:
    found: list[Any] = []
    for event in events:
        if isinstance(event, Elements):
            times: Any = event.timestamps or [None] * len(event.values)
            found += [(value, time, event.tag) for value, time in zip(event.values, times, strict=True)]
        else:
            found.append(event)
    return found


def run(
    made: KeyedOperator,
    inputs: int,
    clock: ManualClock,
    given: list[Any],
    cut: Callable[[str], KeyedOperator],
) -> list[list[Any]]:
    """Return the results of each step."""
    watermark, found = 0, []
    for kind, what, *rest in given:
        match kind:
            case "elements":
                times = [watermark + value[1] for value in what]
                values = [(value[0], time, value[2]) for value, time in zip(what, times, strict=True)]
                side = rest[0] if inputs == 2 else 0
                found.append(results(made.process(Elements(values, times), side)))
            case "watermark":
                watermark += what
                found.append(results(made.advance(watermark)))
            case "clock":
                clock.set(clock.now() + what)
                found.append(results(made.tick()))
            case "cut":
                made = cut(what)
    found.append(results(made.advance(MAX_WATERMARK)))
    return [sorted(step, key=repr) for step in found]


@contextmanager
def limits(entries: int, recent: int = 0) -> Iterator[None]:
    """Limit the entries of a page, and the number of recent keys."""
    with (
        patch.object(keyed_pages, "MAX_ENTRIES", entries),
        patch.object(keyed_pages, "MAX_RECENT", recent),
    ):
        yield


@pytest.mark.parametrize("kind", KINDS)
@given(
    given=steps,
    limit=st.integers(1, 6),
    loaded=st.sampled_from([1, 10_000]),
    recent=st.sampled_from([0, 3, 10_000]),
)
def test_epochs_and_pages_change_no_results(
    kind: str, given: list[Any], limit: int, loaded: int, recent: int
) -> None:
    spec, inputs = KINDS[kind]
    clock = ManualClock(1_000)
    whole = opened(spec, clock=clock)
    assert isinstance(whole, KeyedOperator)
    counts = []

    def count(_: str) -> KeyedOperator:
        counts.append(whole.count_state_entries())
        return whole

    expected = run(whole, inputs, clock, given, count)
    epochs = Epochs(spec)

    def cut(how: str) -> KeyedOperator:
        if how == "move":
            epochs.move()
        else:
            epochs.cut(replaced=how == "replace")
        assert epochs.operator.count_state_entries() == counts.pop(0) or "time to live" in kind
        return epochs.operator

    with limits(limit, recent), patch.object(keyed_pages, "MAX_LOADED", loaded):
        assert run(epochs.operator, inputs, epochs.clock, given, cut) == expected


def reducing() -> Epochs:
    return Epochs(keyed(REDUCE, lambda a, b: (a[0], a[1], a[2] + b[2])))


def feed(epochs: Epochs, *keys: Any) -> list[Any]:
    return results(epochs.operator.process(Elements([(key, 0, 1) for key in keys]), 0))


def pages(store: MemoryPageStore) -> dict[int, int]:
    """Return the number of keys in each page."""
    return {
        page: len(next(iter(pickle.loads(content)[0].values()), ()))
        for (_, page), content in store.pages.items()
        if page >= 0
    }


def test_a_page_that_grows_is_split_by_position() -> None:
    with limits(10):
        epochs = reducing()
        for batch in range(10):
            feed(epochs, *range(batch * 20, batch * 20 + 20))
            epochs.cut(replaced=True)
    found = pages(epochs.store)
    assert sum(found.values()) == 200
    assert max(found.values()) <= 10
    assert len(found) > 20
    positions = KeyPositions(128)
    firsts = sorted(found)
    for (_, page), content in epochs.store.pages.items():
        if page >= 0:
            end = next((first for first in firsts if first > page), positions.end)
            slots = pickle.loads(content)[0]["_reduce_state"]
            assert all(page <= positions[slot] < end for slot in slots)


def test_a_large_page_is_split_by_its_bytes() -> None:
    values = [(key, str(key) * 1000, 0) for key in range(100)]
    with patch.object(keyed_pages, "MAX_RECENT", 0):
        epochs = Epochs(keyed(REDUCE, _larger))
        results(epochs.operator.process(Elements(values), 0))
        epochs.cut(replaced=True)
    assert len(pages(epochs.store)) > 1
    assert max(map(len, epochs.store.pages.values())) <= keyed_pages.MAX_BYTES


def test_only_the_pages_of_the_keys_in_use_are_in_memory() -> None:
    with limits(10):
        epochs = reducing()
        feed(epochs, *range(1000))
        epochs.cut(replaced=False)
        loaded: Any = epochs.operator._backend.tables()["_reduce_state"]
        assert len(loaded) == 0
        assert feed(epochs, 5)[0][0] == (5, 0, 2)
        assert 0 < len(loaded) <= 10
        assert epochs.operator.count_state_entries() == 1000


class CountedReads(MemoryPageStore):
    single = 0
    of_all = 0

    def get(self, owner: str, page: int) -> bytes | None:
        self.single += page >= 0
        return super().get(owner, page)

    def get_all(self, owner: str) -> Mapping[int, bytes]:
        self.of_all += 1
        return super().get_all(owner)


@pytest.mark.parametrize("recent", [0, 2_000], ids=["whole pages", "single keys"])
def test_pages_are_read_at_once_if_most_are_needed(recent: int) -> None:
    with limits(10):
        epochs = reducing()
        feed(epochs, *range(1000))
        epochs.cut(replaced=False)
    reads = CountedReads(epochs.store.pages)
    with limits(10, recent):
        epochs.operator.restore_pages(reads)
        assert [result[0][2] for result in feed(epochs, *range(1000))] == [2] * 1000
    assert (reads.of_all, reads.single) == (1, 0)


def test_pages_are_read_one_by_one_if_few_are_needed() -> None:
    with limits(10):
        epochs = reducing()
        feed(epochs, *range(1000))
        epochs.cut(replaced=False)
        reads = CountedReads(epochs.store.pages)
        epochs.operator.restore_pages(reads)
        feed(epochs, 5)
    assert (reads.of_all, reads.single) == (0, 1)


def test_only_changed_pages_are_written() -> None:
    with limits(10):
        epochs = reducing()
        feed(epochs, *range(1000))
        epochs.cut(replaced=False)
        before = dict(epochs.store.pages)
        feed(epochs, 5)
        epochs.cut(replaced=False)
    changed = [owner for owner, content in epochs.store.pages.items() if before[owner] != content]
    assert len(changed) == 1


def test_recent_keys_are_written_without_the_pages_of_their_ranges() -> None:
    with limits(10):
        epochs = reducing()
        feed(epochs, *range(1000))
        epochs.cut(replaced=True)
    with limits(10, recent=100):
        epochs.cut(replaced=True)
        before = dict(epochs.store.pages)
        feed(epochs, *range(0, 1000, 20))
        epochs.cut(replaced=True)
        assert _changed(before, epochs) == {OWN_PAGE, RECENT_PAGE}
        between = dict(epochs.store.pages)
        assert feed(epochs, 40)[0][0] == (40, 0, 3)
        epochs.cut(replaced=True)
        assert _changed(between, epochs) == {RECENT_PAGE}
        assert feed(epochs, 40, 41)[1][0] == (41, 0, 2)
        assert epochs.operator.count_state_entries() == 1000


def test_an_epoch_without_input_writes_nothing() -> None:
    epochs = reducing()
    feed(epochs, *range(100))
    epochs.cut(replaced=True)
    before = dict(epochs.store.pages)
    for _ in range(3):
        epochs.cut(replaced=True)
    assert _changed(before, epochs) == set()


def test_too_many_recent_keys_move_to_the_pages_of_their_ranges() -> None:
    with limits(10, recent=100):
        epochs = reducing()
        for batch in range(20):
            feed(epochs, *range(batch * 50, batch * 50 + 50))
            epochs.cut(replaced=True)
            recent = _recent(epochs)
            assert len(recent) <= 100
    assert len(pages(epochs.store)) > 50
    assert epochs.operator.count_state_entries() == 1000


def test_recent_keys_with_large_state_move_to_the_pages_of_their_ranges() -> None:
    epochs = Epochs(keyed(REDUCE, _larger))
    for batch in range(4):
        values = [(key, str(key) * 10_000, 0) for key in range(batch * 20, batch * 20 + 20)]
        results(epochs.operator.process(Elements(values), 0))
        epochs.cut(replaced=True)
        assert len(epochs.store.pages.get(("test", RECENT_PAGE), b"")) <= keyed_pages.MAX_RECENT_BYTES
    assert len(pages(epochs.store)) > 1
    assert epochs.operator.count_state_entries() == 80


def _recent(epochs: Epochs) -> Any:
    content = next((c for (_, page), c in epochs.store.pages.items() if page == RECENT_PAGE), None)
    return {} if content is None else pickle.loads(content)[0][0]["_reduce_state"]


def _changed(before: dict[tuple[str, int], bytes], epochs: Epochs) -> set[int]:
    after = epochs.store.pages
    return {page for (owner, page) in before | after if before.get((owner, page)) != after.get((owner, page))}


def test_an_empty_page_is_removed() -> None:
    with limits(10):
        epochs = Epochs(keyed(WINDOW, gather(TumblingEventTimeWindows(10, 0))))
        values = [(key, 3, 1) for key in range(100)]
        results(epochs.operator.process(Elements(values, [3] * 100), 0))
        epochs.cut(replaced=False)
        assert len(pages(epochs.store)) > 5
        assert len(results(epochs.operator.advance(50))) == 101
        epochs.cut(replaced=False)
    assert pages(epochs.store) == {}
    assert epochs.operator.count_state_entries() == 0


def test_timers_fire_in_the_order_of_time_across_pages() -> None:
    times = [(key, key * 38 % 100, 0) for key in range(50)]
    with limits(5):
        epochs = Epochs(keyed(PROCESS, Timers()))
        results(epochs.operator.process(Elements(times, [time for _, time, _ in times]), 0))
        epochs.cut(replaced=True)
        assert len(pages(epochs.store)) > 5
        fired = [value[2] for value, *_ in results(epochs.operator.advance(99))[:-1]]
        assert fired == sorted(fired)
        assert len(fired) >= 50


def test_pages_without_due_timers_are_not_loaded() -> None:
    values = [(key, 1_000 * key, 0) for key in range(50)]
    with limits(5):
        epochs = Epochs(keyed(PROCESS, Timers()))
        results(epochs.operator.process(Elements(values, [time for _, time, _ in values]), 0))
        epochs.cut(replaced=True)
        results(epochs.operator.advance(10))
        assert 0 < len(epochs.operator._backend.tables()["seen"]) <= 5


def test_the_earliest_timer_of_pages_that_are_not_loaded_is_known() -> None:
    epochs = Epochs(keyed(PROCESS, Timers()))
    results(epochs.operator.process(Elements([(1, 0, 4), (2, 0, 1)], [0, 0]), 0))
    assert epochs.operator.next_timer() == 1_001
    epochs.cut(replaced=True)
    assert epochs.operator.next_timer() == 1_001


def test_expired_values_of_unused_keys_are_removed_in_turn() -> None:
    with limits(10):
        epochs = Epochs(keyed(MAP, Expiring()))
        feed(epochs, *range(100))
        epochs.cut(replaced=False)
        count = len(pages(epochs.store))
        assert count > 5
        epochs.clock.set(2_000)
        for _ in range(count):
            epochs.cut(replaced=False)
    assert pages(epochs.store) == {}
