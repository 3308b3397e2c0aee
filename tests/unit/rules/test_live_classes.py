"""Lifting of functions leaves the classes of the program unchanged."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest

from pystream.common import Time, Types
from pystream.datastream import DataStream, KeySelector, StreamExecutionEnvironment
from pystream.datastream.window import TumblingEventTimeWindows
from tests.explained import last_path

LONG = Types.LONG()
COUNTS = {"calls": 0}


def settings_class() -> Any:
    """Return a class that is pickled by value, as those of a script are."""

    class Base:
        BASE = 10

    class Settings(Base):
        FACTOR = 10
        REMOVED = 10

        class Colour(Enum):
            RED = 1

        @staticmethod
        def count() -> None:
            COUNTS["calls"] += 1

    return Settings


@pytest.fixture
def env() -> StreamExecutionEnvironment:
    return StreamExecutionEnvironment.get_execution_environment()


def plan_map(numbers: DataStream[int], settings: Any) -> Callable[[], object]:
    scaled = numbers.map(
        lambda n: n * settings.FACTOR + settings.BASE + settings.REMOVED + settings.Colour.RED.value, LONG
    )
    return lambda: last_path(scaled)


def plan_join(numbers: DataStream[int], settings: Any) -> Callable[[], object]:
    class Key(KeySelector[int, int]):
        def get_key(self, value: int) -> int:
            return value * int(settings.FACTOR) + int(settings.BASE) + int(settings.REMOVED)

    pair = numbers.join(numbers).where(Key(), LONG).equal_to(Key(), LONG)
    return lambda: pair.window(TumblingEventTimeWindows.of(Time.seconds(1)))


@pytest.mark.parametrize("planned", [plan_map, plan_join])
def test_classes_are_unchanged(
    env: StreamExecutionEnvironment, planned: Callable[[DataStream[int], Any], Callable[[], object]]
) -> None:
    settings = settings_class()
    plan = planned(env.generate_sequence(1, 3), settings)
    settings.FACTOR = 1000
    settings.ADDED = 5
    settings.__mro__[1].BASE = 1000
    del settings.REMOVED
    count, colour = settings.count, settings.Colour
    plan()
    assert (settings.FACTOR, settings.ADDED, settings.BASE) == (1000, 5, 1000)
    assert not hasattr(settings, "REMOVED")
    assert settings.count is count
    assert settings.Colour is colour
    assert settings.Colour.RED is colour(1)
    settings.count()
    assert COUNTS["calls"] > 0


def test_a_function_is_lifted_with_the_classes_it_was_added_with(env: StreamExecutionEnvironment) -> None:
    settings = settings_class()
    scaled = env.generate_sequence(1, 3).map(lambda n: n * settings.FACTOR, LONG)
    settings.FACTOR = "x"  # with which there would be no expression of that type
    assert last_path(scaled) == "native"
