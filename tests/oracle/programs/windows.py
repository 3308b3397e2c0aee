"""Windows of keyed and of non-keyed streams: when they fire, with which elements, and late elements."""

from __future__ import annotations

import time

from pystream.common import Configuration, Duration, Row, Time, Types
from pystream.common.watermark_strategy import TimestampAssigner, WatermarkStrategy
from pystream.datastream import AggregateFunction, OutputTag, ReduceFunction
from pystream.datastream.functions import (
    AllWindowFunction,
    ProcessAllWindowFunction,
    ProcessWindowFunction,
    WindowFunction,
)
from pystream.datastream.state import ReducingStateDescriptor, ValueStateDescriptor
from pystream.datastream.window import (
    ContinuousEventTimeTrigger,
    CountSlidingWindowAssigner,
    CountTrigger,
    CountTumblingWindowAssigner,
    CountWindow,
    EventTimeSessionWindows,
    EventTimeTrigger,
    GlobalWindow,
    GlobalWindows,
    MergingWindowAssigner,
    NeverTrigger,
    ProcessingTimeSessionWindows,
    PurgingTrigger,
    SessionWindowTimeGapExtractor,
    SlidingEventTimeWindows,
    TimeWindow,
    TimeWindowSerializer,
    Trigger,
    TriggerResult,
    TumblingEventTimeWindows,
    WindowAssigner,
)

TYPE = Types.TUPLE([Types.STRING(), Types.INT(), Types.LONG()])
PAUSE = 0.6


class _ThirdField(TimestampAssigner):
    def extract_timestamp(self, value, record_timestamp):
        return value[2]


def _strategy(bound=0):
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_millis(bound))
    return strategy.with_timestamp_assigner(_ThirdField())


def _timed(env, *elements, bound=0):
    """Return a stream of (key, value, time) that has no effective watermark but the last."""
    stream = env.from_collection(list(elements), type_info=TYPE)
    return stream.assign_timestamps_and_watermarks(_strategy(bound))


def _paused(value):
    if value[1] < 0:
        time.sleep(PAUSE)
    return value


def _slow(env, *elements):
    """Return a stream of elements in bundles of one; a negative value advances the watermark."""
    config = Configuration()
    config.set_string("python.fn-execution.bundle.size", "1")
    env.configure(config)
    stream = env.from_collection(list(elements), type_info=TYPE).rebalance().map(_paused, TYPE)
    return stream.assign_timestamps_and_watermarks(_strategy())


def _key(value):
    return value[0]


def _keyed(stream):
    return stream.key_by(_key, key_type=Types.STRING())


def _add(left, right):
    return left[0], left[1] + right[1], max(left[2], right[2])


def _sorted(stream):
    with stream.execute_and_collect() as elements:
        return sorted(elements, key=str)


def _bounds(window):
    if isinstance(window, TimeWindow):
        return [window.start, window.end]
    return [window.id] if isinstance(window, CountWindow) else [str(window)]


class _Contents(WindowFunction):
    def apply(self, key, window, inputs):
        return [str((key, _bounds(window), [value for _, value, _ in inputs]))]


class _ContentsOfAll(AllWindowFunction):
    def apply(self, window, inputs):
        return [str((_bounds(window), sorted(value for _, value, _ in inputs)))]


class _SortedContents(WindowFunction):
    def apply(self, key, window, inputs):
        return [str((key, _bounds(window), sorted(value for _, value, _ in inputs)))]


class _Sum(AggregateFunction):
    def create_accumulator(self):
        return 0, 0

    def add(self, value, accumulator):
        return accumulator[0] + value[1], accumulator[1] + 1

    def get_result(self, accumulator):
        return f"sum {accumulator[0]} of {accumulator[1]}"

    def merge(self, acc_a, acc_b):
        return acc_a[0] + acc_b[0], acc_a[1] + acc_b[1]


