"""Sources and sinks under flat names.

Each module is loaded when a name of it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.datastream.connectors.base import DeliveryGuarantee, Sink, Source
    from pystream.datastream.connectors.file_system import (
        BucketAssigner,
        BulkFormat,
        FileEnumeratorProvider,
        FileSink,
        FileSource,
        FileSourceBuilder,
        FileSplitAssignerProvider,
        OutputFileConfig,
        RollingPolicy,
        StreamFormat,
        StreamingFileSink,
    )
    from pystream.datastream.connectors.number_seq import NumberSequenceSource

__all__ = [
    "BucketAssigner",
    "BulkFormat",
    "DeliveryGuarantee",
    "FileEnumeratorProvider",
    "FileSink",
    "FileSource",
    "FileSourceBuilder",
    "FileSplitAssignerProvider",
    "NumberSequenceSource",
    "OutputFileConfig",
    "RollingPolicy",
    "Sink",
    "Source",
    "StreamFormat",
    "StreamingFileSink",
]

if not TYPE_CHECKING:  # else checkers would take every name for one of the package
    __getattr__, __dir__ = lazy_exports(
        __name__,
        {
            "DeliveryGuarantee": "pystream.datastream.connectors.base",
            "Sink": "pystream.datastream.connectors.base",
            "Source": "pystream.datastream.connectors.base",
            "BucketAssigner": "pystream.datastream.connectors.file_system",
            "BulkFormat": "pystream.datastream.connectors.file_system",
            "FileEnumeratorProvider": "pystream.datastream.connectors.file_system",
            "FileSink": "pystream.datastream.connectors.file_system",
            "FileSource": "pystream.datastream.connectors.file_system",
            "FileSourceBuilder": "pystream.datastream.connectors.file_system",
            "FileSplitAssignerProvider": "pystream.datastream.connectors.file_system",
            "OutputFileConfig": "pystream.datastream.connectors.file_system",
            "RollingPolicy": "pystream.datastream.connectors.file_system",
            "StreamFormat": "pystream.datastream.connectors.file_system",
            "StreamingFileSink": "pystream.datastream.connectors.file_system",
            "NumberSequenceSource": "pystream.datastream.connectors.number_seq",
        },
    )
