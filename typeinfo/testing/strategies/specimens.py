"""Specimens, the values of a type that are always tried: edge cases in each place, long lists and maps."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, given, settings

from typeinfo.basic import BasicType, BasicTypeInfo
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, UnionTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.errors import UnsupportedTypeError
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import Slot, TypeInformation
from typeinfo.row import RowKind, make_row
from typeinfo.testing.strategies.tricky import tricky
from typeinfo.testing.strategies.values import (
    arguments_of,
    declared_fields,
    decoded,
    given_values,
    instance,
    is_cheap,
    parameters_of,
)

__all__ = ["QUIET", "Path", "Specimens"]

Path: TypeAlias = tuple[Any, ...]
"""A place inside a specimen where there is a choice."""

_ALL_CHECKS: Any = list(HealthCheck)  # pyright takes it for a list of metaclasses

QUIET = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.generate, Phase.shrink],
    report_multiple_bugs=False,
    print_blob=False,
    suppress_health_check=_ALL_CHECKS,
)
"""Settings of a search that is the same each time and prints nothing."""

_SHORT = (0, 1, 2)
_LONG = (5, 17, 64, 65)
_VERY_LONG = 300
_MOST = 60
_LONG_TEXT = 300


class Specimens:
    """All specimens of a type, by number; those of composites hold those of their parts, each in each place.

    Numbers go on forever, as parts are taken in turn; from `count` on nothing new comes.

    Args:
        t: the type.
        texts: the values in places of texts, simplest first; all other atomic values are the simplest then.
            With ``None`` all values are tricky ones.

    Raises:
        UnsupportedTypeError: ``t`` is of a class unknown here.
    """

    def __init__(self, t: TypeInformation[Any], texts: Sequence[str] | None = None) -> None:
        self._type = t
        self._texts = texts
        self._declared_fields = cache(declared_fields)
        self._parameters = cache(parameters_of)
        self._samples = cache(_samples)
        self._count = cache(self._counted)
        self.count: int = self._count(t)

    def made(self, number: int, kept: Collection[Path] | None = None) -> tuple[Any, list[Path]]:
        """Return a newly made specimen, and the places where something simpler could be chosen.

        Args:
            number: its number.
            kept: the places where nothing simpler is chosen; with ``None``, all. Elsewhere elements are left
                out, and values are the simplest.

        Raises:
            ValuesError: a class refuses what it is made of.
        """
        making = _Making(kept)
        return self._make(self._type, number, (), making), making.places

    def grown(self, depth: int, size: int, *, cheap: bool = False) -> tuple[Any, bool]:
        """Return a specimen with lists and maps of many simple elements, and whether there are any.

        Args:
            depth: the number of lists and maps around those with many elements; all others have one element.
            size: the number of their elements.
            cheap: whether only those have many whose elements hold no others.

        Raises:
            ValuesError: a class refuses what it is made of.
        """
        making = _Making(grown=(depth, size, cheap))
        return self._make(self._type, 0, (), making), making.has_grown

    def _atoms(self, t: TypeInformation[Any], *, in_key: bool = False) -> Sequence[Any] | None:
        found = tricky(t, in_key=in_key)
        if found is None or self._texts is None:
            return found
        return self._texts if _is_of(t, BasicType.STRING) else found[:1]

    def _counted(self, t: TypeInformation[Any]) -> int:
        found = self._atoms(t)
        if found is not None:
            return len(found)
        match t:
            case OptionalTypeInfo():
                return 1 + self._count(t.value_type)
            case ArrayTypeInfo() | MapTypeInfo():
                return len(self._sizes(t))
            case CustomTypeInfo() | RecordTypeInfo() if self._samples(t):
                return len(self._samples(t))
            case CustomTypeInfo():
                given = self._parameters(t)
                return max(map(self._count, [t.carrier] if given is None else given.values()))
            case UnionTypeInfo():
                return sum(map(self._count, t.member_types))
            case CarriedTypeInfo():
                return self._count(t.carrier)
            case FieldsTypeInfo():
                kinds = len(RowKind) if isinstance(t, RowTypeInfo) else 1
                return max([kinds, *(self._slot_count(slot) for slot in self._slots(t))])
        raise UnsupportedTypeError(f"there are no specimens of {t!r}")

    def _slot_count(self, slot: Slot) -> int:
        return self._count(slot.type) + _may_be_none(slot)

    def _sizes(self, t: TypeInformation[Any]) -> tuple[int, ...]:
        """Return the lengths of lists and maps: one holds all specimens, and some are longer than that."""
        every = max(self._slot_count(slot) for slot in t.slots())
        if self._texts is not None:
            return (*_SHORT, every)
        every = min(_MOST, every)
        very = (_VERY_LONG,) if all(is_cheap(slot.type) for slot in t.slots()) else ()
        return (*_SHORT, every, *_LONG, *very)

    def _slots(self, t: FieldsTypeInfo[Any]) -> tuple[Slot, ...]:
        """Return the places in rows, tuples and records, as classes declare them."""
        if not isinstance(t, RecordTypeInfo):
            return t.slots()
        pairs = zip(t.field_names, self._declared_fields(t), strict=True)
        return tuple(Slot(name, part, nullable=False) for name, part in pairs)

    def _make(self, t: TypeInformation[Any], number: int, path: Path, making: _Making) -> Any:
        found = self._atoms(t, in_key=making.in_key)
        if found is not None:
            value = found[making.choice(path, number % len(found))]
            is_long = making.inside > 1 and isinstance(value, (str, bytes)) and len(value) > _LONG_TEXT
            return found[0] if is_long else copy.deepcopy(value)
        match t:
            case OptionalTypeInfo():
                return self._make_slot(Slot("", t.value_type, nullable=True), number, path, making)
            case ArrayTypeInfo():
                return [value for _, value in self._elements(t, number, path, making)]
            case MapTypeInfo():
                return self._map(t, number, path, making)
            case CustomTypeInfo() | RecordTypeInfo() if samples := self._samples(t):
                return copy.deepcopy(samples[making.choice(path, number % len(samples))])
            case CustomTypeInfo():
                return self._custom(t, number, path, making)
            case UnionTypeInfo():
                return self._member(t, number, path, making)
            case CarriedTypeInfo():
                return self._carried(t, number, path, making)
            case RecordTypeInfo():
                return self._record(t, number, path, making)
            case RowTypeInfo():
                kinds = [RowKind.INSERT] if making.in_key else list(RowKind)  # which columns lose
                kind = kinds[making.choice((*path, "kind"), number % len(kinds))]
                return make_row(self._fields(t, number, path, making), t.get_field_names(), kind)
            case FieldsTypeInfo():
                return tuple(self._fields(t, number, path, making))
        raise UnsupportedTypeError(f"there are no specimens of {t!r}")

    def _make_slot(self, slot: Slot, number: int, path: Path, making: _Making) -> Any:
        if not _may_be_none(slot):
            return self._make(slot.type, number, path, making)
        count = self._slot_count(slot)
        is_some = making.choice((*path, "some"), int(number % count > 0 or making.grown is not None))
        value = self._make(slot.type, max(number % count - 1, 0), path, making)
        return value if is_some else None

    def _fields(self, t: FieldsTypeInfo[Any], number: int, path: Path, making: _Making) -> list[Any]:
        count = self._count(t)
        return [
            self._make_slot(slot, (number + i) % count, (*path, i), making)
            for i, slot in enumerate(self._slots(t))  # not all of one number, as fields could be mixed up
        ]

    def _record(self, t: RecordTypeInfo[Any], number: int, path: Path, making: _Making) -> Any:
        values = dict(zip(t.field_names, self._fields(t, number, path, making), strict=True))
        if t.kind is RecordKind.TYPED_DICT:
            missing = {
                name for name in t.optional_keys if not making.choice((*path, "has", name), number % 2)
            }
            return {name: value for name, value in values.items() if name not in missing}
        return instance(t.record_class, {given: values[name] for given, name in arguments_of(t).items()})

    def _custom(self, t: CustomTypeInfo[Any], number: int, path: Path, making: _Making) -> Any:
        parameters = self._parameters(t)
        if parameters is None:
            return decoded(t, self._make(t.carrier, number, path, making))
        count = self._count(t)
        given = {
            name: self._make(part, (number + i) % count, (*path, i), making)
            for i, (name, part) in enumerate(parameters.items())
        }
        return instance(t.custom_class, given)

    def _member(self, t: UnionTypeInfo[Any], number: int, path: Path, making: _Making) -> Any:
        rest = number % self._count(t)
        for position, member in enumerate(t.member_types):
            count = self._count(member)
            if rest < count:
                return self._make(member, rest, (*path, position), making)
            rest -= count
        raise AssertionError(f"{t} has fewer specimens than it counted")

    def _carried(self, t: CarriedTypeInfo[Any], number: int, path: Path, making: _Making) -> Any:
        around = making.in_key
        making.in_key = around or isinstance(t, SetTypeInfo)
        carried = self._make(t.carrier, number, path, making)
        making.in_key = around
        return t.value_class(carried) if isinstance(t, SetTypeInfo) else t.wrap(carried)

    def _elements(
        self, t: TypeInformation[Any], number: int, path: Path, making: _Making
    ) -> list[tuple[int, Any]]:
        """Return the values in the last slot of a list or map, with their positions."""
        if making.grown is not None:
            return self._many(t, path, making)
        sizes = _SHORT if making.inside else self._sizes(t)
        size = sizes[number] if number < len(sizes) else sizes[number % len(_SHORT)]
        slot = t.slots()[-1]
        depth = (size > 1) + (size > _MOST)
        making.inside += depth
        elements = [(j, self._make_slot(slot, number + j, (*path, j), making)) for j in range(size)]
        making.inside -= depth
        return [(j, part) for j, part in elements if making.choice((*path, j, "kept"), 1)]

    def _many(self, t: TypeInformation[Any], path: Path, making: _Making) -> list[tuple[int, Any]]:
        """Return the elements of a long list or map: consecutive numbers if they fit, else equal values."""
        assert making.grown is not None
        depth, size, cheap = making.grown
        *_, slot = t.slots()
        is_grown = making.depth == depth and (not cheap or all(is_cheap(s.type) for s in t.slots()))
        making.has_grown |= is_grown
        making.depth += 1
        part = self._make_slot(slot, 0, (*path, 0), making)
        making.depth -= 1
        make = None if isinstance(t, MapTypeInfo) else _from_number(slot.type)
        return [(j, make(j) if make else part) for j in range(size if is_grown else 1)]

    def _map(self, t: MapTypeInfo[Any], number: int, path: Path, making: _Making) -> dict[Any, Any]:
        found = self._elements(t, number, path, making)
        key = _from_number(t.key_type)
        if len(found) > _MOST and key is not None and (making.grown or self._texts is None):
            return {key(j if making.grown else _VERY_LONG - j): value for j, value in found}
        around = making.in_key
        making.inside += len(found) > 1
        making.in_key = True
        entries = {self._make(t.key_type, number + j, (*path, j, "key"), making): value for j, value in found}
        making.in_key = around
        making.inside -= len(found) > 1
        return entries


def _is_of(t: TypeInformation[Any], *kinds: BasicType) -> bool:
    return isinstance(t, BasicTypeInfo) and t.basic_type in kinds


def _from_number(t: TypeInformation[Any]) -> Callable[[int], Any] | None:
    """Return the function from a number to a value of a type, if there are enough different values."""
    if _is_of(t, BasicType.STRING):
        return str
    return int if _is_of(t, BasicType.INT, BasicType.LONG) else None


def _may_be_none(slot: Slot) -> bool:
    return slot.nullable and not slot.type.admits_none()


@dataclass
class _Making:
    """One specimen in the making.

    Args:
        kept: where nothing simpler is chosen; with ``None``, anywhere.
        places: where something simpler could be chosen.
        inside: in how many lists and maps of several elements; one of many counts twice.
        in_key: whether in the key of a map.
        grown: at which depth lists and maps have many elements, how many, and whether only cheap ones.
        depth: in how many lists and maps.
        has_grown: whether there was a list or map at that depth.
    """

    kept: Collection[Path] | None = None
    places: list[Path] = field(default_factory=list)
    inside: int = 0
    in_key: bool = False
    grown: tuple[int, int, bool] | None = None
    depth: int = 0
    has_grown: bool = False

    def choice(self, path: Path, usual: int) -> int:
        if usual:
            self.places.append(path)
        return usual if self.kept is None or path in self.kept else 0


def _samples(t: CustomTypeInfo[Any] | RecordTypeInfo[Any]) -> list[Any]:
    """Return a few values of the strategy registered for a class, always the same ones; none without one."""
    strategy = given_values(t.custom_class if isinstance(t, CustomTypeInfo) else t.record_class)
    found: list[Any] = []
    if strategy is None:
        return found

    @settings(QUIET, max_examples=12)
    @given(strategy)
    def collect(value: Any) -> None:
        found.append(copy.deepcopy(value))

    collect()
    return found
