"""Streams whose element type only the plugin can infer."""

from collections.abc import Hashable, Iterator
from typing import Any, TypedDict, TypeVar, assert_type

from pystream.datastream import DataStream, ProcessFunction, StreamExecutionEnvironment
from typeinfo import Row, Types

AnyPair = TypeVar("AnyPair", bound=tuple[int, str])
AnyHashable = TypeVar("AnyHashable", bound=Hashable)
AnyText = TypeVar("AnyText", bound=str)


class Count(TypedDict):
    word: str
    count: int


class Lengths(ProcessFunction[str, int]):
    def process_element(self, value: str, ctx: ProcessFunction.Context) -> Iterator[int]:
        yield len(value)


class Pairs(DataStream[tuple[int, str]]):
    pass


def words(value: str) -> Iterator[str]:
    yield from value.split()


def tuple_from_a_list(lines: DataStream[str]) -> None:
    assert_type(
        lines.map(lambda s: (s, 1), Types.TUPLE([Types.STRING(), Types.INT()])), DataStream[tuple[str, int]]
    )


def tuple_from_a_list_is_checked(lines: DataStream[str]) -> None:
    declared = Types.TUPLE([Types.STRING(), Types.INT()])
    # E: Argument 1 to "map" of "DataStream" has incompatible type "Callable[[str], tuple[int, str]]"
    lines.map(lambda s: (1, s), declared)


def row_from_a_list(lines: DataStream[str]) -> None:
    rows = lines.map(lambda s: Row(s, 1), Types.ROW([Types.STRING(), Types.INT()]))
    assert_type(rows, DataStream[Row[tuple[str, int]]])
    assert_type(rows.map(lambda row: row[1]), DataStream[int])


def named_row(lines: DataStream[str]) -> None:
    rows = lines.map(
        lambda s: Row(word=s, count=1), Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])
    )
    assert_type(rows, DataStream[Row[Count]])
    assert_type(rows.map(lambda row: row.count), DataStream[int])
    assert_type(rows.map(lambda row: row["word"]), DataStream[str])
    assert_type(rows.filter(lambda row: row[1] > 3), DataStream[Row[Count]])


def named_row_has_no_such_field(lines: DataStream[str]) -> None:
    rows = lines.map(lambda s: Row(word=s), Types.ROW_NAMED(["word"], [Types.STRING()]))
    rows.map(lambda row: row.wrod)  # E: There is no field "wrod": the row has word


def named_row_fits_a_function(rows: DataStream[Row[Count]]) -> None:
    def double(row: Row[Count]) -> int:
        return row.count * 2

    assert_type(rows.map(double), DataStream[int])


def collection_of_named_rows(env: StreamExecutionEnvironment) -> None:
    rows = env.from_collection(
        [Row(word="a", count=1)], Types.ROW_NAMED(["word", "count"], [Types.STRING(), Types.INT()])
    )
    assert_type(rows, DataStream[Row[Count]])


def collection_of_tuples(env: StreamExecutionEnvironment) -> None:
    assert_type(
        env.from_collection([(1, "a")], Types.TUPLE([Types.INT(), Types.STRING()])),
        DataStream[tuple[int, str]],
    )


def collection_of_a_union(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([1, "a"], Types.of(int | str)), DataStream[int | str])


def collection_of_optionals(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_collection([1, None], Types.of(int | None)), DataStream[int | None])


def elements_of_a_union(env: StreamExecutionEnvironment) -> None:
    assert_type(env.from_elements(1, "a", type_info=Types.of(int | str)), DataStream[int | str])


def collection_contradicts_its_type(env: StreamExecutionEnvironment) -> None:
    env.from_collection([1, 2], Types.STRING())  # E: List item 0 has incompatible type "int"; expected "str"
    declared = Types.TUPLE([Types.INT(), Types.STRING()])
    # E: List item 0 has incompatible type "tuple[int, int]"; expected "Row[
    env.from_collection([(1, 2)], declared)


def collection_of_rows(env: StreamExecutionEnvironment) -> None:
    assert_type(
        env.from_collection([Row(1, "a")], Types.ROW((Types.INT(), Types.STRING()))),
        DataStream[Row[tuple[int, str]]],
    )


