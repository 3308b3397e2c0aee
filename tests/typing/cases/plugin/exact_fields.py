"""Exact types of fields declared by a list."""

# ruff: noqa: F841 - a variable's annotation is the expectation

from typing import Any, Final, TypedDict, TypeVar, assert_type

from typeinfo import Row, TypeInformation, Types
from typeinfo.composite import RowTypeInfo, TupleTypeInfo

T_ELEMENT = TypeVar("T_ELEMENT")


def element(type_info: TypeInformation[T_ELEMENT, Any]) -> T_ELEMENT:
    raise NotImplementedError


class Point(TypedDict):
    x: int
    y: float


def tuple_of_a_list() -> None:
    assert_type(element(Types.TUPLE([Types.INT(), Types.STRING()])), tuple[int, str])


def tuple_of_constants() -> None:
    assert_type(element(Types.TUPLE([Types.INT, Types.STRING])), tuple[int, str])


def tuple_by_keyword() -> None:
    assert_type(element(Types.TUPLE(field_types=[Types.INT(), Types.STRING()])), tuple[int, str])


def tuple_of_one() -> None:
    assert_type(element(Types.TUPLE([Types.INT()])), tuple[int])


def tuple_of_none() -> None:
    assert_type(element(Types.TUPLE([])), tuple[()])


def tuple_of_nine() -> None:
    i = Types.INT()
    assert_type(
        element(Types.TUPLE(i, i, i, i, i, i, i, i, Types.STRING())),
        tuple[int, int, int, int, int, int, int, int, str],
    )
    assert_type(
        element(Types.TUPLE((i, i, i, i, i, i, i, i, Types.STRING()))),
        tuple[int, int, int, int, int, int, int, int, str],
    )


def tuple_variable_of_nine() -> None:
    i = Types.INT()
    types = (i, i, i, i, i, i, i, i, Types.STRING())
    nine = Types.TUPLE(types)
    assert_type(element(nine), tuple[int, int, int, int, int, int, int, int, str])


def tuple_with_an_unknown_type(unknown: Any) -> None:
    assert_type(element(Types.TUPLE([unknown, Types.INT()])), tuple[Any, int])


def tuple_of_types_named_before() -> None:
    count = Types.LONG()
    words = Types.LIST(Types.STRING())
    assert_type(element(Types.TUPLE([count, words])), tuple[int, list[str]])


def nested_tuples() -> None:
    assert_type(
        element(Types.TUPLE([Types.TUPLE([Types.INT(), Types.STRING()]), Types.DOUBLE()])),
        tuple[tuple[int, str], float],
    )


def nested_six_deep() -> None:
    i = Types.INT()
    assert_type(
        element(
            Types.TUPLE(
                [i, Types.TUPLE([i, Types.TUPLE([i, Types.TUPLE([i, Types.TUPLE([i, Types.TUPLE([i])])])])])]
            )
        ),
        tuple[int, tuple[int, tuple[int, tuple[int, tuple[int, tuple[int]]]]]],
    )


def tuple_with_an_annotated_type() -> None:
    assert_type(element(Types.TUPLE([Types.of(int | None), Types.INT()])), tuple[int | None, int])


def tuple_with_a_pickled_field() -> None:
    assert_type(element(Types.TUPLE([Types.PICKLED_BYTE_ARRAY(), Types.INT()])), tuple[Any, int])


def tuple_inside_a_collection() -> None:
    assert_type(
        element(Types.MAP(Types.STRING(), Types.TUPLE([Types.INT(), Types.STRING()]))),
        dict[str, tuple[int, str]],
    )


def tuple_is_held_against_its_declaration() -> None:
    declared = Types.TUPLE([Types.INT(), Types.STRING()])
    same: TypeInformation[tuple[int, str]] = declared
    less: TypeInformation[tuple[Any, ...]] = declared
    # E: variable has type "TypeInformation[tuple[str, int], tuple[str, int]]"
    other: TypeInformation[tuple[str, int]] = declared


def row_of_a_list() -> None:
    assert_type(element(Types.ROW([Types.INT(), Types.STRING()])), Row[tuple[int, str]])


def row_of_none() -> None:
    assert_type(element(Types.ROW([])), Row[tuple[()]])


def named_row() -> None:
    assert_type(element(Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.DOUBLE()])), Row[Point])


def named_row_by_keyword() -> None:
    assert_type(
        element(Types.ROW_NAMED(field_types=[Types.INT(), Types.DOUBLE()], field_names=["x", "y"])),
        Row[Point],
    )


def named_row_of_tuples() -> None:
    assert_type(element(Types.ROW_NAMED(("x", "y"), (Types.INT(), Types.DOUBLE()))), Row[Point])


def names_from_constants() -> None:
    x: Final = "x"
    assert_type(element(Types.ROW_NAMED([x, "y"], [Types.INT(), Types.DOUBLE()])), Row[Point])


def names_known_at_run_time(name: str) -> None:
    assert_type(element(Types.ROW_NAMED([name], [Types.INT()])), Row[Any])


def names_in_a_variable(names: list[str]) -> None:
    assert_type(element(Types.ROW_NAMED(names, [Types.INT()])), Row[Any])
    assert_type(element(Types.ROW_NAMED(["x", *names], [Types.INT()])), Row[Any])


