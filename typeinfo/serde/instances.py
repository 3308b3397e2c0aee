"""Detect instances of record classes that hold more than their fields.

A ``cached_property`` is derived from the fields, as is the hash stored by attrs; neither counts.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable
from functools import cache, cached_property
from typing import Any

from typeinfo.composite import RecordKind
from typeinfo.records import attribute_names, attributes_of, record_kind, slots_of
from typeinfo.serde.codec import distinct

__all__ = ["AllowedAttributes", "allowed_attributes"]


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
