"""State and timers of keyed functions."""

from collections.abc import Iterable, Iterator
from typing import assert_type

from pystream.common import Time, Types
from pystream.datastream import AggregateFunction, KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import (
    AggregatingState,
    AggregatingStateDescriptor,
    ListState,
    ListStateDescriptor,
    MapState,
    MapStateDescriptor,
    ReducingState,
    ReducingStateDescriptor,
    StateTtlConfig,
    ValueState,
    ValueStateDescriptor,
)


class Length(AggregateFunction[str, int, float]):
    def create_accumulator(self) -> int:
        return 0

    def add(self, value: str, accumulator: int) -> int:
        return accumulator + len(value)

    def get_result(self, accumulator: int) -> float:
        return float(accumulator)

    def merge(self, acc_a: int, acc_b: int) -> int:
        return acc_a + acc_b


class Counts(KeyedProcessFunction[str, int, tuple[str, int]]):
    def open(self, runtime_context: RuntimeContext) -> None:
        self.count = runtime_context.get_state(ValueStateDescriptor("count", Types.INT()))

    def process_element(
        self, value: int, ctx: KeyedProcessFunction.Context[str]
    ) -> Iterator[tuple[str, int]]:
        assert_type(self.count, ValueState[int])
        self.count.update((self.count.value() or 0) + value)
        ctx.timer_service().register_event_time_timer(ctx.timestamp() + 1)
        yield ctx.get_current_key(), value

    def on_timer(
        self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext[str]
    ) -> Iterator[tuple[str, int]]:
        yield ctx.get_current_key(), timestamp


def values(ctx: RuntimeContext) -> None:
    state = ctx.get_state(ValueStateDescriptor("a", Types.STRING()))
    assert_type(state, ValueState[str])
    assert_type(state.value(), str | None)


def lists(ctx: RuntimeContext) -> None:
    state = ctx.get_list_state(ListStateDescriptor("a", Types.STRING()))
    assert_type(state, ListState[str])
    assert_type(state.get(), Iterable[str])


def maps(ctx: RuntimeContext) -> None:
    state = ctx.get_map_state(MapStateDescriptor("a", Types.STRING(), Types.INT()))
    assert_type(state, MapState[str, int])
    assert_type(state.get("a"), int | None)
    assert_type(state.items(), Iterable[tuple[str, int]])


def reducing(ctx: RuntimeContext) -> None:
    descriptor = ReducingStateDescriptor("a", lambda a, b: a + b, Types.INT())
    assert_type(ctx.get_reducing_state(descriptor), ReducingState[int])


def aggregating(ctx: RuntimeContext) -> None:
    descriptor = AggregatingStateDescriptor("a", Length(), Types.INT())
    assert_type(ctx.get_aggregating_state(descriptor), AggregatingState[str, float])


def state_of_a_class(ctx: RuntimeContext) -> None:
    ValueStateDescriptor("a", int)  # E: "type[int]"; expected "TypeInformation[


def state_without_a_name() -> None:
    ValueStateDescriptor(Types.INT())  # E: Missing positional argument "value_type_info"


def state_of_another_kind(ctx: RuntimeContext) -> None:
    # E: "ListStateDescriptor[int]"; expected "ValueStateDescriptor[
    ctx.get_state(ListStateDescriptor("a", Types.INT()))


def state_by_its_name(ctx: RuntimeContext) -> None:
    ctx.get_state("count")  # E: "str"; expected "ValueStateDescriptor[


def map_state_by_a_list(ctx: RuntimeContext) -> None:
    # E: "ListStateDescriptor[int]"; expected "MapStateDescriptor[
    ctx.get_map_state(ListStateDescriptor("a", Types.INT()))


def value_of_another_type(state: ValueState[int]) -> None:
    state.update("a")  # E: "update" of "ValueState" has incompatible type "str"; expected "int | None"


def value_may_be_missing(state: ValueState[int]) -> None:
    state.value() + 1  # E: Unsupported operand types for + ("None" and "int")


def value_of_a_list_state(state: ListState[str]) -> None:
    state.value()  # E: "ListState[str]" has no attribute "value"


def element_of_another_type(state: ListState[str]) -> None:
    state.add(3)  # E: "int"; expected "str"


