"""The parameters of functions, and the types of arguments that they take."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from pystream.sql_types.data_types import ArrayType, DataType, DataTypes
from pystream.table.functions.common_types import common_argument_type, common_type
from pystream.table.functions.kinds import EXACT, INTEGERS, NUMBERS, Kind, kind_of

__all__ = ["Parameters", "type_names"]

_ANY: Final = tuple(kind for kind in Kind if kind != Kind.NULL)
_VARIABLE: Final = "T"
_ELEMENTS: Final = "ARRAY<T>"
_STRINGS: Final = "ARRAY<STRING>"
_MAPS: Final = "MAPS"
_BRANCH: Final = "BRANCH"
_COMMON: Final = frozenset({_VARIABLE, _BRANCH, _MAPS})
"""The names of types that are the same, or have one in common."""

_KINDS: Final[Mapping[str, Sequence[Kind]]] = {
    "ANY": _ANY,
    "ARRAY": (Kind.ARRAY,),
    _ELEMENTS: (Kind.ARRAY,),
    "BOOLEAN": (Kind.BOOLEAN,),
    "BYTES": (Kind.BYTES,),
    "DATE": (Kind.DATE,),
    "DIGITS": (Kind.INT,),
    "DOUBLE": NUMBERS,
    "EXACT": EXACT,
    "INT": INTEGERS,
    "MAP": (Kind.MAP,),
    _MAPS: (Kind.MAP,),
    "NULL": (Kind.NULL,),
    "NUMBER": NUMBERS,
    "PLACE": tuple(kind for kind in INTEGERS if kind != Kind.BIGINT),
    "STRING": (Kind.TEXT,),
    **dict.fromkeys((_VARIABLE, _BRANCH), _ANY),
    "TIME": (Kind.TIME,),
    "TIMESTAMP": (Kind.TIMESTAMP,),
    "TIMESTAMP_LTZ": (Kind.TIMESTAMP_LTZ,),
    **dict.fromkeys(("PATH", "UNIT", "WORD"), (Kind.TEXT,)),
}
"""The kinds of types that parameters take, by their names in declarations."""

_WORDS: Final = ("UNIT", "WORD")
"""The names of parameters that are words of the syntax, which trees hold as texts."""

_CONSTANTS: Final = (*_WORDS, "PATH")
"""The names of parameters that are literals, which the function of values does not take."""

_TYPES: Final[Mapping[str, str]] = {
    "ARRAY": "ARRAY<STRING>",
    "ANY": "STRING",
    "EXACT": "INT",
    "MAP": "MAP<STRING, STRING>",
    "NUMBER": "INT",
    "PLACE": "INT",
}
"""A type of each of those names that is none itself."""

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
                ``ARRAY<T>``, it is that of their elements. ``BRANCH`` is the same by the rule of CASE.
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

    def is_word(self, position: int) -> bool:
        """Return whether an argument is a word of the syntax."""
        return self.names_at(position)[0] in _WORDS

    def is_constant(self, position: int) -> bool:
        """Return whether an argument is a literal that the function of values does not take."""
        return self.names_at(position)[0] in _CONSTANTS

    def takes_null(self, position: int) -> bool:
        """Return whether an argument may be NULL without a type."""
        return Kind.NULL.name in self.names_at(position)

    def shown(self, types: Sequence[DataType | None]) -> str:
        """Return the types of arguments for readers, without words of the syntax and what belongs to them."""
        return ", ".join(
            "?" if data_type is None else str(data_type.nullable())
            for position, data_type in enumerate(types)
            if not self.is_word(position) and not self._is_of_word(position)
        )

    def _is_of_word(self, position: int) -> bool:
        """Return whether an argument belongs to the word before it, as the default after DEFAULT."""
        return position > 0 and self.is_word(position - 1) and self.takes_null(position)

    def type_for(self, position: int, types: Sequence[DataType | None]) -> str:
        """Return a type that an argument may have beside those of the others."""
        name = self.names_at(position)[0]
        if name not in (*_COMMON, _ELEMENTS):
            return _TYPES.get(name, name)
        common = self.variable([one or DataTypes.NULL() for one in types]) or DataTypes.STRING()
        return str(self.target_at(position, common))

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
        if not any({*_COMMON, _ELEMENTS}.intersection(names) for names in self.names):
            return True
        known = [data_type for data_type in types if data_type is not None]
        return len(known) < len(types) or self.variable(known) is not None

    def variable(self, types: Sequence[DataType]) -> DataType | None:
        """Return the type that ``T`` stands for, ``None`` if there is none."""
        elements, values = [], []
        for position, data_type in enumerate(types):
            if not _COMMON.isdisjoint(self.names_at(position)):
                values.append(data_type)
            elif isinstance(data_type, ArrayType) and _ELEMENTS in self.names_at(position):
                elements.append(data_type.element_type)
        if any(_BRANCH in names for names in self.names):
            return common_type(values)
        common = common_argument_type([*elements, *values])
        if not elements or common is None:
            return common
        element = common_argument_type(elements)
        # Values become elements, of which they get the length or the digits.
        return element if element is not None and kind_of(element) == kind_of(common) else None

    def target_at(self, position: int, variable: DataType) -> DataType | None:
        """Return the type to which an argument is converted, ``None`` if it is taken as it is.

        Args:
            position: its position.
            variable: the type that ``T`` stands for.
        """
        names = self.names_at(position)
        if not _COMMON.isdisjoint(names):
            return variable
        return DataTypes.ARRAY(variable) if _ELEMENTS in names else None


def _is_one_of(data_type: DataType, names: Sequence[str]) -> bool:
    if names == (_STRINGS,):
        return isinstance(data_type, ArrayType) and kind_of(data_type.element_type) == Kind.TEXT
    return any(kind_of(data_type) in _KINDS[name] for name in names)


_SHOWN: Final = {
    "PLACE": "INT",
    "DIGITS": "INT",
    "DOUBLE": "NUMBER",
    "EXACT": "NUMBER",
    _MAPS: "MAP",
    _BRANCH: _VARIABLE,
}
"""The names of types for readers, where they are others than in declarations."""


def type_names(text: str) -> str:
    """Return declared parameters for readers, who need not know where NULL has no type of its own."""
    readable = text.replace("|NULL", "").replace("|", " or ")
    for name, shown in _SHOWN.items():
        readable = readable.replace(name, shown)
    return readable
