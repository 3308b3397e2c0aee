"""Conversions of the elements of a stream to those of another type, column by column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from pystream.datastream.functions import MapFunction, RuntimeContext
from pystream.engine.formats.fields import Cast, maker_of, opener_of
from pystream.engine.operators.column_map import COLUMN_MAP, ColumnFunction, ColumnResults
from pystream.errors import PlanTypeError
from pystream.kinds import OperatorKind
from pystream.sql_types.stream_types import data_type_of
from pystream.table.functions.values.composites import converted_fields
from pystream.table.functions.values.decimals import Digits, fitted
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo, RowTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo, is_decimal
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.row import Row
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.types import Types

if TYPE_CHECKING:
    from pystream.engine.vectorised.columns import Column, ColumnValues
    from pystream.table.converted_columns import ColumnConversion

__all__ = ["Converter", "ElementConversion", "converter", "matching_positions"]

Converter = Callable[[Any], Any]

_INTEGERS = (Types.BYTE, Types.SHORT, Types.INT, Types.LONG, Types.BIG_INT)
# The types of one group have the same values, or those of each are also values of the ones after it.
_WIDENING: tuple[tuple[TypeInformation[Any], ...], ...] = (
    _INTEGERS,
    (Types.FLOAT, Types.DOUBLE),
    (Types.CHAR, Types.STRING),
)
_SAME_VALUES: tuple[frozenset[TypeInformation[Any]], ...] = (
    frozenset({Types.SQL_DATE, Types.LOCAL_DATE}),
    frozenset({Types.SQL_TIME, Types.LOCAL_TIME}),
    frozenset({Types.SQL_TIMESTAMP, Types.LOCAL_DATE_TIME}),
)


class ElementConversion(MapFunction[Any, Any], ColumnFunction):
    """Make elements of one type from some fields of elements of another.

    A row made from a row keeps its kind.

    Args:
        source: the type of the elements that are converted.
        positions: the field of ``source`` for each field of ``target``; an element without fields counts as
            its own field 0.
        target: the type of the results.
        casts: for each field of ``target``, a row type, the cast of its values; those of an implicit
            conversion between the types unless given.

    Attributes:
        kind: the kind of operator that makes the elements.
    """

    kind: ClassVar[OperatorKind] = COLUMN_MAP

    def __init__(
        self,
        source: TypeInformation[Any],
        positions: Sequence[int],
        target: TypeInformation[Any],
        casts: Sequence[Cast] | None = None,
    ) -> None:
        self._source = source
        self._positions = tuple(positions)
        self._target = target
        self._casts = None if casts is None else tuple(casts)
        self._columns: ColumnConversion | None = None  # made on the worker

    def open(self, runtime_context: RuntimeContext) -> None:
        self._convert = self.converter()

    def of_columns(self, values: ColumnValues) -> ColumnResults | None:
        return self._by_column.results(values)

    def columns(self, values: ColumnValues) -> list[Column] | None:
        """Return the columns of the results for elements, ``None`` if they must be converted one by one."""
        return self._by_column.columns(values)

    @property
    def _by_column(self) -> ColumnConversion:
        if self._columns is None:
            from pystream.table.converted_columns import ColumnConversion  # needs pyarrow

            converters = _field_converters(self._source, self._positions, self._target, self._casts)
            self._columns = ColumnConversion(self._source, self._positions, self._target, converters)
        return self._columns

    def converter(self) -> Converter:
        """Return the function that makes an element of another."""
        converters = _field_converters(self._source, self._positions, self._target, self._casts)
        return _fields_converter(self._source, self._positions, self._target, converters)

    def map(self, value: Any) -> Any:
        return self._convert(value)


def _field_converters(
    source: TypeInformation[Any],
    positions: Sequence[int],
    target: TypeInformation[Any],
    casts: Sequence[Cast] | None = None,
) -> list[Converter | None]:
    """Return the conversion of each field of the target, of its only value if it has none."""
    if casts is not None:
        return [cast.converter() for cast in casts]
    types = source.field_types if isinstance(source, FieldsTypeInfo) else (source,)
    if not isinstance(target, FieldsTypeInfo):
        return [converter(types[position], target, "") for position in positions]
    fields = zip(positions, target.field_types, target.get_field_names(), strict=True)
    return [converter(types[position], t, name) for position, t, name in fields]


def _fields_converter(
    source: TypeInformation[Any],
    positions: Sequence[int],
    target: TypeInformation[Any],
    converters: Sequence[Converter | None],
) -> Converter:
    opened: Converter = opener_of(source) if isinstance(source, FieldsTypeInfo) else _alone
    if not isinstance(target, FieldsTypeInfo):
        (position,), (only,) = positions, converters
        return partial(_converted_only, opened, position, only or _same)
    parts = [(position, convert or _same) for position, convert in zip(positions, converters, strict=True)]
    convert = partial(converted_fields, opened, parts, maker_of(target))
    if isinstance(source, RowTypeInfo) and isinstance(target, RowTypeInfo):
        return partial(_of_same_kind, convert)
    return convert


def _same(value: Any) -> Any:
    return value


def _alone(element: Any) -> tuple[Any]:
    return (element,)


def _converted_only(opened: Converter, position: int, convert: Converter, element: Any) -> Any:
    return convert(opened(element)[position])


def _of_same_kind(convert: Converter, element: Row[Any]) -> Row[Any]:
    row: Row[Any] = convert(element)
    row.set_row_kind(element.get_row_kind())
    return row


def converter(source: TypeInformation[Any], target: TypeInformation[Any], path: str) -> Converter | None:
    """Return a function that converts values of one type to another, ``None`` if they are the same values.

    Types correspond as in Flink's implicit casts: a narrower number becomes a wider one, rows and tuples
    correspond by position, records by the names of their fields. The function is not given ``None``.

    Args:
        source: the type of the values.
        target: the type of the results; whether it admits nulls is checked where they are encoded.
        path: where the values are, for messages.

    Raises:
        PlanTypeError: values of one type are not values of the other.
    """
    source, target = _plain(source), _plain(target)
    if source == target or _is_wider(source, target):
        return None
    match source, target:
        case BigDecimalTypeInfo(scale=0), _ if target == Types.BIG_INT:
            return int
        case _ if source == Types.BIG_INT and target == Types.BIG_DEC:
            return Decimal
        case _, BigDecimalTypeInfo() if is_decimal(source) or source == Types.BIG_INT:
            return partial(fitted, Digits.of(target.precision, target.scale))
        case FieldsTypeInfo(), FieldsTypeInfo():
            positions = matching_positions(source.get_field_names(), target, path)
            for position, t, name in zip(
                positions, target.field_types, target.get_field_names(), strict=True
            ):
                converter(source.field_types[position], t, f"{path}.{name}")
            converters = _field_converters(source, positions, target)
            return _fields_converter(source, positions, target, converters)
        case ArrayTypeInfo(), ArrayTypeInfo() if source.value_class == target.value_class:
            each = converter(source.element_type, target.element_type, f"{path}[]")
            return each and partial(_converted_list, each)
        case MapTypeInfo(), MapTypeInfo():
            key = converter(source.key_type, target.key_type, f"{path}.keys()")
            value = converter(source.value_type, target.value_type, f"{path}.values()")
            return partial(_converted_map, key or _same, value or _same) if key or value else None
    raise PlanTypeError(f"{path} is {data_type_of(source)} ({source}), which is not {data_type_of(target)}")


def matching_positions(names: Sequence[str], target: FieldsTypeInfo[Any], path: str) -> list[int]:
    """Return for each field of a type the position of the field that it takes its values from.

    Args:
        names: the names of the fields that there are.
        target: the type; the fields of a record correspond by name, others by position.
        path: where the values are, for messages.

    Raises:
        PlanTypeError: a field has no counterpart, or there are more fields.
    """
    wanted = target.get_field_names()
    place = f"{path}: " if path else ""
    if isinstance(target, RecordTypeInfo):
        if sorted(wanted) != sorted(names):
            raise PlanTypeError(
                f"{place}{target} has the fields {', '.join(wanted)}, but there are {', '.join(names)}; "
                "rename columns by alias(…)"
            )
        return [names.index(name) for name in wanted]
    if len(wanted) != len(names):
        raise PlanTypeError(
            f"{place}{target} has {len(wanted)} fields, but there are {len(names)}: {', '.join(names)}"
        )
    is_named = isinstance(target, RowTypeInfo) and target.field_names is not None
    if is_named and wanted != list(names) and sorted(wanted) == sorted(names):
        raise PlanTypeError(
            f"{place}{target} has the fields in another order than {', '.join(names)}, but rows correspond "
            "by position; write the type in that order"
        )
    return list(range(len(names)))


def _plain(t: TypeInformation[Any]) -> TypeInformation[Any]:
    return t.value_type if isinstance(t, OptionalTypeInfo) else t


def _is_wider(source: TypeInformation[Any], target: TypeInformation[Any]) -> bool:
    """Return whether the values of one type are also those of another."""
    if isinstance(source, LiteralTypeInfo):
        return _is_wider(source.value_type, target)
    if not isinstance(source, ScalarTypeInfo):
        return False
    if is_decimal(source) and target == Types.BIG_DEC:
        return True
    if source == target or any({source, target} <= group for group in _SAME_VALUES):
        return True
    return any(
        source in group and target in group and group.index(source) < group.index(target)
        for group in _WIDENING
    )


def _converted_list(convert: Converter, values: Sequence[Any]) -> list[Any]:
    return [None if value is None else convert(value) for value in values]


def _converted_map(key: Converter, value: Converter, entries: dict[Any, Any]) -> dict[Any, Any]:
    return {key(k): None if v is None else value(v) for k, v in entries.items()}
