"""Tasks that live across epochs: state comes from a store at the start of each, and goes back at its end."""

from __future__ import annotations

import threading
from array import array
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.common import Duration, Time, WatermarkStrategy
from pystream.datastream import AsyncFunction, KeyedProcessFunction, ReduceFunction
from pystream.datastream.async_data_stream import async_plan
from pystream.datastream.functions.asynchronous import NO_RETRY_STRATEGY
from pystream.datastream.state import ValueStateDescriptor
from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, NO_TIMESTAMP, Arrival, Elements, Watermark, WatermarkStatus
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import END_OF_CHANNEL, END_OF_EPOCH, OutputRow
from pystream.engine.exchange.send_buffer import read_frame
from pystream.engine.failure import TaskFailure
from pystream.engine.keys import KeyGroups
from pystream.engine.metrics.registry import MetricRegistry
from pystream.engine.operators.assign_watermarks import ASSIGN_WATERMARKS, WatermarkPlan
from pystream.engine.operators.async_wait.operator import ASYNC_WAIT
from pystream.engine.operators.elementwise import CO_PROCESS, MAP, PROCESS
from pystream.engine.operators.keyed_reduce import REDUCE
from pystream.engine.spec import (
    Consumer,
    ExchangeOutput,
    JointSpec,
    KeySpec,
    OperatorSpec,
    PortSpec,
    TaskSpec,
)
from pystream.engine.state import keyed_pages
from pystream.engine.state.page_store import MemoryPageStore
from pystream.engine.task.task import Task
from pystream.engine.task.task_state import StatePart
from pystream.engine.task_info import SubtaskInfo
from pystream.engine.time.clock import ManualClock
from pystream.engine.time.watermark_generators import BoundedOutOfOrderness, WatermarkGenerator
from pystream.kinds import PartitionKind
from tests.unit.engine.tasks import JOB, collect, label, operator, pickled_types
from typeinfo import Types
from typeinfo.pickling import dumps

BY_PARITY = (KeySpec(dumps(lambda value: value % 2), Types.LONG),)


def task(
    *consumers: Consumer,
    index: int = 0,
    parallelism: int = 1,
    channels: int = 1,
    joints: tuple[JointSpec, ...] = (),
    clock: ManualClock | None = None,
) -> Task:
    """Return an open task."""
    spec = TaskSpec("Test", 1, 128, label("Source"), Types.PICKLED_BYTE_ARRAY, consumers, channels, joints)
    made = Task(spec, SubtaskInfo(JOB, index, parallelism, 128, 0), MetricRegistry(), clock or ManualClock())
    made.open()
    return made


def epoch(running: Task, store: MemoryPageStore, *arriving: Arrival | list[Any]) -> list[Any]:
    """Run an epoch and return the collected elements."""

    def rows() -> Iterator[Any]:
        running.restore(store)
        for arrival in arriving:
            yield from running.take(arrival if isinstance(arrival, Arrival) else elements(arrival))
        yield from running.finish_epoch()
        running.save()

    return collected(rows())


def collected(rows: Iterator[Any]) -> list[Any]:
    deserialize = ElementsFormat(Types.PICKLED_BYTE_ARRAY).load_list
    return [value for row in rows if isinstance(row, OutputRow) for value in deserialize(row.payload)]


def elements(values: list[Any], side: int = 0) -> Arrival:
    return Arrival(Elements(values, values), side)


def watermark(timestamp: int, channel: int = 0) -> Arrival:
    return Arrival(Watermark(timestamp), 0, channel)


def reduced() -> OperatorSpec:
    return operator(REDUCE, lambda a, b: a + b, collect(), keys=BY_PARITY)


