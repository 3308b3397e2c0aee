"""Kernels give what expressions, and so functions, give, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from enum import Enum
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.expressions.expression import Expression
from pystream.expressions.kernels import Kernels, NotComputedError, has_kernels
from pystream.lifting import lift, nullable_type
from typeinfo import Row, Types
from typeinfo.formats.arrow import to_arrow
from typeinfo.serde import serializer_for
from typeinfo.serde.registry import codec_for
from typeinfo.testing.sameness import same

LONG, DOUBLE, STRING, BOOLEAN = Types.LONG(), Types.DOUBLE(), Types.STRING(), Types.BOOLEAN()


class Colour(Enum):
    RED = 1
    BLUE = 2


ROW = Types.ROW_NAMED(
    [*"ijxysbmpwdcl"],
    [
        LONG,
        Types.INT(),
        DOUBLE,
        Types.FLOAT(),
        STRING,
        Types.BOOLEAN(),
        Types.of(int | None),
        Types.BOOLEAN(),
        Types.SQL_TIMESTAMP(),
        Types.SQL_DATE(),
        Types.of(Colour),
        Types.LIST(LONG),
    ],
)

_LONGS = st.integers(-(2**63), 2**63 - 1) | st.integers(-5, 5)
_DOUBLES = st.floats() | st.sampled_from([0.0, -0.0, 0.5, 1.5, -2.5, float("nan")])
_ROWS = st.builds(
    lambda *values: Row(**dict(zip("ijxysbmpwdcl", values, strict=True))),
    _LONGS,
    st.integers(-(2**31), 2**31 - 1) | st.integers(-5, 5),
    _DOUBLES,
    st.floats(width=32),
    st.text(alphabet="ab Zé😀", max_size=4),
    st.booleans(),
    st.none() | _LONGS,
    st.none() | st.booleans(),
    st.datetimes(),
    st.dates(),
    st.sampled_from(Colour),
    st.lists(_LONGS, max_size=2),
)

FUNCTIONS: list[Callable[[Any], Any]] = [
    lambda r: r.i + r.j,
    lambda r: r.i - 3,
    lambda r: r.i * r.j,
    lambda r: -r.i,
    lambda r: abs(r.i),
    lambda r: r.i % 7,
    lambda r: r.i % -7,
    lambda r: r.i // 7,
    lambda r: r.i // r.j,
    lambda r: r.i % r.j,
    lambda r: divmod(r.i, 10)[1],
    lambda r: r.i / 3,
    lambda r: r.x + r.y,
    lambda r: r.x * 1.5,
    lambda r: r.x - r.i,
    lambda r: r.x / r.y,
    lambda r: abs(r.x),
    lambda r: -r.x,
    lambda r: round(r.x),
    lambda r: int(r.x),
    lambda r: float(r.i),
    lambda r: r.i > r.j,
    lambda r: r.i == r.x,
    lambda r: r.x < r.y,
    lambda r: r.x <= r.y,
    lambda r: r.x == r.y,
    lambda r: r.x != r.x,
    lambda r: r.i > 0 and r.x > 0,
    lambda r: r.b or r.i > 3,
    lambda r: not r.b,
    lambda r: r.i & 3 | r.j ^ 1,
    lambda r: ~r.i,
    lambda r: max(r.i, r.j, 0),
    lambda r: r.i if r.b else r.j,
    lambda r: 10 // r.i if r.i else 0,
    lambda r: r.x / r.y if r.y else 0.0,
    lambda r: r.i != 0 and 10 // r.i > 1,
    lambda r: r.i == 0 or 10 // r.i > 1,
    lambda r: r.m + 1,
    lambda r: r.m is None,
    lambda r: 0 if r.m is None else r.m,
    lambda r: r.m,
    lambda r: r.m == r.i,
    lambda r: not r.m,
    lambda r: r.p or r.b,
    lambda r: r.b and r.p,
    lambda r: r.i if r.p else r.j,
    lambda r: bool(r.m),
    lambda r: r.m != r.x,
    lambda r: r.s + "!" + r.s,
    lambda r: f"é<{r.s}>",
    lambda r: "é" + r.s,
    lambda r: r.s + "" + "é",
    lambda r: len(r.s),
    lambda r: r.s.upper(),
    lambda r: r.s.strip("a "),
    lambda r: r.s.startswith("a"),
    lambda r: r.s.endswith("é"),
    lambda r: "b" in r.s,
    lambda r: r.s == "ab",
    lambda r: r.s < "b",
    lambda r: r.s in ("a", "ab", ""),
    lambda r: r.i in (1, 2, 3),
    lambda r: r.i in [1, 2, 3],
    lambda r: r.s.split("a")[0],
    lambda r: r.s[1:3] + r.s[-2:].replace("a", "é"),
    lambda r: r.s.find("a") + r.s.count("b"),
    lambda r: "-".join(r.s.split(" ")),
    lambda r: r.s * 2 if r.s.isalpha() else "",
    lambda r: r.w.date(),
    lambda r: r.w.date() < r.d,
    lambda r: r.w.year * 1_000_000 + r.w.microsecond,
    lambda r: r.d.weekday() + r.w.hour,
    lambda r: r.c == Colour.RED,
    lambda r: r.c,
    lambda r: len(r.l),
    lambda r: r.l[0] if r.l else -1,
    lambda r: str(r.i),
    lambda r: f"{r.s}-{r.i}",
    lambda r: bool(r.s) and r.i > 0,
]


def outcome(function: Callable[[Any], Any], row: Any) -> Any:
    try:
        return function(row)
    except Exception as error:  # noqa: BLE001 - any error of Python's
        return type(error)


def lifted(function: Callable[[Any], Any]) -> Expression:
    found = lift(function, [ROW])
    assert isinstance(found, Expression), found
    return found


def columns_of(rows: list[Any]) -> Kernels:
    columns = serializer_for(ROW).to_batch(rows).columns
    return Kernels(columns.__getitem__, len(rows))


def computed(expression: Expression, rows: list[Any]) -> list[Any]:
    codec = codec_for(nullable_type(expression))
    return codec.decode(columns_of(rows).column(expression, codec.arrow))


@pytest.mark.parametrize("function", FUNCTIONS)
@settings(max_examples=25, deadline=None)
@given(rows=st.lists(_ROWS, min_size=1, max_size=4))
def test_kernels_compute_what_python_computes_or_nothing(function: Any, rows: list[Any]) -> None:
    expression = lifted(function)
    assert has_kernels(expression)
    wanted = [outcome(function, row) for row in serializer_for(ROW).conform(rows)]
    try:
        found = computed(expression, rows)
    except NotComputedError:
        return
    assert same(found, wanted)


def test_functions_without_kernels_are_known() -> None:
    assert not has_kernels(lifted(lambda r: r.x % 2.5))
    assert not has_kernels(lifted(lambda r: [len(part) for part in r.s.split(",")]))


TIMES: Any = {"w": datetime(2024, 2, 29, 13, 5, 7, 123_456), "d": date(2024, 3, 1), "c": Colour.RED, "l": [4]}
ORDINARY = [
    Row(i=3, j=2, x=0.5, y=2.0, s="ab", b=True, m=1, p=True, **TIMES),
    Row(i=9, j=-4, x=-1.5, y=0.25, s="B a", b=False, m=7, p=False, **TIMES),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_kernels_compute_ordinary_values(function: Any) -> None:
    expression = lifted(function)
    found = computed(expression, ORDINARY)
    assert same(found, [function(row) for row in ORDINARY])


@pytest.mark.parametrize(
    ("function", "declared", "beyond"),
    [
        (lambda r: r.i, Types.BYTE(), {"i": 128}),
        (lambda r: r.i, Types.INT(), {"i": -(2**31) - 1}),
        (lambda r: r.x, Types.FLOAT(), {}),
        (lambda r: r.i, DOUBLE, {"i": 2**53 + 1}),
    ],
)
def test_results_are_computed_in_their_declared_type(function: Any, declared: Any, beyond: Any) -> None:
    expression = lift(function, [ROW], declared)
    assert isinstance(expression, Expression)
    assert same(
        computed(expression, ORDINARY), serializer_for(declared).conform(list(map(function, ORDINARY)))
    )
    if beyond:
        with pytest.raises(NotComputedError):
            computed(expression, [*ORDINARY, Row(**{**ORDINARY[0].as_dict(), **beyond})])


REFUSED: list[tuple[Callable[[Any], Any], Any]] = [
    (lambda r: r.i + 1, {"i": 2**63 - 1}),
    (lambda r: -r.i, {"i": -(2**63)}),
    (lambda r: 1 // r.i, {"i": 0}),
    (lambda r: 1 / r.x, {"x": -0.0}),
    (lambda r: r.m + 1, {"m": None}),
    (lambda r: int(r.x), {"x": float("nan")}),
]


@pytest.mark.parametrize(("function", "fields"), REFUSED)
def test_nothing_is_computed_where_one_value_is_beyond_the_kernels(function: Any, fields: Any) -> None:
    own = {"i": 3, "j": 2, "x": 0.5, "y": 2.0, "s": "ab", "b": True, "m": 1, "p": True, **TIMES}
    expression = lifted(function)
    kernels = columns_of([Row(**own), Row(**{**own, **fields})])
    with pytest.raises(NotComputedError):
        kernels.column(expression, to_arrow(expression.type))


def test_branches_are_evaluated_only_for_the_elements_that_take_them() -> None:
    expression = lifted(lambda r: 10 // r.i if r.i else -1)
    rows = [Row(i=i, j=0, x=0.0, y=0.0, s="", b=True, m=None, p=None, **TIMES) for i in (0, 3, 0, 5)]
    assert columns_of(rows).column(expression, pa.int64()).to_pylist() == [-1, 3, -1, 2]
