"""The options of tables of files that say when the files that are written are closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pystream.datastream.connectors.file_system import RollingPolicy
from pystream.durations import Duration
from pystream.errors import ConfigurationError
from pystream.settings.config_values import BOOLEAN, DURATION, MEMORY, STRING
from pystream.settings.memory_size import MemorySize
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.options import Option

__all__ = ["SINK_OPTIONS", "check_sink_options", "rolling_policy"]

_ROLLING = "sink.rolling-policy."
_HALF_AN_HOUR = Duration.of_minutes(30)

SINK_OPTIONS: Mapping[str, Option] = {
    f"{_ROLLING}file-size": Option(MEMORY, default=MemorySize.of_mebi_bytes(128)),
    f"{_ROLLING}rollover-interval": Option(DURATION, default=_HALF_AN_HOUR),
    f"{_ROLLING}inactivity-interval": Option(DURATION, default=_HALF_AN_HOUR),
    f"{_ROLLING}check-interval": Option(DURATION, default=Duration.of_minutes(1)),
    "auto-compaction": Option(BOOLEAN, default=False),
    "compaction.file-size": Option(MEMORY),
    "sink.partition-commit.policy.kind": Option(STRING),
    "sink.partition-commit.trigger": Option(STRING),
    "sink.partition-commit.delay": Option(DURATION),
}
"""The options of what is written."""

_REFUSED = {
    "auto-compaction": "files are not merged; give them the size that they shall have by "
    f"'{_ROLLING}file-size'",
    "compaction.file-size": "files are not merged",
    "sink.partition-commit.policy.kind": "nothing tells that a partition is complete: the files of a bounded "
    "job become visible all at once when it succeeds, those of an unbounded one at checkpoints",
    "sink.partition-commit.trigger": "partitions are not committed, as there is no policy for it",
    "sink.partition-commit.delay": "partitions are not committed, as there is no policy for it",
}


def check_sink_options(table: TableDefinition, *, is_by_line: bool, owner: str) -> None:
    """Check that the options of what is written have an effect.

    Args:
        table: what the program says of the table.
        is_by_line: whether its format has a line for each row.
        owner: the table, for messages.

    Raises:
        ConfigurationError: one has none.
    """
    for key in table.options:
        if key in _REFUSED and table.options[key].strip().lower() != "false":
            raise ConfigurationError(f"{owner}: the option {key!r} is not supported: {_REFUSED[key]}")
        if key.startswith(_ROLLING) and not is_by_line:
            raise ConfigurationError(
                f"{owner}: the option {key!r} has no effect on files of the format "
                f"{table.options['format']!r}, which are closed at checkpoints only; leave it out, and set "
                "'execution.checkpointing.interval'"
            )


def rolling_policy(values: Mapping[str, Any]) -> RollingPolicy:
    """Return when a file of lines is closed and the next one started."""
    return RollingPolicy.default_rolling_policy(
        values[f"{_ROLLING}file-size"].get_bytes(),
        values[f"{_ROLLING}rollover-interval"].to_millis(),
        values[f"{_ROLLING}inactivity-interval"].to_millis(),
    )
