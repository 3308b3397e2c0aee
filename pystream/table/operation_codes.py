"""Changelogs in columns: rows with a column that says of each whether it is inserted, updated or deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pystream.datastream.functions import FlatMapFunction, MapFunction
from pystream.errors import PlanError, UnsupportedOperationError
from pystream.sql_types.data_types import DataTypes
from pystream.table.columns import TableColumn, row_type
from pystream.table.expression.base import trees
from pystream.table.expression.expression import Expression
from pystream.table.functions.kinds import Kind, kind_of
from typeinfo.errors import TypeCheckError, short_repr
from typeinfo.row import Row, RowKind, make_row, row_values
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.table.table import Table

__all__ = ["changes_of_codes", "codes_of_changes"]

_PARAMETERS = ("op", "op_mapping")
_KINDS = {kind.name: kind for kind in RowKind}


class OperationCodes(NamedTuple):
    """The column of operation codes of a changelog, and the kinds that codes mean.

    Attributes:
        column: the name of the column.
        pairs: the keys and values of ``op_mapping``; without it, each kind and its name.
    """

    column: str
    pairs: Sequence[tuple[str, str]]

    @classmethod
    def of_arguments(cls, method: str, arguments: Sequence[Expression[Any]]) -> OperationCodes:
        """Return the codes that the arguments of a method declare.

        Raises:
            PlanError: an argument is another one.
        """
        positional = iter(_PARAMETERS)
        given: dict[str, Any] = {}
        for argument in arguments:
            name = trees().argument_name(argument._tree) or next(positional, "")
            given[name] = trees().argument_value(argument._tree)
        if len(given) < len(arguments) or given.keys() - set(_PARAMETERS):
            raise PlanError(
                f"{method} takes descriptor('op').as_argument('op') and map_(…).as_argument('op_mapping'), "
                f"not {', '.join(map(str, arguments))}"
            )
        names = trees().descriptor_names(given["op"]) if "op" in given else ["op"]
        if names is None or len(names) != 1:
            raise PlanError(f"{method}: op takes one name of a column, as in descriptor('op')")
        pairs = trees().literal_pairs(given["op_mapping"]) if "op_mapping" in given else None
        if pairs is None and "op_mapping" in given:
            raise PlanError(f"{method}: op_mapping takes a map of texts, as in map_('INSERT', 'I')")
        return cls(names[0], [(name, name) for name in _KINDS] if pairs is None else pairs)

    def split(self, method: str) -> dict[str, str]:
        """Return the value of each single key; keys are separated by commas.

        Raises:
            PlanError: a key occurs twice.
        """
        found: dict[str, str] = {}
        for keys, value in self.pairs:
            for key in map(str.strip, keys.split(",")):
                if key in found:
                    raise PlanError(f"{method}: op_mapping has the key {key!r} twice")
                found[key] = value
        return found


def codes_of_changes(table: Table, arguments: Sequence[Expression[Any]]) -> Table:
    """Return the changes of a table as rows that are only inserted, each after the code of its kind.

    Raises:
        PlanError: an argument does not say how, or there is a column of the name already.
    """
    method = "to_changelog"
    codes = OperationCodes.of_arguments(method, arguments)
    if codes.column in [column.name for column in table._columns]:
        raise PlanError(
            f"{method}: there is a column {codes.column!r} already; name that of the codes by "
            "descriptor('…').as_argument('op')"
        )
    written = {_kind(method, name): code for name, code in codes.split(method).items()}
    first = TableColumn(codes.column, DataTypes.STRING(), Types.STRING(), 0)
    columns = [first, *(replace(one, position=number) for number, one in enumerate(table._columns, 1))]
    rows = table._rows()
    stream = rows.flat_map(_AsRows(written), row_type(columns)).name("ToChangelog")
    return _table(table, stream.set_parallelism(rows.get_parallelism()), columns, is_updating=False)


def changes_of_codes(table: Table, arguments: Sequence[Expression[Any]]) -> Table:
    """Return the table whose changes are the rows of another one, of the kinds that a column says.

    Raises:
        PlanError: an argument does not say how, or there is no such column of text.
        UnsupportedOperationError: rows of the table may be updated, or updates have no rows before them.
    """
    method = "from_changelog"
    codes = OperationCodes.of_arguments(method, arguments)
    table._require_appended(method)
    found = next((column for column in table._columns if column.name == codes.column), None)
    if found is None or kind_of(found.data_type) != Kind.TEXT:
        raise PlanError(
            f"{method}: there is no column {codes.column!r} of text; name that of the codes by "
            "descriptor('…').as_argument('op')"
        )
    kinds = {code: _kind(method, name) for code, name in codes.split(method).items()}
    if RowKind.UPDATE_AFTER in kinds.values() and RowKind.UPDATE_BEFORE not in kinds.values():
        raise UnsupportedOperationError(
            f"{method}: updates without the rows before them are not supported; map a code to UPDATE_BEFORE"
        )
    place = table._columns.index(found)
    kept = [*table._columns[:place], *table._columns[place + 1 :]]
    columns = [replace(column, position=number) for number, column in enumerate(kept)]
    rows = table._rows()
    names = tuple(column.name for column in columns)
    stream = rows.map(_AsChanges(place, kinds, names), row_type(columns)).name("FromChangelog")
    return _table(table, stream.set_parallelism(rows.get_parallelism()), columns, is_updating=True)


def _kind(method: str, name: str) -> RowKind:
    if name not in _KINDS:
        raise PlanError(f"{method}: op_mapping has {name!r}, which is none of {', '.join(_KINDS)}")
    return _KINDS[name]


def _table(table: Table, stream: Any, columns: Sequence[TableColumn], *, is_updating: bool) -> Table:
    return type(table)(table._environment, stream, columns, is_updating=is_updating)


class _AsRows(FlatMapFunction[Row[Any], Row[Any]]):
    """Put the code of its kind before a row; rows of kinds without a code are left out."""

    def __init__(self, codes: Mapping[RowKind, str]) -> None:
        self._codes = codes

    def flat_map(self, value: Row[Any]) -> Iterator[Row[Any]]:
        code = self._codes.get(value.get_row_kind())
        if code is not None:
            yield Row(code, *row_values(value))


class _AsChanges(MapFunction[Row[Any], Row[Any]]):
    """Make a row one of the kind that its code stands for."""

    def __init__(self, place: int, kinds: Mapping[str, RowKind], names: tuple[str, ...]) -> None:
        self._place = place
        self._kinds = kinds
        self._names = names

    def map(self, value: Row[Any]) -> Row[Any]:
        values = list(row_values(value))
        code = values.pop(self._place)
        kind = self._kinds.get(code)
        if kind is None:
            raise TypeCheckError(
                f"{short_repr(code)} is no code of an operation; there are {', '.join(self._kinds)}"
            )
        return make_row(values, self._names, kind)
