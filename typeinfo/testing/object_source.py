"""Objects of any class as Python source that makes them again."""

from __future__ import annotations

import dataclasses
import enum
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from typeinfo.attributes import attributes_of, is_plain
from typeinfo.testing.rebuilding import Likeness, arguments_of, likeness, repr_of, restored
from typeinfo.testing.source_names import Cyclic, Scope, Unwritable

__all__ = ["ObjectWriter"]

_MOST_TRIED = 1_000  # ways to write the parts of one object
_PICKLING = ("__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")
_BASES: tuple[type[Any], ...] = (
    *(str, bytes, bytearray, int, float, complex),
    *(list, tuple, dict, set, frozenset),
)


class ObjectWriter(ABC):
    """Write objects in the first of some ways that makes the same again, which is tried at once.

    The ways are a call of the class with their attributes, their repr, a call of the class with what they
    hold as a str, list and so on, all their attributes, their pickle, and the name their module keeps them
    under. Where none does, they are given a name, and a note tells to put them in.

    Attributes:
        scope: the names that are used.
    """

    def __init__(self) -> None:
        self.scope: Scope = Scope()
        self._within: set[int] = set()
        self._depth = self._tried = 0

    def imports(self) -> list[str]:
        """Return the notes and the import statements that the expressions written so far need."""
        return [*self.scope.notes(), *self.scope.imports()]

    def name(self, item: Any) -> str:
        """Return the name of a class or function, as its module is imported."""
        return self.scope.name(item)

    def of(self, value: Any) -> str:
        """Return an expression that makes a value again."""
        if id(value) in self._within:
            raise Cyclic(value)
        self._within.add(id(value))
        saved = self.scope.saved()
        try:
            return self._known(value) or self._object(value)
        except Cyclic as cycle:
            self.scope.restore(saved)
            if cycle.value is not value:
                raise
            return self.first_like(value, [self._pickled])
        finally:
            self._within.discard(id(value))

    @abstractmethod
    def _known(self, value: Any) -> str | None:
        """Write an object of a known class, without a check of the result; ``None`` for other objects."""

    def _object(self, value: Any) -> str:
        is_outermost, self._depth = not self._depth, self._depth + 1
        if is_outermost:
            self._tried = 0
        ways = [self._enum_member] if isinstance(value, enum.Enum) else [self._fields, self._attributes]
        last = [self._restored, self._pickled]
        if any(method in vars(base) for base in type(value).__mro__[:-1] for method in _PICKLING):
            last.reverse()
        try:
            return self.first_like(value, [*ways, self.by_repr, self._base, *last, self._kept])
        finally:
            self._depth -= 1

    def first_like(self, value: Any, ways: Iterable[Callable[[Any], str]], kind: str = "value") -> str:
        """Return the source by the first of some ways that rebuilds the same object.

        Args:
            value: the object.
            ways: write it, or raise whatever they want.
            kind: the name of the object if none fits.
        """
        before = self.scope.saved()
        second: tuple[tuple[bool, Likeness], str, Any] | None = None
        for way in ways:
            self._tried += 1
            if self._tried > _MOST_TRIED and way != self._pickled:
                continue  # each part is tried again with each way to write the whole
            written, found = self._tried_out(way, value)
            rank = not self.scope.has_more_stand_ins(before), found
            if rank == (True, Likeness.FULL):
                return written
            if found is not Likeness.NONE and (second is None or rank > second[0]):
                second = rank, written, self.scope.saved()
            self.scope.restore(before)
        if second is None:
            return self.scope.stand_in(value, kind=kind)
        self.scope.restore(second[2])
        return second[1]

    def _tried_out(self, way: Callable[[Any], str], value: Any) -> tuple[str, Likeness]:
        """Return the source by one way, and whether it rebuilds the object."""
        try:
            written = way(value)
            return written, likeness(self.scope.evaluate(written), value)
        except Exception as error:  # a user's constructor may raise anything
            if isinstance(error, Cyclic) and error.value is not value:
                raise
            return "", Likeness.NONE

    def _enum_member(self, value: enum.Enum) -> str:
        cls, name = type(value), value.name
        if name not in cls.__members__:
            return self.call(cls, [value.value])  # a Flag of several members, or of none
        return f"{self.name(cls)}.{name}" if name.isidentifier() else f"{self.name(cls)}[{name!r}]"

    def _fields(self, value: Any) -> str:
        cls = type(value)
        if isinstance(value, tuple) and hasattr(cls, "_fields"):
            return self.call(cls, (), zip(cls._fields, value, strict=True))
        if not dataclasses.is_dataclass(value):
            raise Unwritable("it has no fields")
        fields = [field for field in dataclasses.fields(value) if field.init]
        return self.call(cls, (), [(field.name, getattr(value, field.name)) for field in fields])

    def _attributes(self, value: Any) -> str:
        if not is_plain(type(value)):
            raise Unwritable("it has more than attributes")  # numpy leaves memory as it is
        return self.call(type(value), (), arguments_of(value))

    def by_repr(self, value: Any) -> str:
        """Write an object as its repr does."""
        return repr_of(value, self.scope)

    def _base(self, value: Any) -> str:
        base = next((base for base in _BASES if isinstance(value, base)), None)
        if base is None:
            raise Unwritable("it holds no builtin value")
        return self.call(type(value), [base(value)])

    def _restored(self, value: Any) -> str:
        held = attributes_of(value).items()
        if not held:
            raise Unwritable("it has no attributes")
        return f"{self.name(restored)}({self._items([type(value)])}, {self._named(held)})"

    def _pickled(self, value: Any) -> str:
        data = pickle.dumps(value)
        if b"__main__" in data:
            self.scope.unpickled()
        return f"{self.scope.module('pickle')}.loads({data!r})"

    def _kept(self, value: Any) -> str:
        """Write the name of a module's global object that no source rebuilds."""
        name = self.scope.kept(value, [type(value).__module__])
        if name is None:
            raise Unwritable("it is not kept")
        return name

    def _items(self, values: Iterable[Any]) -> str:
        return ", ".join(map(self.of, values))

    def call(self, function: Any, args: Iterable[Any], named: Iterable[tuple[str, Any]] = ()) -> str:
        """Write a call of a class or function."""
        called = self.name(function)
        return f"{called}({', '.join(filter(None, [self._items(args), self._named(named)]))})"

    def _named(self, named: Iterable[tuple[str, Any]]) -> str:
        return ", ".join(f"{name}={self.of(value)}" for name, value in named)
