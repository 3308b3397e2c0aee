"""Table functions of queries: functions of values to rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from pystream.sql_types.composite_types import MultisetType
from pystream.sql_types.data_types import ArrayType, DataType, DataTypes, MapType, RowField, RowType
from pystream.sql_types.decimals import in_streams
from pystream.sql_types.stream_types import data_type_of
from pystream.table.conversions import ElementConversion
from pystream.table.function_definition import TableFunctionDefinition
from pystream.table.functions.conversion import conversion, type_of_program
from pystream.table.functions.values.conversions import same
from pystream.table.functions.values.program import ProgramFunction
from pystream.table.functions.values.table_calls import (
    ProgramTableCall,
    ResultField,
    TableCall,
    UnnestCall,
    entries_of,
    occurrences_of,
)
from typeinfo.composite import FieldsTypeInfo

__all__ = ["ProgramTableFunction", "SqlTableFunction", "Unnest"]


class SqlTableFunction(ABC):
    """A function of values to rows, as it is called in a query; it never changes."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name in messages and plans."""

    @property
    @abstractmethod
    def operator(self) -> str:
        """The name of the operator that calls it, in plans."""

    @property
    @abstractmethod
    def is_deterministic(self) -> bool:
        """Whether equal arguments always have equal rows."""

    @abstractmethod
    def fields(self, types: Sequence[DataType]) -> tuple[RowField, ...]:
        """Return the columns of its rows.

        Args:
            types: the types of its arguments.

        Raises:
            ValueError: it does not take them; the message says what it takes.
        """

    @abstractmethod
    def call(self, types: Sequence[DataType]) -> TableCall:
        """Return its calls on workers.

        Args:
            types: the types of its arguments.
        """


@dataclass(frozen=True, slots=True)
class ProgramTableFunction(SqlTableFunction):
    """A table function of the program.

    Attributes:
        definition: the function.
    """

    definition: TableFunctionDefinition

    @property
    def name(self) -> str:
        return self.definition.name

    @property
    def operator(self) -> str:
        return "PythonCorrelate"

    @property
    def is_deterministic(self) -> bool:
        return self.definition.is_deterministic

    def fields(self, types: Sequence[DataType]) -> tuple[RowField, ...]:
        return tuple(self.definition.result_type.fields)

    def call(self, types: Sequence[DataType]) -> TableCall:
        definition = self.definition
        row_type = in_streams(definition.result_type.type_info)
        assert isinstance(row_type, FieldsTypeInfo)
        record_type = definition.record_type
        arguments = [data_type.type_info for data_type in types]
        function = ProgramFunction(
            definition.name, definition.function, record_type or row_type, arguments, is_nullable=False
        )
        fields = [_result_field(field) for field in definition.result_type.fields]
        if record_type is None:
            return ProgramTableCall(function, fields)
        positions = range(len(fields))
        return ProgramTableCall(
            function, fields, ElementConversion(record_type, positions, row_type).converter
        )


def _result_field(field: RowField) -> ResultField:
    """Return a column of the rows of a function of the program, to which its values are converted."""
    type_info = in_streams(field.data_type.type_info)
    given = type_of_program(data_type_of(type_info, is_nullable=True))
    convert = conversion(given, field.data_type.nullable()) or same
    return ResultField(field.name, type_info, field.data_type.is_nullable, convert)


@dataclass(frozen=True, slots=True)
class Unnest(SqlTableFunction):
    """The elements of an array, a map or a multiset.

    Attributes:
        is_counted: whether each row has its number, from 1 on: ``WITH ORDINALITY``.
    """

    is_counted: bool

    @property
    def name(self) -> str:
        return "UNNEST"

    @property
    def operator(self) -> str:
        return "Correlate"

    @property
    def is_deterministic(self) -> bool:
        return True

    def fields(self, types: Sequence[DataType]) -> tuple[RowField, ...]:
        own = _fields_of_elements(types)
        if not self.is_counted:
            return own
        return (*own, DataTypes.FIELD("ORDINALITY", DataTypes.INT(nullable=False)))

    def call(self, types: Sequence[DataType]) -> TableCall:
        (collection,) = types
        if isinstance(collection, MapType):
            return UnnestCall(entries_of, 2, is_counted=self.is_counted)
        element = _element_of(collection)
        width = len(element.fields) if isinstance(element, RowType) else 0
        elements = occurrences_of if isinstance(collection, MultisetType) else iter
        return UnnestCall(elements, width, is_counted=self.is_counted)


def _element_of(collection: DataType) -> DataType | None:
    return collection.element_type if isinstance(collection, ArrayType | MultisetType) else None


def _fields_of_elements(types: Sequence[DataType]) -> tuple[RowField, ...]:
    if len(types) != 1:
        raise ValueError(f"UNNEST takes one array, map or multiset, not {len(types)} arguments")
    (collection,) = types
    if isinstance(collection, MapType):
        pair = zip(("KEY", "VALUE"), (collection.key_type, collection.value_type), strict=True)
        return tuple(DataTypes.FIELD(name, data_type) for name, data_type in pair)
    element = _element_of(collection)
    if element is None:
        raise ValueError(f"UNNEST takes an array, a map or a multiset, not {collection.nullable()}")
    if not isinstance(element, RowType):
        return (DataTypes.FIELD("EXPR$0", element),)
    if element.is_nullable:
        return tuple(DataTypes.FIELD(field.name, field.data_type.nullable()) for field in element.fields)
    return tuple(element.fields)
