"""Row: a record with positional and, optionally, named fields, and a row kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache, partial
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, SupportsIndex, overload
from weakref import WeakValueDictionary

from typing_extensions import TypeVar

from typeinfo.errors import PyStreamError, TypeCheckError, short_repr

__all__ = [
    "Row",
    "RowFieldError",
    "RowKind",
    "UnnamedRowError",
    "is_attribute",
    "make_row",
    "make_rows",
    "result_row_class",
    "row_class",
    "row_maker",
    "row_values",
]

F = TypeVar("F", default=Any)
V = TypeVar("V")
_new = object.__new__


class RowKind(Enum):
    """Kind of change that a row represents in a changelog.

    Mirrors ``org.apache.flink.types.RowKind``.
    """

    INSERT = 0
    UPDATE_BEFORE = 1
    UPDATE_AFTER = 2
    DELETE = 3

    def __str__(self) -> str:
        return ("+I", "-U", "+U", "-D")[self.value]


_INSERT = RowKind.INSERT  # looked up once: access through the enum class is slow


class RowFieldError(PyStreamError, KeyError, ValueError):
    """A row does not have a field with this name."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnnamedRowError(RowFieldError, AttributeError):
    """A row without field names was accessed by name."""


class Row(Generic[F]):
    """A mutable record: ``Row(1, "a")`` by position or ``Row(id=1, name="a")`` by name.

    Fields are read and written as ``row[0]`` and ``row["id"]``, read as ``row.id``; names keep the order
    given. A row of strings also serves as a factory of named rows: ``Row("id", "name")(1, "a")``. Rows
    are equal if kind, names (in any order) and the values under them are equal. A hash covers the values,
    so do not change a row that is a dict key.

    Raises:
        ValueError: positional and named fields are given together.

    Mirrors ``org.apache.flink.types.Row`` and ``pyflink.common.Row``.

    Examples:
        >>> from typeinfo import Row
        >>> row = Row(name="Ada", age=36)
        >>> row.name, row["age"], row[0]
        ('Ada', 36, 'Ada')
        >>> Row("name", "age")("Alan", 41)
        Row(name='Alan', age=41)
    """

    # Rows with the same names share a class, which holds the names and a property for each (``row_class``).
    # Values are a tuple, so that rows can share them; setting a field replaces the tuple.
    __slots__ = ("_row_kind", "_values")
    _fields: ClassVar[tuple[str, ...] | None] = None
    _positions: ClassVar[Mapping[str, int]] = {}
    _unnamed: ClassVar[type[Row[Any]]]
    _named: ClassVar[dict[tuple[str, ...], type[Row[Any]]]]
    _living: ClassVar[WeakValueDictionary[tuple[str, ...], type[Row[Any]]]]
    _values: tuple[Any, ...]
    _row_kind: RowKind

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            if args:
                raise ValueError("a Row takes positional or named fields, not both")
            self._values = tuple(kwargs.values())
            names = tuple(kwargs)
            cls: Any = self._named.get(names) or row_class(names, self._unnamed)
            self.__class__ = cls
        else:
            self._values = args
        self._row_kind = _INSERT

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "_fields" not in vars(cls):
            cls._unnamed, cls._named, cls._living = cls, {}, WeakValueDictionary()

    @staticmethod
    def of_kind(row_kind: RowKind, *args: Any, **kwargs: Any) -> Row[Any]:
        """Return a row of a given kind; fields are passed as to ``Row``."""
        row: Row[Any] = Row(*args, **kwargs)
        row.set_row_kind(row_kind)
        return row

    def get_row_kind(self) -> RowKind:
        """Return the row kind; INSERT unless set."""
        return self._row_kind

    def set_row_kind(self, row_kind: RowKind) -> None:
        """Set the row kind in place."""
        if not isinstance(row_kind, RowKind):
            given = short_repr(row_kind)
            raise TypeCheckError(f"set_row_kind takes a RowKind such as RowKind.INSERT, not {given}")
        self._row_kind = row_kind

    def get_field_names(self) -> list[str] | None:
        """Return the field names in order, or ``None`` for an unnamed row."""
        return None if self._fields is None else list(self._fields)

    def set_field_names(self, field_names: Sequence[str]) -> None:
        """Set the field names in place, in order.

        As in Flink, fewer names leave values without one, and a repeated name finds the first value; such
        a row does not fit a stream of named rows.

        Raises:
            RowFieldError: the names are a single string, or not strings; a ValueError, too.
        """
        if isinstance(field_names, str):
            raise RowFieldError(f"give the field names as a list, not as the string {field_names!r}")
        cls: Any = row_class(_strings(field_names), self._unnamed)
        self.__class__ = cls

    def get_fields_by_names(self, names: Sequence[str]) -> list[Any]:
        """Return the values under the given names, in their order; all values for an unnamed row.

        Raises:
            RowFieldError: the row has no field with that name.
        """
        if self._fields is None:
            return list(self._values)
        return [self[name] for name in _strings(names)]

    def as_dict(self, recursive: bool = False) -> dict[str, Any]:
        """Return the fields as a dict in field order.

        Args:
            recursive: turn rows inside (also in lists and dict values) into dicts as well.

        Raises:
            TypeCheckError: the row has no field names, or ``recursive`` is not a bool.
        """
        if self._fields is None:
            raise TypeCheckError(f"{self!r} has no field names, so it has no dict form; use list(row)")
        if not isinstance(recursive, bool):
            raise TypeCheckError(f"as_dict takes True or False, not {short_repr(recursive)}, as recursive")
        values = map(_dict_form, self._values) if recursive else self._values
        return dict(zip(self._fields, values, strict=False))

    def __call__(self, *args: Any) -> Row[Any]:
        if len(args) > len(self._values):
            raise ValueError(f"{self!r} names {len(self._values)} fields but got {len(args)} values")
        return make_row(args, _strings(self._values), self._row_kind)

    def _index(self, name: Any) -> int:
        try:
            return self._positions[name]
        except (KeyError, TypeError):
            if self._fields is None:
                raise UnnamedRowError(
                    f"the row has no field names, so there is no field {short_repr(name)}"
                ) from None
            raise RowFieldError(f"no field {short_repr(name)} among {list(self._fields)}") from None

    # One overload per position: ``row[0]`` of a ``Row[tuple[int, str]]`` is an int.
    @overload
    def __getitem__(self: Row[tuple[V, *tuple[Any, ...]]], item: Literal[0]) -> V: ...
    @overload
    def __getitem__(self: Row[tuple[Any, V, *tuple[Any, ...]]], item: Literal[1]) -> V: ...
    @overload
    def __getitem__(self: Row[tuple[Any, Any, V, *tuple[Any, ...]]], item: Literal[2]) -> V: ...
    @overload
    def __getitem__(self: Row[tuple[Any, Any, Any, V, *tuple[Any, ...]]], item: Literal[3]) -> V: ...
    @overload
    def __getitem__(self: Row[tuple[Any, Any, Any, Any, V, *tuple[Any, ...]]], item: Literal[4]) -> V: ...
    @overload
    def __getitem__(
        self: Row[tuple[Any, Any, Any, Any, Any, V, *tuple[Any, ...]]], item: Literal[5]
    ) -> V: ...
    @overload
    def __getitem__(
        self: Row[tuple[Any, Any, Any, Any, Any, Any, V, *tuple[Any, ...]]], item: Literal[6]
    ) -> V: ...
    @overload
    def __getitem__(
        self: Row[tuple[Any, Any, Any, Any, Any, Any, Any, V, *tuple[Any, ...]]], item: Literal[7]
    ) -> V: ...
    @overload
    def __getitem__(self, item: slice) -> list[Any]: ...
    @overload
    def __getitem__(self, item: SupportsIndex | str) -> Any: ...
    def __getitem__(self, item: Any) -> Any:
        if type(item) is int:  # a tenth faster than isinstance
            return self._values[item]
        if isinstance(item, slice):
            return list(self._values[item])
        if not isinstance(item, str) and hasattr(type(item), "__index__"):
            return self._values[item]
        return self._values[self._index(item)]

    def __setitem__(self, key: int | slice | str, value: Any) -> None:
        values = list(self._values)
        if isinstance(key, (int, slice)):
            values[key] = value
        else:
            values[self._index(key)] = value
        self._values = tuple(values)

    if TYPE_CHECKING:  # fields are attributes by properties
        # With ``__getattr__``, every Row would match the protocols of a Series and of a list.
        __array__: None
        __delitem__: None

        def __getattr__(self, item: str) -> Any: ...

    def __contains__(self, item: object) -> bool:
        return item in (self._values if self._fields is None else self._fields)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Callable[..., Row[Any]], tuple[Any, ...]]:
        if self._row_kind is _INSERT:
            return _restored, (self._values, self._fields)
        return _restored, (self._values, self._fields, self._row_kind.value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Row):
            return NotImplemented
        if self._row_kind is not other._row_kind:
            return False
        if self._fields == other._fields:
            return self._values == other._values
        if self._fields is None or other._fields is None:
            return False
        return sorted(self._fields) == sorted(other._fields) and self.as_dict() == other.as_dict()

    def __hash__(self) -> int:
        if self._fields is None:
            return hash(self._values)
        fields = self.as_dict()  # by name, because rows are equal whatever the order of their fields
        return hash(tuple(fields[name] for name in sorted(fields)))

    def __repr__(self) -> str:
        if self._fields is None:
            return _without_names(self)
        pairs = zip(self._fields, self._values, strict=False)
        return f"Row({', '.join(f'{name}={value!r}' for name, value in pairs)})"


