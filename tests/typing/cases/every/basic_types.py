"""Constants and collection factories of Types."""

# ruff: noqa: F841 - a variable's annotation is the expectation

import datetime
import decimal
import uuid
from typing import Any, TypeVar, assert_type

from typeinfo import Instant, TypeInformation, Types

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
    # E: has type "BasicTypeInfo[int]", variable has type "TypeInformation[object]"
    x: TypeInformation[object] = Types.INT()
    # E: has type "BasicTypeInfo[int]", variable has type "TypeInformation[float]"
    y: TypeInformation[float] = Types.INT()
    # E: has type "BasicTypeInfo[bool]", variable has type "TypeInformation[int]"
    z: TypeInformation[int] = Types.BOOLEAN()


def lists() -> None:
    assert_type(Types.LIST(Types.INT()), TypeInformation[list[int]])
    assert_type(Types.LIST(Types.LIST(Types.STRING)), TypeInformation[list[list[str]]])


def maps() -> None:
    assert_type(Types.MAP(Types.STRING(), Types.LONG()), TypeInformation[dict[str, int]])
    assert_type(
        Types.MAP(Types.STRING(), Types.LIST(Types.DOUBLE())), TypeInformation[dict[str, list[float]]]
    )


def map_needs_two_types() -> None:
    Types.MAP(Types.STRING())  # E: Missing positional argument "value_type_info" in call to "MAP"


def primitive_arrays() -> None:
    assert_type(Types.PRIMITIVE_ARRAY(Types.INT()), TypeInformation[list[int]])
    assert_type(Types.PRIMITIVE_ARRAY(Types.BOOLEAN), TypeInformation[list[bool]])


def primitive_array_of_bytes() -> None:
    assert_type(Types.PRIMITIVE_ARRAY(Types.BYTE()), TypeInformation[bytes])
    assert_type(Types.PRIMITIVE_ARRAY(Types.BYTE), TypeInformation[bytes])


def arrays_with_nulls() -> None:
    assert_type(Types.BASIC_ARRAY(Types.STRING()), TypeInformation[list[str | None]])
    assert_type(Types.OBJECT_ARRAY(Types.LIST(Types.INT())), TypeInformation[list[list[int] | None]])


def a_class_is_no_type() -> None:
    Types.LIST(int)  # E: "type[int]"; expected "TypeInformation[
    # E: Argument 2 to "MAP" of "Types" has incompatible type "type[int]"; expected "TypeInformation[
    Types.MAP(str, int)


def field_access_of_a_type() -> None:
    assert_type(Types.INT().admits_none(), bool)
