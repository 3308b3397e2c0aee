"""LIKE and regular expressions take time that is bounded, whatever the data."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pystream.table.functions.errors import ConversionError
from pystream.table.functions.values import patterns
from pystream.table.functions.values.patterns import BoundedPattern, like, translated_pattern


def is_like(text: str, pattern: str) -> bool:
    """Return whether a text has the form of a pattern, by the lengths that each prefix matches."""
    lengths = {0}
    for character in pattern:
        if character == "%":
            lengths = set(range(min(lengths, default=len(text) + 1), len(text) + 1))
        else:
            lengths = {n + 1 for n in lengths if n < len(text) and is_character(text[n], character)}
    return len(text) in lengths


def is_character(character: str, part: str) -> bool:
    """Return whether a part of a pattern other than % stands for a character."""
    return character != "\n" if part == "_" else character == part


@given(st.text("ab\n", max_size=12), st.text("ab\n%_", max_size=8))
def test_like_matches_as_defined(text: str, pattern: str) -> None:
    assert like("", text, pattern) == is_like(text, pattern)


@pytest.mark.time_limit(20)
@pytest.mark.parametrize(
    "pattern", ["%a" * 40 + "bb", "%_a" * 40 + "bb", "%" * 200 + "c", "%a%b%" * 30 + "c"]
)
def test_like_does_not_backtrack(pattern: str) -> None:
    assert not like("", "ab" * 5_000, pattern)


@pytest.mark.parametrize(
    "call",
    [
        lambda pattern, text: pattern.is_in(text),
        lambda pattern, text: pattern.group_in(0, text),
        lambda pattern, text: pattern.replaced(text, ""),
    ],
)
def test_a_regular_expression_that_backtracks_without_end_fails(
    call: Callable[[BoundedPattern, str], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patterns, "MATCHING_SECONDS", 0.05)
    with pytest.raises(ConversionError, match=r"'\(a\|aa\)\+\$' takes more than .* of 61 characters: "):
        call(translated_pattern("(a|aa)+$"), "a" * 60 + "b")