def _restored(
    values: tuple[Any, ...], fields: tuple[str, ...] | None, row_kind: int | None = None
) -> Row[Any]:
    """Return an unpickled row; its kind is pickled as a number, as enum members are much slower."""
    return make_row(values, fields, _INSERT if row_kind is None else RowKind(row_kind))


Row._unnamed, Row._named, Row._living = Row, {}, WeakValueDictionary()

_METHODS = frozenset(name for cls in Row.__mro__ for name in vars(cls))
_MOST_CLASSES = 10_000


def row_class(names: tuple[str, ...] | None, unnamed: type[Row[Any]] = Row) -> type[Row[Any]]:
    """Return the subclass for rows with these names, created on first use.

    One class with ``__getattr__`` would suffice, but Python 3.11 then looks up every attribute in the slow
    way: access to a field by position would take twice as long.

    Args:
        names: the names in order, or ``None`` for rows without names.
        unnamed: ``Row``, or the user's subclass of it.
    """
    if names is None:
        return unnamed
    known = unnamed._named.get(names)
    if known is not None:
        return known
    if len(unnamed._named) >= _MOST_CLASSES:  # names derived from data
        unnamed._named.clear()  # except the classes of existing rows
    cls = unnamed._living.setdefault(names, _new_class(names, unnamed))
    return unnamed._named.setdefault(names, cls)


