"""running_numbers: the number of a group after each further one is that of Python's operators."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.engine.columns import number_folds
from pystream.engine.columns.number_folds import GroupOrder, running_numbers
from pystream.expressions.folds import Fold

FOLDED: dict[Fold, Any] = {Fold.SUM: lambda a, b: a + b, Fold.MIN: min, Fold.MAX: max}
INTEGERS = st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9)


@pytest.fixture(autouse=True, scope="module")
def _no_batch_is_too_small() -> Iterator[None]:
    with patch.multiple(number_folds, _FEWEST_RUNNING=0, _FEWEST_PER_ROUND=0):
        yield


def one_by_one(
    fold: Fold, held: list[Any], values: list[Any], codes: list[int]
) -> tuple[list[Any], list[Any]]:
    folded, running = [*held], []
    for value, code in zip(values, codes, strict=True):
        before = folded[code]
        folded[code] = value if before is None else FOLDED[fold](before, value)
        running.append(folded[code])
    return running, folded


@st.composite
def batches(draw: Any, numbers: Any) -> tuple[list[Any], list[Any], list[int]]:
    """Return what some groups hold, further values, and the group of each; each group has one."""
    groups = draw(st.integers(1, 5))
    codes = draw(st.permutations([*range(groups), *draw(st.lists(st.integers(0, groups - 1), max_size=20))]))
    held = draw(st.lists(st.none() | numbers, min_size=groups, max_size=groups))
    return held, draw(st.lists(numbers, min_size=len(codes), max_size=len(codes))), list(codes)


@pytest.mark.parametrize("fold", FOLDED)
@given(batch=batches(INTEGERS))
def test_integers(fold: Fold, batch: tuple[list[Any], list[Any], list[int]]) -> None:
    held, values, codes = batch
    found = running_numbers(fold, held, pa.array(values, pa.int64()), GroupOrder(np.array(codes)))
    if found is None:  # only of numbers that may leave 64 bits on the way
        assert max(map(abs, filter(None, [*held, *values])), default=0) * 30 >= 2**63
    else:
        assert (found[0].to_pylist(), found[1]) == one_by_one(fold, held, values, codes)


@given(batch=batches(st.floats(allow_nan=False)))
def test_sums_of_floats_are_in_the_order_of_arrival(batch: tuple[list[Any], list[Any], list[int]]) -> None:
    held, values, codes = batch
    found = running_numbers(Fold.SUM, held, pa.array(values, pa.float64()), GroupOrder(np.array(codes)))
    assert found is not None
    running, folded = one_by_one(Fold.SUM, held, values, codes)
    assert list(map(bits, found[0].to_pylist())) == list(map(bits, running))
    assert list(map(bits, found[1])) == list(map(bits, folded))


def bits(number: float) -> bytes:
    """Return a float's representation, which tells zeros apart; all that are no number have the same."""
    return b"nan" if math.isnan(number) else struct.pack("d", number)


def test_a_sum_out_of_the_range_of_its_type_is_left_to_python() -> None:
    order = GroupOrder(np.array([0, 0]))
    values = pa.array([100, 28], pa.int8())
    assert running_numbers(Fold.SUM, [None], values, order) is None
    found = running_numbers(Fold.SUM, [-1], values, order)
    assert found is not None
    assert (found[0], found[1]) == (pa.array([99, 127], pa.int8()), [127])


@pytest.mark.parametrize("values", [pa.array([1, None]), pa.array(["a", "b"]), pa.array([True, False])])
def test_what_is_no_number_is_left_to_python(values: pa.Array) -> None:
    assert running_numbers(Fold.MAX, [None], values, GroupOrder(np.array([0, 0]))) is None


def test_floats_of_one_large_group_are_left_to_python() -> None:
    values, order = pa.array([0.5] * 300), GroupOrder(np.zeros(300, np.int64))
    with patch.object(number_folds, "_FEWEST_PER_ROUND", 16):
        assert running_numbers(Fold.SUM, [None], values, order) is None
