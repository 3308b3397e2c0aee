"""Copy values of any type, by their class.

A copy preserves sharing inside the value, as pickle does.
"""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable, Iterable
from enum import Enum
from operator import is_
from typing import Any

import numpy as np

from typeinfo.errors import PyStreamError, TypeCheckError, short_repr
from typeinfo.row import Row, make_row
from typeinfo.scalar import SCALARS
from typeinfo.serde.text import dumps

__all__ = ["IMMUTABLE", "CopyError", "copy_of"]

IMMUTABLE: frozenset[type[Any]] = frozenset(t.value_class for t in SCALARS.values()) | {complex, bytes, range}
"""Classes of immutable values."""

_Copies = dict[int, Any]
"""The copies of parts by the identity of the part."""


class CopyError(PyStreamError, TypeError):
    """A value cannot be copied."""


def copy_of(value: Any) -> Any:
    """Return a copy that shares no mutable parts with the value.

    Sharing inside the value is preserved in the copy.

    Raises:
        CopyError: the value, or a part of it, cannot be copied.
    """
    if type(value) in IMMUTABLE:
        return value
    try:
        try:
            return _copied(value, {})
        except _UnknownClassError:
            return pickle.loads(dumps(value))
    except Exception as error:
        reason = error.__cause__ if isinstance(error, TypeCheckError) else error  # it names the value
        raise CopyError(
            f"{short_repr(value)} cannot be copied: {reason}. Elements are copied between functions: emit"
            " plain values (the content of the file, list(…) of the generator), or create the object in"
            " open() of the function that uses it"
        ) from error


def _are_immutable(values: Iterable[Any]) -> bool:
    return IMMUTABLE.issuperset(map(type, values))


class _UnknownClassError(Exception):
    """A part can be copied only by pickling the whole value."""


def _copied(value: Any, copies: _Copies) -> Any:
    kind = type(value)
    if kind in IMMUTABLE:
        return value
    copy = copies.get(id(value))
    if copy is not None:
        return copy
    return (_BY_CLASS.get(kind) or _copier_for_class(kind, value))(value, copies)


# Containers that may contain themselves are registered before their parts are copied.


def _list(value: list[Any], copies: _Copies) -> list[Any]:
    copy = copies[id(value)] = value[:]
    if not _are_immutable(value):
        copy[:] = [_copied(part, copies) for part in value]
    return copy


def _dict(value: dict[Any, Any], copies: _Copies) -> dict[Any, Any]:
    copy: dict[Any, Any]
    copy = copies[id(value)] = {}
    if _are_immutable(value) and _are_immutable(value.values()):
        copy.update(value)
    else:
        copy.update([(_copied(key, copies), _copied(part, copies)) for key, part in value.items()])
    return copy


def _set(value: set[Any], copies: _Copies) -> set[Any]:
    copy = copies[id(value)] = value.copy()
    if not _are_immutable(value):
        copy.clear()
        copy.update([_copied(part, copies) for part in value])
    return copy


def _tuple(value: Any, copies: _Copies) -> Any:
    if _are_immutable(value):
        return value
    parts = [part if type(part) in IMMUTABLE else _copied(part, copies) for part in value]
    if all(map(is_, parts, value)):
        return value
    # It is already copied if a part contains it.
    return copies.get(id(value)) or copies.setdefault(id(value), tuple.__new__(type(value), parts))


def _frozenset(value: frozenset[Any], copies: _Copies) -> frozenset[Any]:
    if _are_immutable(value):
        return value
    copy = copies[id(value)] = frozenset([_copied(part, copies) for part in value])
    return copy


def _row(value: Row[Any], copies: _Copies) -> Row[Any]:
    copy = copies[id(value)] = make_row(value._values, value._fields, value._row_kind)
    if not _are_immutable(value._values):
        copy._values = tuple([_copied(part, copies) for part in value._values])
    return copy


def _instance(value: Any, copies: _Copies) -> Any:
    copy = copies[id(value)] = _new(type(value))
    state = vars(value)
    own = vars(copy)
    own.update(state)
    if not _are_immutable(state.values()):
        for name, part in state.items():
            own[name] = _copied(part, copies)
    return copy


def _itself(value: Any, copies: _Copies) -> Any:
    return value


def _unknown(value: Any, copies: _Copies) -> Any:
    raise _UnknownClassError


_BY_CLASS: dict[type, Callable[[Any, _Copies], Any]] = {
    list: _list,
    dict: _dict,
    set: _set,
    tuple: _tuple,
    frozenset: _frozenset,
    Row: _row,
}
_ATOMS = (type, Enum, np.number, np.bool_, np.datetime64, np.timedelta64)
_PICKLED_OTHERWISE = ("__getnewargs__", "__getnewargs_ex__", "__setstate__", "__copy__", "__deepcopy__")


def _copier_for_class(kind: type[Any], value: Any) -> Callable[[Any, _Copies], Any]:
    """Determine how to copy values of a class seen for the first time."""
    way: Callable[[Any, _Copies], Any]
    if issubclass(kind, _ATOMS):
        way = _itself
    elif getattr(kind, "_unnamed", None) is Row:
        way = _row
    elif kind.__bases__ == (tuple,) and hasattr(kind, "_fields") and not kind.__dictoffset__:
        way = _tuple  # a NamedTuple
    elif _is_plain(kind, value):
        way = _instance
    else:
        way = _unknown
    _BY_CLASS[kind] = way
    return way


def _is_plain(kind: type[Any], value: Any) -> bool:
    """Return whether instances consist only of their ``__dict__``, also for pickle."""
    own_ways = ("__new__", "__reduce__", "__reduce_ex__", "__getstate__")
    if any(getattr(kind, name) is not getattr(object, name) for name in own_ways):
        return False
    if any(hasattr(kind, name) for name in _PICKLED_OTHERWISE) or not kind.__dictoffset__:
        return False
    if kind in copyreg.dispatch_table:
        return False
    if any(vars(base).get("__slots__") for base in kind.__mro__):
        return False
    try:
        value.__reduce_ex__(2)
    except TypeError:  # it holds more than attributes
        return False
    return True


_new = object.__new__
