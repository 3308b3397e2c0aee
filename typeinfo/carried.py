"""Types beyond Flink that are carried as another type: sets, tuples of any length, unions, classes as text.

`CarriedTypeInfo` is the interface of such types for Arrow, Spark, serializers, keys and formats.
"""

from __future__ import annotations

import fractions
import ipaddress
import numbers
import pathlib
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

from typeinfo.basic import STRING
from typeinfo.collection import ListTypeInfo
from typeinfo.composite import RowTypeInfo
from typeinfo.errors import TypeCheckError, UnsupportedTypeError
from typeinfo.info import Slot, TypeInformation, require_type
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row, make_row

__all__ = [
    "CarriedTypeInfo",
    "Member",
    "TEXT_KINDS",
    "SetTypeInfo",
    "TextTypeInfo",
    "UnionTypeInfo",
    "VariadicTupleTypeInfo",
    "text_type_of",
]

T = TypeVar("T")


class CarriedTypeInfo(TypeInformation[T, T]):
    """A type whose values are converted to another type, its carrier, in columns, keys and messages."""

    __slots__ = ()

    @property
    @abstractmethod
    def carrier(self) -> TypeInformation[Any]:
        """The type that carries the values, which does not admit ``None``."""

    @abstractmethod
    def takes(self, cls: type[Any]) -> bool:
        """Return whether values of a class may have this type; their parts are validated by the carrier."""

    @abstractmethod
    def unwrap(self, value: Any) -> Any:
        """Convert a value to its carrier's type; parts are unchanged."""

    @abstractmethod
    def wrap(self, carried: Any) -> Any:
        """Convert a value of the carrier to a value of this type.

        Raises:
            ValueError: there is no such value.
        """

    def place(self, path: str) -> str:
        """Return the path inside a value that corresponds to a path in its carrier."""
        return path

    def key_fault(self) -> str | None:
        """Return the reason why equal values may be carried differently, so that none can be a key."""
        return None


@dataclass(frozen=True, slots=True, repr=False)
class SetTypeInfo(CarriedTypeInfo[T]):
    """A set or frozenset of values of one type; elements are not null unless their type admits it.

    Carried as a list in the order of the elements' key bytes, so that equal sets are carried equally; pickled
    elements, which have no key bytes, are in no particular order.

    Raises:
        UnsupportedTypeError: the elements cannot be hashed.
    """

    element_type: TypeInformation[Any]
    frozen: bool = False

    def __post_init__(self) -> None:
        element = require_type(self.element_type, "the element type of a set")
        if not element.is_hashable():
            raise UnsupportedTypeError(
                f"elements of a set must be hashable, which values of {element} are not; tuples of scalars"
                " can be"
            )

    @property
    def carrier(self) -> TypeInformation[Any]:
        return ListTypeInfo(self.element_type)

    @property
    def value_class(self) -> type[Any]:
        return frozenset if self.frozen else set

    def takes(self, cls: type[Any]) -> bool:
        return issubclass(cls, self.value_class)

    def unwrap(self, value: Any) -> list[Any]:
        return list(value)

    def wrap(self, carried: Any) -> Any:
        made = self.value_class(carried)
        if len(made) != len(carried):
            raise ValueError("two of its elements are equal in the declared type")
        return made

    def place(self, path: str) -> str:
        return "{}" + path.partition("]")[2]

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("{}", self.element_type, nullable=False),)

    def is_hashable(self) -> bool:
        return self.frozen

    def is_mutable(self) -> bool:
        return not self.frozen or self.element_type.is_mutable()

    def __repr__(self) -> str:
        return f"{'FrozenSet' if self.frozen else 'Set'}TypeInfo<{self.element_type}>"


@dataclass(frozen=True, slots=True, repr=False)
class VariadicTupleTypeInfo(CarriedTypeInfo[T]):
    """A tuple of any number of values of one type; elements are not null unless their type admits it.

    A list is accepted as well and becomes a tuple, as for a TUPLE.
    """

    element_type: TypeInformation[Any]

    def __post_init__(self) -> None:
        require_type(self.element_type, "the element type of a tuple")

    @property
    def carrier(self) -> TypeInformation[Any]:
        return ListTypeInfo(self.element_type)

    @property
    def value_class(self) -> type[Any]:
        return tuple

    def takes(self, cls: type[Any]) -> bool:
        return issubclass(cls, (tuple, list))

    def unwrap(self, value: Any) -> list[Any]:
        return list(value)

    def wrap(self, carried: Any) -> Any:
        return tuple(carried)

    def slots(self) -> tuple[Slot, ...]:
        return (Slot("[]", self.element_type, nullable=False),)

    def __repr__(self) -> str:
        return f"TupleTypeInfo<{self.element_type}, ...>"


