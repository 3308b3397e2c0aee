"""Instants are whole numbers of seconds and nanoseconds."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from typeinfo import Instant, PyStreamError, TypeCheckError


class NoOffset(datetime.tzinfo):
    def utcoffset(self, when: datetime.datetime | None) -> None:
        return None


@pytest.mark.parametrize("parts", [("a",), (1.0000005,), (1, 2.5), (None,), (1, "0"), (True,)])
def test_only_whole_numbers_are_taken(parts: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="an Instant takes whole numbers, not") as error:
        Instant(*parts)
    assert isinstance(error.value, PyStreamError)


@pytest.mark.parametrize("zone", [None, NoOffset()])
def test_a_datetime_without_offset_is_not_a_point_in_time(zone: datetime.tzinfo | None) -> None:
    with pytest.raises(ValueError, match="no time zone with an offset"):
        Instant.of_datetime(datetime.datetime(2024, 1, 1, tzinfo=zone))


@pytest.mark.parametrize("make", [Instant.of_epoch_milli, Instant.of_epoch_micro, Instant.of_datetime])
@pytest.mark.parametrize("value", ["1", 1.5, True, None])
def test_factories_refuse_other_values(make: Any, value: object) -> None:
    with pytest.raises(TypeCheckError, match=f"Instant.{make.__name__} takes .*, not {value!r}"):
        make(value)
