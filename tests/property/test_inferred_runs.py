"""Programs give the same with inference and without it, whatever their functions and elements are."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pystream.common import Configuration, Row
from pystream.datastream import DataStream, StreamExecutionEnvironment
from typeinfo.errors import PyStreamError
from typeinfo.testing.sameness import same


@dataclass
class Pair:
    first: str
    second: int


class Named(NamedTuple):
    x: int
    y: float


@dataclass
class Checked:
    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("negative")


class Text(str):
    """A string of a class of its own."""


CLASSES = (Checked, Named, Pair, Row, Text)
SCOPE = {"__builtins__": __builtins__, **{cls.__name__: cls for cls in CLASSES}}
NUMBERS = itertools.count()

SCALARS = st.deferred(
    lambda: st.one_of(
        st.sampled_from(
            [
                *("r.a", "r.b", "r.n", "r['a']", "r[2]", "1", "-1.5", "True", "None", "'t'", "r.a > 1"),
                *(
                    "2**63",
                    "r.a * 2",
                    "r.b / 2",
                    "r.a + r.b",
                    "r.n or ''",
                    "str(r.a)",
                    "Text('t')",
                    "len(str(r.n))",
                ),
                *("hash(r.b)", "r.a // 2", "r.n.upper()", "r.b == r.b", "eval('1')", "float('nan')", "-0.0"),
            ]
        ),
        st.builds("({} if r.a % 2 else {})".format, SCALARS, SCALARS),
    )
)
RESULTS = st.deferred(
    lambda: st.one_of(
        SCALARS,
        st.builds("({}, {})".format, SCALARS, SCALARS),
        st.builds("Pair({}, {})".format, SCALARS, SCALARS),
        st.builds("Named({}, {})".format, SCALARS, SCALARS),
        st.builds("Row(p={}, q={})".format, SCALARS, SCALARS),
        st.builds("Row({}, {})".format, SCALARS, SCALARS),
        st.builds("Checked({})".format, SCALARS),
        st.builds("[{}, {}]".format, SCALARS, SCALARS),
        st.builds("{{'k': {}}}".format, SCALARS),
        st.builds("({}, {}, 1)[:2 + r.a % 2]".format, SCALARS, SCALARS),
        st.builds("({} if r.b else {})".format, RESULTS, RESULTS),
    )
)
ROWS = st.lists(
    st.tuples(
        st.sampled_from([0, 1, -7, 2**63 - 1, -(2**63)]),
        st.sampled_from([0.0, -0.0, 1.5, float("nan"), float("inf")]),
        st.sampled_from(["", "a", "ä", None]),
    ),
    min_size=1,
    max_size=6,
)
STEPS: list[Callable[[DataStream[Any]], DataStream[Any]]] = [
    lambda stream: stream,
    lambda stream: stream.filter(lambda value: True),
    lambda stream: stream.rebalance(),
    lambda stream: stream.map(lambda value: (value, 1)),
    lambda stream: stream.map(lambda value: value),
    lambda stream: stream.flat_map(lambda value: [value, value]),
    lambda stream: stream.key_by(repr).reduce(lambda one, other: other),
    lambda stream: stream.union(stream.map(lambda value: str(value))),
]


def function(text: str) -> Callable[[Any], Any]:
    """Return the function of an expression, whose source is at hand as that of a file."""
    name = f"inferred_runs_{next(NUMBERS)}.py"
    source = f"function = lambda r: {text}\n"
    linecache.cache[name] = len(source), None, [source], name
    scope: dict[str, Any] = {**SCOPE, "__name__": "__main__"}
    exec(compile(source, name, "exec"), scope)
    made: Callable[[Any], Any] = scope["function"]
    return made


def outcome(
    rows: list[Any], text: str, step: Callable[[DataStream[Any]], DataStream[Any]], *, infer: bool
) -> tuple[list[Any], str]:
    """Return the results of a program, or the class of its error with the first lines."""
    options = {"pystream.runner": "local", "pystream.infer-types": str(infer).lower()}
    env = StreamExecutionEnvironment.get_execution_environment(Configuration.from_dict(options))
    columns = dict(zip("abn", map(list, zip(*rows, strict=True)), strict=True))
    types = pa.schema({"a": pa.int64(), "b": pa.float64(), "n": pa.string()})
    elements = env.set_parallelism(1).from_arrow(pa.table(columns, types))
    try:
        return list(step(elements.map(function(text))).execute_and_collect()), ""
    except PyStreamError as error:
        return [], f"{type(error).__name__} {str(error).partition('inferred_runs')[0]}"


@settings(max_examples=25, deadline=None)
@given(ROWS, RESULTS, st.sampled_from(STEPS))
def test_inference_changes_no_results(
    rows: list[Any], text: str, step: Callable[[DataStream[Any]], DataStream[Any]]
) -> None:
    inferred, failure = outcome(rows, text, step, infer=True)
    pickled, expected_failure = outcome(rows, text, step, infer=False)
    assert failure == expected_failure
    assert same(inferred, pickled)


@pytest.mark.parametrize(
    "text", ["Named(r.b, r.a)", "Pair(r.n, r.a > 1)", "(r.a, 1 if r.b else 1.0)", "Named(1, eval('1'))"]
)
def test_values_of_other_classes_than_declared_for_fields_stay(text: str) -> None:
    rows = [(1, 1.0, "a"), (2, 0.0, None)]
    inferred, pickled = (outcome(rows, text, STEPS[1], infer=infer) for infer in (True, False))
    assert same(inferred, pickled)
