"""Pickle functions and classes by value, without modifying the program's classes on loading.

cloudpickle pickles the classes of a script by value. If it loads them in the process they come from, it
resets their attributes to the pickled ones: methods become copies with other module variables. Here, a
class is reset only if it was itself loaded from a pickle, as on a worker.

State outlives the program that pickled it. Its values become objects of the classes of the program that loads
them, found by name; the class in the pickle serves only if there is none.
"""

from __future__ import annotations

import dataclasses
import io
import os
import pickle
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from cloudpickle import cloudpickle

from typeinfo.by_value import class_by_value, object_by_value

__all__ = ["StatePickler", "ValuePickler", "classes_as_pickled", "dump_state", "dumps", "known_class"]

_NO_FILE = "<dynamic-code>"

_own: WeakSet[type] = WeakSet()  # classes pickled here by value, and not loaded before
_loaded: WeakSet[type] = WeakSet()
_by_name: WeakValueDictionary[tuple[str, str], type] = WeakValueDictionary()  # the last one of each name
_in_state: WeakKeyDictionary[type, Any] = WeakKeyDictionary()  # how classes in state are reduced
_resetting = threading.RLock()
_is_resetting = False


def _unlock() -> None:
    global _resetting
    _resetting = threading.RLock()


os.register_at_fork(after_in_child=_unlock)  # a thread of the parent may have held it


if TYPE_CHECKING:  # cloudpickle has no type annotations
    from pickle import Pickler as _Pickler
else:
    _Pickler = cloudpickle.Pickler


class ValuePickler(_Pickler):
    """Pickles objects; functions and classes of scripts and closures are pickled by value."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, type):
            return _class_reduced(obj)
        if obj is dataclasses.MISSING:
            return "MISSING"  # the same object, as the fields of classes are compared with it
        if isinstance(obj, CodeType):
            return _code_reduced(obj)
        return super().reducer_override(obj) if isinstance(obj, FunctionType) else object_by_value(obj)


def dumps(value: Any) -> bytes:
    """Pickle a value; functions and classes of scripts and closures are pickled by value."""
    buffer = io.BytesIO()
    ValuePickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


class StatePickler(ValuePickler):
    """Pickles state: a class that is pickled by value is one that the loading program may have by name."""

    def reducer_override(self, obj: Any) -> Any:
        return _class_in_state(obj) if isinstance(obj, type) else super().reducer_override(obj)


def dump_state(value: Any) -> bytes:
    """Pickle a value so that a later version of the program, with classes of its own, can load it."""
    buffer = io.BytesIO()
    StatePickler(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


def _class_in_state(cls: type) -> Any:
    found = _in_state.get(cls)
    if found is None:
        reduced = _class_reduced(cls)
        if reduced is not NotImplemented and reduced[-1] is _set_class_state:
            tracker = cloudpickle._get_or_create_tracker_id(cls)
            reduced = _class_of_program, (cls.__module__, cls.__qualname__, tracker, dumps(cls))
        found = _in_state[cls] = reduced
    return found


def _class_of_program(module: str, name: str, tracker: str, pickled: bytes) -> type:
    """Return the same class, or else the program's class of this name, or else the pickled one."""
    known = known_class(module, name, tracker)
    found: type = pickle.loads(pickled) if known is None else known
    return found


def known_class(module: str, name: str, tracker: str) -> type | None:
    """Return a class of the program by the id that it was pickled with, or else by its name."""
    known: Any = cloudpickle._DYNAMIC_CLASS_TRACKER_BY_ID.get(tracker) or _by_name.get((module, name))
    if known is None:
        known = getattr(sys.modules.get(module), name, None)
    return known if isinstance(known, type) else None


@contextmanager
def classes_as_pickled() -> Iterator[None]:
    """Let functions that are loaded within the block use the program's classes as of their pickling.

    Afterwards all classes are restored.
    """
    global _is_resetting
    with _resetting:
        before = {cls: dict(vars(cls)) for cls in [*_own]}
        _is_resetting = True
        try:
            yield
        finally:
            _is_resetting = False
            for cls, attributes in before.items():
                _restore(cls, attributes)


def _code_reduced(code: CodeType) -> Any:
    """Reduce a code object with its file name, which cloudpickle omits since 3.1.3.

    Tracebacks and lifting find the source of a function by this name.
    """
    create, arguments = cloudpickle._code_reduce(code)
    return create, tuple(code.co_filename if value == _NO_FILE else value for value in arguments)


def _class_reduced(cls: type) -> Any:
    reduced = cloudpickle._class_reduce(cls)
    if reduced is NotImplemented or reduced[-1] is not cloudpickle._class_setstate:
        return reduced
    create, arguments, *rest, _ = class_by_value(cls, reduced)
    if cls not in _loaded:
        _own.add(cls)
        _by_name[cls.__module__, cls.__qualname__] = cls
    return (_new_or_known, (create, arguments), *rest, _set_class_state)


def _new_or_known(create: Any, arguments: tuple[Any, ...]) -> type:
    """Return the class of a pickle, created only if it is not known here.

    cloudpickle creates it in any case, which ``__init_subclass__`` and metaclasses may register.
    """
    known: type | None = cloudpickle._DYNAMIC_CLASS_TRACKER_BY_ID.get(arguments[-2])
    return create(*arguments) if known is None else known


def _set_class_state(cls: type, state: Any) -> type:
    """Set the attributes of a loaded class, unless the class belongs to this program."""
    if cls in _own and not _is_resetting:
        return cls
    if cls not in _own:
        _loaded.add(cls)
    attributes, slots = state
    members = cls.__members__ if issubclass(cls, Enum) else {}
    others = {name: value for name, value in attributes.items() if name not in members}  # aliases exist
    cloudpickle._class_setstate(cls, (others, slots))
    if cls in _loaded:
        _by_name[cls.__module__, cls.__qualname__] = cls
    return cls


def _restore(cls: type, attributes: dict[str, object]) -> None:
    now = dict(vars(cls))
    # A metaclass may refuse to set attributes, as that of an Enum does, or do more than that.
    for name in now.keys() - attributes.keys():
        type.__delattr__(cls, name)
    for name, value in attributes.items():
        if name not in now or now[name] is not value:
            type.__setattr__(cls, name, value)
