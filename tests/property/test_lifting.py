"""Lifted functions give what Python gives, or raise: random functions on random values."""

from __future__ import annotations

import linecache
import math
import random
from collections.abc import Callable
from typing import Any

import pytest

from pystream.lifting import NotLifted, lift
from tests.property.lifted_functions import ROW, function_text, random_row
from tests.unit.lifting.model import Raised, evaluate
from typeinfo import Row


def compiled(text: str, seed: int) -> Callable[[Any], Any]:
    """Return the function that text defines, its source at hand as if it came from a file."""
    name = f"<lifted {seed}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"math": math, "Row": Row, "__name__": name}
    exec(compile(text, name, "exec"), names)
    return names["f"]  # type: ignore[no-any-return]


def same(a: Any, b: Any) -> bool:
    """Tell whether values are the same, classes and signs of zero included."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a == b and math.copysign(1, a) == math.copysign(1, b) or (a != a and b != b)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, Row):
        return a.get_field_names() == b.get_field_names() and same(tuple(a), tuple(b))
    return bool(a == b)


def outcome(function: Callable[[Any], Any], row: Row[Any]) -> tuple[Any, ...]:
    try:
        return ("value", function(row))
    except Exception as error:  # noqa: BLE001 - whatever Python raises
        return ("raised", error)


@pytest.mark.parametrize("part", range(8))
def test_expressions_mean_what_functions_do(part: int) -> None:
    lifted = values = 0
    for seed in range(part * 400, part * 400 + 400):
        text = function_text(seed)
        function = compiled(text, seed)
        expression = lift(function, [ROW])
        if isinstance(expression, NotLifted):
            continue
        lifted += 1
        r = random.Random(seed)
        for _ in range(20):
            fields = random_row(r)
            row: Row[Any] = Row(**fields)
            kind, wanted = outcome(function, row)
            try:
                found = evaluate(expression, [row])
            except Raised:
                continue
            assert kind == "value", f"{text}{fields}\nPython: {wanted!r}, lifted: {found!r}\n{expression}"
            assert same(found, wanted), f"{text}{fields}\nPython: {wanted!r}, lifted: {found!r}\n{expression}"
            values += 1
    assert lifted > 200, f"only {lifted} of 400 functions were lifted"
    assert values > 1500, f"only {values} values were compared"


