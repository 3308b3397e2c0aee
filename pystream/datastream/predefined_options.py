"""RocksDB tuning profiles."""

from __future__ import annotations

from enum import Enum

__all__ = ["PredefinedOptions"]


class PredefinedOptions(Enum):
    """Name a RocksDB tuning profile.

    It has no effect on Spark, whose own settings (``spark.sql.streaming.stateStore.rocksdb.*``) tune its
    state store. Mirrors ``org.apache.flink.state.rocksdb.PredefinedOptions``.
    """

    DEFAULT = 0
    SPINNING_DISK_OPTIMIZED = 1
    SPINNING_DISK_OPTIMIZED_HIGH_MEM = 2
    FLASH_SSD_OPTIMIZED = 3
