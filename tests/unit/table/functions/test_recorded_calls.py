"""Calls of declared functions are accepted and refused as by PyFlink, and have its types and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from functools import cache
from typing import Any

import pytest
from sqlglot import exp

from pystream.errors import SqlError
from pystream.sql_types.data_types import DataTypes
from pystream.table.evaluation import evaluated
from pystream.table.functions.declared import DECLARED
from pystream.table.sql.column_types import parse_data_type
from pystream.table.sql.expression_types import argument_types, call_arguments
from tests.oracle_modules import oracle_module
from tests.unit.table.evaluation.expressions import analysed, position_in
from tests.unit.table.evaluation.test_recorded_queries import tagged
from tests.unit.table.functions.differences import ACCEPTED, EXAMPLES, REFUSED, TYPES

variations = oracle_module("functions/variations")
harness = oracle_module("sql/harness")

COLUMNS = [
    (f"{name}{suffix}", parse_data_type(f"{kind}{nulls}"))
    for name, _, kind in (column.partition(" ") for column in variations.COLUMNS.values())
    for suffix, nulls in (("", ""), ("_", " NOT NULL"))
]
NAMES = sorted(DECLARED)


@cache
def recorded_calls() -> Mapping[str, Mapping[str, Mapping[str, str]]]:
    """Return the outcomes of the recorded calls of each function."""
    found: dict[str, dict[str, Mapping[str, str]]] = {name: {} for name in NAMES}
    for path in sorted((variations.HERE / "calls").glob("*.txt")):
        for text, outcome in variations.recorded(path.stem).items():
            found.get(variations.name_of(text), {})[text] = outcome
    return found


def calls_of(name: str, kind: str) -> Iterator[str]:
    """Yield the calls of a function that are accepted, or end in an error."""
    for text, outcome in recorded_calls()[name].items():
        if kind in outcome:
            yield text


def refusal_of(text: str) -> str | None:
    """Return why a call is refused, ``None`` if it is not."""
    try:
        analysed(text, COLUMNS)
    except SqlError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", NAMES)
def test_what_flink_refuses_is_refused_with_the_signature(name: str) -> None:
    refusals = {text: refusal_of(text) for text in calls_of(name, "error")}
    assert {text for text, refusal in refusals.items() if refusal is None} == ACCEPTED.get(name, set())
    usages = [one.usage for one in DECLARED.values() if one.name.endswith(name)]  # LTRIM is TRIM(LEADING …)
    found = [refusal for refusal in refusals.values() if refusal is not None]
    unclear = [refusal for refusal in found if not any(usage in str(refusal) for usage in usages)]
    assert unclear == []


@pytest.mark.parametrize("name", NAMES)
def test_what_flink_accepts_is_accepted(name: str) -> None:
    refused = [text for text in calls_of(name, "type") if refusal_of(text) is not None]
    assert bool(refused) == (name in REFUSED), refused


@pytest.mark.parametrize("name", NAMES)
def test_a_call_has_the_type_of_flink(name: str) -> None:
    different = {}
    for text in calls_of(name, "type"):
        if refusal_of(text) is None:
            tree, _ = analysed(text, COLUMNS)
            assert isinstance(tree, exp.Anonymous)
            given = zip(tree.expressions, argument_types(tree), strict=True)
            types = [dict(COLUMNS).get(part.name, kind or DataTypes.NULL()) for part, kind in given]
            found = str(DECLARED[tree.name].result_type(call_arguments(tree, types)))
            if found != recorded_calls()[name][text]["type"]:
                different[text] = found
    assert different == TYPES.get(name, {})


def test_all_calls_and_examples_are_recorded() -> None:
    assert [name for name, calls in recorded_calls().items() if not calls] == []
    examples = [example for function in DECLARED.values() for example in function.examples]
    assert list(variations.recorded("examples")) == examples, "record them: see tests/oracle/README.md"


def test_calls_with_unusual_values_have_the_results_of_flink() -> None:
    recorded = variations.recorded("unusual")
    assert list(recorded) == variations.UNUSUAL.read_text(encoding="utf-8").splitlines()
    differences = {}
    for call, expected in recorded.items():
        evaluation = evaluated(analysed(call, [])[0], position_in([]), zone=UTC)
        observed = {"columns": [["x", str(evaluation.data_type)]], "rows": [[tagged(evaluation([]))]]}
        difference = harness.difference(expected, observed, ordered=True)
        if difference is not None:
            differences[call] = difference
    assert differences == {}


@pytest.mark.parametrize("name", NAMES)
def test_examples_have_the_results_of_flink(name: str) -> None:
    differences = {}
    for example in DECLARED[name].examples:
        expected: dict[str, Any] = variations.recorded("examples")[example]
        evaluation = evaluated(analysed(example, [])[0], position_in([]), zone=UTC)
        observed = {"columns": [["x", str(evaluation.data_type)]], "rows": [[tagged(evaluation([]))]]}
        difference = harness.difference(expected, observed, ordered=True)
        if difference is not None:
            differences[example] = difference
    assert differences == {one: EXAMPLES[one] for one in DECLARED[name].examples if one in EXAMPLES}