def map_contradicts_its_type(lines: DataStream[str]) -> None:
    # E: "map" of "DataStream" has incompatible type "Callable[[Sized], int]"; expected "Callable[[str], str]
    lines.map(len, Types.STRING())


def flat_map_contradicts_its_type(lines: DataStream[str]) -> None:
    # E: Argument 1 to "flat_map" of "DataStream" has incompatible type "Callable[[str], Iterator[str]]"
    lines.flat_map(words, Types.INT())


def process_contradicts_its_type(lines: DataStream[str]) -> None:
    # E: "process" of "DataStream" has incompatible type "Lengths"; expected "ProcessFunction[str, str]"
    lines.process(Lengths(), Types.STRING())


def a_pickled_type_decides_nothing(lines: DataStream[str]) -> None:
    lines.map(len, Types.PICKLED_BYTE_ARRAY())


def a_type_that_may_be_missing(lines: DataStream[str], known: bool) -> None:
    assert_type(lines.map(len, Types.INT() if known else None), DataStream[int])


def projection(triples: DataStream[tuple[int, str, float]]) -> None:
    assert_type(triples.project(0, 2), DataStream[tuple[int, float]])
    assert_type(triples.project(1), DataStream[tuple[str]])


def projection_reorders_and_repeats(pairs: DataStream[tuple[int, str]]) -> None:
    assert_type(pairs.project(1, 0, 1), DataStream[tuple[str, int, str]])


def projection_out_of_range(pairs: DataStream[tuple[int, str]]) -> None:
    pairs.project(0, 2)  # E: There is no field 2: the last is 1
    pairs.project(-1)  # E: There is no field -1: the last is 1


def projection_of_something_else(lines: DataStream[str], rows: DataStream[Row[Count]]) -> None:
    lines.project(0)  # E: project needs a stream of tuples, this one holds str
    rows.project(0)  # E: project needs a stream of tuples, this one holds Row[Count]


def projection_of_the_unknown(anything: DataStream[Any], tuples: DataStream[tuple[int, ...]]) -> None:
    assert_type(anything.project(0), DataStream[Any])
    assert_type(tuples.project(0), DataStream[Any])


def projection_known_at_run_time(pairs: DataStream[tuple[int, str]], index: int, more: list[int]) -> None:
    assert_type(pairs.project(index), DataStream[Any])
    assert_type(pairs.project(*more), DataStream[Any])


def projection_of_a_bounded_type_variable(pairs: DataStream[AnyPair]) -> None:
    assert_type(pairs.project(1), DataStream[tuple[str]])
    pairs.project(2)  # E: There is no field 2: the last is 1


def projection_of_what_may_be_a_tuple(anything: DataStream[object], keys: DataStream[AnyHashable]) -> None:
    assert_type(anything.project(0), DataStream[Any])
    assert_type(keys.project(0), DataStream[Any])


def projection_of_elements_that_are_not_tuples(texts: DataStream[AnyText]) -> None:
    texts.project(0)  # E: project needs a stream of tuples, this one holds str


def projection_is_reported_where_it_is_written(pairs: DataStream[tuple[int, str]]) -> None:
    (
        pairs.filter(lambda pair: pair[0] > 0)
        .project(
            0,
            2,  # E: There is no field 2: the last is 1
        )
        .filter(lambda pair: True)
    )
    (
        pairs.map(lambda pair: pair[1])
        .project(0)  # E: project needs a stream of tuples, this one holds str
        .filter(lambda pair: True)
    )


def projection_of_a_subclass(pairs: Pairs) -> None:
    assert_type(pairs.project(1), DataStream[tuple[str]])


def projection_of_a_declared_stream(env: StreamExecutionEnvironment) -> None:
    pairs = env.from_collection([(1, "a")], Types.TUPLE([Types.INT(), Types.STRING()]))
    assert_type(pairs.project(1), DataStream[tuple[str]])
    assert_type(pairs.project(1).map(lambda pair: pair[0]), DataStream[str])
