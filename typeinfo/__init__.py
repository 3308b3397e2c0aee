"""typeinfo: types of stream elements, with their serializers and their mappings to Arrow and Spark."""

from __future__ import annotations

from typeinfo.errors import PyStreamError, TypeCheckError, TypeInferenceError, UnsupportedTypeError
from typeinfo.infer import register_custom_type
from typeinfo.info import TypeInformation
from typeinfo.instant import Instant
from typeinfo.row import Row, RowKind
from typeinfo.types import Types

__all__ = [
    "Instant",
    "PyStreamError",
    "Row",
    "RowKind",
    "TypeCheckError",
    "TypeInferenceError",
    "TypeInformation",
    "Types",
    "UnsupportedTypeError",
    "register_custom_type",
]
