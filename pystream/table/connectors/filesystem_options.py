"""The options of tables of files that say when the files that are written are closed, and complete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pystream.datastream.connectors.file_system import RollingPolicy
from pystream.durations import Duration
from pystream.engine.connectors.files import HIDDEN
from pystream.errors import ConfigurationError
from pystream.settings.config_values import BOOLEAN, DURATION, MEMORY, STRING, named
from pystream.settings.memory_size import MemorySize
from pystream.table.connectors.base import TableDefinition
from pystream.table.connectors.options import Option

__all__ = ["POLICY_KIND", "SINK_OPTIONS", "check_sink_options", "marker_of", "rolling_policy"]

_ROLLING = "sink.rolling-policy."
_COMMIT = "sink.partition-commit."
POLICY_KIND = f"{_COMMIT}policy.kind"
SUCCESS_FILE = f"{_COMMIT}success-file.name"
_KINDS = ("metastore", "success-file")
_HALF_AN_HOUR = Duration.of_minutes(30)

SINK_OPTIONS: Mapping[str, Option] = {
    f"{_ROLLING}file-size": Option(MEMORY, default=MemorySize.of_mebi_bytes(128)),
    f"{_ROLLING}rollover-interval": Option(DURATION, default=_HALF_AN_HOUR),
    f"{_ROLLING}inactivity-interval": Option(DURATION, default=_HALF_AN_HOUR),
    f"{_ROLLING}check-interval": Option(DURATION, default=Duration.of_minutes(1)),
    "auto-compaction": Option(BOOLEAN, default=False),
    "compaction.file-size": Option(MEMORY),
    POLICY_KIND: Option(STRING),
    SUCCESS_FILE: Option(STRING, default="_SUCCESS"),
    f"{_COMMIT}trigger": Option(named("process-time", "partition-time"), default="process-time"),
    f"{_COMMIT}delay": Option(DURATION, default=Duration.of_millis(0)),
}
"""The options of what is written."""

_REFUSED = {
    "auto-compaction": "files are not merged; give them the size that they shall have by "
    f"'{_ROLLING}file-size'",
    "compaction.file-size": "files are not merged",
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


def marker_of(values: Mapping[str, Any], owner: str) -> str:
    """Return the name of the file that tells that those of a partition are complete; empty for none.

    Args:
        values: the values of options.
        owner: the table, for messages.

    Raises:
        ConfigurationError: a policy does not exist, or the name does not start with ``_``, so that the file
            would be read as one of the table.
    """
    name: str = values[SUCCESS_FILE]
    if not name.startswith(HIDDEN):
        raise ConfigurationError(
            f"{owner}: the option {SUCCESS_FILE!r} is {name!r}, which would be read as a file of the table; "
            "let it start with '_'"
        )
    given = values[POLICY_KIND]
    kinds = [] if given is None else [kind.strip().lower() for kind in given.split(",")]
    for kind in kinds:
        if kind not in _KINDS:
            raise ConfigurationError(
                f"{owner}: the option {POLICY_KIND!r} must be one or several of {', '.join(_KINDS)}, not "
                f"{kind!r}"
            )
    return name if "success-file" in kinds else ""


def rolling_policy(values: Mapping[str, Any]) -> RollingPolicy:
    """Return when a file of lines is closed and the next one started."""
    return RollingPolicy.default_rolling_policy(
        values[f"{_ROLLING}file-size"].get_bytes(),
        values[f"{_ROLLING}rollover-interval"].to_millis(),
        values[f"{_ROLLING}inactivity-interval"].to_millis(),
    )
