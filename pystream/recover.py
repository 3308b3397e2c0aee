"""The command ``pystream recover``: complete or roll back the files of jobs that died."""

from __future__ import annotations

from collections.abc import Sequence

from pystream.engine.connectors.files import absolute_location
from pystream.engine.connectors.recovery import recover
from pystream.engine.connectors.storage import storage_of
from pystream.errors import SinkError

__all__ = ["recover_paths"]


def recover_paths(paths: Sequence[str], *, dry_run: bool, roll_back: bool, force: bool) -> bool:
    """Recover base paths of file sinks, and print a line for each job found.

    Args:
        paths: the directories.
        dry_run: whether only to report, without changes.
        roll_back: whether to also roll back jobs that could be completed.
        force: whether to treat a job as dead if its state is unknown, e.g. on another machine.

    Returns:
        Whether no job is left in progress.

    Raises:
        ConnectorError: a directory does not exist, or cannot be reached.
    """
    locations = [absolute_location(path) for path in paths]
    for location in locations:
        storage, base = storage_of(location)
        if not storage.exists(base):
            raise SinkError(f"{location} does not exist")
    settled = True
    for location in locations:
        found = recover(location, dry_run=dry_run, roll_back=roll_back, force=force)
        for leftover in found:
            print(leftover.text)
            settled = settled and leftover.outcome.is_settled and not dry_run
        if not found:
            print(f"{location}: nothing to recover")
    return settled
