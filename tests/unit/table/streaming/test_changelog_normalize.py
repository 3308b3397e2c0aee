"""ChangelogNormalize: the changes that rows which replace or delete others by their key make."""

from __future__ import annotations

from typing import Any

from pystream.common import Row, RowKind, Time
from pystream.common.typeinfo import Types
from pystream.table.streaming.changelog_normalize import ChangelogNormalize
from pystream.testing import ProcessFunctionTestHarnesses

NAMES = ["key", "n"]


def first(row: Row[Any]) -> str:
    return str(row[0])


def deleted(key: str) -> Row[Any]:
    row = Row(key, None)
    row.set_row_kind(RowKind.DELETE)
    return row


def changes(ttl: Time | None, *steps: Row[Any] | int) -> list[str]:
    """Return the changes that rows make, between which the clock is set."""
    function = ChangelogNormalize(NAMES, ttl)
    with ProcessFunctionTestHarnesses.for_keyed_process_function(function, first, Types.STRING()) as harness:
        for step in steps:
            if isinstance(step, int):
                harness.set_processing_time(step)
            else:
                harness.process_element(step)
        return [f"{row.get_row_kind()}{tuple(row)}" for row in harness.extract_output_values()]


def test_rows_replace_and_delete_those_of_their_key() -> None:
    rows = [Row("a", 1), Row("b", 1), Row("a", 2), deleted("b"), deleted("b"), Row("b", 3), deleted("c")]
    expected = ["+I('a', 1)", "+I('b', 1)", "-U('a', 1)", "+U('a', 2)", "-D('b', 1)", "+I('b', 3)"]
    assert changes(None, *rows) == expected


def test_an_equal_row_is_an_update_only_with_a_time_to_live() -> None:
    rows = [Row("a", 1), Row("a", 1)]
    assert changes(None, *rows) == ["+I('a', 1)"]
    assert changes(Time.hours(1), *rows) == ["+I('a', 1)", "-U('a', 1)", "+U('a', 1)"]


def test_a_key_that_has_expired_starts_over() -> None:
    ttl = Time.milliseconds(100)
    assert changes(ttl, Row("a", 1), 99, Row("a", 2), 198, Row("a", 3), 298, Row("a", 4))[-1] == "+I('a', 4)"
    assert changes(ttl, Row("a", 1), 100, deleted("a")) == ["+I('a', 1)"]


def test_results_have_the_names_of_the_columns() -> None:
    function = ChangelogNormalize(NAMES)
    with ProcessFunctionTestHarnesses.for_keyed_process_function(function, first, Types.STRING()) as harness:
        harness.process_element(Row("a", 1))
        (row,) = harness.extract_output_values()
        assert row.n == 1
