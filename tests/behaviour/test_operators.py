"""Stateless operators: their results and types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from pystream.common import Row, RowKind, TypeInformation
from pystream.common.typeinfo import Types
from pystream.datastream import (
    DataStream,
    FilterFunction,
    FlatMapFunction,
    MapFunction,
    ProcessFunction,
    RuntimeExecutionMode,
    StreamExecutionEnvironment,
)
from pystream.errors import PlanError

ROW: TypeInformation[Any] = Types.ROW([Types.INT(), Types.STRING()])
TUPLE = Types.TUPLE([Types.INT(), Types.STRING(), Types.DOUBLE()])


def collected(stream: DataStream[Any]) -> list[Any]:
    with stream.execute_and_collect() as elements:
        return list(elements)


def add_one(value: int) -> int:
    return value + 1


class AddOne(MapFunction[int, int]):
    def map(self, value: int) -> int:
        return value + 1


class Odd(FilterFunction[int]):
    def filter(self, value: int) -> bool:
        return value % 2 == 1


class Repeat(FlatMapFunction[int, int]):
    def flat_map(self, value: int) -> Iterator[int]:
        for _ in range(value):
            yield value


class Twice(ProcessFunction[int, int]):
    def process_element(self, value: int, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield value
        yield -value


@pytest.mark.promise("beh:three-ways-of-functions")
@pytest.mark.parametrize("function", [AddOne(), add_one, lambda value: value + 1])
def test_map_takes_function_objects_functions_and_lambdas(
    env: StreamExecutionEnvironment, function: Any
) -> None:
    assert collected(env.from_collection([1, 2], Types.INT()).map(function)) == [2, 3]


def test_every_operator_takes_its_function_object(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([0, 1, 2, 3], Types.INT())
    assert collected(numbers.filter(Odd()).flat_map(Repeat()).process(Twice())) == [1, -1, *[3, -3] * 3]


@pytest.mark.parametrize(
    "function",
    [
        lambda value: [value, value],
        lambda value: (value, value),
        lambda value: iter([value, value]),
        lambda value: (value for _ in range(2)),
    ],
)
def test_flat_map_takes_any_iterable(env: StreamExecutionEnvironment, function: Any) -> None:
    assert collected(env.from_collection([1, 2], Types.INT()).flat_map(function)) == [1, 1, 2, 2]


def test_flat_map_and_process_may_return_none_for_no_results(env: StreamExecutionEnvironment) -> None:
    class Silent(ProcessFunction[int, int]):
        def process_element(self, value: int, ctx: ProcessFunction.Context) -> None:
            return None

    numbers = env.from_collection([1, 2], Types.INT())
    flat = numbers.flat_map(lambda value: None, Types.INT())  # type: ignore[arg-type,return-value]
    nothing = numbers.process(Silent(), Types.INT()).union(flat)
    assert collected(nothing) == []


@pytest.mark.promise("beh:type-info-omitted-pickled", "beh:output-type-omitted-pickled")
def test_elements_without_a_declared_type_are_pickled(env: StreamExecutionEnvironment) -> None:
    untyped = env.from_collection([(1, {"a"}), None])
    mapped = untyped.map(lambda value: [value])
    flat = mapped.flat_map(lambda value: value)
    for stream in (untyped, mapped, flat):
        assert stream.get_type() == Types.PICKLED_BYTE_ARRAY()
    assert collected(flat) == [(1, {"a"}), None]


@pytest.mark.promise("beh:python-python-pickle")
def test_any_object_can_pass_between_untyped_operators(env2: StreamExecutionEnvironment) -> None:
    class Anything:
        def __init__(self, value: int) -> None:
            self.value = value

    boxed = env2.from_collection([1, 2]).map(Anything).rebalance()
    assert sorted(collected(boxed.map(lambda box: box.value))) == [1, 2]


def test_an_annotation_declares_the_type(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([1, 2], Types.INT())
    assert numbers.map(add_one).get_type() == Types.LONG()
    assert numbers.flat_map(Repeat()).get_type() == Types.LONG()
    assert numbers.process(Twice()).get_type() == Types.LONG()
    assert numbers.filter(Odd()).get_type() == Types.INT()


@pytest.mark.promise("beh:from-collection-type-info")
def test_from_collection_keeps_to_its_type(env: StreamExecutionEnvironment) -> None:
    stream = env.from_collection(collection=[(1, "a")], type_info=ROW)
    assert stream.get_type() == ROW
    (row,) = collected(stream)
    assert isinstance(row, Row)
    assert tuple(row) == (1, "a")


@pytest.mark.promise("beh:map-type-reassign", "beh:tuple-accepted-for-row", "beh:row-is-tuple")
def test_tuples_and_rows_take_the_declared_type(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([1], Types.INT())
    pair: TypeInformation[Any] = Types.TUPLE([Types.INT(), Types.STRING()])
    as_row = numbers.map(lambda value: (value, "a"), output_type=ROW)
    as_tuple = numbers.map(lambda value: Row(value, "a"), output_type=pair)
    (row,), (tuple_,) = collected(as_row), collected(as_tuple)
    assert isinstance(row, Row)
    assert tuple(row) == (1, "a")
    assert type(tuple_) is tuple
    assert tuple_ == (1, "a")


def test_a_declared_type_holds_within_a_chain(env: StreamExecutionEnvironment) -> None:
    halves = env.from_collection([1.0], Types.DOUBLE()).map(lambda value: value / 3, Types.FLOAT())
    assert collected(halves.map(lambda value: value == 0.3333333432674408)) == [True]


def test_row_kinds_are_kept(env2: StreamExecutionEnvironment) -> None:
    rows = env2.from_collection([Row.of_kind(RowKind.DELETE, 1, "a")], ROW).rebalance()
    kinds = rows.map(lambda row: row.get_row_kind().name).execute_and_collect()
    with kinds:
        assert list(kinds) == ["DELETE"]


@pytest.mark.promise("beh:union-duplicates")
def test_union_keeps_duplicates_and_streams_given_twice(env: StreamExecutionEnvironment) -> None:
    one, two = env.from_collection([1, 1], Types.INT()), env.from_collection([1, 2], Types.INT())
    assert sorted(collected(one.union(one, two))) == [1, 1, 1, 1, 1, 2]


def test_union_refuses_streams_of_another_type_or_environment(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([1], Types.INT()).name("numbers")
    texts = env.from_collection(["a"], Types.STRING()).name("texts")
    with pytest.raises(PlanError, match=r"'numbers' produces Integer.*'texts' produces String"):
        numbers.union(texts)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="PickledByteArray"):
        numbers.union(env.from_collection([1]))
    other = StreamExecutionEnvironment.get_execution_environment().from_collection([1], Types.INT())
    with pytest.raises(PlanError, match="different environments"):
        numbers.union(other)


@pytest.mark.promise("beh:project-tuples-only")
def test_project_takes_fields_of_tuples_in_the_order_given(env: StreamExecutionEnvironment) -> None:
    triples = env.from_collection([(1, "a", 0.5)], TUPLE)
    assert collected(triples.project(2, 0)) == [(0.5, 1)]
    assert collected(triples.project(1, 1)) == [("a", "a")]
    assert collected(triples.project(1)) == [("a",)]
    assert triples.project(2, 0).get_type() == Types.TUPLE([Types.DOUBLE(), Types.INT()])


def test_project_refuses_other_streams_and_fields(env: StreamExecutionEnvironment) -> None:
    triples = env.from_collection([(1, "a", 0.5)], TUPLE)
    for index in (3, -1, "a", True):
        with pytest.raises(PlanError, match=f"no field {index!r}|takes an int .*not {index!r}"):
            triples.project(index)  # type: ignore[arg-type]
    with pytest.raises(PlanError, match="at least one field"):
        triples.project()
    pickled = env.from_collection([(1, 2)], Types.PICKLED_BYTE_ARRAY())
    for other in (pickled, env.from_collection([Row(1, "a")], ROW)):
        with pytest.raises(PlanError, match=r"Types\.TUPLE"):
            other.project(0)


@pytest.mark.parametrize("cut", ["nowhere", "before", "around", "everywhere"])
def test_chaining_never_changes_results(env2: StreamExecutionEnvironment, cut: str) -> None:
    tripled = env2.from_collection(range(6), Types.INT()).map(lambda value: value * 3, Types.INT())
    if cut == "before":
        tripled.start_new_chain()
    elif cut == "around":
        tripled.disable_chaining()
    elif cut == "everywhere":
        env2.disable_operator_chaining()
    stream = tripled.flat_map(lambda value: [value, value + 1], Types.INT()).filter(lambda value: value % 2)
    assert sorted(collected(stream)) == [1, 3, 7, 9, 13, 15]


def test_functions_that_share_elements_do_not_see_changes_of_each_other(
    env: StreamExecutionEnvironment,
) -> None:
    def spoil(value: list[int]) -> str:
        value.append(99)
        return "spoiled"

    lists = env.from_collection([[1]], Types.LIST(Types.INT()))
    assert sorted(collected(lists.map(spoil).union(lists.map(str)))) == ["[1]", "spoiled"]


@pytest.mark.promise("beh:immutable-stream")
def test_operators_do_not_change_their_input_stream(env: StreamExecutionEnvironment) -> None:
    numbers = env.from_collection([1, 2, 3], Types.INT())
    numbers.map(lambda value: value * 10)
    numbers.filter(lambda value: False)
    numbers.rebalance()
    numbers.union(numbers)
    assert collected(numbers) == [1, 2, 3]
    assert numbers.get_type() == Types.INT()


@pytest.mark.promise("beh:from-source-both-modes", "beh:sink-to-both-modes", "beh:slot-group-hint")
@pytest.mark.parametrize("mode", list(RuntimeExecutionMode))
def test_modes_and_slot_sharing_groups_do_not_change_results(
    env: StreamExecutionEnvironment, mode: RuntimeExecutionMode, tmp_path: Any
) -> None:
    from pystream.common import Encoder
    from pystream.datastream.connectors import FileSink

    env.set_runtime_mode(mode)
    numbers = env.generate_sequence(1, 3).map(lambda value: value * 2, Types.LONG()).slot_sharing_group("far")
    sink = FileSink.for_row_format(str(tmp_path / "out"), Encoder.simple_string_encoder()).build()
    numbers.sink_to(sink).slot_sharing_group("away")
    env.execute()
    assert [file.read_text() for file in (tmp_path / "out").rglob("part-*")] == ["2\n4\n6\n"]


@pytest.mark.promise("beh:from-collection-parallelism-1")
def test_a_collection_is_read_by_one_subtask_in_order(env2: StreamExecutionEnvironment) -> None:
    numbers = env2.from_collection(range(5))
    assert numbers.get_parallelism() == 1
    assert collected(numbers) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("type_info", [None, Types.INT()])
def test_an_empty_collection_is_an_empty_stream(env: StreamExecutionEnvironment, type_info: Any) -> None:
    stream = env.from_collection([], type_info)
    assert collected(stream.map(lambda value: value).rebalance().map(lambda value: value)) == []


@pytest.mark.promise("beh:parallelism-override", "beh:set-parallelism-chained-or-not")
def test_an_operators_parallelism_overrides_the_environments(env2: StreamExecutionEnvironment) -> None:
    class Subtasks(MapFunction[int, int]):
        def open(self, runtime_context: Any) -> None:
            self.count: int = runtime_context.get_number_of_parallel_subtasks()

        def map(self, value: int) -> int:
            return self.count

    counts = env2.generate_sequence(1, 4).map(Subtasks())
    assert counts.get_parallelism() == 2
    assert set(collected(counts)) == {2}
    counts.set_parallelism(3)  # changes the operator itself
    assert counts.get_parallelism() == 3
    assert set(collected(counts)) == {3}
