"""SlowStarts: further runs of an unbounded job for which a Python worker did not start in time."""

from __future__ import annotations

import logging

from pystream.hosts.spark.errors import is_slow_start

__all__ = ["SlowStarts"]

_LOG = logging.getLogger(__name__)
_MOST = 5


class SlowStarts:
    """The runs of an unbounded job that failed because a Python worker did not start in time.

    Spark waits 10 or 60 seconds, which no setting changes. Further runs lose and double nothing.

    Args:
        name: the name of the job.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._epoch = -1
        self._count = 0

    def allow(self, error: BaseException, epoch: int) -> bool:
        """Return whether the job may run again after an error: one of a few slow starts in a row.

        Args:
            error: the error.
            epoch: number of the last epoch that is committed.
        """
        if epoch > self._epoch:
            self._epoch, self._count = epoch, 0
        if self._count == _MOST or not is_slow_start(error):
            return False
        self._count += 1
        _LOG.warning(
            "job %r continues from its last epoch: a Python worker did not start in the time that Spark "
            "gives it, as happens on a busy machine (%d of at most %d times)",
            self._name,
            self._count,
            _MOST,
        )
        return True