def elements_of_another_type(state: ListState[str]) -> None:
    state.add_all([1, 2])  # E: List item 0 has incompatible type "int"; expected "str"


def list_update_by_one(state: ListState[str]) -> None:
    state.update("a")  # E: "str"; expected "list[str]"


def map_key_of_another_type(state: MapState[str, int]) -> None:
    state.get(1)  # E: "int"; expected "str"


def map_value_of_another_type(state: MapState[str, int]) -> None:
    state.put("a", "b")  # E: "str"; expected "int | None"


def map_item_of_another_type(state: MapState[str, int]) -> None:
    state["a"] = "b"  # E: Incompatible types in assignment (expression has type "str", target has type "int")


def map_items_of_another_type(state: MapState[str, int]) -> None:
    state.put_all({1: 1})  # E: "dict[int, int]"; expected "Mapping[str, int]


def reducing_changes_the_type() -> None:
    # E: "Callable[[int, int], str]"; expected "ReduceFunction[int] | Callable[[int, int], int]"
    ReducingStateDescriptor("a", lambda a, b: str(a), Types.INT())


def reduced_value_of_another_type(state: ReducingState[int]) -> None:
    state.add("a")  # E: "str"; expected "int"


def aggregated_value_of_another_type(state: AggregatingState[str, float]) -> None:
    state.add(1)  # E: "int"; expected "str"


def aggregate_may_be_missing(state: AggregatingState[str, float]) -> None:
    state.get() * 2  # E: Unsupported operand types for * ("None" and "int")


def ttl(descriptor: ValueStateDescriptor[int]) -> None:
    descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)).build())


def ttl_as_a_time(descriptor: ValueStateDescriptor[int]) -> None:
    descriptor.enable_time_to_live(Time.hours(1))  # E: "Time"; expected "StateTtlConfig"


def ttl_without_build(descriptor: ValueStateDescriptor[int]) -> None:
    # E: "Builder"; expected "StateTtlConfig"
    descriptor.enable_time_to_live(StateTtlConfig.new_builder(Time.hours(1)))


def timers(ctx: KeyedProcessFunction.Context[str]) -> None:
    assert_type(ctx.timer_service().current_watermark(), int)


def timer_at_a_time(ctx: KeyedProcessFunction.Context[str]) -> None:
    ctx.timer_service().register_event_time_timer(Time.seconds(1))  # E: "Time"; expected "int"


def timer_at_a_float(ctx: KeyedProcessFunction.Context[str]) -> None:
    ctx.timer_service().register_processing_time_timer(1.5)  # E: "float"; expected "int"


def time_domain_of_an_element(ctx: KeyedProcessFunction.Context[str]) -> None:
    ctx.time_domain()  # E: has no attribute "time_domain"


def key_of_another_type(ctx: KeyedProcessFunction.Context[str]) -> None:
    ctx.get_current_key() + 1  # E: Unsupported operand types for + ("str" and "int")


class OtherElement(KeyedProcessFunction[str, int, int]):
    # E: Argument 1 of "process_element" is incompatible with supertype
    def process_element(self, value: str, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield len(value)


class OtherKey(KeyedProcessFunction[str, int, int]):
    # E: supertype defines the argument type as "Context[str]"
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context[int]) -> Iterator[int]:
        yield ctx.get_current_key()


class OtherResult(KeyedProcessFunction[str, int, int]):
    # E: incompatible with return type "Iterable[int | tuple[OutputTag[Any], Any]] | None"
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[str]:
        yield str(value)


class NoIterable(KeyedProcessFunction[str, int, int]):
    # E: Return type "int" of "process_element" incompatible with return type
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> int:
        return value


class OtherYield(KeyedProcessFunction[str, int, int]):
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield str(value)  # E: Incompatible types in "yield" (actual type "str", expected type "int")


class OtherTimer(KeyedProcessFunction[str, int, int]):
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield value

    # E: Argument 2 of "on_timer" is incompatible with supertype
    def on_timer(self, timestamp: int, ctx: RuntimeContext) -> Iterator[int]:
        yield timestamp


# E: "KeyedProcessFunction" expects 3 type arguments, but 2 given
class TwoArguments(KeyedProcessFunction[int, int]):
    def process_element(self, value: int, ctx: KeyedProcessFunction.Context) -> Iterator[int]:
        yield value
