"""ReducedFields: reduces elements that are columns by their fields."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeGuard

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.columns.function_of_fields import FunctionOfFields
from pystream.engine.vectorised.columns import ColumnValues
from typeinfo.composite import RowTypeInfo
from typeinfo.row import Row, RowKind
from typeinfo.serde.composite import FieldsCodec, columns_of_rows

__all__ = ["ReducedFields"]


class ReducedFields:
    """What the elements of groups are reduced to: lists of all fields, or whole elements.

    It is a list after an element that is a row of columns, as the code on fields returns it. Before it is
    stored or handed on, it becomes a whole element; that becomes a list again when the next such element
    arrives, unless it is more than its fields, such as an instance of a subclass.

    Args:
        reduce: the reduce function.
        forms: its forms, with code on fields.

    Attributes:
        first: returns what one element is reduced to, given the fields that are read, a tuple.
        more: returns what elements are reduced to with one more.
    """

    def __init__(self, reduce: Callable[[Any, Any], Any], forms: ColumnForms) -> None:
        self._reduce = reduce
        self._function = FunctionOfFields(reduce, forms)
        codec = self._function.layout.codec
        assert isinstance(codec, FieldsCodec)
        self._codec = codec
        self._reads_all = self._function.reads == tuple(range(codec.arity))
        self.first: Callable[[Any], Any] = self._begin
        self.more: Callable[[Any, Any], Any] = self._go_on

    def takes(self, values: Sequence[Any]) -> TypeGuard[ColumnValues]:
        """Return whether elements are columns whose fields can be added."""
        return self._function.takes(values)

    def read_from(self, values: ColumnValues) -> list[Sequence[Any]]:
        """Return the columns of the fields that are read; there is at least one."""
        return self._function.read_from(values)

    def begin(self, values: ColumnValues, position: Callable[[], int]) -> None:
        """Begin with further elements.

        Args:
            values: the elements.
            position: returns the position of the one whose fields are being added.
        """
        self._values = values
        self._position = position
        self._columns: list[Sequence[Any]] = []
        self._call = self._function.call

    def _begin(self, fields: tuple[Any, ...]) -> list[Any]:
        if self._reads_all:
            return list(fields)
        if not self._columns:
            self._columns = [column.values for column in self._values.columns]
        at = self._position()
        return [column[at] for column in self._columns]

    def _go_on(self, held: Any, fields: tuple[Any, ...]) -> Any:
        if type(held) is list:
            return self._call(*held, *fields)
        opened = self._opened(held)
        if opened is None:
            return self._reduce(held, self._values.element(self._position()))
        return self._call(*opened, *fields)

    def copied(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return the fields of an element; all are immutable."""
        return value

    def more_whole(self, held: Any, element: Any) -> Any:
        """Return what elements are reduced to with one more, a whole element."""
        return self._reduce(self.whole(held), element)

    def merged(self, held: Any, others: Any) -> Any:
        """Return what the elements of two groups are reduced to."""
        if type(held) is list and type(others) is list:
            return self._call(*held, *[others[position] for position in self._function.reads])
        return self._reduce(self.whole(held), self.whole(others))

    def _opened(self, element: Any) -> Sequence[Any] | None:
        """Return the fields of a whole element, ``None`` if it is more than they are."""
        parts = self._codec.kept_parts(element)
        if parts is not None:
            return parts
        if isinstance(self._codec.type, RowTypeInfo) and _is_without_names(element):
            # The function, which made it, reads no field by name.
            return element if len(element) == self._codec.arity else None
        return None

    def whole(self, held: Any) -> Any:
        """Return the element that elements are reduced to."""
        return self._codec.built([(field,) for field in held], None, 1)[0] if type(held) is list else held

    def all_whole(self, held: Sequence[Any]) -> list[Any]:
        """Return the elements that those of some groups are reduced to."""
        lists = [one for one in held if type(one) is list]
        if not lists:
            return [*held]
        built = iter(self._codec.built(columns_of_rows(lists, self._codec.arity), None, len(lists)))
        return [next(built) if type(one) is list else one for one in held]

    def write(self, table: dict[Hashable, Any]) -> None:
        """Store whole elements in a table of groups."""
        slots = [slot for slot, held in table.items() if type(held) is list]
        if slots:
            table.update(zip(slots, self.all_whole([table[slot] for slot in slots]), strict=True))

    @staticmethod
    def are_lists(held: Iterable[Any]) -> bool:
        """Return whether all groups are reduced to lists."""
        return set(map(type, held)) <= {list}


def _is_without_names(row: Any) -> bool:
    """Return whether a row is a tuple, or a Row of kind INSERT without field names."""
    if type(row) is tuple:
        return True
    return isinstance(row, Row) and row.get_field_names() is None and row.get_row_kind() is RowKind.INSERT
