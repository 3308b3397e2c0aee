"""An example of how users test a function of theirs: Hypothesis looks for a history that breaks it."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pystream.common import Types
from pystream.datastream import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import ValueStateDescriptor
from pystream.testing import OperatorHarness, ProcessFunctionTestHarnesses

Click = tuple[str, int]  # user, event time
TIMEOUT = 10


class Visits(KeyedProcessFunction[str, Click, tuple[str, int]]):
    """Counts the clicks of a visit, which ends when a user has not clicked for a while."""

    def open(self, runtime_context: RuntimeContext) -> None:
        self.clicks = runtime_context.get_state(ValueStateDescriptor("clicks", Types.LONG()))
        self.ends = runtime_context.get_state(ValueStateDescriptor("ends", Types.LONG()))

    def process_element(
        self, value: Click, ctx: KeyedProcessFunction.Context
    ) -> Iterator[tuple[str, int]] | None:
        self.clicks.update((self.clicks.value() or 0) + 1)
        timers, before, end = ctx.timer_service(), self.ends.value(), value[1] + TIMEOUT
        if before is None or end > before:
            if before is not None:
                timers.delete_event_time_timer(before)
            timers.register_event_time_timer(end)
            self.ends.update(end)
        return None

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext) -> Iterator[tuple[str, int]]:
        yield ctx.get_current_key(), self.clicks.value() or 0
        self.clicks.clear()
        self.ends.clear()


def visits() -> OperatorHarness[tuple[str, int]]:
    return ProcessFunctionTestHarnesses.for_keyed_process_function(Visits(), lambda click: click[0])


class VisitsMachine(RuleBasedStateMachine):
    """Clicks, watermarks and restarts in any order; a dict of lists models the results."""

    @initialize()
    def begin(self) -> None:
        self.harness = visits().open()
        self.time = 0
        self.clicks: dict[str, list[int]] = {}
        self.expected: list[tuple[str, int]] = []
        self.got: list[tuple[str, int]] = []

    @rule(user=st.sampled_from("abc"), ago=st.integers(0, 5))
    def click(self, user: str, ago: int) -> None:
        self.clicks.setdefault(user, []).append(self.time - ago)
        self.harness.process_element((user, self.time - ago), self.time - ago)

    @rule(by=st.integers(1, 20))
    def time_passes(self, by: int) -> None:
        self.time += by
        self.harness.process_watermark(self.time)
        over = [user for user, times in self.clicks.items() if max(times) + TIMEOUT <= self.time]
        self.expected += [(user, len(self.clicks.pop(user))) for user in over]

    @precondition(lambda self: self.clicks)
    @rule()
    def restart(self) -> None:
        snapshot = self.harness.snapshot()
        self.got += self.harness.extract_output_values()
        self.harness.close()
        self.harness = visits().initialize_state(snapshot).open()

    @invariant()
    def visits_are_complete(self) -> None:
        assert sorted(self.got + self.harness.extract_output_values()) == sorted(self.expected)

    @invariant()
    def nothing_is_kept_of_users_who_are_gone(self) -> None:
        assert self.harness.num_keyed_state_entries() == 2 * len(self.clicks)
        assert {timer.key for timer in self.harness.get_timers()} == set(self.clicks)


TestVisits = VisitsMachine.TestCase
