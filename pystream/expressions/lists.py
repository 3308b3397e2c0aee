"""Operations on lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.expressions.control import constant_value, is_constant
from pystream.expressions.operation import ANY, BOOLEANS, COUNTS, INTS, LONGS, Kernel, Nulls, Operation
from typeinfo.basic import DOUBLE, FLOAT
from typeinfo.composite import FieldsTypeInfo
from typeinfo.formats.layout import carried_fields

if TYPE_CHECKING:
    from pystream.expressions.expression import Expression

__all__ = ["Lists"]


def _range(start: int, last: int) -> list[int]:
    return list(range(start, last + 1))


def _enumerated(items: list[Any]) -> list[Any]:
    return list(enumerate(items))


def _pairs_in_spark(sql: Any, e: Expression, items: Any) -> Any:
    pair = e.type.slots()[0].type
    assert isinstance(pair, FieldsTypeInfo)
    number, item = (field.name for field in carried_fields(pair))
    return sql.transform(items, lambda v, n: sql.struct(n.cast("bigint").alias(number), v.alias(item)))


def _is_among_constants(e: Expression) -> bool:
    value, items = e.parts
    is_exact = value.type not in (FLOAT, DOUBLE)
    return (
        is_exact and items.op is Lists.LIST and bool(items.parts) and all(is_constant(p) for p in items.parts)
    )


def _kernel_of_in(pc: Any, e: Expression, value: Any) -> Any:
    import pyarrow as pa

    return pc.is_in(value, pa.array([constant_value(item) for item in e.parts[1].parts], value.type))


def _is_from_start(e: Expression) -> bool:
    return is_constant(e.parts[1]) and constant_value(e.parts[1]) > 0


def _kernel_of_element(pc: Any, e: Expression, items: Any) -> Any:
    return pc.list_element(items, constant_value(e.parts[1]) - 1)


class Lists:
    """Operations on lists."""

    LIST = Operation((ANY,), ANY, "[{parts:, }]", nulls=Nulls.OWN, variadic=True)
    SIZE = Operation((ANY,), INTS, len, Kernel("list_value_length"), "size", bounds=COUNTS)
    # A list, and a position from 1, or from the end if negative, which is in range.
    ELEMENT = Operation(
        (ANY, LONGS),
        ANY,
        lambda items, at: items[at - 1 if at > 0 else at],
        Kernel(_kernel_of_element, _is_from_start, columns=1),
        lambda sql, e, items, at: sql.element_at(items, at.cast("int")),
    )
    # A list, a position from 1, and a length.
    SLICE = Operation(
        (ANY, LONGS, LONGS),
        ANY,
        lambda items, start, count: items[start - 1 : start - 1 + count],
        spark=lambda sql, e, items, start, count: sql.slice(items, start.cast("int"), count.cast("int")),
    )
    # A value, and a list without nulls.
    IN_LIST = Operation(
        (ANY, ANY),
        BOOLEANS,
        "({} in {})",
        Kernel(_kernel_of_in, _is_among_constants, columns=1),
        lambda sql, e, value, items: sql.array_contains(items, value),
    )
    # A list and an expression of the variable whose number is the data.
    TRANSFORM = Operation((ANY, ANY), ANY, "[{1} for v{data[0]} in {0}]", nulls=Nulls.OWN, evaluated=1)
    FILTER = Operation((ANY, BOOLEANS), ANY, "[v{data[0]} for v{data[0]} in {0} if {1}]", evaluated=1)
    FLATTEN = Operation(
        (ANY,), ANY, lambda lists: [item for items in lists for item in items], spark="flatten"
    )
    CONCAT_LISTS = Operation(
        (ANY,), ANY, lambda *lists: [item for items in lists for item in items], spark="concat", variadic=True
    )
    REMOVE = Operation(
        (ANY, ANY), ANY, lambda items, value: [i for i in items if i != value], spark="array_remove"
    )
    # From the first number to the last one, which is at least the first.
    RANGE = Operation((LONGS, LONGS), ANY, _range, spark="sequence")
    # Pairs of a number from 0 and an element.
    ENUMERATE = Operation((ANY,), ANY, _enumerated, spark=_pairs_in_spark)
