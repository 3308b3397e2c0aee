"""Constants of the DataSet API: orders, and the types of CSV fields."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from pystream.engine.connectors.write_mode import WriteMode
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = [
    "BOOL",
    "BYTE",
    "Constants",
    "DOUBLE",
    "FLOAT",
    "INT",
    "LONG",
    "Order",
    "SHORT",
    "STRING",
]

BOOL: TypeInformation[bool] = Types.BOOLEAN()
BYTE: TypeInformation[int] = Types.BYTE()
SHORT: TypeInformation[int] = Types.SHORT()
INT: TypeInformation[int] = Types.INT()
LONG: TypeInformation[int] = Types.LONG()
FLOAT: TypeInformation[float] = Types.FLOAT()
DOUBLE: TypeInformation[float] = Types.DOUBLE()
STRING: TypeInformation[str] = Types.STRING()


class Order(IntEnum):
    """The order of the elements of a group.

    Mirrors ``org.apache.flink.api.common.operators.Order``.
    """

    NONE = 0
    ASCENDING = 1
    DESCENDING = 2
    ANY = 3


class Constants:
    """The constants as attributes, as in ``Constants.NO_OVERWRITE``."""

    NO_OVERWRITE: WriteMode = WriteMode.NO_OVERWRITE
    OVERWRITE: WriteMode = WriteMode.OVERWRITE
    BOOL: TypeInformation[Any] = BOOL
    BYTE: TypeInformation[Any] = BYTE
    SHORT: TypeInformation[Any] = SHORT
    INT: TypeInformation[Any] = INT
    LONG: TypeInformation[Any] = LONG
    FLOAT: TypeInformation[Any] = FLOAT
    DOUBLE: TypeInformation[Any] = DOUBLE
    STRING: TypeInformation[Any] = STRING