def names_and_types_differ_in_number() -> None:
    Types.ROW_NAMED(["x", "y", "z"], [Types.INT(), Types.DOUBLE()])  # E: 3 field names for 2 field types


def names_repeat() -> None:
    Types.ROW_NAMED(["x", "x"], [Types.INT(), Types.INT()])  # E: Field names occur more than once: x


def type_info_classes() -> None:
    assert_type(RowTypeInfo([Types.INT(), Types.DOUBLE()], ["x", "y"]), RowTypeInfo[Point])
    assert_type(RowTypeInfo([Types.INT(), Types.DOUBLE()]), RowTypeInfo[tuple[int, float]])
    assert_type(TupleTypeInfo([Types.INT(), Types.DOUBLE()]), TupleTypeInfo[tuple[int, float]])


def type_info_class_with_wrong_names() -> None:
    RowTypeInfo([Types.INT()], ["x", "y"])  # E: 2 field names for 1 field types


def list_variable_of_one_type() -> None:
    types = [Types.INT(), Types.INT()]
    assert_type(element(Types.TUPLE(types)), tuple[Any, ...])
    assert_type(element(Types.ROW(types)), Row[Any])
    assert_type(element(Types.ROW_NAMED(["x", "y"], types)), Row[Any])


def list_variable_that_lost_its_types() -> None:
    types = [Types.INT(), Types.STRING()]
    Types.TUPLE(types)  # E: annotate the variable as list[TypeInformation[Any]]
    Types.ROW(types)  # E: annotate the variable as list[TypeInformation[Any]]
    Types.ROW_NAMED(["x", "y"], types)  # E: annotate the variable as list[TypeInformation[Any]]


def list_variable_among_others() -> None:
    types = [Types.INT(), Types.STRING()]
    Types.TUPLE([*types, Types.INT()])  # E: annotate the variable as list[TypeInformation[Any]]
    Types.TUPLE((Types.INT(), *types))  # E: annotate the variable as list[TypeInformation[Any]]
    Types.TUPLE(*types)  # E: annotate the variable as list[TypeInformation[Any]]
    Types.ROW([Types.INT(), *types])  # E: annotate the variable as list[TypeInformation[Any]]
    Types.ROW_NAMED(["x", "y"], [*types])  # E: annotate the variable as list[TypeInformation[Any]]
    RowTypeInfo([*types])  # E: annotate the variable as list[TypeInformation[Any]]


def tuple_variable_among_others() -> None:
    types = (Types.INT(), Types.STRING())
    assert_type(element(Types.TUPLE([*types])), tuple[int, str])
    assert_type(element(Types.TUPLE([*types, Types.DOUBLE()])), tuple[int, str, float])
    assert_type(element(Types.TUPLE((Types.DOUBLE(), *types))), tuple[float, int, str])
    assert_type(element(Types.TUPLE(*types, Types.DOUBLE())), tuple[int, str, float])
    assert_type(element(Types.ROW_NAMED(["x", "y"], [*(Types.INT(), Types.DOUBLE())])), Row[Point])
    Types.ROW_NAMED(["x"], [*types])  # E: 1 field names for 2 field types


def unknown_number_of_types(unknown: Any) -> None:
    assert_type(element(Types.TUPLE([*unknown])), tuple[Any, ...])
    assert_type(element(Types.TUPLE([*unknown, Types.INT()])), tuple[Any, ...])
    assert_type(element(Types.ROW([*unknown, Types.INT()])), Row[Any])
    assert_type(element(Types.ROW_NAMED(["x", "y"], [*unknown])), Row[Any])
    assert_type(element(Types.ROW_NAMED(["x", "y"], unknown)), Row[Any])
    assert_type(RowTypeInfo(unknown, ["x", "y"]), RowTypeInfo[Any])
    assert_type(RowTypeInfo(unknown), RowTypeInfo[Any])
    assert_type(TupleTypeInfo(unknown), TupleTypeInfo[tuple[Any, ...]])


def types_by_stars(types: list[TypeInformation[Any]], named: dict[str, Any]) -> None:
    Types.TUPLE(*types)
    assert_type(element(Types.ROW_NAMED(**named)), Row[Any])
    assert_type(element(Types.ROW_NAMED(*types)), Row[Any])  # E: Argument 1 to "ROW_NAMED"
    assert_type(RowTypeInfo(**named), RowTypeInfo[Any])


def types_left_out() -> None:
    Types.ROW_NAMED()  # E: Missing positional arguments
    Types.TUPLE()  # E: require at least one argument
    RowTypeInfo()  # E: Missing positional argument "field_types"


def annotated_list_variable() -> None:
    types: list[TypeInformation[Any]] = [Types.INT(), Types.STRING()]
    assert_type(element(Types.TUPLE(types)), tuple[Any, ...])
    assert_type(element(Types.TUPLE([*types])), tuple[Any, ...])
    assert_type(element(Types.ROW([Types.INT(), *types])), Row[Any])
    assert_type(element(Types.ROW_NAMED(["x", "y"], types)), Row[Any])


def classes_in_a_list() -> None:
    Types.TUPLE([int, str])  # E: List item 0 has incompatible type "type[int]"
    Types.ROW([int])  # E: List item 0 has incompatible type "type[int]"
