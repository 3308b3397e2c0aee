"""Numbers folded by NumPy are those that Python's operators give, one after the other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.columns.number_folds import folded_numbers
from pystream.expressions.folds import Fold

GROUPS = 3
INTEGERS = st.integers(-5, 5) | st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats() | st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf, 0.1, 1e308, -1e308])
NUMBERS = [
    (pa.int64(), INTEGERS),
    (pa.int8(), st.integers(-128, 127)),
    (pa.float64(), FLOATS),
]
PLAIN: dict[Fold, Any] = {
    Fold.SUM: lambda a, b: a + b,
    Fold.MIN: lambda a, b: b if b < a else a,
    Fold.MAX: lambda a, b: b if b > a else a,
}


def one_by_one(fold: Fold, held: list[Any], values: list[Any], codes: list[int]) -> list[Any]:
    folded = list(held)
    for value, code in zip(values, codes, strict=True):
        before = folded[code]
        folded[code] = value if before is None else PLAIN[fold](before, value)
    return folded


@pytest.mark.parametrize("fold", PLAIN)
@pytest.mark.parametrize("kind", NUMBERS, ids=lambda kind: str(kind[0]))
@given(data=st.data())
def test_results_are_those_of_operators_one_by_one(fold: Fold, kind: Any, data: st.DataObject) -> None:
    dt, numbers = kind
    codes = [*range(GROUPS), *data.draw(st.lists(st.integers(0, GROUPS - 1), min_size=GROUPS, max_size=9))]
    values = data.draw(st.lists(numbers, min_size=len(codes), max_size=len(codes)))
    held = data.draw(st.lists(st.none() | st.just(0) | numbers, min_size=GROUPS, max_size=GROUPS))
    found = folded_numbers(fold, held, pa.array(values, dt), np.array(codes))
    assert found is None or repr(found) == repr(one_by_one(fold, held, values, codes))


@pytest.mark.parametrize(
    ("fold", "held", "values", "expected"),
    [
        (Fold.SUM, [None], [-0.0, -0.0], [-0.0]),
        (Fold.SUM, [0], [0.1, 0.2], [0.1 + 0.2]),
        (Fold.SUM, [2**61], [2**61, 1], [2**62 + 1]),
        (Fold.MIN, [None], [2**63 - 1, 2**63 - 1], [2**63 - 1]),
        (Fold.MAX, [3], [-1, 5], [5]),
    ],
)
def test_numbers_are_folded_at_once(fold: Fold, held: Any, values: Any, expected: Any) -> None:
    assert repr(folded_numbers(fold, held, pa.array(values), np.zeros(2, np.int64))) == repr(expected)


@pytest.mark.parametrize(
    ("fold", "held", "values"),
    [
        (Fold.SUM, [1], [2**62, 2**62]),  # the sum has more than 64 bits
        (Fold.SUM, [2**70], [1, 1]),
        (Fold.SUM, [0.5], [1, 2]),  # whose sum is a float
        (Fold.SUM, [None], [1, None]),
        (Fold.MIN, [None], [0.0, -0.0]),
        (Fold.SUM, [None], ["a", "b"]),
        (Fold.SUM, [None, None], [1, 2]),  # as many groups as numbers
    ],
)
def test_other_numbers_are_folded_one_by_one(fold: Fold, held: Any, values: Any) -> None:
    codes = np.array([0, len(held) - 1])
    assert folded_numbers(fold, held, pa.array(values), codes) is None