class Timers(KeyedProcessFunction[int, int, Any]):
    """Sums up the elements of a key, and sets a timer of either domain at each."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.sum = runtime_context.get_state(ValueStateDescriptor("sum", Types.LONG))

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> None:
        self.sum.update((self.sum.value() or 0) + value)
        ctx.timer_service().register_event_time_timer(value)
        ctx.timer_service().register_processing_time_timer(value)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ctx.time_domain().name, timestamp, self.sum.value()


def test_state_continues_in_the_same_task_and_in_a_new_one() -> None:
    store = MemoryPageStore()
    first = task(reduced())
    assert epoch(first, store, [1, 2, 3]) == [1, 2, 4]
    assert epoch(first, store, [4]) == [6]
    assert epoch(task(reduced()), store, [5]) == [9]


def test_an_epoch_is_repeated_from_the_stored_state() -> None:
    store = MemoryPageStore()
    running = task(reduced())
    epoch(running, store, [1])
    running.restore(store)
    assert collected(running.take(elements([3]))) == [4]
    assert epoch(running, store, [3]) == [4]


def test_an_empty_store_makes_a_task_a_new_one() -> None:
    running = task(
        operator(PROCESS, Observed(), operator(REDUCE, lambda a, b: (*a, *b), collect(), keys=OF_ALL)),
        channels=2,
    )
    for _ in range(2):
        store = MemoryPageStore()
        assert epoch(running, store, [1], watermark(3, 0), watermark(4, 1), [5]) == [
            (NO_TIMESTAMP,),
            (NO_TIMESTAMP, 3),
        ]
        assert running.watermark == 3


OF_ALL = (KeySpec(dumps(lambda value: 0), Types.LONG),)


class Observed:
    """Emits the watermark that it sees."""

    def process_element(self, value: int, ctx: Any) -> Iterator[Any]:
        yield (ctx.timer_service().current_watermark(),)


def test_watermarks_of_channels_and_event_times_of_operators_survive() -> None:
    def made() -> Task:
        return task(operator(PROCESS, Observed(), collect()), channels=2)

    store = MemoryPageStore()
    assert epoch(made(), store, watermark(5, 0), watermark(3, 1), [1]) == [(3,)]
    assert epoch(made(), store, [1], watermark(4, 1), [1]) == [(3,), (4,)]
    later = made()
    assert epoch(later, store, watermark(9, 1), [1]) == [(5,)]
    assert later.watermark == 5


def test_watermarks_at_the_ports_of_a_joint_survive() -> None:
    class Two:
        def process_element1(self, value: int, ctx: Any) -> Iterator[Any]:
            yield ctx.timer_service().current_watermark()

        process_element2 = process_element1

    def made() -> Task:
        joined = operator(CO_PROCESS, Two(), collect())
        uid = joined.label.uid
        direct = PortSpec(uid, 0)
        return task(operator(MAP, abs, PortSpec(uid, 1)), direct, joints=(JointSpec(joined, 2),))

    store = MemoryPageStore()
    assert epoch(made(), store, watermark(5), [1]) == [5, 5]
    assert epoch(made(), store, [1]) == [5, 5]
    assert epoch(made(), store, watermark(6), [1]) == [6, 6]


def test_timers_of_both_domains_survive_and_fire_by_the_end_of_the_epoch() -> None:
    store, clock = MemoryPageStore(), ManualClock()

    def made() -> Task:
        return task(operator(PROCESS, Timers(), collect(), keys=BY_PARITY), clock=clock)

    first = made()
    assert epoch(first, store, [10, 20]) == []
    assert first.next_timer() == 10
    assert first.count_state_entries() == 1
    clock.set(12)
    second = made()
    assert epoch(second, store, watermark(15)) == [("EVENT_TIME", 10, 30), ("PROCESSING_TIME", 10, 30)]
    assert second.next_timer() == 20
    clock.set(20)
    third = made()
    assert epoch(third, store) == [("PROCESSING_TIME", 20, 30)]
    assert third.next_timer() is None


def test_unchanged_state_is_not_written_again() -> None:
    class Counting(MemoryPageStore):
        written = 0

        def put(self, owner: str, page: int, content: bytes) -> None:
            self.written += 1
            super().put(owner, page, content)

    store = Counting()
    running = task(reduced())
    epoch(running, store, [1])
    before = store.written
    epoch(running, store)
    assert store.written == before
    epoch(running, store, [1])
    assert store.written == before + 1


def test_state_may_hold_objects_of_local_classes() -> None:
    class Local:
        def __init__(self, x: int) -> None:
            self.x = x

    def made() -> Task:
        keys = (KeySpec(dumps(lambda value: 0), Types.LONG),)
        return task(
            operator(
                REDUCE, lambda a, b: Local(a.x + b.x), operator(MAP, lambda v: v.x, collect()), keys=keys
            )
        )

    store = MemoryPageStore()
    epoch(made(), store, Arrival(Elements([Local(1)])))
    assert epoch(made(), store, Arrival(Elements([Local(2)]))) == [3]


class TestWatermarks:
    @staticmethod
    def made(generator: Any, clock: ManualClock | None = None) -> Task:
        plan = WatermarkPlan(lambda value, _: value, generator)
        spec = operator(ASSIGN_WATERMARKS, plan, operator(PROCESS, Observed(), collect()))
        return task(spec, clock=clock)

    def test_an_epoch_ends_with_a_watermark_of_the_highest_timestamp(self) -> None:
        store = MemoryPageStore()
        generator = partial(BoundedOutOfOrderness, 2)
        running = self.made(generator)
        assert epoch(running, store, [7]) == [(NO_TIMESTAMP,)]
        assert epoch(running, store, [5]) == [(4,)]
        assert epoch(self.made(generator), store, [1], [9]) == [(4,), (4,)]
        assert epoch(self.made(generator), store, [1]) == [(6,)]

    def test_generators_of_users_survive(self) -> None:
        store = MemoryPageStore()
        assert epoch(self.made(EveryOther), store, [1]) == [(NO_TIMESTAMP,)]
        assert epoch(self.made(EveryOther), store, [2, 3]) == [(NO_TIMESTAMP,), (2,)]

    def test_a_generator_that_cannot_be_pickled_is_named(self) -> None:
        running = self.made(Locked)
        with pytest.raises(TaskFailure, match="watermark generator Locked cannot be pickled"):
            epoch(running, MemoryPageStore(), [1])

    def test_only_generators_of_users_have_state_to_keep(self) -> None:
        def spec(strategy: WatermarkStrategy[Any]) -> TaskSpec:
            plan = WatermarkPlan(None, strategy.generator())
            first = operator(ASSIGN_WATERMARKS, plan, operator(MAP, abs, collect()))
            return TaskSpec("Test", 1, 128, label("Source"), Types.LONG, (first,))

        bounded = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1))
        assert not spec(bounded).keeps_state
        assert not spec(WatermarkStrategy.no_watermarks()).keeps_state
        assert spec(WatermarkStrategy.for_generator(EveryOther)).keeps_state


class EveryOther(WatermarkGenerator[int]):
    """Emits a watermark after every other element."""

    def __init__(self) -> None:
        self.seen = 0

    def on_event(self, event: int, event_timestamp: int, output: Any) -> None:
        self.seen += 1
        if self.seen % 2 == 0:
            output.emit_watermark(event_timestamp)

    def on_periodic_emit(self, output: Any) -> None:
        pass


class Locked(EveryOther):
    """Cannot be pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


