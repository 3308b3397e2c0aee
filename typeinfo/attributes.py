"""Access the attributes of instances of any class, in their dict and their slots."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from struct import calcsize
from typing import Any

__all__ = ["attributes_of", "is_plain", "slots_of", "with_attributes"]


def is_plain(cls: type[Any]) -> bool:
    """Return whether instances consist only of attributes, unlike those of classes written in C."""
    words = len(slots_of(cls)) + (cls.__dictoffset__ > 0) + (cls.__weakrefoffset__ > 0)
    return not cls.__itemsize__ and cls.__basicsize__ == object.__basicsize__ + words * calcsize("P")


def slots_of(cls: type[Any]) -> list[str]:
    """Return the names of the attributes in ``__slots__``, with private names mangled."""
    found: list[str] = []
    for base in cls.__mro__:
        slots = vars(base).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            is_hidden = slot.startswith("__") and not slot.endswith("__")
            found.append(f"_{base.__name__.lstrip('_')}{slot}" if is_hidden else slot)
    return [slot for slot in found if slot not in ("__dict__", "__weakref__")]


def attributes_of(value: Any) -> dict[str, Any]:
    """Return the attributes of an instance, from its dict and its slots."""
    held = {name: getattr(value, name) for name in slots_of(type(value)) if hasattr(value, name)}
    return held | getattr(value, "__dict__", {})


def with_attributes(value: Any, changed: Mapping[str, Any]) -> Any:
    """Return a shallow copy of an instance with other attributes, bypassing its ``__setattr__``."""
    other = copy.copy(value)
    for name, part in changed.items():
        object.__setattr__(other, name, part)
    return other
