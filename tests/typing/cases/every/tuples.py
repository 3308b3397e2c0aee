"""Types.TUPLE of a tuple of types or of separate types, which is exact in every checker."""

# ruff: noqa: F841 - a variable's annotation is the expectation

from typing import Any, TypeVar, assert_type

from typeinfo import TypeInformation, Types
from typeinfo.composite import TupleTypeInfo

T_ELEMENT = TypeVar("T_ELEMENT")


def element(type_info: TypeInformation[T_ELEMENT, Any]) -> T_ELEMENT:
    raise NotImplementedError


def of_a_pair() -> None:
    assert_type(element(Types.TUPLE((Types.INT(), Types.STRING()))), tuple[int, str])


def one_by_one() -> None:
    assert_type(element(Types.TUPLE(Types.INT(), Types.STRING())), tuple[int, str])


def both_spellings_of_constants() -> None:
    assert_type(element(Types.TUPLE(Types.INT, Types.STRING())), tuple[int, str])


def of_one_field() -> None:
    assert_type(element(Types.TUPLE(Types.INT())), tuple[int])
    assert_type(element(Types.TUPLE((Types.INT(),))), tuple[int])


def of_no_field() -> None:
    assert_type(element(Types.TUPLE(())), tuple[()])


def of_three() -> None:
    expected: TypeInformation[tuple[int, str, float]] = Types.TUPLE(
        (Types.INT(), Types.STRING(), Types.DOUBLE())
    )


def of_four() -> None:
    assert_type(
        element(Types.TUPLE(Types.INT, Types.STRING, Types.DOUBLE, Types.BOOLEAN)),
        tuple[int, str, float, bool],
    )


def of_eight() -> None:
    assert_type(
        element(
            Types.TUPLE(
                (
                    Types.INT,
                    Types.STRING,
                    Types.DOUBLE,
                    Types.BOOLEAN,
                    Types.INT,
                    Types.STRING,
                    Types.DOUBLE,
                    Types.BOOLEAN,
                )
            )
        ),
        tuple[int, str, float, bool, int, str, float, bool],
    )


def eight_one_by_one() -> None:
    i = Types.INT()
    s = Types.STRING()
    assert_type(element(Types.TUPLE(i, s, i, s, i, s, i, s)), tuple[int, str, int, str, int, str, int, str])


def nested() -> None:
    assert_type(
        element(Types.TUPLE(Types.TUPLE(Types.INT(), Types.INT()), Types.LIST(Types.STRING()))),
        tuple[tuple[int, int], list[str]],
    )


def nested_six_deep() -> None:
    i = Types.INT()
    assert_type(
        element(
            Types.TUPLE(i, Types.TUPLE(i, Types.TUPLE(i, Types.TUPLE(i, Types.TUPLE(i, Types.TUPLE(i))))))
        ),
        tuple[int, tuple[int, tuple[int, tuple[int, tuple[int, tuple[int]]]]]],
    )


def by_keyword() -> None:
    assert_type(element(Types.TUPLE(field_types=(Types.INT(), Types.STRING()))), tuple[int, str])


def list_variable_of_any_types(types: list[TypeInformation[Any]]) -> None:
    assert_type(element(Types.TUPLE(types)), tuple[Any, ...])
    assert_type(element(Types.TUPLE(*types)), tuple[Any, ...])
    assert_type(element(Types.TUPLE([Types.INT(), *types])), tuple[Any, ...])


def list_variable_of_one_type(types: list[TypeInformation[int]]) -> None:
    assert_type(element(Types.TUPLE(types)), tuple[Any, ...])


def tuple_variable(types: tuple[TypeInformation[int], TypeInformation[str]]) -> None:
    assert_type(element(Types.TUPLE(types)), tuple[int, str])


def order_matters() -> None:
    declared = Types.TUPLE(Types.INT(), Types.STRING())
    # E: variable has type "TypeInformation[tuple[str, int], tuple[str, int]]"
    other: TypeInformation[tuple[str, int]] = declared


def classes_are_not_types() -> None:
    # E: No overload variant of "TUPLE" of "RowAndTuple" matches argument types "type[int]", "type[str]"
    Types.TUPLE(int, str)


def type_info_class() -> None:
    x: TypeInformation[tuple[Any, ...]] = TupleTypeInfo([Types.INT(), Types.STRING()])
    fields: list[TypeInformation[Any]] = TupleTypeInfo([Types.INT()]).get_field_types()
