"""TypeInformation: base class of all types, with slots for their parts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any, ClassVar, Generic, NamedTuple

from typing_extensions import TypeVar

from typeinfo.errors import UnsupportedTypeError, short_repr

__all__ = ["Slot", "TypeInformation", "require_type"]

T = TypeVar("T")
# The values that a function may return, or a collection contain, for elements of type T.
ACCEPTED = TypeVar("ACCEPTED", contravariant=True, default=T)


class Slot(NamedTuple):
    """A place inside a composite value that holds a value of another type.

    Attributes:
        segment: the place in a path, e.g. ``.name``, ``[0]``, ``[]`` for any list element.
        type: the type of the values held there.
        nullable: whether ``None`` is allowed even if ``type`` itself does not admit it.
    """

    segment: str
    type: TypeInformation[Any]
    nullable: bool


class TypeInformation(Generic[T, ACCEPTED]):
    """The type of the elements of a stream, with its Python value, Arrow type and Spark type.

    A type is a frozen, hashable value and travels between processes by pickle. It is invariant in ``T``.
    Compare types with ``==``. ``ACCEPTED``, by default ``T``, is for type checkers: the values
    that are accepted as elements of the type, such as tuples and lists in place of rows.

    Mirrors ``org.apache.flink.api.common.typeinfo.TypeInformation``.
    """

    _example: ClassVar[str] = "Types.INT()"
    _from_class: ClassVar[str] = "Types.of({})"

    __slots__ = ()

    @property
    def value_class(self) -> type[Any]:
        """The class of all values except ``None``."""
        return object

    def display_name(self) -> str:
        """Return the name of the type in messages: for a basic type, its name in ``Types``."""
        return str(self)

    def slots(self) -> tuple[Slot, ...]:
        """Return the places inside a value of this type, in field order; empty for an atomic type."""
        return ()

    def admits_none(self) -> bool:
        """Return whether ``None`` is itself a value of this type."""
        return False

    def is_hashable(self) -> bool:
        """Return whether Python can hash every value, so that it can be a dict key."""
        return all(slot.type.is_hashable() for slot in self.slots())

    def is_mutable(self) -> bool:
        """Return whether values, or their parts, are mutable, so that sharing them matters."""
        return any(slot.type.is_mutable() for slot in self.slots())

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        """Return the parts of a value, with their types and nullability, as an HTML table for notebooks."""
        rows = "".join(_html_rows(self, ""))
        name = f"<code>{escape(str(self))}</code>"
        head = "<tr><th>field</th><th>type</th><th>nullable</th></tr>"
        return f"<table><caption>{name}</caption>{head}{rows}</table>" if rows else name


def _html_rows(t: TypeInformation[Any], prefix: str) -> Iterator[str]:
    for slot in t.slots():
        path = f"{prefix}{slot.segment}"
        nullable = slot.nullable or slot.type.admits_none()
        cells = (path.removeprefix("."), str(slot.type), "yes" if nullable else "")
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"
        yield from _html_rows(slot.type, path)


def require_type(value: object, role: str) -> TypeInformation[Any]:
    """Return ``value`` if it is a type, else raise an error.

    Args:
        value: the caller's argument.
        role: the name of the argument or field, for the message.

    Raises:
        UnsupportedTypeError: ``value`` is not a TypeInformation.
    """
    if isinstance(value, TypeInformation):
        return value
    hint = f"Types.of({value.__name__})" if isinstance(value, type) else "Types.INT(), Types.STRING(), …"
    raise UnsupportedTypeError(f"{role} must be a TypeInformation such as {hint}, not {short_repr(value)}")
