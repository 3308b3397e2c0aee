"""hints_at_equivalents: errors for unknown attributes that name the method to use instead."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, NoReturn, TypeVar

from pystream.arguments.equivalents import EQUIVALENTS
from pystream.errors import UnknownAttributeError

__all__ = ["attribute_hint", "hints_at_equivalents"]

C = TypeVar("C", bound=type)

_RESEMBLANCE = 0.7
_OF_JAVA = "_j_"


def hints_at_equivalents(cls: C) -> C:
    """Let instances of a class answer an unknown attribute with the equivalent.

    The method is added at run time, so that type checkers refuse unknown attributes as before.
    """
    vars_of_class: Any = cls
    vars_of_class.__getattr__ = _unknown_attribute
    return cls


def _unknown_attribute(self: object, name: str) -> NoReturn:
    cls = type(self)
    if name.startswith("_") and not name.startswith(_OF_JAVA):
        # asked by copy, pickle and notebooks, which expect that it may be missing
        raise AttributeError(f"{cls.__name__!r} object has no attribute {name!r}", name=name, obj=self)
    raise UnknownAttributeError(f"{cls.__qualname__} has no attribute {name!r}; {attribute_hint(cls, name)}")


def attribute_hint(cls: type, name: str) -> str:
    """Return what to use instead of an attribute that a class has not, as the end of a sentence."""
    if name.startswith(_OF_JAVA):
        return "no Java runs here: use the methods of Python"
    names = [known for known in dir(cls) if not known.startswith("_")]
    same = [known for known in names if _folded(known) == _folded(name)]
    if same:
        return f"write {same[0]}"
    for base in cls.__mro__:
        hint = EQUIVALENTS.get(base.__qualname__, {}).get(name)
        if hint is not None:
            return hint
    close = get_close_matches(name.lower(), names, 2, _RESEMBLANCE)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"help({cls.__qualname__}) lists what it has"


def _folded(name: str) -> str:
    return name.replace("_", "").lower()
