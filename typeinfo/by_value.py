"""Pickle by value what a script defines and pickle would refer to by name: cached functions, new types, ….

Workers cannot import a script. So whatever its ``__reduce__`` names there has to be sent itself.
"""

from __future__ import annotations

import functools
import pickle
import sys
import typing
import weakref
from collections.abc import Callable, Iterator
from types import MemberDescriptorType
from typing import Any

from cloudpickle import cloudpickle

__all__ = ["class_by_value", "object_by_value"]

_TYPED_DICT = "_TypedDictMeta"  # the class of typed dicts, here and in typing_extensions


def object_by_value(value: Any) -> Any:
    """Return how to pickle an object that is neither a class nor a function; as ``reducer_override`` does.

    Raises:
        PicklingError: the object is pickled as a name that workers cannot import.
    """
    cls: Any = type(value)
    if cls.__reduce__ is object.__reduce__ and cls.__reduce_ex__ is object.__reduce_ex__:
        own = _REDUCED.get(cls)
        return NotImplemented if own is None else own(value)
    if cls in cloudpickle.Pickler.dispatch_table:
        return NotImplemented
    reduced = value.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    if not isinstance(reduced, str) or _is_importable(value, reduced):
        return reduced
    own = _NAMED.get(cls)
    if own is None:
        raise pickle.PicklingError(
            f"an object of {cls.__qualname__} is pickled as the name {reduced!r}, which workers cannot "
            "import; define it in a module that the program imports"
        )
    return own(value)


def class_by_value(cls: type, reduced: Any) -> Any:
    """Correct how cloudpickle pickles a class by value: bases of typed dicts, and private slots."""
    create, (kind, name, bases, *others), (attributes, slots), *rest = reduced
    if type(cls).__name__ == _TYPED_DICT and dict in bases:
        bases = (sys.modules[type(cls).__module__].TypedDict,)
    own = {key: value for key, value in attributes.items() if type(value) is not MemberDescriptorType}
    return create, (kind, name, bases, *others), (own, slots), *rest


def _is_importable(value: Any, name: str) -> bool:
    found = cloudpickle._lookup_module_and_qualname(value, name)
    return found is not None and not cloudpickle._is_registered_pickle_by_value(found[0])


def _cached(function: Callable[..., Any], maxsize: int | None, typed: bool) -> Any:
    return functools.lru_cache(maxsize, typed)(function)


def _cached_reduced(cached: Any) -> Any:
    """Reduce a cached function without its cache."""
    attributes = {key: value for key, value in vars(cached).items() if key != "cache_parameters"}
    parameters = cached.cache_parameters()
    return _cached, (cached.__wrapped__, parameters["maxsize"], parameters["typed"]), attributes


def _weak_reduced(mapping: Any) -> tuple[Any, tuple[()], None, None, Iterator[Any]]:
    return type(mapping), (), None, None, iter([*mapping.items()])


def _property_reduced(prop: functools.cached_property[Any]) -> Any:
    attributes = {key: value for key, value in vars(prop).items() if key != "lock"}
    return functools.cached_property, (prop.func,), attributes


def _new_type_reduced(new: typing.NewType) -> Any:
    return typing.NewType, (new.__name__, new.__supertype__), dict(vars(new))


def _parameter_reduced(parameter: Any) -> Any:
    return type(parameter), (parameter.__name__,)


def _sentinel_reduced(sentinel: object) -> Any:
    """Reduce an ``object()`` of the script to its name, because functions compare it by ``is``."""
    names = [name for name, value in vars(sys.modules["__main__"]).items() if value is sentinel]
    return (_sentinel_named, (names[0],)) if names else NotImplemented


def _sentinel_named(name: str) -> object:
    """Return the ``object()`` of the script with a name, which is the same one in each call."""
    own = getattr(sys.modules["__main__"], name, None)
    return own if type(own) is object else _sentinels.setdefault(name, object())


_sentinels: dict[str, object] = {}
"""Sentinels of a script that runs in another process, by name."""

_NAMED: dict[type, Callable[[Any], Any]] = {
    type(functools.lru_cache(len)): _cached_reduced,
    typing.NewType: _new_type_reduced,
    typing.ParamSpec: _parameter_reduced,
    typing.TypeVarTuple: _parameter_reduced,
}
"""Reductions of objects whose class reduces them to their name."""

_REDUCED: dict[type, Callable[[Any], Any]] = {
    object: _sentinel_reduced,
    functools.cached_property: _property_reduced,
    weakref.WeakKeyDictionary: _weak_reduced,
    weakref.WeakValueDictionary: _weak_reduced,
}
"""Reductions of sentinels, and of objects with parts that cannot be pickled: locks and weak references."""
