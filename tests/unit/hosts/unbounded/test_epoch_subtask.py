"""EpochSubtask: epochs of one subtask, whose state goes through a store."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from pystream.datastream import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueStateDescriptor
from pystream.engine.events import Arrival, Elements, Event, Watermark, WatermarkStatus
from pystream.engine.exchange.elements_format import ElementsFormat
from pystream.engine.exchange.rows import REPORTS, OutputRow
from pystream.engine.failure import TaskFailure
from pystream.engine.metrics.values import CounterValue
from pystream.engine.operators.assign_watermarks import ASSIGN_WATERMARKS, WatermarkPlan
from pystream.engine.operators.elementwise import MAP, PROCESS
from pystream.engine.spec import KeySpec, OperatorSpec, TaskSpec
from pystream.engine.state.keyed_pages import OWN_PAGE
from pystream.engine.state.page_store import MemoryPageStore
from pystream.engine.task_info import Execution, SubtaskInfo
from pystream.engine.time.clock import ManualClock
from pystream.engine.time.watermark_generators import BoundedOutOfOrderness
from pystream.hosts.unbounded.epoch_subtask import EpochSubtask
from pystream.hosts.unbounded.reports import NO_WATERMARK, SubtaskReport
from tests.unit.engine.tasks import JOB, collect, label, operator
from typeinfo import Types
from typeinfo.pickling import dumps

CHAIN = 4
PICKLED = Types.PICKLED_BYTE_ARRAY
closed: list[str] = []


class Count(KeyedProcessFunction[int, int, Any]):
    """Counts the elements of each key; a timer is due after ten milliseconds. A negative key fails."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.LONG()))
        self.elements = runtime_context.get_metrics_group().counter("elements")

    def close(self) -> None:
        closed.append("closed")

    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[Any]:
        count = (self.count.value() or 0) + 1
        self.count.update(count)
        self.elements.inc()
        if value < 0:
            raise ValueError("negative")
        timers = ctx.timer_service()
        timers.register_processing_time_timer(timers.current_processing_time() + 10)
        yield value, count

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[Any]:
        yield ctx.get_current_key(), "timer", timestamp


def counting(clock: ManualClock) -> EpochSubtask:
    key = KeySpec(dumps(abs), Types.LONG)
    spec = operator(PROCESS, Count(), collect(), keys=(key,))
    return EpochSubtask(CHAIN, task_of(spec), SubtaskInfo(JOB, 1, 2, 128, 0), clock=clock)


def task_of(consumer: OperatorSpec) -> TaskSpec:
    return TaskSpec("Count", 2, 128, label("Source"), PICKLED, (consumer,))


def elements(*values: int) -> list[Arrival]:
    return [Arrival(Elements(list(values), None))]


def run(subtask: EpochSubtask, store: MemoryPageStore, *values: int) -> tuple[list[Any], SubtaskReport]:
    """Run an epoch, and return its results and report."""
    rows = list(subtask.run(elements(*values) if values else [], store))
    assert [row.edge for row in rows[:-1]] == [0] * (len(rows) - 1)
    assert rows[-1].edge == REPORTS
    decode = ElementsFormat(PICKLED).load_list
    return [value for row in rows[:-1] for value in decode(row.payload)], pickle.loads(rows[-1].payload)


def report_of(rows: Iterable[OutputRow]) -> SubtaskReport:
    *_, last = rows
    assert last.edge == REPORTS
    report: SubtaskReport = pickle.loads(last.payload)
    return report


@pytest.fixture(autouse=True)
def none_closed() -> None:
    closed.clear()


def test_an_epoch_ends_with_a_report() -> None:
    subtask = counting(ManualClock(100))
    results, report = run(subtask, MemoryPageStore(), 7, 8, 7)
    assert results == [(7, 1), (8, 1), (7, 2)]
    assert (report.chain, report.subtask, report.records_in) == (CHAIN, 1, 3)
    assert (report.state_entries, report.next_timer) == (2, 110)
    assert list(report.metrics.values()) == [CounterValue(3)]


def test_reports_tell_the_metrics_of_one_epoch() -> None:
    subtask, store = counting(ManualClock()), MemoryPageStore()
    run(subtask, store, 1, 2)
    _, report = run(subtask, store, 3)
    assert report.records_in == 1
    assert list(report.metrics.values()) == [CounterValue(1)]