def _new_class(names: tuple[str, ...], unnamed: type[Row[Any]]) -> type[Row[Any]]:
    positions = {name: names.index(name) for name in names}
    members: dict[str, Any] = {
        "__slots__": (),
        "__module__": unnamed.__module__,
        "__qualname__": unnamed.__qualname__,
        "__doc__": unnamed.__doc__,
        "_fields": names,
        "_positions": positions,
        **{name: _property(name, position) for name, position in positions.items() if is_attribute(name)},
    }
    return type(unnamed.__name__, (unnamed,), members)


@lru_cache(maxsize=1_000)
def result_row_class(names: tuple[str, ...]) -> type[Row[Any]]:
    """Return the class of named rows that equal the rows without names, and look like them."""
    members = {
        "__slots__": (),
        "__eq__": _equals_by_position,
        "__hash__": _hash_by_position,
        "__repr__": _without_names,
    }
    named = row_class(names)
    return type(named.__name__, (named,), {**members, "__module__": named.__module__})


def _equals_by_position(self: Row[Any], other: object) -> bool:
    if isinstance(other, Row) and other._fields is None:
        return self._row_kind is other._row_kind and self._values == other._values
    return Row.__eq__(self, other)


def _hash_by_position(self: Row[Any]) -> int:
    return hash(self._values)


