"""Trust in the files that a job loads its state from: they can run code of whoever wrote them."""

from __future__ import annotations

import logging

from pystream.engine.connectors.storage import Storage
from pystream.errors import CheckpointError

__all__ = ["check_trust"]

_LOG = logging.getLogger(__name__)


def check_trust(storage: Storage, directory: str) -> None:
    """Check that nobody else can have written a directory; warn if others may write there.

    Args:
        storage: its file system.
        directory: that of a job or savepoint, which exists.

    Raises:
        CheckpointError: it belongs to another user.
        OSError: it cannot be read.
    """
    owner = storage.foreign_owner(directory)
    if owner:
        raise CheckpointError(
            f"{directory} belongs to user {owner}, whose files can run code when they are loaded; run the "
            "job as that user, or, if you trust the content, use a copy that is yours (`cp -r`)"
        )
    if storage.is_open_to_others(directory):
        _LOG.warning(
            "other users may write to %s, and run code in jobs that load state from it: forbid it with "
            "`chmod -R go-w %s`",
            directory,
            directory,
        )