class TextKind(NamedTuple):
    """A class whose values can be written as text and constructed from it.

    Attributes:
        cls: the class.
        samples: texts of some values.
        write: writes the text, the same in every version of Python.
        read: reads it, if not the class itself.
        exact: whether instances of subclasses are refused, as they hold more; otherwise they are converted.
        key_fault: the reason why equal values may have different texts, if they may.
    """

    cls: type[Any]
    samples: tuple[str, ...]
    key_fault: str | None = None
    exact: bool = False
    write: Callable[[Any], str] = str
    read: Callable[[str], Any] | None = None


def _ipv6(value: Any) -> str:
    """Format an IPv6 address, with mapped addresses as in Python 3.13 and later."""
    address = value.network_address if isinstance(value, ipaddress.IPv6Network) else value
    if address.ipv4_mapped is None:
        return str(value)
    return re.sub("^[0-9a-f:.]+", f"::ffff:{address.ipv4_mapped}", str(value))


def _fraction(text: str) -> fractions.Fraction:
    if "e" in text.lower():  # 1e999999999 would exhaust memory
        raise ValueError("it is not a fraction such as 1/3 or 0.25")
    try:
        return fractions.Fraction(text)
    except ZeroDivisionError:
        raise ValueError("its denominator is 0") from None


_PATHS = (".", "a/b.txt", "/", "/var/../x y", "é/日本", "a//b")
_CASE = "its paths are equal without regard to case; use str(path).lower()"
TEXT_KINDS: tuple[TextKind, ...] = (
    TextKind(ipaddress.IPv4Address, ("0.0.0.0", "127.0.0.1", "255.255.255.255"), exact=True),
    TextKind(
        ipaddress.IPv6Address,
        ("::", "::1", "2001:db8::ff00:42:8329", "fe80::1%eth0", "::ffff:1.2.3.4"),
        exact=True,
        write=_ipv6,
    ),
    TextKind(ipaddress.IPv4Network, ("0.0.0.0/0", "10.0.0.0/8", "192.168.1.7/32"), exact=True),
    TextKind(ipaddress.IPv6Network, ("::/0", "2001:db8::/32", "::1/128"), exact=True, write=_ipv6),
    TextKind(ipaddress.IPv4Interface, ("0.0.0.0/0", "10.1.2.3/8", "192.168.1.7/32"), exact=True),
    TextKind(ipaddress.IPv6Interface, ("::/0", "2001:db8::1/32", "::1/128"), exact=True, write=_ipv6),
    TextKind(pathlib.Path, _PATHS),
    TextKind(pathlib.PurePath, _PATHS),
    TextKind(pathlib.PurePosixPath, _PATHS),
    TextKind(pathlib.PureWindowsPath, (".", "C:\\Temp\\a.txt", "\\\\host\\share\\a", "A", "b/c"), _CASE),
    TextKind(
        fractions.Fraction,
        ("0", "1/3", "-22/7", "100000000000000000000000000000000000001/2"),
        read=_fraction,
    ),
)
"""All classes of this kind."""
_TEXT_KINDS = {kind.cls: kind for kind in TEXT_KINDS}


@cache
def _instance_class(kind: TextKind) -> type[Any]:
    """Return the class of the values of a kind, which is a subclass for ``Path``."""
    return type(kind.cls(kind.samples[0]))


@dataclass(frozen=True, slots=True, repr=False)
class TextTypeInfo(CarriedTypeInfo[T]):
    """Values of a class carried as text: ``str`` writes it, the constructor reads it."""

    text_class: type[Any]

    def __post_init__(self) -> None:
        if self.text_class not in _TEXT_KINDS:
            known = ", ".join(cls.__name__ for cls in _TEXT_KINDS)
            raise UnsupportedTypeError(
                f"{self.text_class!r} cannot be carried as text; classes that can: {known}"
            )

    @property
    def carrier(self) -> TypeInformation[Any]:
        return STRING

    @property
    def value_class(self) -> type[Any]:
        return _instance_class(_TEXT_KINDS[self.text_class])

    def takes(self, cls: type[Any]) -> bool:
        if _TEXT_KINDS[self.text_class].exact:
            return cls is self.value_class
        return issubclass(cls, self.value_class)

    def unwrap(self, value: Any) -> str:
        try:
            return _TEXT_KINDS[self.text_class].write(value)
        except ValueError as error:  # Python refuses to format integers of thousands of digits
            raise TypeCheckError(f"a {self} cannot be carried as text: {error}") from None

    def wrap(self, carried: Any) -> Any:
        return (_TEXT_KINDS[self.text_class].read or self.text_class)(carried)

    def key_fault(self) -> str | None:
        return _TEXT_KINDS[self.text_class].key_fault

    def samples(self) -> list[Any]:
        """Return sample values."""
        return [self.text_class(text) for text in _TEXT_KINDS[self.text_class].samples]

    def __repr__(self) -> str:
        return self.text_class.__name__


def text_type_of(cls: Any) -> TextTypeInfo[Any] | None:
    """Return the type of a class that is carried as text, ``None`` for any other class."""
    return TextTypeInfo(cls) if isinstance(cls, type) and cls in _TEXT_KINDS else None


class Member(NamedTuple):
    """A member of a union.

    Attributes:
        name: the name of its column, and of its tag.
        member_type: its type.
        value_class: the class of its values.
    """

    name: str
    member_type: TypeInformation[Any]
    value_class: type[Any]


