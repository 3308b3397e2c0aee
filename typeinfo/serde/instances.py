"""Detect instances of record classes that hold more than their fields.

A ``cached_property`` is derived from the fields, as is the hash stored by attrs; neither counts.
"""

from __future__ import annotations

import copyreg
import dataclasses
import inspect
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Any

from typeinfo.composite import RecordKind
from typeinfo.records import attribute_names, attributes_of, is_plain, record_kind, slots_of
from typeinfo.serde.codec import distinct

__all__ = ["AllowedAttributes", "allowed_attributes", "is_only_fields", "is_only_values"]


@dataclasses.dataclass(frozen=True, slots=True)
class _Slotted:
    """A class with the methods by which dataclasses with slots are pickled."""


_STATE_OF_SLOTS = (vars(_Slotted).get("__getstate__"), vars(_Slotted).get("__setstate__"))


class AllowedAttributes:
    """The permitted attributes of instances of a class.

    Attributes:
        known: the names of the fields and of attributes derived from them.
        size: the length of a ``__dict__`` with the fields, if all instances have all fields.
        has_dict: whether instances have a ``__dict__``.
        has_slots: whether the class has slots for anything else.
    """

    def __init__(self, cls: Any, names: Iterable[str]) -> None:
        slots = slots_of(cls)
        self.known: frozenset[str] = frozenset({*names, *_derived(cls), "__orig_class__"})
        self.size: int | None = len(set(names) - set(slots)) if _sets_all_fields(cls) else None
        self.has_dict: bool = cls.__dictoffset__ != 0
        self.has_slots: bool = not self.known.issuperset(slots)

    def covers(self, values: Iterable[Any]) -> bool:
        """Return whether no instance of the class can hold other attributes."""
        if self.has_slots:
            return not any(map(self.others, values))
        if not self.has_dict:
            return True
        held = list(map(vars, values))
        if self.size is not None and distinct(len, held) == {self.size}:
            return True
        return all(map(self.known.issuperset, held))

    def others(self, value: Any) -> list[str]:
        """Return the names of an instance's other attributes."""
        return [name for name in attributes_of(value) if name not in self.known]


@cache
def allowed_attributes(cls: Any, names: tuple[str, ...]) -> AllowedAttributes:
    """Return the permitted attributes of instances of a class with the given fields."""
    return AllowedAttributes(cls, names)


@cache
def is_only_fields(cls: Any, names: tuple[str, ...]) -> bool:
    """Return whether pickling an instance of a dataclass keeps its attributes, and does nothing else.

    Args:
        cls: the class.
        names: its fields.
    """
    slots = slots_of(cls)
    state = (getattr(cls, "__getstate__", None), getattr(cls, "__setstate__", None))
    return (
        is_plain(cls)
        and _pickles_as_object(cls)
        and state in ((getattr(object, "__getstate__", None), None), _STATE_OF_SLOTS)
        and cls.__new__ is object.__new__
        and cls.__getattribute__ is object.__getattribute__
        and not any(isinstance(getattr(cls, name, None), property) for name in names)
        and (slots == list(names) and not cls.__dictoffset__ if slots else cls.__dictoffset__ != 0)
    )


@cache
def is_only_values(cls: Any) -> bool:
    """Return whether pickling an instance of a NamedTuple keeps its values, and does nothing else."""
    return cls.__bases__ == (tuple,) and not cls.__dictoffset__ and _pickles_as_object(cls)


def _pickles_as_object(cls: Any) -> bool:
    own_ways = ("__reduce__", "__reduce_ex__")
    return cls not in copyreg.dispatch_table and all(
        getattr(cls, name) is getattr(object, name) for name in own_ways
    )


def _derived(cls: Any) -> set[str]:
    """Return the names of attributes that are derived from the fields, or internal to a library."""
    names = {
        name for name in dir(cls) if isinstance(inspect.getattr_static(cls, name, None), cached_property)
    }
    for base in cls.__mro__:
        if "__attrs_attrs__" in vars(base):  # attrs creates slots for cached properties
            names |= {"_attrs_cached_hash", *vars(base).get("__slots__", ())}
        if "__pydantic_fields__" in vars(base):
            names |= {"__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__"}
    return names


def _sets_all_fields(cls: Any) -> bool:
    """Return whether an instance has its own value for each field, not one from its class."""
    if record_kind(cls) is not RecordKind.DATACLASS:
        return attribute_names(cls) is not None
    parameters = vars(cls).get("__dataclass_params__")  # absent from a subclass that is not one itself
    return (
        parameters is not None
        and parameters.init
        and all(field.init or field.default is dataclasses.MISSING for field in dataclasses.fields(cls))
    )
