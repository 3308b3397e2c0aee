"""Sizes of bundles, by what they cost."""

from __future__ import annotations

import pyarrow as pa
import pytest

from pystream.engine.events import Elements
from pystream.engine.task.bundles import BundleSizer
from pystream.engine.time.clock import ManualClock
from pystream.engine.vectorised.columns import ColumnValues, layout_of
from typeinfo import Types


def sizes(count: int, millis: float, *, starts_with_ones: bool) -> list[int]:
    """Return the sizes of the bundles of a batch whose elements take some time each."""
    clock = ManualClock()
    found = []
    for bundle in BundleSizer(clock, starts_with_ones=starts_with_ones).parts(Elements(list(range(count)))):
        found.append(len(bundle.values))
        clock.set(clock.now() + int(len(bundle.values) * millis))
    return found


@pytest.mark.parametrize("starts_with_ones", [False, True])
def test_bundles_grow_until_they_take_long(starts_with_ones: bool) -> None:
    found = sizes(10_000, 0.01, starts_with_ones=starts_with_ones)
    grown = found[128:] if starts_with_ones else found
    assert found[: len(found) - len(grown)] == [1] * (128 if starts_with_ones else 0)
    assert grown[:4] == ([8, 64, 512, 1_024] if starts_with_ones else [1, 8, 64, 512])
    assert max(found) <= 50 / 0.01


@pytest.mark.parametrize("millis", [60, 1_000])
def test_slow_elements_are_bundles_of_their_own(millis: float) -> None:
    assert sizes(10, millis, starts_with_ones=False) == [1] * 10


def test_the_first_elements_are_objects_and_others_stay_columns() -> None:
    layout = layout_of(Types.LONG())
    batch = pa.RecordBatch.from_arrays([pa.array(range(1_000), pa.int64())], schema=layout.schema)
    times = list(range(1_000, 2_000))
    sizer = BundleSizer(ManualClock(), starts_with_ones=True)
    bundles = list(sizer.parts(Elements(ColumnValues(layout, batch), times)))
    assert [type(bundle.values) for bundle in bundles[:128]] == [list] * 128
    assert {type(bundle.values) for bundle in bundles[128:]} == {ColumnValues}
    assert [value for bundle in bundles for value in bundle.values] == list(range(1_000))
    assert [time for bundle in bundles for time in bundle.timestamps or ()] == times
    (later,) = sizer.parts(Elements(ColumnValues(layout, batch.slice(0, 5)), None))
    assert isinstance(later.values, ColumnValues)
