"""Kernels of patterns have the results of the functions of values beside them, or refuse."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pystream.expressions.operation import NotComputedError
from pystream.table.functions.errors import ConversionError
from pystream.table.functions.kernels.compiled import kernel_of_value
from pystream.table.functions.kernels.texts import OF_PATTERN
from pystream.table.functions.values import patterns
from pystream.table.functions.values.patterns import UntranslatedPatternError, like, translated_pattern
from pystream.table.functions.values.similar import similar

_ATOMS = [
    *("a", "b", "-", "é", r"\.", r"\d", r"\W", r"\s", r"\S", r"\n", ".", "[ab]", "[^a]", "[a-c-]", r"[\d\s]"),
    *("^", "$", "[-b]", "[^\\n]"),
]
_COUNTS = ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,}", "{1,}?", "*+"]


@st.composite
def _patterns(draw: st.DrawFn, depth: int = 2) -> str:
    parts = []
    for _ in range(draw(st.integers(0, 3))):
        if depth and draw(st.booleans()):
            opening = draw(st.sampled_from(["(", "(", "(?:", "(?=", "(?>"]))
            atom = f"{opening}{draw(_patterns(depth - 1))})"
        else:
            atom = draw(st.sampled_from(_ATOMS))
        parts.append(atom + draw(st.sampled_from(_COUNTS)))
        if draw(st.integers(0, 4)) == 0:
            parts.append("|")
    return "".join(parts)


_TEXTS = st.text("ab-.é1 \x0b\n\r\x85\u2028", max_size=6)
_VALUES = st.lists(st.none() | _TEXTS, min_size=1, max_size=8)


def _computed(kernel: Callable[..., Any], texts: list[str | None], *constants: Any) -> list[Any] | None:
    try:
        found: list[Any] = kernel(pa.array(texts, pa.string()), *constants).to_pylist()
    except (NotComputedError, pa.ArrowException):
        return None
    return found


@settings(max_examples=400)
@given(
    pattern=_patterns(), texts=_VALUES, group=st.integers(0, 3), new=st.sampled_from(["", "#", r"\0", "$1"])
)
@example("(a|ab)(c|bcd)*", ["abcd"], 1, "")
@example("x*$", ["x\n", "x"], 0, "#")
def test_regular_expressions(pattern: str, texts: list[str | None], group: int, new: str) -> None:
    try:
        translated = translated_pattern(pattern)
    except UntranslatedPatternError:
        return
    calls: dict[Callable[..., Any], tuple[Any, ...]] = {
        patterns.matches: (),
        patterns.extracted: (group,),
        patterns.replaced: (new,),
        patterns.count_of: (),
    }
    for function, constants in calls.items():
        found = _computed(OF_PATTERN[function], texts, translated, *constants)
        by_value = (text if text is None else function(text, translated, *constants) for text in texts)
        assert found is None or found == list(by_value)


@pytest.mark.parametrize(
    "pattern", ["(&|^)channel_id=([^&]*)", "^[a-z]+@[a-z.]+$", r"\d{4}-\d{2}", "(ab|c)+d?", "(x)-(y)"]
)
def test_common_patterns_are_computed(pattern: str) -> None:
    assert _computed(OF_PATTERN[patterns.extracted], ["", "ab"], translated_pattern(pattern), 0) is not None


_FORMS = st.text("ab%_\\!é\n", max_size=5)


@settings(max_examples=300)
@given(
    form=_FORMS,
    texts=_VALUES,
    escape=st.sampled_from(["", "!", "%"]),
    function=st.sampled_from([like, similar]),
)
def test_forms(
    form: str, texts: list[str | None], escape: str, function: Callable[[str, str, str], bool]
) -> None:
    kernel = kernel_of_value(partial(function, escape))
    assert kernel is not None
    found = _computed(kernel, texts, pa.scalar(form))
    try:
        expected = [text if text is None else function(escape, text, form) for text in texts]
    except ConversionError:
        assert found is None
    else:
        assert found in (None, expected)
        assert found is not None or function is similar


@settings(max_examples=200)
@given(form=_patterns().map(lambda text: text.replace(".", "_").replace("*", "%")), texts=_VALUES)
def test_expressions_of_sql(form: str, texts: list[str | None]) -> None:
    kernel = kernel_of_value(partial(similar, ""))
    assert kernel is not None
    found = _computed(kernel, texts, pa.scalar(form))
    if found is not None:
        assert found == [text if text is None else similar("", text, form) for text in texts]
