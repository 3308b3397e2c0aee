"""Connected and broadcast streams: functions take the elements of both, and the types of keys agree."""

from collections.abc import Iterable, Iterator
from typing import assert_type

from pystream.common import Types
from pystream.datastream import (
    BroadcastConnectedStream,
    BroadcastProcessFunction,
    BroadcastStream,
    CoFlatMapFunction,
    CoMapFunction,
    ConnectedStreams,
    CoProcessFunction,
    DataStream,
    KeyedBroadcastProcessFunction,
    KeyedCoProcessFunction,
    KeyedStream,
)
from pystream.datastream.state import (
    BroadcastState,
    ListStateDescriptor,
    MapStateDescriptor,
    ReadOnlyBroadcastState,
    ValueState,
    ValueStateDescriptor,
)
from pystream.datastream.streams.connected_streams import NoKey

Order = tuple[str, int]
RULES = MapStateDescriptor("rules", Types.STRING(), Types.INT())
TOTAL = ValueStateDescriptor("total", Types.INT())


class Text(CoMapFunction[Order, float, str]):
    def map1(self, value: Order) -> str:
        return value[0]

    def map2(self, value: float) -> str:
        return str(value)


class Texts(CoFlatMapFunction[Order, float, str]):
    def flat_map1(self, value: Order) -> Iterable[str]:
        return value[0].split()

    def flat_map2(self, value: float) -> Iterable[str]:
        return [str(value)]


class Both(CoProcessFunction[Order, float, str]):
    def process_element1(self, value: Order, ctx: CoProcessFunction.Context) -> Iterator[str]:
        yield value[0]

    def process_element2(self, value: float, ctx: CoProcessFunction.Context) -> Iterator[str]:
        yield str(value)


class Keyed(KeyedCoProcessFunction[str, Order, float, str]):
    def process_element1(self, value: Order, ctx: KeyedCoProcessFunction.Context[str]) -> Iterator[str]:
        yield ctx.get_current_key().upper()

    def process_element2(self, value: float, ctx: KeyedCoProcessFunction.Context[str]) -> Iterator[str]:
        yield str(value)


class Ruled(BroadcastProcessFunction[Order, str, int]):
    def process_element(self, value: Order, ctx: BroadcastProcessFunction.ReadOnlyContext) -> Iterable[int]:
        rules = ctx.get_broadcast_state(RULES)
        assert_type(rules, ReadOnlyBroadcastState[str, int])
        assert_type(rules.get("a"), int | None)
        return [value[1]]

    def process_broadcast_element(self, value: str, ctx: BroadcastProcessFunction.Context) -> Iterable[int]:
        assert_type(ctx.get_broadcast_state(RULES), BroadcastState[str, int])
        return []


class KeyedRuled(KeyedBroadcastProcessFunction[str, Order, str, int]):
    def process_element(
        self, value: Order, ctx: KeyedBroadcastProcessFunction.ReadOnlyContext[str]
    ) -> Iterable[int]:
        assert_type(ctx.get_current_key(), str)
        return [value[1]]

    def process_broadcast_element(
        self, value: str, ctx: KeyedBroadcastProcessFunction.Context[str]
    ) -> Iterable[int]:
        def visit(key: str, total: ValueState[int]) -> None:
            total.update(len(key))

        ctx.apply_to_keyed_state(TOTAL, visit)
        return []


def connect(orders: DataStream[Order], rates: DataStream[float]) -> None:
    assert_type(orders.connect(rates), ConnectedStreams[Order, float, NoKey])


def connect_of_keyed_streams(orders: KeyedStream[Order, str], rates: KeyedStream[float, str]) -> None:
    assert_type(orders.connect(rates), ConnectedStreams[Order, float, str])
    assert_type(orders.connect(rates).process(Keyed()), DataStream[str])


def connect_of_unequal_keys(orders: KeyedStream[Order, str], rates: KeyedStream[float, int]) -> None:
    orders.connect(rates)  # E: "KeyedStream[float, int]"; expected "KeyedStream[float, str]"


