"""CheckpointConfig: the checkpoint settings of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Self

from pystream.datastream.checkpoint_storage import CheckpointStorage, FileSystemCheckpointStorage
from pystream.durations import Duration
from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.lazy import re_exports
from pystream.settings import options
from pystream.settings.config_view import ConfigView
from pystream.settings.modes import CheckpointingMode, ExternalizedCheckpointCleanup
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.datastream.externalized_checkpoint_retention import (
        ExternalizedCheckpointRetention as ExternalizedCheckpointRetention,
    )
else:
    __getattr__ = re_exports(__name__)


__all__ = ["CheckpointConfig"]

_ANY_NUMBER_OF_FAILURES = 2**31 - 1
_OFF = -1


@checks_arguments(ArgumentTypeError)
class CheckpointConfig(ConfigView):
    """View of the checkpoint settings of a job, which are kept in its configuration.

    An unbounded job stores its state at the end of each epoch. Interval, minimum pause, storage directory and
    retention act on it, the others can be read back; docs/checkpointing.md says what each does. On bounded
    jobs they have no effect, except that loops refuse checkpoints: a bounded job takes none, and restarts
    from the start of its input. Mirrors
    ``org.apache.flink.streaming.api.environment.CheckpointConfig``.
    """

    DEFAULT_MODE: ClassVar[CheckpointingMode] = CheckpointingMode.EXACTLY_ONCE
    DEFAULT_TIMEOUT: ClassVar[int] = 600_000
    DEFAULT_MIN_PAUSE_BETWEEN_CHECKPOINTS: ClassVar[int] = 0
    DEFAULT_MAX_CONCURRENT_CHECKPOINTS: ClassVar[int] = 1

    def is_checkpointing_enabled(self) -> bool:
        """Return whether a checkpoint interval is set."""
        return self._get(options.CHECKPOINT_INTERVAL) is not None

    def set_checkpoint_interval(self, checkpoint_interval: int) -> Self:
        """Set the interval between checkpoints in ms, at least 10; unbounded jobs publish as often."""
        return self._set(options.CHECKPOINT_INTERVAL, Duration.of_millis(checkpoint_interval))

    def get_checkpoint_interval(self) -> int:
        """Return the interval between checkpoints in ms, -1 if it is not set."""
        interval = self._get(options.CHECKPOINT_INTERVAL)
        return _OFF if interval is None else interval.to_millis()

    def set_checkpointing_mode(self, checkpointing_mode: CheckpointingMode) -> Self:
        """Set the consistency guarantee of recovered state, which is always exactly once; has no effect."""
        return self._set(options.CHECKPOINTING_MODE, checkpointing_mode)

    def get_checkpointing_mode(self) -> CheckpointingMode:
        """Return the consistency guarantee of recovered state, which has no effect."""
        return self._get(options.CHECKPOINTING_MODE)

    def set_checkpoint_timeout(self, checkpoint_timeout: int) -> Self:
        """Set the time after which a checkpoint is aborted, in ms, at least 10; has no effect."""
        return self._set_millis(options.CHECKPOINT_TIMEOUT, checkpoint_timeout)

    def get_checkpoint_timeout(self) -> int:
        """Return the time after which a checkpoint is aborted, in ms."""
        return self._get_millis(options.CHECKPOINT_TIMEOUT)

    def set_min_pause_between_checkpoints(self, min_pause_between_checkpoints: int) -> Self:
        """Set the minimum time from the end of a checkpoint to the next one, in ms, at least 0."""
        return self._set_millis(options.MIN_PAUSE_BETWEEN_CHECKPOINTS, min_pause_between_checkpoints)

    def get_min_pause_between_checkpoints(self) -> int:
        """Return the minimum time from the end of a checkpoint to the next one, in ms."""
        return self._get_millis(options.MIN_PAUSE_BETWEEN_CHECKPOINTS)

    def set_max_concurrent_checkpoints(self, max_concurrent_checkpoints: int) -> Self:
        """Set the maximum number of concurrent checkpoints, at least 1; has no effect."""
        return self._set(options.MAX_CONCURRENT_CHECKPOINTS, max_concurrent_checkpoints)

    def get_max_concurrent_checkpoints(self) -> int:
        """Return the maximum number of concurrent checkpoints."""
        return self._get(options.MAX_CONCURRENT_CHECKPOINTS)

    def set_tolerable_checkpoint_failure_number(self, tolerable_checkpoint_failure_number: int) -> Self:
        """Set the number of consecutive failed checkpoints to tolerate, at least 0; has no effect."""
        return self._set(options.TOLERABLE_CHECKPOINT_FAILURES, tolerable_checkpoint_failure_number)

    def get_tolerable_checkpoint_failure_number(self) -> int:
        """Return the number of consecutive failed checkpoints that are tolerated."""
        return self._get(options.TOLERABLE_CHECKPOINT_FAILURES)

    def set_fail_on_checkpointing_errors(self, fail_on_checkpointing_errors: bool) -> Self:
        """Set whether a failed checkpoint fails the job, which it always does; has no effect."""
        tolerated = 0 if fail_on_checkpointing_errors else _ANY_NUMBER_OF_FAILURES
        return self.set_tolerable_checkpoint_failure_number(tolerated)

    def is_fail_on_checkpointing_errors(self) -> bool:
        """Return whether a failed checkpoint fails the job."""
        return self.get_tolerable_checkpoint_failure_number() == 0

    def set_externalized_checkpoint_cleanup(self, cleanup_mode: ExternalizedCheckpointCleanup) -> Self:
        """Set the retention of the checkpoints of a cancelled job."""
        return self._set(options.EXTERNALIZED_CHECKPOINT_RETENTION, cleanup_mode)

    def get_externalized_checkpoint_cleanup(self) -> ExternalizedCheckpointCleanup | None:
        """Return the retention of the checkpoints of a cancelled job, ``None`` if it is not set."""
        return self._get(options.EXTERNALIZED_CHECKPOINT_RETENTION)

    def enable_externalized_checkpoints(self, cleanup_mode: ExternalizedCheckpointCleanup) -> Self:
        """Set the retention of checkpoints; the old name of `set_externalized_checkpoint_cleanup`."""
        return self.set_externalized_checkpoint_cleanup(cleanup_mode)

    def set_externalized_checkpoint_retention(self, retention_mode: ExternalizedCheckpointCleanup) -> Self:
        """Set the retention of checkpoints; the name of `set_externalized_checkpoint_cleanup` in Flink 2."""
        return self.set_externalized_checkpoint_cleanup(retention_mode)

    def get_externalized_checkpoint_retention(self) -> ExternalizedCheckpointCleanup:
        """Return the retention of checkpoints, NO_EXTERNALIZED_CHECKPOINTS if it is not set."""
        return (
            self.get_externalized_checkpoint_cleanup()
            or ExternalizedCheckpointCleanup.NO_EXTERNALIZED_CHECKPOINTS
        )

    def is_externalized_checkpoints_enabled(self) -> bool:
        """Return whether checkpoints can outlive their job."""
        none = ExternalizedCheckpointCleanup.NO_EXTERNALIZED_CHECKPOINTS
        return self.get_externalized_checkpoint_retention() is not none

    def enable_unaligned_checkpoints(self, enabled: bool = True) -> Self:
        """Set whether checkpoint barriers may overtake elements; needs EXACTLY_ONCE, has no effect."""
        return self._set(options.UNALIGNED_CHECKPOINTS, enabled)

    def disable_unaligned_checkpoints(self) -> Self:
        """Forbid checkpoint barriers to overtake elements; has no effect."""
        return self.enable_unaligned_checkpoints(False)

    def is_unaligned_checkpoints_enabled(self) -> bool:
        """Return whether checkpoint barriers may overtake elements; never with AT_LEAST_ONCE."""
        exactly_once = self.get_checkpointing_mode() is CheckpointingMode.EXACTLY_ONCE
        return exactly_once and self._get(options.UNALIGNED_CHECKPOINTS)

    def set_force_unaligned_checkpoints(self, force_unaligned_checkpoints: bool = True) -> Self:
        """Set whether barriers may overtake elements in iterations, too; has no effect."""
        return self._set(options.FORCE_UNALIGNED_CHECKPOINTS, force_unaligned_checkpoints)

    def is_force_unaligned_checkpoints(self) -> bool:
        """Return whether barriers may overtake elements in iterations and after custom partitioners, too."""
        return self._get(options.FORCE_UNALIGNED_CHECKPOINTS)

    def set_aligned_checkpoint_timeout(self, alignment_timeout: Duration) -> Self:
        """Set how long a barrier waits before it overtakes elements, at least 0; has no effect."""
        return self._set(options.ALIGNED_CHECKPOINT_TIMEOUT, alignment_timeout)

    def get_aligned_checkpoint_timeout(self) -> Duration:
        """Return how long a barrier waits before it overtakes elements."""
        return self._get(options.ALIGNED_CHECKPOINT_TIMEOUT)

    def set_alignment_timeout(self, alignment_timeout: Duration) -> Self:
        """Set the timeout of aligned checkpoints; the old name of `set_aligned_checkpoint_timeout`."""
        return self.set_aligned_checkpoint_timeout(alignment_timeout)

    def get_alignment_timeout(self) -> Duration:
        """Return the timeout of aligned checkpoints; the old name of `get_aligned_checkpoint_timeout`."""
        return self.get_aligned_checkpoint_timeout()

    def set_checkpoint_storage(self, storage: CheckpointStorage | str) -> Self:
        """Set the storage of checkpoints; text is the URI of their directory."""
        if isinstance(storage, str):
            return self.set_checkpoint_storage_dir(storage)
        if not isinstance(storage, CheckpointStorage):
            raise ConfigurationError(
                f"{options.CHECKPOINT_STORAGE.key}: {storage!r} is not allowed; it takes a CheckpointStorage"
            )
        storage.write_to(self._configuration)
        return self

    def set_checkpoint_storage_dir(self, checkpoint_path: str) -> Self:
        """Store checkpoints as files in a directory, given as a URI."""
        return self.set_checkpoint_storage(FileSystemCheckpointStorage(checkpoint_path))

    def get_checkpoint_storage(self) -> CheckpointStorage | None:
        """Return the storage of checkpoints, ``None`` if it is not set."""
        return CheckpointStorage.from_configuration(self._configuration)