TAG = "tag"
_TAKEN_AS: dict[tuple[str, str], tuple[type[Any], ...]] = {
    ("builtins", "int"): (float,),
    ("numpy", "bool"): (bool,),
    ("numpy", "bool_"): (bool,),
    ("numpy", "integer"): (int, float),
    ("numpy", "floating"): (float,),
}
"""Classes whose values are accepted in place of others, by module and name: numpy need not be loaded."""
_EQUAL_ACROSS_CLASSES = (numbers.Number, str, tuple, Set, pathlib.PurePath, dict)


@dataclass(frozen=True, slots=True, repr=False, init=False)
class UnionTypeInfo(CarriedTypeInfo[T]):
    """A union: a value of one of several types, selected by its exact class, or else the nearest base.

    Carried as a row of the ``tag``, which names the member, and one field per member, all but one null.

    Args:
        member_types: the types in order; none of them admits ``None``, for which there is Optional.

    Raises:
        UnsupportedTypeError: there are fewer than two members, or the class of a value would not
            determine its member.
    """

    member_types: tuple[TypeInformation[Any], ...]
    _members: tuple[Member, ...] = field(init=False, compare=False)
    _names: tuple[str, ...] = field(init=False, compare=False)
    _positions: dict[type[Any], int] = field(init=False, compare=False)

    def __init__(self, member_types: Iterable[TypeInformation[Any]]) -> None:
        types = tuple(require_type(t, "a member of a union") for t in member_types)
        object.__setattr__(self, "member_types", types)
        if len(types) < 2:
            raise UnsupportedTypeError("a union needs at least two members")
        for member in types:
            if isinstance(member, PickledBytesTypeInfo) or member.admits_none():
                raise UnsupportedTypeError(
                    f"{member} cannot be a member of a union, as it takes other values"
                )
        members = _members(types)
        for a, b in combinations(members, 2):
            if a.value_class is b.value_class:
                raise UnsupportedTypeError(
                    f"{a.value_class.__name__} could be {a.member_type} or {b.member_type}, which share"
                    " a class; choose one, or use a dataclass for each"
                )

        object.__setattr__(self, "_members", members)
        object.__setattr__(self, "_names", tuple(member.name for member in members))
        object.__setattr__(self, "_positions", {member.value_class: i for i, member in enumerate(members)})

    def members(self) -> tuple[Member, ...]:
        """Return the members in order, with their names."""
        return self._members

    def member_of(self, value: Any) -> int | None:
        """Return the position of the member that a value's class belongs to."""
        return self._position(type(value))

    def _position(self, cls: type[Any]) -> int | None:
        taken_as = (
            known
            for base in cls.__mro__
            for known in (base, *_TAKEN_AS.get((base.__module__, base.__name__), ()))
        )
        return next((self._positions[known] for known in taken_as if known in self._positions), None)

    @property
    def carrier(self) -> TypeInformation[Any]:
        return RowTypeInfo([STRING, *self.member_types], [TAG, *self._names])

    def takes(self, cls: type[Any]) -> bool:
        return self._position(cls) is not None

    def unwrap(self, value: Any) -> Row[Any]:
        position = self._positions.get(type(value))
        if position is None:
            position = self.member_of(value)
            assert position is not None
        values = [None] * len(self._names)
        values[position] = value
        return make_row((self._names[position], *values), (TAG, *self._names))

    def wrap(self, carried: Any) -> Any:
        tag, *values = carried
        held = [name for name, value in zip(self._names, values, strict=True) if value is not None]
        if held != [tag]:
            raise ValueError(f"its tag is {tag!r}, but it has values for {held}")
        return values[self._names.index(tag)]

    def place(self, path: str) -> str:
        names = sorted(self._names, key=len, reverse=True)
        return next((path.removeprefix(f".{name}") for name in names if path.startswith(f".{name}")), path)

    def key_fault(self) -> str | None:
        for a, b in combinations(self.members(), 2):
            shared = [base for base in _EQUAL_ACROSS_CLASSES if _are(base, a.value_class, b.value_class)]
            if shared:
                names = f"{a.value_class.__name__} and {b.value_class.__name__}"
                return f"values of {names} may be equal, as 1 and 1.0 are; convert them to one of the two"
        return None

    def slots(self) -> tuple[Slot, ...]:
        return tuple(Slot("", member, nullable=False) for member in self.member_types)

    def __repr__(self) -> str:
        return f"Union<{', '.join(map(str, self.member_types))}>"


def _are(base: type[Any], *classes: type[Any]) -> bool:
    return all(issubclass(cls, base) for cls in classes)


def _members(types: tuple[TypeInformation[Any], ...]) -> tuple[Member, ...]:
    classes = [t.value_class for t in types]
    names: list[str] = []
    for cls in classes:
        name = cls.__name__
        while name in (TAG, *names):
            name += "_"
        names.append(name)
    return tuple(map(Member, names, types, classes))