def connect_of_a_stream_without_keys(orders: KeyedStream[Order, str], rates: DataStream[float]) -> None:
    orders.connect(rates)  # E: "connect" of "KeyedStream" matches argument type "DataStream[float]"


def connect_with_no_stream(orders: DataStream[Order]) -> None:
    orders.connect([1.5])  # E: "connect" of "DataStream" matches argument type "list[float]"


def keys_of_both(orders: DataStream[Order], rates: DataStream[float]) -> None:
    keyed = orders.connect(rates).key_by(lambda order: order[0], lambda rate: str(rate))
    assert_type(keyed, ConnectedStreams[Order, float, str])
    assert_type(keyed.process(Keyed()), DataStream[str])


def keys_out_of_range(orders: DataStream[Order], rates: DataStream[float]) -> None:
    orders.connect(rates).key_by(lambda order: order[2], lambda rate: 1)  # E: Tuple index out of range


def keys_that_are_none(orders: DataStream[Order], rates: DataStream[float]) -> None:
    # E: "float" has no attribute "name"
    orders.connect(rates).key_by(lambda order: order[0], lambda rate: rate.name)


def keys_of_another_type(orders: DataStream[Order], rates: DataStream[float]) -> None:
    # E: "Callable[[tuple[str, int]], str]"; expected "Callable[[tuple[str, int]], int]
    orders.connect(rates).key_by(lambda order: order[0], lambda rate: int(rate), Types.INT())


def co_map(connected: ConnectedStreams[Order, float, NoKey]) -> None:
    assert_type(connected.map(Text()), DataStream[str])
    assert_type(connected.map(Text(), Types.STRING()), DataStream[str])
    assert_type(connected.flat_map(Texts()), DataStream[str])


def co_map_of_other_elements(connected: ConnectedStreams[float, Order, NoKey]) -> None:
    connected.map(Text())  # E: "Text"; expected "CoMapFunction[float, tuple[str, int], str]"


def co_map_by_a_lambda(connected: ConnectedStreams[Order, float, NoKey]) -> None:
    # E: "Callable[[Any], Any]"; expected "CoMapFunction[
    connected.map(lambda order: order[0])


def co_map_by_a_flat_map_function(connected: ConnectedStreams[Order, float, NoKey]) -> None:
    connected.map(Texts())  # E: "Texts"; expected "CoMapFunction[


def co_flat_map_of_other_elements(connected: ConnectedStreams[str, float, NoKey]) -> None:
    connected.flat_map(Texts())  # E: "Texts"; expected "CoFlatMapFunction[str, float, str]"


def co_process(connected: ConnectedStreams[Order, float, NoKey]) -> None:
    assert_type(connected.process(Both()), DataStream[str])


def co_process_of_other_elements(connected: ConnectedStreams[Order, str, NoKey]) -> None:
    connected.process(Both())  # E: "Both"; expected "CoProcessFunction[tuple[str, int], str,


def keyed_co_process_without_keys(connected: ConnectedStreams[Order, float, NoKey]) -> None:
    # E: "Keyed"; expected "CoProcessFunction[tuple[str, int], float, Any] | KeyedCoProcessFunction[NoKey,
    connected.process(Keyed())


def keyed_co_process_with_other_keys(connected: ConnectedStreams[Order, float, int]) -> None:
    # E: "Keyed"; expected "CoProcessFunction[tuple[str, int], float, Any] | KeyedCoProcessFunction[int,
    connected.process(Keyed())


def broadcast(orders: DataStream[Order], rules: DataStream[str]) -> None:
    assert_type(rules.broadcast(RULES), BroadcastStream[str])
    connected = orders.connect(rules.broadcast(RULES))
    assert_type(connected, BroadcastConnectedStream[Order, str, NoKey])
    assert_type(connected.process(Ruled()), DataStream[int])


