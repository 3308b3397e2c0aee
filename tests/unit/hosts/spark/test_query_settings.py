"""Spark's settings for the query of an unbounded job."""

from __future__ import annotations

from pystream.hosts.spark.unbounded import query_settings

RETAINED = "spark.sql.streaming.minBatchesToRetain"
MANAGER = "spark.sql.streaming.checkpointFileManagerClass"
ADAPTIVE = "spark.sql.adaptive.enabled"


def test_settings_of_checkpoints_replace_the_defaults() -> None:
    assert query_settings({}, {}, is_local=True)[RETAINED] == "10"
    assert query_settings({RETAINED: "3"}, {}, is_local=True)[RETAINED] == "3"


def test_streaming_settings_of_the_program_take_precedence() -> None:
    program = {RETAINED: "5", MANAGER: "mine", ADAPTIVE: "true", "spark.sql.streaming.other": "x"}
    found = query_settings({RETAINED: "3"}, program, is_local=True)
    assert found == {
        **query_settings({}, {}, is_local=True),
        RETAINED: "5",
        MANAGER: "mine",
    }
    assert found[ADAPTIVE] == "false"


def test_only_checkpoints_on_a_local_disk_are_written_as_plain_files() -> None:
    assert MANAGER in query_settings({}, {}, is_local=True)
    assert MANAGER not in query_settings({}, {}, is_local=False)