A, B = "a", "b"
PLAIN = [(A, 1, 1_000), (B, 2, 2_000), (A, 3, 4_999), (A, 4, 5_000), (B, 5, 11_000), (A, 6, 3_000)]
NEGATIVE = [(A, 1, -1), (A, 2, -5_000), (A, 3, -5_001), (A, 4, 0), (A, 5, -10_000)]


# tumbling


def tumbling_apply(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return _sorted(windows.apply(_Contents(), Types.STRING()))


def tumbling_order_of_windows_of_one_key(env):
    windows = _keyed(_timed(env, (A, 1, 9_000), (A, 2, 1_000), (A, 3, 5_000))).window(
        TumblingEventTimeWindows.of(Time.seconds(4))
    )
    return windows.apply(_Contents(), Types.STRING())


def tumbling_offset(env):
    windows = _keyed(_timed(env, *PLAIN)).window(
        TumblingEventTimeWindows.of(Time.seconds(5), Time.seconds(2))
    )
    return _sorted(windows.apply(_Contents(), Types.STRING()))


def tumbling_negative_offset(env):
    windows = _keyed(_timed(env, *PLAIN)).window(
        TumblingEventTimeWindows.of(Time.seconds(5), Time.seconds(-1))
    )
    return _sorted(windows.apply(_Contents(), Types.STRING()))


def tumbling_negative_timestamps(env):
    windows = _keyed(_timed(env, *NEGATIVE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.apply(_Contents(), Types.STRING())


def tumbling_reduce(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return _sorted(windows.reduce(_add))


class _AddFunction(ReduceFunction):
    def reduce(self, value1, value2):
        return _add(value1, value2)


def tumbling_reduce_with_window_function(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return _sorted(windows.reduce(_AddFunction(), _Contents(), Types.STRING()))


def tumbling_aggregate(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    accumulator = Types.TUPLE([Types.INT(), Types.INT()])
    return _sorted(windows.aggregate(_Sum(), accumulator_type=accumulator, output_type=Types.STRING()))


class _Labelled(ProcessWindowFunction):
    def process(self, key, context, elements):
        window = context.window()
        yield f"{key} {window.start} {window.max_timestamp()} {list(elements)}"


def tumbling_aggregate_with_process(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return _sorted(
        windows.aggregate(
            _Sum(),
            _Labelled(),
            accumulator_type=Types.TUPLE([Types.INT(), Types.INT()]),
            output_type=Types.STRING(),
        )
    )


class _Stamps(ProcessWindowFunction):
    def process(self, key, context, elements):
        yield key, context.current_watermark(), context.current_processing_time() > 1_600_000_000_000


def process_context_times(env):
    windows = _keyed(_timed(env, (A, 1, 1_000))).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.process(_Stamps())


def result_type_of_reduce(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return str(windows.reduce(_add).get_type())


def results_are_windowed_again(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    sums = windows.reduce(_add)
    again = sums.window_all(TumblingEventTimeWindows.of(Time.seconds(10)))
    return _sorted(again.apply(_CountOfAll(), Types.STRING()))


class _CountOfAll(AllWindowFunction):
    def apply(self, window, inputs):
        return [f"{window.start} {len(list(inputs))}"]


def without_timestamps_tumbling(env):
    stream = env.from_collection(PLAIN, type_info=TYPE)
    return _keyed(stream).window(TumblingEventTimeWindows.of(Time.seconds(5))).reduce(_add)


def without_timestamps_session(env):
    stream = env.from_collection([(A, 1, 1), (A, 2, 2)], type_info=TYPE)
    return _keyed(stream).window(EventTimeSessionWindows.with_gap(Time.seconds(5))).reduce(_add)


# sliding


def sliding_apply(env):
    windows = _keyed(_timed(env, *PLAIN)).window(SlidingEventTimeWindows.of(Time.seconds(4), Time.seconds(2)))
    return _sorted(windows.apply(_Contents(), Types.STRING()))


def sliding_uneven_with_offset(env):
    windows = _keyed(_timed(env, *PLAIN, *NEGATIVE)).window(
        SlidingEventTimeWindows.of(Time.seconds(5), Time.seconds(3), Time.seconds(1))
    )
    return _sorted(windows.apply(_Contents(), Types.STRING()))


def sliding_with_gaps(env):
    windows = _keyed(_timed(env, *PLAIN)).window(SlidingEventTimeWindows.of(Time.seconds(1), Time.seconds(2)))
    return _sorted(windows.apply(_Contents(), Types.STRING()))


# sessions

SESSIONS = [(A, 1, 1_000), (A, 2, 6_000), (A, 3, 3_000), (B, 4, 1_000), (B, 5, 2_999), (A, 6, 20_000)]


def sessions_touch(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(2)))
    return _sorted(windows.apply(_SortedContents(), Types.STRING()))


def sessions_bridged(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(3)))
    return _sorted(windows.apply(_SortedContents(), Types.STRING()))


def sessions_reduce(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(2)))
    return _sorted(windows.reduce(_add))


def sessions_reduce_bridged(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(3)))
    return _sorted(windows.reduce(_add))


def sessions_aggregate(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(2)))
    return _sorted(windows.aggregate(_Sum(), output_type=Types.STRING()))


class _ValueSeconds(SessionWindowTimeGapExtractor):
    def extract(self, element):
        return element[1] * 1_000


def sessions_dynamic(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_dynamic_gap(_ValueSeconds()))
    return _sorted(windows.apply(_SortedContents(), Types.STRING()))


class _NoGap(SessionWindowTimeGapExtractor):
    def extract(self, element):
        return 0


def sessions_dynamic_gap_of_nothing(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_dynamic_gap(_NoGap()))
    return windows.reduce(_add)


class _OwnState(ProcessWindowFunction):
    def process(self, key, context, elements):
        state = context.window_state().get_state(ValueStateDescriptor("mine", Types.LONG()))
        yield str(state.value())


def sessions_have_no_window_state(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(3)))
    return windows.process(_OwnState(), Types.STRING())


def sessions_with_count_trigger(env):
    windows = _keyed(_timed(env, (A, 1, 1_000), (A, 2, 9_000), (A, 3, 5_000), (A, 4, 5_500))).window(
        EventTimeSessionWindows.with_gap(Time.seconds(4))
    )
    return windows.trigger(CountTrigger.of(2)).apply(_SortedContents(), Types.STRING())


def sessions_with_never_trigger(env):
    windows = _keyed(_timed(env, *SESSIONS)).window(EventTimeSessionWindows.with_gap(Time.seconds(4)))
    return windows.trigger(NeverTrigger()).apply(_SortedContents(), Types.STRING())


def all_sessions_with_never_trigger(env):
    windows = _timed(env, *SESSIONS).window_all(EventTimeSessionWindows.with_gap(Time.seconds(4)))
    return windows.trigger(NeverTrigger()).apply(_ContentsOfAll(), Types.STRING())


# count windows


def _counted(env, number):
    return env.from_collection([(A if n % 3 else B, n, n) for n in range(1, number + 1)], type_info=TYPE)


def count_tumbling(env):
    return _keyed(_counted(env, 12)).count_window(3).apply(_Contents(), Types.STRING())


def count_sliding(env):
    return _keyed(_counted(env, 14)).count_window(3, 2).apply(_Contents(), Types.STRING())


def count_sliding_with_gaps(env):
    return _keyed(_counted(env, 14)).count_window(2, 3).apply(_Contents(), Types.STRING())


def count_reduce(env):
    return _keyed(_counted(env, 12)).count_window(2).reduce(_add)


def count_assigners_of_all(env):
    windows = _counted(env, 7).window_all(CountTumblingWindowAssigner.of(3))
    return windows.apply(_ContentsOfAll(), Types.STRING())


def count_assigners(env):
    keyed = _keyed(_counted(env, 9))
    tumbling = keyed.window(CountTumblingWindowAssigner.of(2)).apply(_Contents(), Types.STRING())
    sliding = keyed.window(CountSlidingWindowAssigner.of(4, 2)).apply(_Contents(), Types.STRING())
    return _sorted(tumbling.union(sliding))


# global windows and triggers


def global_without_trigger(env):
    windows = _keyed(_timed(env, *PLAIN)).window(GlobalWindows.create())
    return windows.apply(_Contents(), Types.STRING())


def global_with_count(env):
    windows = _keyed(_counted(env, 9)).window(GlobalWindows.create()).trigger(CountTrigger.of(2))
    return windows.apply(_Contents(), Types.STRING())


def global_with_purging_count(env):
    windows = _keyed(_counted(env, 9)).window(GlobalWindows.create())
    return windows.trigger(PurgingTrigger.of(CountTrigger.of(2))).apply(_Contents(), Types.STRING())


def tumbling_with_count_trigger_drops_the_rest(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return _sorted(windows.trigger(CountTrigger.of(2)).apply(_Contents(), Types.STRING()))


def continuous_event_time(env):
    windows = _keyed(_timed(env, (A, 1, 1_000), (A, 2, 2_500), (A, 3, 4_000), (A, 4, 7_000))).window(
        TumblingEventTimeWindows.of(Time.seconds(5))
    )
    trigger = ContinuousEventTimeTrigger.of(Time.seconds(2))
    return windows.trigger(trigger).apply(_Contents(), Types.STRING())


def purging_event_time(env):
    windows = _keyed(_timed(env, *PLAIN)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    trigger = PurgingTrigger.of(EventTimeTrigger.create())
    return _sorted(windows.trigger(trigger).apply(_Contents(), Types.STRING()))


class _ByValue(Trigger):
    """Fires at even values and purges at multiples of three, so both at multiples of six."""

    def on_element(self, element, timestamp, window, ctx):
        fires, purges = element[1] % 2 == 0, element[1] % 3 == 0
        if fires and purges:
            return TriggerResult.FIRE_AND_PURGE
        if fires:
            return TriggerResult.FIRE
        return TriggerResult.PURGE if purges else TriggerResult.CONTINUE

    def on_processing_time(self, time, window, ctx):
        return TriggerResult.CONTINUE

    def on_event_time(self, time, window, ctx):
        return TriggerResult.CONTINUE

    def on_merge(self, window, ctx):
        pass

    def clear(self, window, ctx):
        pass


def custom_trigger(env):
    elements = [(A, n, n * 100) for n in range(1, 14)]
    windows = _keyed(_timed(env, *elements)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.trigger(_ByValue()).apply(_Contents(), Types.STRING())


def custom_trigger_and_reduce(env):
    elements = [(A, n, n * 100) for n in range(1, 14)]
    windows = _keyed(_timed(env, *elements)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.trigger(_ByValue()).reduce(_add)


class _EverySum(_ByValue):
    """Fires when the values since the last firing add up to ten."""

    def __init__(self):
        self._sum = ReducingStateDescriptor("sum", lambda a, b: a + b, Types.LONG())

    def on_element(self, element, timestamp, window, ctx):
        total = ctx.get_partitioned_state(self._sum)
        total.add(element[1])
        if total.get() < 10:
            return TriggerResult.CONTINUE
        total.clear()
        return TriggerResult.FIRE_AND_PURGE

    def clear(self, window, ctx):
        ctx.get_partitioned_state(self._sum).clear()


def custom_trigger_with_state(env):
    windows = _keyed(_counted(env, 12)).window(GlobalWindows.create())
    return windows.trigger(_EverySum()).apply(_Contents(), Types.STRING())


class _Nothing(_ByValue):
    def on_element(self, element, timestamp, window, ctx):
        return None


def trigger_that_returns_none(env):
    windows = _keyed(_counted(env, 2)).window(GlobalWindows.create())
    return windows.trigger(_Nothing()).apply(_Contents(), Types.STRING())


# user-defined assigners


class _BySign(WindowAssigner):
    """Assigns even values to two windows and odd values to none."""

    def assign_windows(self, element, timestamp, context):
        if element[1] % 2:
            return []
        return [TimeWindow(0, 10_000), TimeWindow(5_000, 20_000)]

    def get_default_trigger(self, env):
        return EventTimeTrigger()

    def get_window_serializer(self):
        return TimeWindowSerializer()

    def is_event_time(self):
        return True


def custom_assigner(env):
    return _sorted(_keyed(_timed(env, *PLAIN)).window(_BySign()).apply(_Contents(), Types.STRING()))


class _ReturnsNone(_BySign):
    def assign_windows(self, element, timestamp, context):
        return None


def assigner_that_returns_none(env):
    return _keyed(_timed(env, *PLAIN)).window(_ReturnsNone()).apply(_Contents(), Types.STRING())


class _UntilValue(_BySign, MergingWindowAssigner):
    """Assigns windows as long as the value, and merges those that contain the start of another."""

    def assign_windows(self, element, timestamp, context):
        return [TimeWindow(timestamp, timestamp + element[1] * 1_000)]

    def merge_windows(self, windows, callback):
        TimeWindow.merge_windows(windows, callback)


def custom_merging_assigner(env):
    return _sorted(_keyed(_timed(env, *SESSIONS)).window(_UntilValue()).reduce(_add))


# lateness: the watermark moves after elements with a negative value

LATE = [
    (A, 1, 1_000),
    (A, 2, 7_000),
    (A, -1, 7_000),
    (A, 3, 2_000),
    (A, 4, 3_000),
    (A, 5, 15_000),
    (A, -2, 15_000),
    (A, 6, 4_000),
]


def late_is_dropped(env):
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.apply(_Contents(), Types.STRING())


def late_within_lateness_fires_again(env):
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.allowed_lateness(5_000).apply(_Contents(), Types.STRING())


def late_within_lateness_purged(env):
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    trigger = PurgingTrigger.of(EventTimeTrigger())
    return windows.trigger(trigger).allowed_lateness(5_000).apply(_Contents(), Types.STRING())


def late_reduce_fires_again(env):
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.allowed_lateness(5_000).reduce(_add)


def _late_tag():
    return OutputTag("late", Types.TUPLE([Types.STRING(), Types.INT(), Types.LONG()]))


def late_side_output(env):
    tag = _late_tag()
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    fired = windows.side_output_late_data(tag).apply(_Contents(), Types.STRING())
    return fired.get_side_output(tag)


def late_side_output_beyond_lateness(env):
    tag = _late_tag()
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    tagged = windows.allowed_lateness(5_000).side_output_late_data(tag)
    return tagged.apply(_Contents(), Types.STRING()).get_side_output(tag)


def late_sliding_enters_later_windows_only(env):
    windows = _keyed(_slow(env, *LATE)).window(SlidingEventTimeWindows.of(Time.seconds(10), Time.seconds(5)))
    return windows.apply(_Contents(), Types.STRING())


def late_session_reopens(env):
    elements = [(A, 1, 1_000), (A, 2, 9_000), (A, -1, 9_000), (A, 3, 3_000), (A, 4, 4_500)]
    windows = _keyed(_slow(env, *elements)).window(EventTimeSessionWindows.with_gap(Time.seconds(3)))
    return windows.allowed_lateness(10_000).apply(_SortedContents(), Types.STRING())


class _Remembering(ProcessWindowFunction):
    """Counts calls per window and per key, and emits calls of clear."""

    def __init__(self):
        self._mine = ValueStateDescriptor("calls-of-window", Types.LONG())
        self._all = ValueStateDescriptor("calls-of-key", Types.LONG())

    def process(self, key, context, elements):
        mine = context.window_state().get_state(self._mine)
        both = context.global_state().get_state(self._all)
        mine.update((mine.value() or 0) + 1)
        both.update((both.value() or 0) + 1)
        yield f"{key} {context.window().start} {mine.value()} {both.value()} {len(list(elements))}"

    def clear(self, context):
        context.window_state().get_state(self._mine).clear()


def window_state_and_global_state(env):
    windows = _keyed(_slow(env, *LATE)).window(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.allowed_lateness(5_000).process(_Remembering(), Types.STRING())


# windows of non-keyed streams


def all_tumbling(env):
    windows = _timed(env, *PLAIN).window_all(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.apply(_ContentsOfAll(), Types.STRING())


def all_reduce(env):
    return _timed(env, *PLAIN).window_all(TumblingEventTimeWindows.of(Time.seconds(5))).reduce(_add)


def all_aggregate(env):
    windows = _timed(env, *PLAIN).window_all(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.aggregate(_Sum(), output_type=Types.STRING())


class _AllStates(ProcessAllWindowFunction):
    def process(self, context, elements):
        seen = context.global_state().get_state(ValueStateDescriptor("seen", Types.LONG()))
        seen.update((seen.value() or 0) + len(list(elements)))
        yield f"{context.window().start} {seen.value()}"

    def clear(self, context):
        pass


def all_process(env):
    windows = _timed(env, *PLAIN).window_all(TumblingEventTimeWindows.of(Time.seconds(5)))
    return windows.process(_AllStates(), Types.STRING())


def all_sessions(env):
    windows = _timed(env, *SESSIONS).window_all(EventTimeSessionWindows.with_gap(Time.seconds(2)))
    return windows.apply(_ContentsOfAll(), Types.STRING())


# processing time


def processing_time_session_fires_in_between(env):
    windows = _keyed(_slow(env, (A, 1, 1), (A, 2, 1), (A, -3, 1))).window(
        ProcessingTimeSessionWindows.with_gap(Time.milliseconds(250))
    )
    with windows.reduce(_add).execute_and_collect() as elements:
        return [value[1] for value in elements][:1]


# errors


def wrong_offset(env):
    return str(TumblingEventTimeWindows.of(Time.seconds(5), Time.seconds(5)))


def wrong_size(env):
    return str(TumblingEventTimeWindows.of(Time.seconds(0)))


def wrong_slide(env):
    return str(SlidingEventTimeWindows.of(Time.seconds(5), Time.seconds(0)))


def wrong_gap(env):
    return str(EventTimeSessionWindows.with_gap(Time.seconds(0)))


def texts(env):
    return [
        str(TumblingEventTimeWindows.of(Time.seconds(5), Time.seconds(1))),
        str(SlidingEventTimeWindows.of(Time.seconds(5), Time.seconds(2))),
        str(EventTimeSessionWindows.with_gap(Time.seconds(5))),
        str(CountTumblingWindowAssigner.of(2)),
        str(CountSlidingWindowAssigner.of(2, 1)),
        str(GlobalWindows.create()),
        str(TimeWindow(1, 2)),
        str(CountWindow(3)),
        str(GlobalWindow.get()),
        str(TimeWindow(1, 5).cover(TimeWindow(4, 9))),
        TimeWindow(1, 5).intersects(TimeWindow(5, 6)),
        TimeWindow(1, 5).intersects(TimeWindow(6, 7)),
        TimeWindow.get_window_start_with_offset(-1, 0, 5),
        TimeWindow.get_window_start_with_offset(-1, 2, 5),
        sorted([TimeWindow(1, 5), TimeWindow(0, 9), TimeWindow(1, 2)])[1].end,
    ]


def row_elements(env):
    row_type = Types.ROW_NAMED(["key", "value"], [Types.STRING(), Types.INT()])
    rows = [Row(key=A, value=1), Row(key=A, value=2), Row(key=B, value=3), Row(key=A, value=4)]
    stream = env.from_collection(rows, type_info=row_type)
    keyed = stream.key_by(lambda row: row["key"], key_type=Types.STRING())
    return keyed.count_window(2).reduce(lambda a, b: Row(key=a["key"], value=a["value"] + b["value"]))
