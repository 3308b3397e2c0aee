"""Two kinds of sameness of values: indistinguishable after a round trip, or equal as keys."""

from __future__ import annotations

import datetime
import inspect
import sys
from collections import deque
from collections.abc import Callable, Iterable, Set
from decimal import Decimal
from functools import cached_property, lru_cache, partial
from types import CellType, FunctionType, MethodType, NoneType
from typing import Any, TypeAlias

from typeinfo.records import attributes_of, compared_names, is_plain, value_names, with_attributes
from typeinfo.row import Row, make_row

__all__ = ["array_parts", "rebuilt", "same", "same_key", "twin"]

_ATOMS = frozenset({NoneType, bool, int, str, bytes})
_MISSING = object()
_names_of: Callable[[Any], list[str] | None] = lru_cache(value_names)
_Parts: TypeAlias = Callable[[Any], tuple[Any, ...]]


def same(a: Any, b: Any, *, kinds: bool = True) -> bool:
    """Return whether two values are indistinguishable, as after a lossless round trip.

    Classes are compared too, a NaN is the same as another, 0.0 is not -0.0, a Decimal has its scale, a dict
    its order, a row its names, a time its zone. The ``fold`` of a time does not count: no type keeps it.
    Arrays, columns and tables of numpy, pandas and pyarrow are compared by their elements, in the same way,
    and by their element types, shapes and names. A class that defines ``==`` in Python decides itself; all
    other objects are compared piece by piece, by what pickle would see of them, and functions by their code
    and what they capture. What a ``cached_property`` holds does not count, nor a field of a record that is
    neither compared nor an argument of the constructor.

    Args:
        a: a value.
        b: another.
        kinds: whether the kinds of rows count as well.
    """
    return _Comparison(kinds).same(a, b)


class _Comparison:
    """One comparison of two values; pairs already being compared count as the same, so that cycles end."""

    def __init__(self, kinds: bool) -> None:
        self._kinds = kinds
        self._compared: dict[tuple[int, int], tuple[Any, Any]] = {}  # which keeps the objects and so the ids

    def same(self, a: Any, b: Any) -> bool:
        if type(a) is not type(b):
            return False
        if type(a) in _ATOMS:
            return bool(a == b)
        if isinstance(a, (float, complex)):
            return repr(a) == repr(b)
        pair = id(a), id(b)
        if a is b or pair in self._compared:
            return True
        self._compared[pair] = a, b
        return self._same_pieces(a, b)

    def _same_pieces(self, a: Any, b: Any) -> bool:
        if type(a) in (tuple, list):
            return self._all_same(a, b)
        if type(a) is dict:
            return self._all_same(a, b) and self._all_same(a.values(), b.values())
        if isinstance(a, Decimal):
            return str(a) == str(b)
        if isinstance(a, (datetime.datetime, datetime.time)):
            naive = a.replace(tzinfo=None, fold=0) == b.replace(tzinfo=None, fold=0)
            return naive and self.same(a.tzinfo, b.tzinfo)
        if isinstance(a, Row):
            kinds_agree = not self._kinds or a.get_row_kind() is b.get_row_kind()
            return kinds_agree and a.get_field_names() == b.get_field_names() and self._all_same(a, b)
        if isinstance(a, (set, frozenset)):
            return self._same_members(a, b)
        if (names := _names_of(type(a))) is not None:
            return all(self.same(getattr(a, name, _MISSING), getattr(b, name, _MISSING)) for name in names)
        return self._same_object(a, b)

    def _same_object(self, a: Any, b: Any) -> bool:
        for parts_of in (array_parts, _callable_parts):
            if (parts := parts_of(a)) is not None:
                return self._all_same(parts, parts_of(b) or ())
        if _decides_itself(type(a)) and _are_equal(a, b):
            return True
        if isinstance(a, type):
            return False
        try:
            left, right = _pickled_parts(a), _pickled_parts(b)
        except Exception:  # noqa: BLE001 - locks and the like have no parts, and refuse in many ways
            return _are_equal(a, b)
        if isinstance(left, str) or isinstance(right, str):  # the name of a global
            return bool(left == right)
        if _hides_everything(type(a), left) and not is_plain(type(a)):
            return _are_equal(a, b)
        return self.same(left, right)

    def _same_members(self, a: Set[Any], b: Set[Any]) -> bool:
        unmatched = list(b)
        for member in a:
            found = next((i for i, other in enumerate(unmatched) if self._is_twin(member, other)), None)
            if found is None:
                return False
            del unmatched[found]
        return not unmatched

    def _is_twin(self, a: Any, b: Any) -> bool:
        """Compare again, without the assumptions made by comparisons that failed."""
        return _Comparison(self._kinds).same(a, b)

    def _all_same(self, a: Iterable[Any], b: Iterable[Any]) -> bool:
        left, right = list(a), list(b)
        return len(left) == len(right) and all(map(self.same, left, right))


