"""What raises although nothing is made of its value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from pystream.lifting import Expression, lift
from tests.unit.lifting.model import Raised, evaluate
from typeinfo import TypeInformation, Types


@dataclass
class Place:
    name: str

    def kind(self) -> str:
        return "place"


@dataclass
class Visit:
    place: Place | None


@pytest.mark.parametrize(
    ("function", "t", "fails", "passes"),
    [
        (lambda n: "{}".format("n", 1 // n), Types.LONG(), 0, 1),  # noqa: F523 - what is left over is the point
        (lambda n: "{1}".format(1 // n, "n"), Types.LONG(), 0, 1),  # noqa: F523
        (lambda v: v.place.kind(), Types.of(Visit), Visit(None), Visit(Place("here"))),
    ],
)
def test_it_raises_as_in_python(
    function: Callable[[Any], str], t: TypeInformation[Any], fails: Any, passes: Any
) -> None:
    found = lift(function, [t])
    assert isinstance(found, Expression)
    assert evaluate(found, [passes]) == function(passes)
    with pytest.raises((ZeroDivisionError, AttributeError)):
        function(fails)
    with pytest.raises(Raised):
        evaluate(found, [fails])
