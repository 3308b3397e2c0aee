"""The parameters of functions, and the types of arguments that they take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from pystream.sql_types.data_types import ArrayType, DataType
from pystream.table.functions.common_types import common_type
from pystream.table.functions.kinds import EXACT, INTEGERS, NUMBERS, Kind, kind_of

__all__ = ["Parameters", "type_names"]

_ANY: Final = tuple(kind for kind in Kind if kind != Kind.NULL)
_VARIABLE: Final = "T"
_ELEMENTS: Final = "ARRAY<T>"
_STRINGS: Final = "ARRAY<STRING>"
_KINDS: Final[Mapping[str, Sequence[Kind]]] = {
    "ANY": _ANY,
    "ARRAY": (Kind.ARRAY,),
    _ELEMENTS: (Kind.ARRAY,),
    "BOOLEAN": (Kind.BOOLEAN,),
    "BYTES": (Kind.BYTES,),
    "DATE": (Kind.DATE,),
    "DOUBLE": NUMBERS,
    "EXACT": EXACT,
    "INT": INTEGERS,
    "MAP": (Kind.MAP,),
    "NULL": (Kind.NULL,),
    "NUMBER": NUMBERS,
    "PLACE": tuple(kind for kind in INTEGERS if kind != Kind.BIGINT),
    "STRING": (Kind.TEXT,),
    _VARIABLE: _ANY,
    "TIME": (Kind.TIME,),
    "TIMESTAMP": (Kind.TIMESTAMP,),
    "TIMESTAMP_LTZ": (Kind.TIMESTAMP_LTZ,),
}
"""The kinds of types that parameters take, by their names in declarations."""

_REPEATED: Final = "..."
_WORD: Final = re.compile(r"[\w|<>]+")


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of a function.

    Attributes:
        names: the names of the types that each of them takes.
        counts: how many arguments there may be.
        is_repeated: whether there may be more than that.
    """

    names: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    is_repeated: bool

    @classmethod
    def of(cls, text: str) -> Parameters:
        """Read parameters as they are declared.

        Args:
            text: such as ``STRING|NULL, INT [, INT]``: a vertical line is between types, brackets are around
                arguments that may be left out together, and three dots after one that may be repeated. All
                that are ``T`` have a type in common, to which they are converted; if there are arrays
                ``ARRAY<T>``, it is that of their elements.
        """
        parts = [_WORD.findall(part) for part in text.split("[")]
        names = tuple(tuple(word.split("|")) for part in parts for word in part)
        return cls(names, tuple(accumulate(map(len, parts))), _REPEATED in text)

    def takes_number(self, count: int) -> bool:
        """Return whether there may be a number of arguments."""
        return count in self.counts or (self.is_repeated and count > self.counts[-1])

    def names_at(self, position: int) -> tuple[str, ...]:
        """Return the names of the types that an argument may have."""
        return self.names[min(position, len(self.names) - 1)]

    def take(self, types: Sequence[DataType | None]) -> bool:
        """Return whether there may be arguments of some types, ``None`` for those that are not known."""
        return (
            self.takes_number(len(types))
            and all(
                data_type is None or _is_one_of(data_type, self.names_at(position))
                for position, data_type in enumerate(types)
            )
            and self._agree(types)
        )

    def _agree(self, types: Sequence[DataType | None]) -> bool:
        """Return whether those that are ``T`` have a type in common."""
        if not any(_VARIABLE in names or _ELEMENTS in names for names in self.names):
            return True
        known = [data_type for data_type in types if data_type is not None]
        return len(known) < len(types) or self.variable(known) is not None

    def variable(self, types: Sequence[DataType]) -> DataType | None:
        """Return the type that ``T`` stands for, ``None`` if there is none."""
        elements, values = [], []
        for position, data_type in enumerate(types):
            if _VARIABLE in self.names_at(position):
                values.append(data_type)
            elif isinstance(data_type, ArrayType) and _ELEMENTS in self.names_at(position):
                elements.append(data_type.element_type)
        common = common_type([*elements, *values])
        if not elements or common is None:
            return common
        element = common_type(elements)
        # Values become elements, of which they get the length or the digits.
        return element if element is not None and kind_of(element) == kind_of(common) else None


def _is_one_of(data_type: DataType, names: Sequence[str]) -> bool:
    if names == (_STRINGS,):
        return isinstance(data_type, ArrayType) and kind_of(data_type.element_type) == Kind.TEXT
    return any(kind_of(data_type) in _KINDS[name] for name in names)


def type_names(text: str) -> str:
    """Return declared parameters for readers, who need not know where NULL has no type of its own."""
    readable = text.replace("|NULL", "").replace("|", " or ").replace("PLACE", "INT")
    return readable.replace("DOUBLE", "NUMBER").replace("EXACT", "NUMBER")