def _callable_parts(value: Any) -> list[Any] | None:
    """Return the parts that distinguish a function, method or ``partial``, ``None`` for other objects."""
    match value:
        case FunctionType():
            place = [value.__module__, value.__qualname__, value.__code__]
            return [*place, value.__defaults__, value.__kwdefaults__, value.__closure__]
        case CellType():
            try:
                return [value.cell_contents]
            except ValueError:  # it is not set yet
                return []
        case partial():
            return [value.func, value.args, value.keywords, vars(value)]
        case MethodType():
            return [value.__func__, value.__self__]
    return None


def _are_equal(a: Any, b: Any) -> bool:
    """Return whether two objects are equal by ``==``; false for arrays, which compare element by element."""
    try:
        answer = a == b
        return bool(answer) and not hasattr(answer, "__len__")  # an array of answers is none
    except Exception:  # noqa: BLE001 - whether whole arrays are equal is refused in many ways
        return False


def _pickled_parts(value: Any) -> Any:
    """Return the parts that pickle would write of an object: constructor, state and items."""
    reduced = value.__reduce_ex__(4)
    if isinstance(reduced, str):
        return reduced
    make, args, state, items, entries = (*reduced, None, None, None)[:5]
    return make, args, _without_caches(type(value), state), list(items or ()), list(entries or ())


def _hides_everything(cls: type[Any], parts: Any) -> bool:
    """Return whether pickle rebuilds an object from its class alone, without arguments or state."""
    _, args, state, items, entries = parts
    return len(args) == 1 and args[0] is cls and state is None and not items and not entries


def _decides_itself(cls: type[Any]) -> bool:
    """Return whether a class defines ``__eq__`` in Python and is not a container."""
    return isinstance(cls.__eq__, FunctionType) and not issubclass(cls, (dict, list, tuple, deque))


def _without_caches(cls: type[Any], state: Any) -> Any:
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[0], (dict, NoneType)):
        return _without_caches(cls, state[0]), state[1]
    if not isinstance(state, dict):
        return state
    return {
        name: held
        for name, held in sorted(state.items(), key=lambda item: str(item[0]))
        if not isinstance(inspect.getattr_static(cls, name, None), cached_property)
    } or None