def _without_names(self: Row[Any]) -> str:
    return f"<Row({', '.join(map(repr, self._values))})>"


def is_attribute(name: str) -> bool:
    """Return whether ``row.name`` is the field with that name, if a row has one."""
    return not name.startswith("_") and name not in _METHODS


def _strings(names: Sequence[Any]) -> tuple[str, ...]:
    """Return field names as a tuple, checked to be strings.

    Raises:
        RowFieldError: one is not a string.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise RowFieldError(f"field names are a list of strings, not {short_repr(names)}")
    try:
        checked = tuple(names)
    except Exception as error:
        raise RowFieldError(f"field names are a list of strings, not {short_repr(names)}") from error
    if not all(isinstance(name, str) for name in checked):
        raise RowFieldError(f"field names are strings, not {short_repr(names)}")
    return checked


def _property(name: str, position: int) -> property:
    def get(row: Row[Any]) -> Any:
        try:
            return row._values[position]
        except IndexError:
            raise AttributeError(f"the row has no value for field {name!r}", name=name, obj=row) from None

    def refuse(row: Row[Any], value: object) -> None:
        message = f'set a field as row["{name}"] = …; attributes of a row are read-only'
        raise AttributeError(message, name=name, obj=row)

    return property(get, refuse)


def make_row(values: Iterable[Any], fields: Sequence[str] | None, row_kind: RowKind = _INSERT) -> Row[Any]:
    """Return a row with the given values and names, both in order."""
    row = _new(Row if fields is None else row_class(tuple(fields)))
    row._values = tuple(values)
    row._row_kind = row_kind
    return row


def row_maker(fields: tuple[str, ...]) -> Callable[[Iterable[Any]], Row[Any]]:
    """Return a function that makes rows of these names from their values, both in order."""
    return partial(_made, row_class(fields))


def _made(cls: type[Row[Any]], values: Iterable[Any]) -> Row[Any]:
    row = _new(cls)
    row._values = tuple(values)
    row._row_kind = _INSERT
    return row


row_values: Callable[[Row[Any]], tuple[Any, ...]] = attrgetter("_values")
"""Return the values of a row in order."""


def make_rows(
    values: Iterable[tuple[Any, ...]],
    fields: tuple[str, ...] | None,
    row_kinds: Iterable[RowKind] | None = None,
) -> list[Row[Any]]:
    """Return a row for each tuple of values, all with the same names.

    Args:
        values: one tuple per row, of equal length.
        fields: the names, shared by the rows.
        row_kinds: one kind per row; INSERT by default.
    """
    cls = row_class(fields)
    rows: list[Any] = []
    append = rows.append
    for row_values, row_kind in zip(
        values, repeat(_INSERT) if row_kinds is None else row_kinds, strict=False
    ):
        row = _new(cls)
        row._values = row_values
        row._row_kind = row_kind
        append(row)
    return rows


def _dict_form(value: Any) -> Any:
    if isinstance(value, Row):
        return value.as_dict(recursive=True)
    if isinstance(value, list):
        return [_dict_form(v) for v in value]
    if isinstance(value, dict):
        return {k: _dict_form(v) for k, v in value.items()}
    return value
