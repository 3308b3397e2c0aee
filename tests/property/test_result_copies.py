"""No function sees the changes made by another one: every element is a separate value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pystream.testing import local_environment
from tests.property.keeping_functions import KINDS, SHAPES, STEPS, Keeper, Mapping, Program, Script
from typeinfo.testing.sameness import same

SCRIPTS = st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 3)), min_size=1, max_size=6)
REUSING = [("keep", 0), ("change kept", 1), ("give kept", 0), ("change given", 0), ("give", 1)]


def outcome(kind: str, shape_name: str, script: Script, following: Script, *, isolated: bool) -> list[Any]:
    """Return the results of a program in which another function follows."""
    shape = SHAPES[shape_name]
    env = local_environment()
    stream = env.from_collection([shape.make(n) for n in range(1, 7)], shape.type_info)

    def keeper(of: Script = script) -> Keeper:
        return Keeper(of, shape, isolated)

    results = KINDS[kind](Program(stream, shape, keeper))
    if kind != "iterate":
        results = results.map(Mapping(keeper(following)), shape.type_info)
    return list(results.execute_and_collect())


@pytest.mark.parametrize("kind", KINDS)
@given(shape=st.sampled_from(sorted(SHAPES)), script=SCRIPTS, following=SCRIPTS)
@example(shape="any list", script=REUSING, following=REUSING)
@example(shape="deep row", script=REUSING, following=REUSING)
@settings(max_examples=12)
def test_a_program_has_the_results_that_it_has_if_every_function_copies_its_input_and_output(
    kind: str, shape: str, script: Script, following: Script
) -> None:
    expected = outcome(kind, shape, script, following, isolated=True)
    assert same(outcome(kind, shape, script, following, isolated=False), expected)
