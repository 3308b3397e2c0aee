"""Sources and sinks under flat names, each module loaded when a name of it is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

_MODULES = {
    "base": ("DeliveryGuarantee", "Sink", "Source"),
    "number_seq": ("NumberSequenceSource",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{__name__}.{_HOMES.get(name, 'file_system')}")
    return getattr(module, name)


def __dir__() -> list[str]:
    return __all__