def same_key(a: Any, b: Any) -> bool:
    """Return whether two values of one type are one key: equal in Python, all NaNs being one.

    Fields that a generated ``==`` does not compare do not count, nor does the order of a dict.
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
    elif isinstance(a, Set) and isinstance(b, Set):
        return len(a) == len(b) and all(any(same_key(part, other) for other in b) for part in a)
    elif type(a) is type(b) and (names := compared_names(type(a))) is not None:
        return all(same_key(getattr(a, name), getattr(b, name)) for name in names)
    elif not isinstance(a, (tuple, list)) or not isinstance(b, (tuple, list)):
        parts, others = array_parts(a), array_parts(b)
        if parts is not None and others is not None:
            return same_key(parts, others)
        return a is b or bool(a == b) or (a != a and b != b)
    return len(a) == len(b) and all(map(same_key, a, b))


def twin(value: Any) -> Any:
    """Return another value that is the same key: zeros change sign and dicts order, at any depth."""
    if isinstance(value, float):
        return -value if value == 0 else value
    if isinstance(value, complex):
        return complex(twin(value.real), twin(value.imag))
    if isinstance(value, dict):
        return {twin(key): twin(value[key]) for key in reversed(value)}
    if isinstance(value, (Row, tuple, list)):
        return rebuilt(value, map(twin, value))
    return _twin_object(value)


def _twin_object(value: Any) -> Any:
    """Return an instance with twins as attributes, if its class considers it equal."""
    held = attributes_of(value)
    if not held or not isinstance(type(value).__eq__, FunctionType):
        return value
    try:
        other = with_attributes(value, {name: twin(part) for name, part in held.items()})
    except Exception:  # noqa: BLE001 - classes may refuse in any way to be copied or changed
        return value
    return other if same_key(other, value) else value


def rebuilt(value: Any, items: Iterable[Any]) -> Any:
    """Return a row, tuple or list like another with other items."""
    if isinstance(value, Row):
        return make_row(items, value.get_field_names(), value.get_row_kind())
    return tuple.__new__(type(value), items) if isinstance(value, tuple) else list(items)


def array_parts(value: Any) -> tuple[Any, ...] | None:
    """Return the parts that distinguish an array, column, table or numpy scalar from others of its class.

    They are its element type, shape and names, and its elements as Python values. The layout in memory, such
    as strides and chunks, does not count. Other values have no parts.
    """
    cls: Any = type(value)
    parts = _parts_of(cls)
    return None if parts is None else parts(value)


@lru_cache
def _parts_of(cls: Any) -> _Parts | None:
    """Return the function that yields the parts of an array class; it loads no libraries."""
    for (module, name), parts in _ARRAYS.items():
        array = getattr(sys.modules.get(module), name, None)
        if isinstance(array, type) and issubclass(cls, array):
            return parts
    return None


_ARRAYS: dict[tuple[str, str], _Parts] = {
    ("numpy", "ndarray"): lambda array: (array.dtype, array.shape, array.ravel().tolist()),
    ("numpy", "generic"): lambda scalar: (scalar.dtype, _python_number(scalar)),
    ("pandas", "Series"): lambda s: (s.dtype, s.name, s.index, dict(s.attrs), list(s.array)),
    ("pandas", "DataFrame"): lambda frame: (
        *(frame.columns, frame.index, dict(frame.attrs)),
        [frame.iloc[:, i] for i in range(frame.shape[1])],  # by position, as names may occur twice
    ),
    ("pandas", "Index"): lambda index: (index.dtype, list(index.names), list(index)),
    ("pandas.api.extensions", "ExtensionArray"): lambda array: (array.dtype, list(array)),
    ("pyarrow", "Array"): lambda array: (array.type, array.to_pylist()),
    ("pyarrow", "ChunkedArray"): lambda array: (array.type, array.to_pylist()),
    ("pyarrow", "Scalar"): lambda scalar: (scalar.type, scalar.as_py()),
    ("pyarrow", "RecordBatch"): lambda batch: (batch.schema, batch.num_rows, batch.columns),
    ("pyarrow", "Table"): lambda table: (table.schema, table.num_rows, table.columns),
    ("pyarrow", "Schema"): lambda schema: (schema.metadata, list(schema)),
    ("pyarrow", "Field"): lambda field: (field.name, field.type, field.nullable, field.metadata),
}


def _python_number(scalar: Any) -> Any:
    """Return a numpy scalar as a Python value, or its repr where Python has no such number."""
    item = scalar.item()
    return repr(scalar) if type(item) is type(scalar) else item
