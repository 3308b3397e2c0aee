"""Errors of state that is missing, damaged or older than what is known of it."""

from __future__ import annotations

from pystream.errors import CheckpointError

__all__ = ["REMEDY", "StateLostError"]

REMEDY = "restore the job's directory as a whole, or start the job from a savepoint"
"""The advice after a loss, which leaves what is left as it is."""


class StateLostError(CheckpointError):
    """State of a job is missing, damaged, or older than what is known of it.

    The job is not restarted: without its state it would begin again, and write its output twice.
    """
