"""Constants and collection factories of Types."""

# ruff: noqa: F841 - a variable's annotation is the expectation

import datetime
import decimal
import uuid
from typing import Any, TypeVar, assert_type

from typeinfo import Instant, TypeInformation, Types

T_ELEMENT = TypeVar("T_ELEMENT")


def element(type_info: TypeInformation[T_ELEMENT, Any]) -> T_ELEMENT:
    raise NotImplementedError


T = TypeVar("T")


def elements(type_info: TypeInformation[T]) -> list[T]:
    return []


def integers() -> None:
    assert_type(elements(Types.BYTE()), list[int])
    assert_type(elements(Types.SHORT()), list[int])
    assert_type(elements(Types.INT()), list[int])
    assert_type(elements(Types.LONG()), list[int])
    assert_type(elements(Types.BIG_INT()), list[int])


def integers_without_call() -> None:
    assert_type(elements(Types.BYTE), list[int])
    assert_type(elements(Types.SHORT), list[int])
    assert_type(elements(Types.INT), list[int])
    assert_type(elements(Types.LONG), list[int])
    assert_type(elements(Types.BIG_INT), list[int])


def fractions() -> None:
    assert_type(elements(Types.FLOAT()), list[float])
    assert_type(elements(Types.DOUBLE), list[float])
    assert_type(elements(Types.BIG_DEC()), list[decimal.Decimal])


def text() -> None:
    assert_type(elements(Types.STRING()), list[str])
    assert_type(elements(Types.CHAR), list[str])


def booleans() -> None:
    assert_type(elements(Types.BOOLEAN()), list[bool])
    assert_type(elements(Types.BOOLEAN), list[bool])


def void() -> None:
    x: TypeInformation[None] = Types.VOID()
    y: TypeInformation[None] = Types.VOID


def dates_and_times() -> None:
    assert_type(elements(Types.SQL_DATE()), list[datetime.date])
    assert_type(elements(Types.LOCAL_DATE), list[datetime.date])
    assert_type(elements(Types.SQL_TIME()), list[datetime.time])
    assert_type(elements(Types.LOCAL_TIME), list[datetime.time])
    assert_type(elements(Types.SQL_TIMESTAMP()), list[datetime.datetime])
    assert_type(elements(Types.LOCAL_DATE_TIME), list[datetime.datetime])


def instants() -> None:
    assert_type(elements(Types.INSTANT()), list[Instant])


def beyond_flink() -> None:
    assert_type(elements(Types.UUID), list[uuid.UUID])
    assert_type(elements(Types.DURATION()), list[datetime.timedelta])


def pickled_is_anything() -> None:
    assert_type(elements(Types.PICKLED_BYTE_ARRAY()), list[Any])
    x: TypeInformation[str] = Types.PICKLED_BYTE_ARRAY()
    y: TypeInformation[int] = Types.PICKLED_BYTE_ARRAY


def constants_have_no_arguments() -> None:
    Types.INT(32)  # E: Too many arguments
    Types.INSTANT("UTC")  # E: Too many arguments


def unknown_constant() -> None:
    Types.TEXT()  # E: has no attribute "TEXT"


def invariant() -> None:
    # E: variable has type "TypeInformation[object, object]"
    x: TypeInformation[object] = Types.INT()
    # E: variable has type "TypeInformation[float, float]"
    y: TypeInformation[float] = Types.INT()
    # E: variable has type "TypeInformation[int, int]"
    z: TypeInformation[int] = Types.BOOLEAN()


def lists() -> None:
    assert_type(element(Types.LIST(Types.INT())), list[int])
    assert_type(element(Types.LIST(Types.LIST(Types.STRING))), list[list[str]])


def maps() -> None:
    assert_type(element(Types.MAP(Types.STRING(), Types.LONG())), dict[str, int])
    assert_type(element(Types.MAP(Types.STRING(), Types.LIST(Types.DOUBLE()))), dict[str, list[float]])


def map_needs_two_types() -> None:
    Types.MAP(Types.STRING())  # E: Missing positional argument "value_type_info" in call to "MAP"


def primitive_arrays() -> None:
    assert_type(element(Types.PRIMITIVE_ARRAY(Types.INT())), list[int])
    assert_type(element(Types.PRIMITIVE_ARRAY(Types.BOOLEAN)), list[bool])


def primitive_array_of_bytes() -> None:
    assert_type(element(Types.PRIMITIVE_ARRAY(Types.BYTE())), bytes)
    assert_type(element(Types.PRIMITIVE_ARRAY(Types.BYTE)), bytes)


def arrays_with_nulls() -> None:
    assert_type(element(Types.BASIC_ARRAY(Types.STRING())), list[str | None])
    assert_type(element(Types.OBJECT_ARRAY(Types.LIST(Types.INT()))), list[list[int] | None])


def a_class_is_not_a_type() -> None:
    Types.LIST(int)  # E: "type[int]"; expected "TypeInformation[
    # E: Argument 2 to "MAP" of "Types" has incompatible type "type[int]"; expected "TypeInformation[
    Types.MAP(str, int)


def field_access_of_a_type() -> None:
    assert_type(Types.INT().admits_none(), bool)
