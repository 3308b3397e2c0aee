"""Lifting of names from imported modules: only if each import certainly defines the same value."""

from __future__ import annotations

import importlib
import linecache
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pystream.common import Types
from pystream.datastream import DataStream, MapFunction, StreamExecutionEnvironment
from tests.unit.lifting.model import compiled

LONG = Types.LONG()
SOURCE = """
import math
from dataclasses import dataclass
from enum import Enum
from imported_base import BASE, half
from imported_base import BASE as RENAMED
import imported_base as other

FACTOR = 10
RATE = 2 * FACTOR + 1
MASK = 2**4 | 1 << 2
PAIR = (1, -2)
CODES = frozenset({1, 2})
LATE = 1
LATE = 2
if FACTOR > 3:
    SOMETIMES = 5
COMPUTED = len("abc")
COUNTED = 0

def count():
    global COUNTED
    COUNTED += 1

class Colour(Enum):
    RED = 1

@dataclass
class Point:
    x: int
    y: int = 3

@dataclass
class Measured:
    x: int
    z: int = len("ab")

class Scale:
    FACTOR = 4
    SIZE = len("abcd")

    @staticmethod
    def twice(x):
        return x * 2

    def by(self, x):
        return x * self.FACTOR

def scale(x):
    return x * FACTOR

def default(x, factor=7):
    return x * factor

def computed_default(x, factor=len("ab")):
    return x * factor

def nested(x):
    return scale(x) + half(x) + math.floor(x / 2)

def of_class(x):
    return Scale.FACTOR + Scale.twice(x)

def point(x):
    return Point(x).y

def measured(x):
    return Measured(x).z

def colour(x):
    return Colour.RED.value + x
"""
BASE_SOURCE = "BASE = 3\n\ndef half(x):\n    return x // 2\n"


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A module that can be imported, as those of a user's project."""
    (tmp_path / "imported_settings.py").write_text(SOURCE)
    (tmp_path / "imported_base.py").write_text(BASE_SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("imported_settings")
    del sys.modules["imported_settings"], sys.modules["imported_base"]
    linecache.clearcache()


@pytest.fixture
def numbers() -> DataStream[int]:
    return StreamExecutionEnvironment.get_execution_environment().generate_sequence(1, 3)


def is_lifted(stream: DataStream[Any]) -> bool:
    return " native " in stream.explain()


@pytest.mark.parametrize("name", ["scale", "default", "nested", "of_class", "point", "colour"])
def test_functions_are_lifted_with_the_constants_of_their_module(
    numbers: DataStream[int], settings: ModuleType, name: str
) -> None:
    assert is_lifted(numbers.map(getattr(settings, name), LONG))


def using(settings: ModuleType, text: str) -> Callable[[int], Any]:
    """A function of a script that uses a module."""
    return compiled(f"f = lambda x: {text}\n", s=settings, __name__="__main__")


@pytest.mark.parametrize(
    "text",
    [
        *(
            "x * s.FACTOR",
            "x * s.RATE",
            "x & s.MASK",
            "x if x in s.CODES else 0",
            "s.PAIR[1] + x",
            "s.Scale.FACTOR + x",
        ),
        *("s.BASE + s.RENAMED + s.other.BASE + x", "s.scale(x)", "s.math.floor(x / 2)", "s.half(x)"),
    ],
)
def test_names_that_a_single_statement_sets_are_lifted(
    numbers: DataStream[int], settings: ModuleType, text: str
) -> None:
    assert is_lifted(numbers.map(using(settings, text), LONG))


@pytest.mark.parametrize(
    "text",
    [
        *("x * s.LATE", "x * s.SOMETIMES", "x * s.COMPUTED", "x * s.COUNTED", "x * s.Scale.SIZE"),
        *("s.computed_default(x)", "s.measured(x)"),
    ],
)
def test_names_that_may_differ_on_workers_are_not_lifted(
    numbers: DataStream[int], settings: ModuleType, text: str
) -> None:
    stream = numbers.map(using(settings, text), LONG)
    assert not is_lifted(stream)
    assert "which workers import for themselves" in stream.explain()


CHANGES: list[tuple[str, Callable[[ModuleType], None], str]] = [
    ("a constant", lambda s: setattr(s, "FACTOR", 1000), "scale"),
    ("a constant of another module", lambda s: setattr(s.other, "half", lambda x: 5), "nested"),
    ("a helper", lambda s: setattr(s, "scale", lambda x: 5), "nested"),
    ("an attribute of a class", lambda s: setattr(s.Scale, "FACTOR", 1000), "of_class"),
    ("a method", lambda s: setattr(s.Scale, "twice", staticmethod(lambda x: 5)), "of_class"),
    ("a default", lambda s: setattr(s.default, "__defaults__", (1000,)), "default"),
    ("the function", lambda s: setattr(s, "scale", lambda x: 5), "scale"),
    ("a class", lambda s: setattr(s, "Scale", type("Scale", (), {"FACTOR": 1})), "of_class"),
]


@pytest.mark.parametrize("late", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("change", "name"), [c[1:] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_names_that_the_program_changed_are_not_lifted(
    numbers: DataStream[int],
    settings: ModuleType,
    change: Callable[[ModuleType], None],
    name: str,
    late: bool,
) -> None:
    if late:
        stream = numbers.map(getattr(settings, name), LONG)
        change(settings)
    else:
        change(settings)
        stream = numbers.map(using(settings, f"s.{name}(x)"), LONG)
    assert not is_lifted(stream)


def test_attributes_of_objects_are_captured_and_those_of_imported_classes_are_not(
    numbers: DataStream[int], settings: ModuleType
) -> None:
    class ByObject(MapFunction[int, int]):
        def __init__(self) -> None:
            self.factor = 1

        def map(self, value: int) -> int:
            return value * self.factor

    function = ByObject()
    stream = numbers.map(function, LONG)
    function.factor = 5
    assert is_lifted(stream)
    assert is_lifted(numbers.map(settings.Scale().by, LONG))
    settings.Scale.FACTOR = 5
    assert not is_lifted(numbers.map(settings.Scale().by, LONG))