def test_another_subtask_continues_from_the_store() -> None:
    clock, store = ManualClock(), MemoryPageStore()
    run(counting(clock), store, 7, 7)
    results, _ = run(counting(clock), store, 7)
    assert results == [(7, 3)]


def test_state_is_that_of_the_store_whatever_ran_before() -> None:
    subtask, store = counting(ManualClock()), MemoryPageStore()
    run(subtask, store, 7)
    before = MemoryPageStore(store.pages)
    run(subtask, store, 7, 7)
    results, _ = run(subtask, before, 7)  # the epoch is repeated
    assert results == [(7, 2)]


def test_timers_fire_in_an_epoch_without_input() -> None:
    clock = ManualClock(100)
    subtask, store = counting(clock), MemoryPageStore()
    run(subtask, store, 7)
    clock.set(109)
    assert run(subtask, store)[0] == []
    clock.set(110)
    results, report = run(subtask, store)
    assert results == [(7, "timer", 110)]
    assert report.next_timer is None


def test_a_failure_closes_the_functions_once() -> None:
    subtask = counting(ManualClock())
    with pytest.raises(TaskFailure, match="negative"):
        list(subtask.run(elements(-1), MemoryPageStore()))
    subtask.abandon()
    assert closed == ["closed"]


def test_input_that_cannot_be_read_is_a_failure_of_the_source() -> None:
    def failing() -> Iterator[Arrival]:
        yield from elements(1)
        raise OSError("the file is gone")

    with pytest.raises(TaskFailure, match=r"Source.*the file is gone"):
        list(counting(ManualClock()).run(failing(), MemoryPageStore()))


def test_functions_stay_open_until_the_end() -> None:
    subtask, store = counting(ManualClock()), MemoryPageStore()
    run(subtask, store, 1)
    run(subtask, store, 1)
    assert closed == []
    subtask.close()
    assert closed == ["closed"]


def test_a_report_counts_the_elements_sent_in_the_epoch_and_the_state_at_its_end() -> None:
    subtask, store = counting(ManualClock()), MemoryPageStore()
    results, first = run(subtask, store, 1, 2, 2)
    assert (first.records_out, len(results)) == (3, 3)
    assert first.state_entries == 2
    pages = [content for (owner, page), content in store.pages.items() if owner and page != OWN_PAGE]
    assert first.state_bytes == sum(map(len, pages)) > 0
    assert first.written_bytes == sum(map(len, store.pages.values()))
    _, second = run(subtask, store)
    assert (second.records_out, second.state_bytes) == (0, first.state_bytes)
    assert second.written_bytes == 0


def test_a_part_of_a_stage_that_keeps_nothing_and_does_not_report_yields_its_elements_only() -> None:
    spec = task_of(operator(MAP, abs, collect()))
    subtask = EpochSubtask(CHAIN, spec, SubtaskInfo(JOB, 1, 2, 128, 0), reports=False)
    assert [row.edge for row in subtask.run(elements(-1), None)] == [0]


def test_a_report_has_the_watermark_and_status_of_the_outputs() -> None:
    subtask = EpochSubtask(CHAIN, task_of(operator(MAP, abs, collect())), SubtaskInfo(JOB, 1, 2, 128, 0))
    store = MemoryPageStore()

    def report(*events: Event) -> tuple[int, bool]:
        latest = report_of(subtask.run([Arrival(event) for event in events], store))
        return latest.watermark, latest.is_idle

    assert report() == (NO_WATERMARK, False)
    assert report(Watermark(50)) == (50, False)
    assert report() == (50, False)
    assert report(WatermarkStatus(idle=True)) == (50, True)
    assert report(Watermark(60)) == (60, False)


def test_the_watermark_of_a_stage_that_assigns_it_is_that_of_its_output() -> None:
    plan = WatermarkPlan(lambda value, _: value, partial(BoundedOutOfOrderness, 0))
    assigning = operator(ASSIGN_WATERMARKS, plan, collect(1))
    spec = replace(task_of(assigning), consumers=(assigning, collect(0)))
    clock = ManualClock(1_000)
    job = replace(JOB, execution=Execution(watermark_interval=200))
    subtask = EpochSubtask(CHAIN, spec, SubtaskInfo(job, 1, 2, 128, 0), clock=clock)
    assert report_of(subtask.run(elements(70, 40), MemoryPageStore())).watermark == 69
