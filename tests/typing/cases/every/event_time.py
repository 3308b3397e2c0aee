"""Event time: timestamp assigners, watermark strategies and generators fit the elements of the stream."""

from typing import assert_type

from pystream.common import Duration, TimestampAssigner, WatermarkStrategy
from pystream.common.watermark_strategy import WatermarkGenerator
from pystream.datastream import DataStream
from pystream.engine.time.watermark_generators import WatermarkOutput

Click = tuple[str, int]


class ClickTime(TimestampAssigner[Click]):
    def extract_timestamp(self, value: Click, record_timestamp: int) -> int:
        return value[1]


class AnyTime(TimestampAssigner[object]):
    def extract_timestamp(self, value: object, record_timestamp: int) -> int:
        return record_timestamp


class Punctuated(WatermarkGenerator[Click]):
    def on_event(self, event: Click, event_timestamp: int, output: WatermarkOutput) -> None:
        output.emit_watermark(event[1])

    def on_periodic_emit(self, output: WatermarkOutput) -> None: ...


def strategies() -> None:
    strategy = WatermarkStrategy.for_bounded_out_of_orderness(Duration.of_seconds(1))
    assert_type(strategy, WatermarkStrategy[object])
    assert_type(strategy.with_timestamp_assigner(ClickTime()), WatermarkStrategy[Click])
    assert_type(strategy.with_idleness(Duration.of_seconds(1)), WatermarkStrategy[object])
    assert_type(WatermarkStrategy.for_generator(Punctuated), WatermarkStrategy[Click])
    generated = WatermarkStrategy.for_generator(Punctuated)
    assert_type(generated.with_timestamp_assigner(ClickTime()), WatermarkStrategy[Click])


def assign(clicks: DataStream[Click]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    assert_type(clicks.assign_timestamps_and_watermarks(strategy), DataStream[Click])
    clicks.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(ClickTime()))
    clicks.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(AnyTime()))
    clicks.assign_timestamps_and_watermarks(WatermarkStrategy.for_generator(Punctuated))


def assigner_of_another_element(names: DataStream[str]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(ClickTime())
    # E: "WatermarkStrategy[tuple[str, int]]"; expected "WatermarkStrategy[str]"
    names.assign_timestamps_and_watermarks(strategy)


def generator_of_another_element(names: DataStream[str]) -> None:
    strategy = WatermarkStrategy.for_generator(Punctuated)
    # E: "WatermarkStrategy[tuple[str, int]]"; expected "WatermarkStrategy[str]"
    names.assign_timestamps_and_watermarks(strategy)


def click_time(click: Click, before: int) -> int:
    return click[1]


def functions(clicks: DataStream[Click]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    assert_type(strategy.with_timestamp_assigner(click_time), WatermarkStrategy[Click])
    clicks.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(click_time))
    clicks.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(lambda click, _: click[1]))


def function_of_another_element(names: DataStream[str]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(click_time)
    # E: "WatermarkStrategy[tuple[str, int]]"; expected "WatermarkStrategy[str]"
    names.assign_timestamps_and_watermarks(strategy)


def function_that_does_not_return_a_number(clicks: DataStream[Click]) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    # E: "Callable[[tuple[str, int], int], str]"; expected "Callable[[tuple[str, int], int], int]"
    clicks.assign_timestamps_and_watermarks(strategy.with_timestamp_assigner(lambda click, _: click[0]))


def function_of_too_few_arguments() -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    # E: incompatible type "Callable[[Any], int]"; expected "Callable[[
    strategy.with_timestamp_assigner(lambda click: 1)


def assigner_as_a_class() -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps()
    # E: "with_timestamp_assigner" of "WatermarkStrategy" has incompatible type "type[ClickTime]"
    strategy.with_timestamp_assigner(ClickTime)


def strategy_as_a_factory(clicks: DataStream[Click]) -> None:
    # E: expected "WatermarkStrategy[tuple[str, int]]"
    clicks.assign_timestamps_and_watermarks(WatermarkStrategy.for_monotonous_timestamps)


def assigner_for_a_strategy(clicks: DataStream[Click]) -> None:
    clicks.assign_timestamps_and_watermarks(ClickTime())  # E: "ClickTime"; expected "WatermarkStrategy[


def bound_in_ms() -> None:
    WatermarkStrategy.for_bounded_out_of_orderness(100)  # E: "int"; expected "Duration"


def idleness_in_ms() -> None:
    WatermarkStrategy.no_watermarks().with_idleness(100)  # E: "int"; expected "Duration"


class FloatTime(TimestampAssigner[Click]):
    # E: Return type "float" of "extract_timestamp" incompatible with return type "int"
    def extract_timestamp(self, value: Click, record_timestamp: int) -> float:
        return value[1] / 1000


class OtherElement(TimestampAssigner[Click]):
    # E: supertype defines the argument type as "tuple[str, int]"
    def extract_timestamp(self, value: str, record_timestamp: int) -> int:
        return len(value)


class OneParameter(TimestampAssigner[Click]):
    # E: Signature of "extract_timestamp" incompatible with supertype
    def extract_timestamp(self, value: Click) -> int:
        return value[1]
