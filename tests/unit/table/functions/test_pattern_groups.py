"""Groups of regular expressions that a match may leave out."""

from __future__ import annotations

import pytest

from pystream.table.functions.values.pattern_groups import optional_groups
from pystream.table.functions.values.patterns import translated_pattern


@pytest.mark.parametrize(
    ("pattern", "groups"),
    [
        ("(a)(b)+", set()),
        ("(&|^)id=([^&]*)", set()),
        ("(a)?", {1}),
        ("(a)*?(b){0,2}(c){1,2}", {1, 2}),
        ("((a)(?:b(c)))?(d)", {1, 2, 3}),
        ("(a)|b(c)", {1, 2}),
        ("(a(b)|(c))(d)", {2, 3}),
        ("(?!(a))(?<=(b))", {1}),
        (r"\(a?(b)[|)?](c)\)?", set()),
    ],
)
def test_optional_groups(pattern: str, groups: set[int]) -> None:
    assert optional_groups(translated_pattern(pattern)) == groups
