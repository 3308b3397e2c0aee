"""The file connectors, under their module name in Flink."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.datastream.connectors.file_system.compaction import FileCompactor, FileCompactStrategy
from pystream.datastream.connectors.file_system.policies import (
    BucketAssigner,
    DefaultRollingPolicy,
    OnCheckpointRollingPolicy,
    OutputFileConfig,
    RollingPolicy,
)
from pystream.datastream.connectors.file_system.sink import FileSink, StreamingFileSink
from pystream.datastream.connectors.file_system.source import (
    BulkFormat,
    FileEnumeratorProvider,
    FileSource,
    FileSourceBuilder,
    FileSplitAssignerProvider,
    StreamFormat,
)
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.serialization import BulkWriterFactory as BulkWriterFactory
    from pystream.common.serialization import Encoder as Encoder
    from pystream.common.time import Duration as Duration
    from pystream.datastream.connectors.base import Sink as Sink
    from pystream.datastream.connectors.base import Source as Source
    from pystream.datastream.functions import SinkFunction as SinkFunction
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "BucketAssigner",
    "BulkFormat",
    "DefaultRollingPolicy",
    "FileCompactStrategy",
    "FileCompactor",
    "FileEnumeratorProvider",
    "FileSink",
    "FileSource",
    "FileSourceBuilder",
    "FileSplitAssignerProvider",
    "OnCheckpointRollingPolicy",
    "OutputFileConfig",
    "RollingPolicy",
    "StreamFormat",
    "StreamingFileSink",
]
