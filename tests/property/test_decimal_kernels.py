"""Kernels of decimals of any digits compute what the functions of values do, or leave the values to these."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.errors import PyStreamError
from pystream.table.functions.kernels.compiled import kernel_of_value
from pystream.table.functions.kernels.faults import REFUSALS
from pystream.table.functions.values import conversions, decimals, mathematics, parsing, writing
from pystream.table.functions.values.decimals import Digits

Function = Callable[..., Any]

OF_TWO: list[Function] = [
    decimals.decimal_difference,
    decimals.decimal_product,
    decimals.decimal_quotient,
    decimals.decimal_remainder,
    decimals.decimal_sum,
]
SMALL = 15
"""The number of digits up to which kernels refuse no values that the functions take."""


@st.composite
def types(draw: Any, most: int = 38) -> tuple[int, int]:
    precision = draw(st.integers(1, most))
    return precision, draw(st.integers(0, precision))


@st.composite
def columns(draw: Any, precision: int, scale: int, count: int) -> list[Decimal | None]:
    most = 10**precision - 1
    edges = st.sampled_from([0, 1, -1, 5, most, -most, 10 ** (precision - 1), most // 2])
    numbers = draw(st.lists(st.none() | edges | st.integers(-most, most), min_size=count, max_size=count))
    return [None if number is None else Decimal(number).scaleb(-scale, decimals.EXACT) for number in numbers]


def by_values(function: Function, *given: list[Any]) -> list[Any] | None:
    """Return the values of a function, null where an argument is, or ``None`` if one has none."""
    try:
        return [None if None in row else function(*row) for row in zip(*given, strict=True)]
    except PyStreamError:
        return None


def by_kernel(function: Function, *given: pa.Array | pa.Scalar) -> list[Any] | None:
    """Return the values of the kernel of a function, or ``None`` if it refuses them."""
    kernel = kernel_of_value(function)
    assert kernel is not None
    try:
        return list(kernel(*given).to_pylist())
    except REFUSALS:
        return None


def check(function: Function, is_small: bool, values: list[list[Any]], arrays: list[pa.Array]) -> None:
    expected, found = by_values(function, *values), by_kernel(function, *arrays)
    if found is None:
        assert expected is None or not is_small
    else:
        assert expected is not None
        assert list(map(str, found)) == list(map(str, expected))


@pytest.mark.parametrize("function", OF_TWO)
@given(types(), types(), types(), st.data())
def test_arithmetic(
    function: Function, of_one: tuple[int, int], of_other: tuple[int, int], result: tuple[int, int], data: Any
) -> None:
    numbers = [data.draw(columns(*digits, 3)) for digits in (of_one, of_other)]
    arrays = [
        pa.array(column, pa.decimal128(*digits))
        for column, digits in zip(numbers, (of_one, of_other), strict=True)
    ]
    is_small = max(of_one[0], of_other[0]) <= SMALL
    check(partial(function, Digits.of(*result)), is_small, numbers, arrays)


@given(types(), types(), st.integers(-40, 40), st.data())
def test_rounding(given_digits: tuple[int, int], result: tuple[int, int], places: int, data: Any) -> None:
    numbers = data.draw(columns(*given_digits, 3))
    array = pa.array(numbers, pa.decimal128(*given_digits))
    digits = Digits.of(*result)
    for function in (mathematics.ceiling_of_decimal, mathematics.floor_of_decimal):
        check(function, given_digits[0] <= SMALL, [numbers], [array])
    check(partial(decimals.fitted, digits), given_digits[0] <= SMALL, [numbers], [array])
    check(partial(conversions.decimal_as_integer, 1 << 63), given_digits[0] <= SMALL, [numbers], [array])
    step = Decimal(1).scaleb(-given_digits[1])
    kept = Decimal(1).scaleb(-max(0, min(given_digits[1], places)))
    check(partial(writing.decimal_text, step), True, [numbers], [array])
    for function in (mathematics.rounded_decimal, mathematics.truncated_decimal):
        expected = by_values(partial(function, kept), numbers, [places] * 3)
        found = by_kernel(partial(function, kept), array, pa.scalar(places))
        assert found is None or list(map(str, found)) == list(map(str, expected or []))


FLOATS = st.floats() | st.integers(-(10**9), 10**9).map(lambda number: number / 1000)


@given(types(), st.lists(st.none() | FLOATS, max_size=4))
def test_decimals_of_floats(result: tuple[int, int], numbers: list[float | None]) -> None:
    function = partial(conversions.double_as_decimal, Digits.of(*result))
    check(function, True, [numbers], [pa.array(numbers, pa.float64())])


@given(types(), st.data())
def test_floats_of_decimals(digits: tuple[int, int], data: Any) -> None:
    numbers = data.draw(columns(*digits, 3))
    array = pa.array(numbers, pa.decimal128(*digits))
    for function in (float, conversions.decimal_as_float, bool):
        check(function, True, [numbers], [array])


TEXTS = st.text(st.sampled_from("0123456789+-.eE ٣"), max_size=8) | st.decimals(
    -1000, 1000, allow_nan=False
).map(str)


@given(types(), st.lists(st.none() | TEXTS, max_size=3))
def test_decimals_of_text(result: tuple[int, int], texts: list[str | None]) -> None:
    function = partial(parsing.decimal_of, Digits.of(*result))
    check(function, False, [texts], [pa.array(texts, pa.string())])


def test_kernels_of_text_compute_numbers_as_they_are_written() -> None:
    texts = ["1", " -2.5 ", "+.25", "3.", "-.1005", "99999999.994", None]
    function = partial(parsing.decimal_of, Digits.of(10, 2))
    found = by_kernel(function, pa.array(texts))
    assert found == by_values(function, texts)
    assert found == [*map(Decimal, ["1", "-2.5", "0.25", "3", "-0.10", "99999999.99"]), None]


@pytest.mark.parametrize("text", ["1e39", "9" * 39, f"0.{'0' * 38}1"])
def test_kernels_leave_text_of_too_many_digits_to_functions(text: str) -> None:
    assert by_kernel(partial(parsing.decimal_of, Digits.of(38, 0)), pa.array(["1", text])) is None


@pytest.mark.parametrize("number", [math.nan, math.inf, 1e20])
def test_kernels_leave_floats_beyond_a_type_to_functions(number: float) -> None:
    function = partial(conversions.double_as_decimal, Digits.of(10, 2))
    assert by_kernel(function, pa.array([1.5, number])) is None


def test_quotients_are_rounded_to_39_digits_first() -> None:
    one, other = Decimal(5 * 10**33 - 1).scaleb(-31, decimals.EXACT), Decimal(10**9)
    function = partial(decimals.decimal_quotient, Digits.of(38, 6))
    arrays = [pa.array([one], pa.decimal128(34, 31)), pa.array([other], pa.decimal128(10, 0))]
    assert by_kernel(function, *arrays) == by_values(function, [one], [other]) == [Decimal("0.000001")]


HALF = (Decimal("0.5"), (12, 12))
LONG_HALF = (Decimal("0.5"), (19, 19))
MOST_LONG = (Decimal((1 << 63) - 1), (19, 0))
NINES = (Decimal(10**37 - 1), (37, 0))
NINES_AFTER_POINT = (Decimal(10**38 - 1).scaleb(-38, decimals.EXACT), (38, 38))


@pytest.mark.parametrize(
    ("function", "one", "other", "is_computed"),
    [
        (decimals.decimal_sum, NINES, NINES_AFTER_POINT, True),
        (decimals.decimal_quotient, MOST_LONG, HALF, False),
        (decimals.decimal_remainder, MOST_LONG, LONG_HALF, False),
    ],
)
def test_no_result_is_one_that_arrow_divides_wrongly(
    function: Function,
    one: tuple[Decimal, tuple[int, int]],
    other: tuple[Decimal, tuple[int, int]],
    is_computed: bool,
) -> None:
    arrays = [pa.array([number], pa.decimal128(*digits)) for number, digits in (one, other)]
    found = by_kernel(partial(function, Digits.of(38, 0)), *arrays)
    expected = by_values(partial(function, Digits.of(38, 0)), [one[0]], [other[0]])
    assert found == (expected if is_computed else None)
