"""Two ways in which values can be the same: nothing lost on the way, or equal as keys."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from typeinfo.array_parts import array_parts
from typeinfo.attributes import is_plain
from typeinfo.row import Row

__all__ = ["same", "same_key", "twin"]


def same(a: Any, b: Any, *, kinds: bool = True) -> bool:
    """Tell whether nothing distinguishes two values: what a round trip must achieve.

    Classes are compared too, a NaN is the same as another, 0.0 is not -0.0, a Decimal has its scale, a dict
    its order, a row its names. The ``fold`` of a time without a zone does not count: no type keeps it.
    Arrays, columns and tables of numpy, pandas and pyarrow are compared by their elements, in the same way,
    and by their element types, shapes and names. Instances of other classes are the same if they are equal or
    hold the same.

    Args:
        a: a value.
        b: another.
        kinds: whether the kinds of rows count as well.
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return repr(a) == repr(b)
    if isinstance(a, complex):
        return repr(a.real) == repr(b.real) and repr(a.imag) == repr(b.imag)
    if isinstance(a, Decimal):
        return str(a) == str(b)
    if isinstance(a, Row):
        labels_a, labels_b = a.get_field_names(), b.get_field_names()
        if labels_a != labels_b or (kinds and a.get_row_kind() is not b.get_row_kind()):
            return False
    elif isinstance(a, dict):
        return _all_same(a, b, kinds) and _all_same(a.values(), b.values(), kinds)
    elif dataclasses.is_dataclass(a):
        names = [field.name for field in dataclasses.fields(a)]
        return all(same(getattr(a, name), getattr(b, name), kinds=kinds) for name in names)
    elif not isinstance(a, (tuple, list)):
        return _same_object(a, b, kinds)
    return _all_same(a, b, kinds)


def _same_object(a: Any, b: Any, kinds: bool) -> bool:
    if a is b:  # pandas.NA is not even equal to itself
        return True
    parts = None if type(a).__module__ == "builtins" else array_parts(a)
    if parts is not None:
        return _all_same(parts, array_parts(b) or (), kinds)
    return _are_equal(a, b) or _same_state(a, b, kinds)


def _are_equal(a: Any, b: Any) -> bool:
    """Tell whether ``==`` says so; not if it is of arrays, which are asked element by element."""
    try:
        answer = a == b
        return bool(answer) and not hasattr(answer, "__len__")  # an array of answers is none
    except Exception:  # noqa: BLE001 - whether whole arrays are equal is refused in many ways
        return False


def _same_state(a: Any, b: Any, kinds: bool) -> bool:
    """Tell whether two objects without a useful ``==`` hold the same, as far as pickle would see it."""
    if isinstance(a, type):
        return False
    state = a.__getstate__()
    tells_all = state is not None or is_plain(type(a))  # None of what holds nothing, or hides it in C
    return tells_all and same(state, b.__getstate__(), kinds=kinds)


def _all_same(a: Iterable[Any], b: Iterable[Any], kinds: bool) -> bool:
    left, right = list(a), list(b)
    return len(left) == len(right) and all(map(lambda x, y: same(x, y, kinds=kinds), left, right))


def same_key(a: Any, b: Any) -> bool:
    """Tell whether two values of one type are one key: equal in Python, all NaNs being one.

    Fields of a dataclass declared with ``compare=False`` do not count, nor does the order of a dict.
    """
    if isinstance(a, complex) and isinstance(b, complex):
        return same_key(a.real, b.real) and same_key(a.imag, b.imag)
    if isinstance(a, Row) and isinstance(b, Row):
        if a.get_row_kind() is not b.get_row_kind():
            return False
    elif isinstance(a, dict) and isinstance(b, dict):
        return len(a) == len(b) and all(
            any(same_key(key, k) and same_key(value, v) for k, v in b.items()) for key, value in a.items()
        )
    elif dataclasses.is_dataclass(a) and type(a) is type(b):
        names = [field.name for field in dataclasses.fields(a) if field.compare]
        return all(same_key(getattr(a, name), getattr(b, name)) for name in names)
    elif not isinstance(a, (tuple, list)) or not isinstance(b, (tuple, list)):
        parts, others = array_parts(a), array_parts(b)
        if parts is not None and others is not None:
            return same_key(parts, others)
        return a is b or bool(a == b) or (a != a and b != b)
    return len(a) == len(b) and all(map(same_key, a, b))


def twin(value: Any) -> Any:
    """Return a value that is another one but the same key: zeros change their sign, dicts their order."""
    if isinstance(value, float):
        return -value if value == 0 else value
    if isinstance(value, complex):
        return complex(twin(value.real), twin(value.imag))
    if isinstance(value, Row):
        other = Row.of_kind(value.get_row_kind(), *map(twin, value))
        names = value.get_field_names()
        if names is not None:
            other.set_field_names(names)
        return other
    if isinstance(value, dict):
        return {twin(key): twin(value[key]) for key in reversed(value)}
    if isinstance(value, tuple):
        return tuple.__new__(type(value), map(twin, value))
    return list(map(twin, value)) if isinstance(value, list) else value
