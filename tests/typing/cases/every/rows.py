"""Row and Types.ROW, whose fields by position are exact in every checker."""

# ruff: noqa: F841 - a variable's annotation is the expectation

from collections.abc import Iterator
from typing import Any, TypedDict, TypeVar, assert_type

from typeinfo import Row, RowKind, TypeInformation, Types
from typeinfo.composite import RowTypeInfo

T_ELEMENT = TypeVar("T_ELEMENT")


def element(type_info: TypeInformation[T_ELEMENT, Any]) -> T_ELEMENT:
    raise NotImplementedError


class Point(TypedDict):
    x: int
    y: float


def of_a_pair() -> None:
    assert_type(element(Types.ROW((Types.INT(), Types.STRING()))), Row[tuple[int, str]])


def of_one() -> None:
    assert_type(element(Types.ROW((Types.INT(),))), Row[tuple[int]])


def of_none() -> None:
    assert_type(element(Types.ROW(())), Row[tuple[()]])


def of_five() -> None:
    assert_type(
        element(Types.ROW((Types.INT, Types.STRING, Types.DOUBLE, Types.BOOLEAN, Types.LONG))),
        Row[tuple[int, str, float, bool, int]],
    )


def of_eight() -> None:
    i = Types.INT()
    s = Types.STRING()
    assert_type(
        element(Types.ROW((i, s, i, s, i, s, i, s))),
        Row[tuple[int, str, int, str, int, str, int, str]],
    )


def list_variable(types: list[TypeInformation[Any]]) -> None:
    assert_type(element(Types.ROW(types)), Row[Any])
    assert_type(element(Types.ROW([Types.INT(), *types])), Row[Any])
    assert_type(element(Types.ROW_NAMED(["a"], types)), Row[Any])


def nested() -> None:
    assert_type(
        element(Types.ROW((Types.ROW((Types.INT(),)), Types.LIST(Types.STRING())))),
        Row[tuple[Row[tuple[int]], list[str]]],
    )


def positions(row: Row[tuple[int, str, float]]) -> None:
    assert_type(row[0], int)
    assert_type(row[1], str)
    assert_type(row[2], float)


def eight_positions(row: Row[tuple[int, str, int, str, int, str, int, bytes]]) -> None:
    assert_type(row[3], str)
    assert_type(row[4], int)
    assert_type(row[5], str)
    assert_type(row[6], int)
    assert_type(row[7], bytes)


def position_known_at_run_time(row: Row[tuple[int, str]], position: int) -> None:
    assert_type(row[position], Any)


def slices(row: Row[tuple[int, str]]) -> None:
    assert_type(row[:1], list[Any])


def wrong_use_of_a_field(row: Row[tuple[int, str]]) -> None:
    row[0].upper()  # E: "int" has no attribute "upper"
    row[1] + 1  # E: Unsupported operand types for + ("str" and "int")


def undeclared_fields(row: Row) -> None:
    assert_type(row[0], Any)
    assert_type(row["name"], Any)
    assert_type(row.name, Any)


def made_by_position() -> None:
    assert_type(Row(1, "a"), Row[Any])


def made_by_name() -> None:
    assert_type(Row(id=1, name="a"), Row[Any])


def made_by_a_factory() -> None:
    assert_type(Row("id", "name")(1, "a"), Row[Any])


def a_made_row_fits_any_declaration() -> None:
    by_position: Row[tuple[int, str]] = Row(1, "a")
    by_name: Row[Point] = Row(x=1, y=2.0)


def declarations_differ(row: Row[tuple[int, str]]) -> None:
    # E: has type "Row[tuple[int, str]]", variable has type "Row[tuple[str, int]]"
    other: Row[tuple[str, int]] = row


def fields_are_not_set_as_attributes(row: Row[tuple[int, str]]) -> None:
    row.name = "a"  # E: "Row[tuple[int, str]]" has no attribute "name"


def fields_are_set_by_key(row: Row[Any]) -> None:
    row[0] = 1
    row["name"] = "a"


def keys_are_positions_or_names(row: Row[Any]) -> None:
    row[1.5]  # E: No overload variant of "__getitem__" of "Row" matches argument type "float"


def kinds(row: Row[Any]) -> None:
    assert_type(row.get_row_kind(), RowKind)
    row.set_row_kind(RowKind.DELETE)
    assert_type(Row.of_kind(RowKind.UPDATE_AFTER, 1, "a"), Row[Any])


def kinds_are_not_text(row: Row[Any]) -> None:
    row.set_row_kind("+I")  # E: "str"; expected "RowKind"


def as_dict(row: Row[Any]) -> None:
    assert_type(row.as_dict(), dict[str, Any])
    assert_type(row.as_dict(recursive=True), dict[str, Any])


def field_names(row: Row[Any]) -> None:
    assert_type(row.get_field_names(), list[str] | None)
    row.set_field_names(["a", "b"])


def iteration(row: Row[tuple[int, str]]) -> None:
    assert_type(iter(row), Iterator[Any])
    first, second = row
    assert_type(first, Any)
    assert_type(second, Any)
    assert_type(len(row), int)


def names_and_types() -> None:
    Types.ROW_NAMED(["x", "y"], [Types.INT(), Types.DOUBLE()])
    Types.ROW_NAMED(field_names=["x"], field_types=[Types.INT()])


def names_are_text() -> None:
    # E: List item 0 has incompatible type "int"; expected "str"
    Types.ROW_NAMED([1, 2], [Types.INT(), Types.DOUBLE()])


def types_are_needed() -> None:
    Types.ROW_NAMED(["x"])  # E: Missing positional argument "field_types" in call to "ROW_NAMED"
    # E: List item 0 has incompatible type "type[int]"; expected "TypeInformation[
    Types.ROW_NAMED(["x"], [int])


def type_info_class() -> None:
    x: TypeInformation[Row[Any]] = RowTypeInfo([Types.INT(), Types.STRING()], ["a", "b"])
    y: TypeInformation[Row[Any]] = RowTypeInfo([Types.INT(), Types.STRING()])
    assert_type(RowTypeInfo([Types.INT()]).get_field_names(), list[str])
