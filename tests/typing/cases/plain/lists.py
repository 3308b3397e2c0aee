"""Types that are Any without the plugin: fields declared by a list, and fields accessed by name."""

from typing import Any, TypedDict, TypeVar, assert_type

from pystream.datastream import DataStream, ProcessFunction, StreamExecutionEnvironment
from typeinfo import Row, TypeInformation, Types
from typeinfo.composite import RowTypeInfo, TupleTypeInfo

T_ELEMENT = TypeVar("T_ELEMENT")


def element(type_info: TypeInformation[T_ELEMENT, Any]) -> T_ELEMENT:
    raise NotImplementedError


class Point(TypedDict):
    x: int
    y: float


def tuple_of_a_list() -> None:
    assert_type(element(Types.TUPLE([Types.INT(), Types.STRING()])), tuple[Any, ...])


def tuple_of_nine() -> None:
    i = Types.INT()
    assert_type(element(Types.TUPLE(i, i, i, i, i, i, i, i, i)), tuple[Any, ...])


def nested_six_deep() -> None:
    i = Types.INT()
    assert_type(
        element(
            Types.TUPLE(
                [i, Types.TUPLE([i, Types.TUPLE([i, Types.TUPLE([i, Types.TUPLE([i, Types.TUPLE([i])])])])])]
            )
        ),
        tuple[Any, ...],
    )


def row_of_a_list() -> None:
    assert_type(element(Types.ROW([Types.INT(), Types.STRING()])), Row[Any])


def named_row() -> None:
    assert_type(element(Types.ROW_NAMED(["a"], [Types.INT()])), Row[Any])


def type_info_classes() -> None:
    assert_type(RowTypeInfo([Types.INT()]), RowTypeInfo[Any])
    assert_type(TupleTypeInfo([Types.INT()]), TupleTypeInfo[tuple[Any, ...]])


def fields_by_name(row: Row[Point]) -> None:
    assert_type(row["x"], Any)
    assert_type(row.y, Any)
    assert_type(row[0], Any)


def fields_out_of_range(row: Row[tuple[int, str]]) -> None:
    assert_type(row[2], Any)
    assert_type(row[-1], Any)


def projection(stream: DataStream[tuple[int, str]]) -> None:
    assert_type(stream.project(0), DataStream[Any])


def collection_of_rows(env: StreamExecutionEnvironment) -> None:
    assert_type(
        env.from_collection([Row(1, "a")], Types.ROW((Types.INT(), Types.STRING()))),
        DataStream[Row[tuple[int, str]]],
    )


def collection_contradicts_its_type(env: StreamExecutionEnvironment) -> None:
    # E: List item 0 has incompatible type "int"; expected "str"
    env.from_collection([1, 2], Types.STRING())


def process_contradicts_its_type(lines: DataStream[str], function: ProcessFunction[str, int]) -> None:
    lines.process(function, Types.STRING())  # E: Cannot infer value of type parameter "U" of "process"
