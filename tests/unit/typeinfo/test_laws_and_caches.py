"""Caches and functions kept by instances: the laws ignore them, but find every loss of given values."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from typeinfo import Types
from typeinfo.custom import CustomTypeInfo
from typeinfo.testing.laws import LawViolation, check_all, check_conforming
from typeinfo.testing.sameness import same


class Shape:
    """Of no equality."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def area(self) -> int:
        return self.width * self.height


class InDict(Shape):
    """Keeps computed values in a dict."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self._cache: dict[str, Any] = {"ready": True}

    def area(self) -> int:
        return int(self._cache.setdefault("area", super().area()))


class Lazy(Shape):
    """Has None until it is asked."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self._area: int | None = None

    def area(self) -> int:
        if self._area is None:
            self._area = super().area()
        return self._area


class Missing:
    """Has a slot that is not set until it is asked."""

    __slots__ = ("_area", "height", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def area(self) -> int:
        if not hasattr(self, "_area"):
            self._area = self.width * self.height
        return self._area


class Cached(Shape):
    """Works out once."""

    @cached_property
    def _area(self) -> int:
        return super().area()

    def area(self) -> int:
        return self._area


class Nested(Shape):
    """Holds an instance that keeps computed values."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.inner = Lazy(width, height)

    def area(self) -> int:
        return self.inner.area()


@dataclass
class InField:
    """Says that its memo is none of its value."""

    width: int
    height: int
    _area: int | None = field(default=None, init=False, compare=False)

    def area(self) -> int:
        self._area = self.width * self.height
        return self._area


CARRIER = Types.TUPLE([Types.LONG(), Types.LONG()])


def sides(shape: Any) -> tuple[int, int]:
    shape.area()
    return shape.width, shape.height


def of(cls: type[Any], encode: Callable[[Any], Any] = sides) -> CustomTypeInfo[Any]:
    def decode(carried: tuple[int, int]) -> Any:
        return cls(*carried)

    return CustomTypeInfo(cls, CARRIER, encode, decode)


@pytest.mark.parametrize("cls", [InDict, Lazy, Missing, Cached, Nested, InField])
def test_a_memo_may_be_filled_while_its_instance_is_written(cls: type[Any]) -> None:
    check_all(of(cls), examples=10)


def test_a_memo_that_is_declared_as_none_of_the_value_does_not_count_once_filled() -> None:
    used = InField(2, 3)
    assert used.area() == 6
    check_all(of(InField), [used])
    assert not same(InField(2, 3), InField(2, 4))


SCRIPT = """
from functools import cached_property

from typeinfo import Types, register_custom_type
from typeinfo.testing.laws import check_all

class Square:
    def __init__(self, side: int) -> None:
        self.side = side

    @cached_property
    def area(self) -> int:
        return self.side * self.side

register_custom_type(Square, Types.LONG(), lambda square: square.area and square.side, Square)
check_all(Square, examples=10)
print(Square(3).area)
"""


def test_classes_of_a_script_with_a_cached_property_travel(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, "utf-8")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "9\n"), done.stderr

    class Local:
        @cached_property
        def size(self) -> int:
            """Of none."""
            return 7

    loaded = cloudpickle.loads(cloudpickle.dumps(Local))
    assert (loaded().size, loaded.size.__doc__) == (7, "Of none.")


class Pile:
    """Holds a list, and another that no one writes."""

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = numbers
        self.notes: list[str] = []


def taken_out(pile: Pile) -> list[int]:
    return [pile.numbers.pop(0) for _ in range(len(pile.numbers))]


def then_cleared(pile: Pile) -> list[int]:
    numbers = list(pile.numbers)
    pile.numbers.clear()
    return numbers


def then_sorted(pile: Pile) -> list[int]:
    numbers = list(pile.numbers)
    pile.numbers.sort()
    return numbers


@pytest.mark.parametrize("encode", [taken_out, then_cleared, then_sorted])
def test_written_values_must_be_left_unchanged(encode: Callable[[Pile], list[int]]) -> None:
    t = CustomTypeInfo(Pile, Types.LIST(Types.LONG()), encode, Pile)
    with pytest.raises(LawViolation, match="conform changed the values of Pile"):
        check_conforming(t, [Pile([2, 1])])
    with pytest.raises(LawViolation):
        check_all(t)


def sorted_first(pile: Pile) -> list[int]:
    pile.numbers.sort()
    return list(pile.numbers)


def noted(pile: Pile) -> list[int]:
    pile.notes.append("written")
    return pile.numbers


def test_what_comes_back_is_compared_with_the_instance_as_it_was_before() -> None:
    with pytest.raises(LawViolation, match="round_trip"):
        check_all(CustomTypeInfo(Pile, Types.LIST(Types.LONG()), sorted_first, Pile))
    check_all(CustomTypeInfo(Pile, Types.LIST(Types.LONG()), noted, Pile), examples=10)
    loses = Pile([1])
    loses.notes.append("of the user")
    with pytest.raises(LawViolation, match="round_trip"):
        check_all(CustomTypeInfo(Pile, Types.LIST(Types.LONG()), noted, Pile), [loses])


def scaled(number: int, by: int = 1) -> int:
    return number * by


SHARED = partial(scaled, by=3)


class Holds(Shape):
    """Holds functions of every kind."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.partial = partial(scaled, by=width)
        self.shared = SHARED
        self.bound = self.area
        self.of_itself = partial(self.area)
        self.captures = lambda number: number * width
        self.partly = partial(lambda number, by: number * by, by=[width])


def test_functions_that_instances_hold() -> None:
    check_all(of(Holds), examples=10)
    assert not same(Holds(1, 2).captures, Holds(2, 2).captures)
    assert not same(Holds(1, 2).partial, Holds(2, 2).partial)
    assert not same(Holds(1, 2).partly, Holds(2, 2).partly)
    assert not same(Holds(1, 2).captures, partial(Holds(1, 2).captures))


KEPT = [1]


def put(kept: list[int], number: int) -> None:
    kept.append(number)


class Shares(Shape):
    """Binds one list for all."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.appends = partial(put, KEPT)


def test_arguments_of_a_partial_must_not_be_shared() -> None:
    with pytest.raises(LawViolation, match=r"shares \[1\]"):
        check_all(of(Shares))
