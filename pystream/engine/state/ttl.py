"""StateTtlConfig: the time to live of state."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import ClassVar

from pystream.durations import Duration, Time
from pystream.engine.state.errors import TimeToLiveError
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments

__all__ = ["StateTtlConfig"]

_COMPACTED_AFTER = Duration.of_days(30)


class _CleanupStrategy:
    """Base class of the clean-up strategies for expired state."""


class _EmptyCleanupStrategy(_CleanupStrategy):
    """A clean-up strategy without parameters."""


class _IncrementalCleanupStrategy(_CleanupStrategy):
    """Clean up some entries at each access to state."""

    def __init__(self, cleanup_size: int, run_cleanup_for_every_record: bool) -> None:
        self._cleanup_size = cleanup_size
        self._run_cleanup_for_every_record = run_cleanup_for_every_record

    def get_cleanup_size(self) -> int:
        """Return the number of entries checked at each access."""
        return self._cleanup_size

    def run_cleanup_for_every_record(self) -> bool:
        """Return whether entries are also checked for each record, even without access to state."""
        return self._run_cleanup_for_every_record


class _RocksdbCompactFilterCleanupStrategy(_CleanupStrategy):
    """Clean up entries while RocksDB compacts its files."""

    def __init__(
        self, query_time_after_num_entries: int, periodic_compaction_time: Duration = _COMPACTED_AFTER
    ) -> None:
        self._query_time_after_num_entries = query_time_after_num_entries
        self._periodic_compaction_time = periodic_compaction_time

    def get_periodic_compaction_time(self) -> Duration:
        """Return the age at which files are compacted again."""
        return self._periodic_compaction_time

    def get_query_time_after_num_entries(self) -> int:
        """Return the number of entries after which the clock is read again."""
        return self._query_time_after_num_entries


class _Strategies(Enum):
    """The identifiers of clean-up strategies."""

    FULL_STATE_SCAN_SNAPSHOT = 0
    INCREMENTAL_CLEANUP = 1
    ROCKSDB_COMPACTION_FILTER = 2


@checks_arguments(ArgumentTypeError, methods=False)
class _CleanupStrategies:
    """The clean-up strategies that are enabled.

    Independent of these, an expired value is removed when it is read, or else when state is written to a
    snapshot. The strategies are stored, but have no effect.
    """

    Strategies: ClassVar[type[_Strategies]] = _Strategies
    CleanupStrategy: ClassVar[type[_CleanupStrategy]] = _CleanupStrategy
    EmptyCleanupStrategy: ClassVar[type[_EmptyCleanupStrategy]] = _EmptyCleanupStrategy
    IncrementalCleanupStrategy: ClassVar[type[_IncrementalCleanupStrategy]] = _IncrementalCleanupStrategy
    RocksdbCompactFilterCleanupStrategy: ClassVar[type[_RocksdbCompactFilterCleanupStrategy]] = (
        _RocksdbCompactFilterCleanupStrategy
    )
    EMPTY_STRATEGY: ClassVar[_EmptyCleanupStrategy] = _EmptyCleanupStrategy()

    def __init__(
        self, strategies: Mapping[_Strategies, _CleanupStrategy], is_cleanup_in_background: bool
    ) -> None:
        self._strategies = dict(strategies)
        self._is_cleanup_in_background = is_cleanup_in_background

    def is_cleanup_in_background(self) -> bool:
        """Return whether the default clean-up of the state backend is enabled."""
        return self._is_cleanup_in_background

    def in_full_snapshot(self) -> bool:
        """Return whether snapshots omit expired state."""
        return _Strategies.FULL_STATE_SCAN_SNAPSHOT in self._strategies

    def get_incremental_cleanup_strategy(self) -> _IncrementalCleanupStrategy | None:
        """Return the incremental strategy: the one set, or the default if background clean-up is enabled."""
        found = self._strategies.get(_Strategies.INCREMENTAL_CLEANUP)
        if found is None and self._is_cleanup_in_background:
            return _IncrementalCleanupStrategy(5, False)
        return found if isinstance(found, _IncrementalCleanupStrategy) else None

    def get_rocksdb_compact_filter_cleanup_strategy(self) -> _RocksdbCompactFilterCleanupStrategy | None:
        """Return the compaction strategy: the one set, or the default if background clean-up is enabled."""
        found = self._strategies.get(_Strategies.ROCKSDB_COMPACTION_FILTER)
        if found is None and self._is_cleanup_in_background:
            return _RocksdbCompactFilterCleanupStrategy(1000)
        return found if isinstance(found, _RocksdbCompactFilterCleanupStrategy) else None


class _UpdateType(Enum):
    """The kinds of access that renew the time to live of a value."""

    Disabled = 0
    OnCreateAndWrite = 1
    OnReadAndWrite = 2


class _StateVisibility(Enum):
    """The visibility of values that have expired but are not yet removed."""

    ReturnExpiredIfNotCleanedUp = 0
    NeverReturnExpired = 1


class _TtlTimeCharacteristic(Enum):
    """The clock of the time to live."""

    ProcessingTime = 0


@checks_arguments(ArgumentTypeError, methods=False)
class StateTtlConfig:
    """The configuration of the time to live of state.

    Values expire individually, in list and map state each entry. Mirrors
    ``org.apache.flink.api.common.state.StateTtlConfig``.

    Raises:
        TimeToLiveError: the time to live is not positive.
    """

    UpdateType: ClassVar[type[_UpdateType]] = _UpdateType
    StateVisibility: ClassVar[type[_StateVisibility]] = _StateVisibility
    TtlTimeCharacteristic: ClassVar[type[_TtlTimeCharacteristic]] = _TtlTimeCharacteristic
    CleanupStrategies: ClassVar[type[_CleanupStrategies]] = _CleanupStrategies

    def __init__(
        self,
        update_type: _UpdateType,
        state_visibility: _StateVisibility,
        ttl_time_characteristic: _TtlTimeCharacteristic,
        ttl: Time,
        cleanup_strategies: _CleanupStrategies,
    ) -> None:
        if ttl.to_milliseconds() <= 0:
            raise TimeToLiveError(f"a time to live must be positive, not {ttl.to_milliseconds()} ms")
        self._update_type = update_type
        self._state_visibility = state_visibility
        self._ttl_time_characteristic = ttl_time_characteristic
        self._ttl = ttl
        self._cleanup_strategies = cleanup_strategies

    @staticmethod
    def new_builder(ttl: Time) -> StateTtlConfig.Builder:
        """Return a builder with a time to live."""
        return StateTtlConfig.Builder(ttl)

    def get_update_type(self) -> _UpdateType:
        """Return the kind of access that renews the time to live."""
        return self._update_type

    def get_state_visibility(self) -> _StateVisibility:
        """Return whether expired values are visible."""
        return self._state_visibility

    def get_ttl(self) -> Time:
        """Return the time to live."""
        return self._ttl

    def get_ttl_time_characteristic(self) -> _TtlTimeCharacteristic:
        """Return the clock, which is processing time."""
        return self._ttl_time_characteristic

    def is_enabled(self) -> bool:
        """Return whether values expire."""
        return self._update_type is not _UpdateType.Disabled

    def get_cleanup_strategies(self) -> _CleanupStrategies:
        """Return the enabled clean-up strategies."""
        return self._cleanup_strategies

    @checks_arguments(ArgumentTypeError, methods=False)
    class Builder:
        """Build a configuration; by default, writing renews values, and expired values are never visible.

        Mirrors ``org.apache.flink.api.common.state.StateTtlConfig.Builder``.
        """

        def __init__(self, ttl: Time) -> None:
            self._ttl = ttl
            self._update_type = _UpdateType.OnCreateAndWrite
            self._state_visibility = _StateVisibility.NeverReturnExpired
            self._ttl_time_characteristic = _TtlTimeCharacteristic.ProcessingTime
            self._is_cleanup_in_background = True
            self._strategies: dict[_Strategies, _CleanupStrategy] = {}

        def set_update_type(self, update_type: _UpdateType) -> StateTtlConfig.Builder:
            """Choose the kind of access that renews a value's time to live."""
            self._update_type = update_type
            return self

        def update_ttl_on_create_and_write(self) -> StateTtlConfig.Builder:
            """Renew values when they are written."""
            return self.set_update_type(_UpdateType.OnCreateAndWrite)

        def update_ttl_on_read_and_write(self) -> StateTtlConfig.Builder:
            """Renew values when they are read or written."""
            return self.set_update_type(_UpdateType.OnReadAndWrite)

        def set_state_visibility(self, state_visibility: _StateVisibility) -> StateTtlConfig.Builder:
            """Choose whether expired values are visible."""
            self._state_visibility = state_visibility
            return self

        def return_expired_if_not_cleaned_up(self) -> StateTtlConfig.Builder:
            """Return an expired value once more if it is not yet removed."""
            return self.set_state_visibility(_StateVisibility.ReturnExpiredIfNotCleanedUp)

        def never_return_expired(self) -> StateTtlConfig.Builder:
            """Never return expired values."""
            return self.set_state_visibility(_StateVisibility.NeverReturnExpired)

        def set_ttl_time_characteristic(
            self, ttl_time_characteristic: _TtlTimeCharacteristic
        ) -> StateTtlConfig.Builder:
            """Set the time characteristic."""
            self._ttl_time_characteristic = ttl_time_characteristic
            return self

        def use_processing_time(self) -> StateTtlConfig.Builder:
            """Use processing time, which is the only choice."""
            return self.set_ttl_time_characteristic(_TtlTimeCharacteristic.ProcessingTime)

        def cleanup_full_snapshot(self) -> StateTtlConfig.Builder:
            """Omit expired state from snapshots, which is always done."""
            return self._with(_Strategies.FULL_STATE_SCAN_SNAPSHOT, _CleanupStrategies.EMPTY_STRATEGY)

        def cleanup_incrementally(
            self, cleanup_size: int, run_cleanup_for_every_record: bool
        ) -> StateTtlConfig.Builder:
            """Clean up some entries at each access; has no effect."""
            return self._with(
                _Strategies.INCREMENTAL_CLEANUP,
                _IncrementalCleanupStrategy(cleanup_size, run_cleanup_for_every_record),
            )

        def cleanup_in_rocksdb_compact_filter(
            self, query_time_after_num_entries: int, periodic_compaction_time: Duration = _COMPACTED_AFTER
        ) -> StateTtlConfig.Builder:
            """Clean up entries while RocksDB compacts its files; has no effect.

            Args:
                query_time_after_num_entries: number of entries after which the clock is read again.
                periodic_compaction_time: the age at which files are compacted again, 30 days by default.
            """
            return self._with(
                _Strategies.ROCKSDB_COMPACTION_FILTER,
                _RocksdbCompactFilterCleanupStrategy(query_time_after_num_entries, periodic_compaction_time),
            )

        def disable_cleanup_in_background(self) -> StateTtlConfig.Builder:
            """Disable the default clean-up in the background; has no effect."""
            self._is_cleanup_in_background = False
            return self

        def set_ttl(self, ttl: Time) -> StateTtlConfig.Builder:
            """Set the time to live."""
            self._ttl = ttl
            return self

        def build(self) -> StateTtlConfig:
            """Return the configuration.

            Raises:
                TimeToLiveError: the time to live is not positive.
            """
            return StateTtlConfig(
                self._update_type,
                self._state_visibility,
                self._ttl_time_characteristic,
                self._ttl,
                _CleanupStrategies(MappingProxyType(self._strategies), self._is_cleanup_in_background),
            )

        def _with(self, place: _Strategies, strategy: _CleanupStrategy) -> StateTtlConfig.Builder:
            self._strategies[place] = strategy
            return self
