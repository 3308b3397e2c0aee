"""State of queries, and its expiry by a clock that the tests set."""

from __future__ import annotations

from typing import Any

import pytest

from pystream.common import Row, Time
from pystream.common.typeinfo import Types
from pystream.engine.state.errors import TimeToLiveError
from pystream.sql_types.data_types import DataTypes
from pystream.table.algebra.aggregates import AggregateCall
from pystream.table.streaming.group_aggregation import GroupAggregation
from pystream.table.streaming.joins import JoinSide, RegularJoin
from pystream.testing import ProcessFunctionTestHarnesses

KEY = Types.STRING()
LARGEST = AggregateCall("MAX", (1,), False, DataTypes.INT())


def first(row: Row[Any]) -> str:
    return str(row[0])


def changes(rows: list[Row[Any]]) -> list[tuple[Any, ...]]:
    return [(str(row.get_row_kind()), *row) for row in rows]


def test_with_a_time_to_live_every_row_emits_an_update() -> None:
    function = GroupAggregation([0], [LARGEST], Time.hours(1))
    with ProcessFunctionTestHarnesses.for_keyed_process_function(function, first, KEY) as harness:
        for row in [Row("a", 1), Row("a", 2), Row("a", -4), Row("b", None), Row("b", None)]:
            harness.process_element(row)
        assert changes(harness.extract_output_values()) == [  # as PyFlink 2.3 printed
            ("+I", "a", 1),
            ("-U", "a", 1),
            ("+U", "a", 2),
            ("-U", "a", 2),
            ("+U", "a", 2),
            ("+I", "b", None),
            ("-U", "b", None),
            ("+U", "b", None),
        ]


def test_with_a_time_to_live_a_repeated_distinct_row_emits_an_update() -> None:
    function = GroupAggregation([0], [], Time.hours(1))
    with ProcessFunctionTestHarnesses.for_keyed_process_function(function, first, KEY) as harness:
        harness.process_elements([Row("a"), Row("a")])
        # as PyFlink 2.3 printed
        assert changes(harness.extract_output_values()) == [("+I", "a"), ("-U", "a"), ("+U", "a")]


def test_a_group_that_has_expired_starts_over() -> None:
    function = GroupAggregation([0], [LARGEST], Time.milliseconds(100))
    with ProcessFunctionTestHarnesses.for_keyed_process_function(function, first, KEY) as harness:
        harness.process_element(Row("a", 5))
        harness.set_processing_time(99)
        harness.process_element(Row("a", 3))  # renews it
        harness.set_processing_time(198)
        harness.process_element(Row("a", 2))
        harness.set_processing_time(298)
        harness.clear_output()
        harness.process_element(Row("a", 1))
        assert changes(harness.extract_output_values()) == [("+I", "a", 1)]


def test_a_joined_row_expires_although_it_is_read() -> None:
    function = RegularJoin(JoinSide(2, (0,)), JoinSide(2, (0,)), left_ttl=Time.milliseconds(100))
    with ProcessFunctionTestHarnesses.for_keyed_co_process_function(function, first, first, KEY) as harness:
        harness.process_element1(Row("a", 1))
        harness.set_processing_time(50)
        harness.process_element1(Row("a", 2))
        harness.set_processing_time(99)
        harness.process_element2(Row("a", "x"))
        harness.set_processing_time(100)
        harness.process_element2(Row("a", "y"))
        assert harness.extract_output_values() == [
            Row("a", 1, "a", "x"),
            Row("a", 2, "a", "x"),
            Row("a", 2, "a", "y"),
        ]


def test_a_row_with_a_null_in_its_key_is_not_kept() -> None:
    side, key_type = JoinSide(2, (0, 1)), Types.ROW([Types.STRING(), Types.INT()])
    with ProcessFunctionTestHarnesses.for_keyed_co_process_function(
        RegularJoin(side, side), lambda row: row, lambda row: row, key_type
    ) as harness:
        harness.process_element1(Row("a", None))
        harness.process_element2(Row("a", None))
        assert harness.extract_output_values() == []
        assert harness.num_keyed_state_entries() == 0


def test_a_time_to_live_is_positive() -> None:
    with pytest.raises(TimeToLiveError, match="must be positive"):
        GroupAggregation([0], [], Time.milliseconds(0))
