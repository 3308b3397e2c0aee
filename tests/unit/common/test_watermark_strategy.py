"""WatermarkStrategy: timestamp assigners and alignment."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Duration, TimestampAssigner, WatermarkStrategy
from pystream.errors import ConfigurationError


class Second(TimestampAssigner[tuple[str, int]]):
    def extract_timestamp(self, value: tuple[str, int], record_timestamp: int) -> int:
        return value[1] + record_timestamp


class Unrelated:
    def extract_timestamp(self, value: tuple[str, int], record_timestamp: int) -> int:
        return value[1] + record_timestamp


@pytest.mark.parametrize(
    "assigner", [Second(), Second().extract_timestamp, lambda e, time: e[1] + time, Unrelated()]
)
def test_an_assigner_is_an_object_or_a_function(assigner: Any) -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_timestamp_assigner(assigner)
    extract = strategy.extract_timestamp()
    assert extract is not None
    assert extract(("a", 3), 40) == 43


def test_without_an_assigner_timestamps_are_those_of_the_source() -> None:
    assert WatermarkStrategy.for_monotonous_timestamps().extract_timestamp() is None


@pytest.mark.parametrize("wrong", [Second, 1, None])
def test_other_objects_are_refused_as_assigners(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="takes a TimestampAssigner or a function of an element"):
        WatermarkStrategy.no_watermarks().with_timestamp_assigner(wrong)


def test_alignment_is_kept() -> None:
    strategy = WatermarkStrategy.for_monotonous_timestamps().with_watermark_alignment(
        "group", Duration.of_seconds(20)
    )
    assert strategy.alignment == ("group", Duration.of_seconds(20), Duration.of_seconds(1))
    with pytest.raises(ConfigurationError, match="max_allowed_watermark_drift"):
        strategy.with_watermark_alignment("group", Duration.of_seconds(-1), Duration.of_seconds(1))
