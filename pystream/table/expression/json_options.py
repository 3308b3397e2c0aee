"""What functions of JSON do with values of some kinds, with nulls and with errors."""

from __future__ import annotations

from enum import Enum

__all__ = [
    "JsonExistsOnError",
    "JsonOnNull",
    "JsonQueryOnEmptyOrError",
    "JsonQueryWrapper",
    "JsonType",
    "JsonValueOnEmptyOrError",
]


class JsonType(Enum):
    """A kind of JSON values. Mirrors ``…table.api.JsonType``."""

    VALUE = "VALUE"
    SCALAR = "SCALAR"
    ARRAY = "ARRAY"
    OBJECT = "OBJECT"


class JsonExistsOnError(Enum):
    """What ``json_exists`` returns for an error. Mirrors ``…table.api.JsonExistsOnError``."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"
    ERROR = "ERROR"


class JsonValueOnEmptyOrError(Enum):
    """What ``json_value`` returns where there is no value. Mirrors ``…table.api.JsonValueOnEmptyOrError``."""

    NULL = "NULL"
    ERROR = "ERROR"
    DEFAULT = "DEFAULT"


class JsonQueryWrapper(Enum):
    """When ``json_query`` makes an array of a value. Mirrors ``…table.api.JsonQueryWrapper``."""

    WITHOUT_ARRAY = "WITHOUT"
    CONDITIONAL_ARRAY = "CONDITIONAL"
    UNCONDITIONAL_ARRAY = "UNCONDITIONAL"


class JsonQueryOnEmptyOrError(Enum):
    """What ``json_query`` returns where there is no value. Mirrors ``…table.api.JsonQueryOnEmptyOrError``."""

    NULL = "NULL"
    EMPTY_ARRAY = "EMPTY ARRAY"
    EMPTY_OBJECT = "EMPTY OBJECT"
    ERROR = "ERROR"


class JsonOnNull(Enum):
    """What objects and arrays of JSON hold for nulls. Mirrors ``…table.api.JsonOnNull``."""

    NULL = "NULL"
    ABSENT = "ABSENT"