def broadcast_with_another_state(rules: DataStream[str]) -> None:
    # E: argument type "ListStateDescriptor[str]"
    rules.broadcast(ListStateDescriptor("rules", Types.STRING()))


def broadcast_has_no_operators(rules: BroadcastStream[str]) -> None:
    rules.map(len)  # E: "BroadcastStream[str]" has no attribute "map"


def broadcast_to_a_keyed_stream(orders: KeyedStream[Order, str], rules: BroadcastStream[str]) -> None:
    connected = orders.connect(rules)
    assert_type(connected, BroadcastConnectedStream[Order, str, str])
    assert_type(connected.process(KeyedRuled()), DataStream[int])


def broadcast_function_of_other_elements(connected: BroadcastConnectedStream[str, str, NoKey]) -> None:
    connected.process(Ruled())  # E: "Ruled"; expected "BroadcastProcessFunction[str, str, int]"


def keyed_broadcast_function_without_keys(connected: BroadcastConnectedStream[Order, str, NoKey]) -> None:
    # E: "KeyedRuled"; expected "KeyedBroadcastProcessFunction[NoKey, tuple[str, int], str, int]"
    connected.process(KeyedRuled())


def keyed_broadcast_function_with_other_keys(connected: BroadcastConnectedStream[Order, str, int]) -> None:
    # E: "KeyedRuled"; expected "KeyedBroadcastProcessFunction[int, tuple[str, int], str, int]"
    connected.process(KeyedRuled())


def broadcast_function_with_keys(connected: BroadcastConnectedStream[Order, str, int]) -> None:
    # E: "Ruled"; expected "KeyedBroadcastProcessFunction[int,
    connected.process(Ruled())


def broadcast_state_is_read(ctx: BroadcastProcessFunction.ReadOnlyContext) -> None:
    ctx.get_broadcast_state(RULES).put("a", 1)  # E: "ReadOnlyBroadcastState[str, int]" has no attribute "put"


def broadcast_state_has_types(ctx: BroadcastProcessFunction.Context) -> None:
    ctx.get_broadcast_state(RULES).put("a", "b")  # E: incompatible type "str"; expected "int
    ctx.get_broadcast_state(RULES).put(1, 1)  # E: incompatible type "int"; expected "str"


def broadcast_state_by_a_name(ctx: BroadcastProcessFunction.Context) -> None:
    ctx.get_broadcast_state("rules")  # E: incompatible type "str"; expected "MapStateDescriptor[


def visits_of_another_key(ctx: KeyedBroadcastProcessFunction.Context[int]) -> None:
    def visit(key: str, total: ValueState[int]) -> None: ...

    ctx.apply_to_keyed_state(TOTAL, visit)  # E: expected "Callable[[int, ValueState[int]], object]"


def visits_of_another_state(ctx: KeyedBroadcastProcessFunction.Context[str]) -> None:
    # E: "ValueState[int]" has no attribute "add"
    ctx.apply_to_keyed_state(TOTAL, lambda key, total: total.add(1))


class OtherResult(CoMapFunction[Order, float, str]):
    def map1(self, value: Order) -> int:  # E: Return type "int" of "map1" incompatible with return type "str"
        return value[1]

    def map2(self, value: float) -> str:
        return str(value)


class OtherElement(CoMapFunction[Order, float, str]):
    def map1(self, value: float) -> str:  # E: supertype defines the argument type as "tuple[str, int]"
        return str(value)

    def map2(self, value: float) -> str:
        return str(value)


class OtherKey(KeyedCoProcessFunction[str, Order, float, str]):
    # E: supertype defines the argument type as "Context[str]"
    def process_element1(self, value: Order, ctx: KeyedCoProcessFunction.Context[int]) -> Iterator[str]:
        yield value[0]

    def process_element2(self, value: float, ctx: KeyedCoProcessFunction.Context[str]) -> Iterator[str]:
        yield str(value)