def test_keyed_operators_have_state_to_keep() -> None:
    def spec(*consumers: Consumer) -> TaskSpec:
        return TaskSpec("Test", 1, 128, label("Source"), Types.LONG, consumers)

    assert spec(operator(MAP, abs, reduced())).keeps_state
    assert spec(operator(MAP, abs, collect(), keys=BY_PARITY)).keeps_state
    assert not spec(operator(MAP, abs, collect())).keeps_state


def test_calls_in_flight_are_completed_at_the_end_of_an_epoch() -> None:
    class Later(AsyncFunction[int, int]):
        async def async_invoke(self, value: int) -> list[int]:
            import asyncio

            await asyncio.sleep(0.01)
            return [value]

        def timeout(self, value: int) -> list[int]:
            return []

    plan = async_plan(Later(), Time.seconds(60), NO_RETRY_STRATEGY, 100, True)
    running = task(operator(ASYNC_WAIT, plan, operator(PROCESS, Observed(), collect())))
    store = MemoryPageStore()
    assert epoch(running, store, [1, 2], watermark(7)) == [(NO_TIMESTAMP,)] * 2
    assert epoch(running, store, [3]) == [(7,)]
    running.abandon()


def test_a_reduce_function_that_has_keyed_state_may_use_it() -> None:
    class Counting(ReduceFunction[int]):
        def open(self, runtime_context: RuntimeContext) -> None:
            self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG))

        def reduce(self, value1: int, value2: int) -> int:
            self.count.update((self.count.value() or 0) + 1)
            return 10 * (self.count.value() or 0)

    def made() -> Task:
        return task(operator(REDUCE, Counting(), collect(), keys=BY_PARITY))

    store = MemoryPageStore()
    assert epoch(made(), store, [1, 1]) == [1, 10]
    assert epoch(made(), store, [1, 1]) == [20, 30]


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 50)), min_size=1, max_size=80),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_state_is_imported_at_any_parallelism(values: list[tuple[int, int]], before: int, after: int) -> None:
    groups = KeyGroups(128)

    def made(index: int, parallelism: int) -> Task:
        key = (KeySpec(dumps(itemgetter(0)), Types.LONG),)
        spec = operator(PROCESS, SumsAtTimers(), collect(), keys=key)
        return task(spec, index=index, parallelism=parallelism)

    def shares(parallelism: int) -> list[list[tuple[int, int]]]:
        owners = [groups[key] * parallelism // 128 for key, _ in values]
        return [
            [value for value, owner in zip(values, owners, strict=True) if owner == index]
            for index in range(parallelism)
        ]

    parts: list[StatePart] = []
    with patch.object(keyed_pages, "MAX_ENTRIES", 7), patch.object(keyed_pages, "MAX_LOADED", 10):
        for index, share in enumerate(shares(before)):
            exporting = made(index, before)
            epoch(exporting, MemoryPageStore(), Arrival(Elements(share)) if share else watermark(-5))
            parts += exporting.export()
        got = []
        for index in range(after):
            store = MemoryPageStore()
            made(index, after).import_(store, pickled_types(exporting), parts)
            got += epoch(made(index, after), store, watermark(100))
    sums: dict[int, int] = {}
    for key, number in values:
        sums[key] = sums.get(key, 0) + number
    expected = [(key, time, sums[key]) for key, time in {(key, number) for key, number in values}]
    assert sorted(got) == sorted(expected)


def test_event_time_begins_again_after_an_end_before_a_savepoint() -> None:
    def made() -> Task:
        return task(operator(PROCESS, Timers(), collect(), keys=BY_PARITY))

    before, after, store = made(), made(), MemoryPageStore()
    epoch(before, MemoryPageStore(), [5], watermark(MAX_WATERMARK))
    made().import_(store, pickled_types(before), list(before.export()))
    assert epoch(after, store, [7], watermark(6), watermark(7))[0] == ("EVENT_TIME", 7, 12)


class SumsAtTimers(Timers):
    """Sums up the second fields, and emits the sum of a key at each of them."""

    def process_element(self, value: Any, ctx: Any) -> None:
        self.sum.update((self.sum.value() or 0) + value[1])
        ctx.timer_service().register_event_time_timer(value[1])

    def on_timer(self, timestamp: int, ctx: Any) -> Iterator[Any]:
        yield ctx.get_current_key(), timestamp, self.sum.value()


class TestIdleness:
    @staticmethod
    def assigning(clock: ManualClock, *consumers: Consumer) -> Task:
        plan = WatermarkPlan(lambda value, _: value, partial(BoundedOutOfOrderness, 0), 10)
        return task(operator(ASSIGN_WATERMARKS, plan, *consumers), clock=clock)

    @staticmethod
    def exchange() -> ExchangeOutput:
        return ExchangeOutput(0, label("Source"), PartitionKind.GLOBAL, 1, b"", Types.PICKLED_BYTE_ARRAY)

    @staticmethod
    def events(rows: Iterator[Any]) -> list[Any]:
        deserialize = ElementsFormat(Types.PICKLED_BYTE_ARRAY).load_list
        frames = [row.payload for row in rows if row.seq != END_OF_EPOCH]
        return [event for frame in frames for event in read_frame(frame, deserialize)]

    def test_an_input_without_elements_becomes_idle_and_tells_other_tasks(self) -> None:
        clock, store = ManualClock(1_000), MemoryPageStore()

        def ran(*arriving: Arrival) -> list[Any]:
            running = self.assigning(clock, self.exchange())
            running.restore(store)
            events = [event for arrival in arriving for event in self.events(running.take(arrival))]
            events += self.events(running.finish_epoch())
            running.save()
            timers.append(running.next_timer())
            return events

        timers: list[int | None] = []
        assert ran(elements([3])) == [Elements([3], array("q", [3])), Watermark(2)]
        clock.set(1_009)
        assert ran() == []
        clock.set(1_010)
        assert ran() == [WatermarkStatus(True)]
        assert ran() == []
        assert ran(elements([5])) == [Elements([5], array("q", [5])), Watermark(4)]
        assert timers == [1_010, 1_010, None, None, 1_020]

    def test_it_is_told_again_after_a_start_from_a_savepoint(self) -> None:
        clock, store = ManualClock(1_000), MemoryPageStore()
        before = self.assigning(clock, self.exchange())
        assert self.events(before.take(elements([3]))) == []
        assert self.events(before.finish_epoch()) == [Elements([3], array("q", [3])), Watermark(2)]
        clock.set(1_010)
        assert self.events(before.finish_epoch()) == [WatermarkStatus(True)]
        after = self.assigning(clock, self.exchange())
        after.import_(store, pickled_types(before), list(before.export()))
        after.restore(store)
        assert self.events(after.finish_epoch()) == [WatermarkStatus(True)]

    def test_an_input_that_has_ended_ends_again_after_a_start_from_a_savepoint(self) -> None:
        def marks(running: Task) -> list[int]:
            rows: list[Any] = [*running.take(watermark(MAX_WATERMARK)), *running.finish_epoch()]
            return [row.seq for row in rows]

        clock, store = ManualClock(1_000), MemoryPageStore()
        before, after = self.assigning(clock, self.exchange()), self.assigning(clock, self.exchange())
        assert marks(before) == [END_OF_CHANNEL]
        after.import_(store, pickled_types(before), list(before.export()))
        after.restore(store)
        assert marks(after) == [END_OF_CHANNEL]

    def test_it_is_part_of_the_state_to_keep(self) -> None:
        plan = WatermarkPlan(None, partial(BoundedOutOfOrderness, 0), 10)
        assert operator(ASSIGN_WATERMARKS, plan).keeps_state

    def test_a_generator_may_mark_its_input(self) -> None:
        class Marking(EveryOther):
            def on_event(self, event: int, event_timestamp: int, output: Any) -> None:
                if event:
                    output.mark_idle()
                else:
                    output.mark_active()

        plan = WatermarkPlan(None, Marking)
        running = task(operator(ASSIGN_WATERMARKS, plan, self.exchange()))
        rows = [*running.take(elements([1, 1, 0])), *running.finish_epoch()]
        statuses = [event for event in self.events(iter(rows)) if isinstance(event, WatermarkStatus)]
        assert statuses == [WatermarkStatus(True), WatermarkStatus(False)]

    def test_event_time_advances_without_idle_channels(self) -> None:
        store = MemoryPageStore()

        def made() -> Task:
            return task(operator(PROCESS, Observed(), collect()), channels=2)

        def idle(channel: int) -> Arrival:
            return Arrival(WatermarkStatus(True), 0, channel)

        assert epoch(made(), store, watermark(5, 0), [1], idle(1), [1]) == [(NO_TIMESTAMP,), (5,)]
        assert epoch(made(), store, watermark(7, 0), [1]) == [(7,)]

    def test_the_ports_of_a_joint_may_be_idle(self) -> None:
        class Two:
            def process_element1(self, value: int, ctx: Any) -> Iterator[Any]:
                yield ctx.timer_service().current_watermark()

            process_element2 = process_element1

        clock = ManualClock(1_000)
        joined = operator(CO_PROCESS, Two(), self.exchange())
        plan = WatermarkPlan(lambda value, _: value, partial(BoundedOutOfOrderness, 0), 10)
        assigning = operator(ASSIGN_WATERMARKS, plan, PortSpec(joined.label.uid, 1))
        made = task(assigning, PortSpec(joined.label.uid, 0), joints=(JointSpec(joined, 2),), clock=clock)
        made.restore(MemoryPageStore())
        rows = [*made.take(watermark(5)), *made.finish_epoch()]
        assert self.events(iter(rows)) == []
        clock.set(1_010)
        assert self.events(made.finish_epoch()) == [Watermark(5)]
