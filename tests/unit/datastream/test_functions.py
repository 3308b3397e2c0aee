"""The base classes of user functions."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.datastream import FilterFunction, FlatMapFunction, MapFunction, ProcessFunction


class Misspelt:
    def Map(self, value: int) -> int:
        return value


@pytest.mark.parametrize(
    ("base", "method"),
    [
        (MapFunction, "map"),
        (FlatMapFunction, "flat_map"),
        (FilterFunction, "filter"),
        (ProcessFunction, "process_element"),
    ],
)
def test_a_function_without_its_method_cannot_be_made(base: Any, method: str) -> None:
    with pytest.raises(TypeError, match=f"abstract method '?{method}'?$"):
        type("Function", (Misspelt, base), {})()


def test_open_and_close_may_be_left_out() -> None:
    class Double(MapFunction[int, int]):
        def map(self, value: int) -> int:
            return 2 * value

    assert Double().map(3) == 6
