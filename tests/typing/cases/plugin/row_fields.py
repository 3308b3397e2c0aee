"""Fields of a row by name and by position."""

from typing import Any, Literal, TypedDict, TypeVar, assert_type

from typeinfo import Row, Types


class Point(TypedDict):
    x: int
    y: float


class Segment(TypedDict):
    start: Row[Point]
    name: str


AnyPoint = TypeVar("AnyPoint", bound=Row[Point])


class Label:
    x = ""


def by_name(row: Row[Point]) -> None:
    assert_type(row["x"], int)
    assert_type(row["y"], float)


def by_attribute(row: Row[Point]) -> None:
    assert_type(row.x, int)
    assert_type(row.y, float)


def by_position(row: Row[Point]) -> None:
    assert_type(row[0], int)
    assert_type(row[1], float)
    assert_type(row[-1], float)


def nested(row: Row[Segment]) -> None:
    assert_type(row.start.y, float)
    assert_type(row["start"]["x"], int)


def of_a_bounded_type_variable(row: AnyPoint) -> None:
    assert_type(row["x"], int)
    assert_type(row.y, float)
    assert_type(row[-1], float)
    row["x"] = 1
    row["z"]  # E: There is no field "z": the row has x, y  [index]
    row.z  # E: There is no field "z": the row has x, y  [attr-defined]


def unknown_name(row: Row[Point]) -> None:
    row["z"]  # E: There is no field "z": the row has x, y  [index]


def unknown_attribute(row: Row[Point]) -> None:
    row.z  # E: There is no field "z": the row has x, y  [attr-defined]


def position_out_of_range(row: Row[Point], pair: Row[tuple[int, str]]) -> None:
    row[2]  # E: There is no field 2: the last is 1  [index]
    pair[2]  # E: There is no field 2: the last is 1  [index]
    pair[-3]  # E: There is no field -3: the last is 1  [index]


def position_in_an_empty_row(row: Row[tuple[()]]) -> None:
    row[0]  # E: There is no field 0: there are none  [index]


def negative_position(row: Row[tuple[int, str]]) -> None:
    assert_type(row[-1], str)
    assert_type(row[-2], int)


def beyond_the_eighth(row: Row[tuple[int, int, int, int, int, int, int, int, str]]) -> None:
    assert_type(row[8], str)


def literal_key(row: Row[Point], name: Literal["y"]) -> None:
    assert_type(row[name], float)


def key_known_at_run_time(row: Row[Point], name: str, position: int) -> None:
    assert_type(row[name], Any)
    assert_type(row[position], Any)


def open_ended(row: Row[tuple[int, *tuple[str, ...]]]) -> None:
    assert_type(row[5], Any)


def name_of_a_row_typed_by_position(row: Row[tuple[int, str]]) -> None:
    assert_type(row["name"], Any)
    assert_type(row.name, Any)


def methods_are_not_fields(row: Row[Point]) -> None:
    assert_type(row.as_dict(), dict[str, Any])


def optional_row(row: Row[Point] | None) -> None:
    row.x  # E: Item "None" of "Row[Point] | None" has no attribute "x"
    if row is not None:
        assert_type(row.x, int)


def one_of_two_rows(row: Row[Point] | Row[Segment]) -> None:
    assert_type(row.x, Any)


def a_row_or_something_else(value: Row[Point] | Label) -> None:
    assert_type(value.x, int | str)


def fields_are_set(row: Row[Point], pair: Row[tuple[int, str]]) -> None:
    row["x"] = 1
    row[1] = 2.0
    pair[0] = 1
    pair[-1] = "a"


def fields_are_set_to_their_type(row: Row[Point], pair: Row[tuple[int, str]]) -> None:
    row["x"] = "a"  # E: Incompatible types in assignment (expression has type "str", target has type "int")
    row[1] = "a"  # E: Incompatible types in assignment (expression has type "str", target has type "float")
    pair[0] = "a"  # E: Incompatible types in assignment (expression has type "str", target has type "int")


def unknown_fields_are_not_set(row: Row[Point], pair: Row[tuple[int, str]]) -> None:
    row["z"] = 1  # E: There is no field "z": the row has x, y  [index]
    pair[2] = 1  # E: There is no field 2: the last is 1  [index]


def attributes_are_not_set(row: Row[Point]) -> None:
    row.x = 1  # E: has no attribute "x"


def item_methods_without_arguments(row: Row[Point]) -> None:
    row.__setitem__()  # E: Too few arguments for "__setitem__"
    row.__getitem__()  # E: require at least one argument


def item_methods_by_keyword(row: Row[Point]) -> None:
    row.__setitem__(key=0, value="x")  # E: Unexpected keyword argument "key"
    row.__getitem__(item=0)  # E: No overload variant of "__getitem__"


def item_methods_by_position(row: Row[Point]) -> None:
    assert_type(row.__getitem__("x"), int)
    row.__setitem__("x", 1)
    row.__setitem__("x", "a")  # E: expression has type "str", target has type "int"


def item_methods_with_stars(row: Row[Point], keys: list[int], pair: tuple[Literal["x"], int]) -> None:
    assert_type(row.__getitem__(*keys), Any)
    row.__setitem__(*pair)
    row.__setitem__(*keys)


def subclass(row: "PointRow") -> None:
    assert_type(row.x, int)


class PointRow(Row[Point]):
    pass


def wrong_use(row: Row[Point]) -> None:
    row.x.upper()  # E: "int" has no attribute "upper"


def a_declared_row_fits_a_parameter() -> None:
    def use(row: Row[Point]) -> None: ...

    [point] = [Row(x=1, y=2.0)]
    use(point)


def name_that_is_a_method() -> None:
    Types.ROW_NAMED(["as_dict"], [Types.INT()])
