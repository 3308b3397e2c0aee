"""Plan lookup joins: joins with a table outside the program, as it is when a row is processed."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from pystream.errors import PlanError
from pystream.table.algebra.common_columns import common_column
from pystream.table.algebra.lookup_joins import Dimension, LookupJoin, LookupKey
from pystream.table.algebra.scans import Scan
from pystream.table.columns import TableColumn
from pystream.table.connectors.base import Connector
from pystream.table.declared_types import declaring_conversion
from pystream.table.evaluation import NotEvaluatedError
from pystream.table.planner.join_conditions import EqualKey, join_conditions
from pystream.table.planner.planning import Planning
from pystream.table.planner.source import Source
from pystream.table.sql.conditions import conjunction
from pystream.table.sql.joins import JoinClause
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo

__all__ = ["lookup_join"]


def lookup_join(
    planning: Planning, item: exp.Expr, left: Source, right: Source, clause: JoinClause
) -> Source:
    """Return rows with those of a table that have their keys when they are processed.

    Args:
        planning: the query.
        item: the item of FROM that is the table.
        left: the rows.
        right: the rows of the table.
        clause: how they are joined.

    Raises:
        SqlError: the item is no table of a connector that looks rows up, or no column of it is equal to an
            expression of the rows.
        UnsupportedOperationError: a condition cannot be evaluated.
    """
    connector = right.node.table._connector if isinstance(right.node, Scan) else None
    if connector is None:
        message = (
            "a join FOR SYSTEM_TIME AS OF a PROCTIME() looks rows up in a table of a connector such as "
            "'filesystem' or 'jdbc', without computed columns; for the versions of a view, take the event "
            "time of a WATERMARK"
        )
        raise planning.error(item, message)
    found = join_conditions(clause.conditions, left.__contains__, lambda column: False)
    keys = {key: right.number(key.right) for key in found.keys if key.right in right and not key.admits_null}
    if not keys:
        place, wanted = connector.table.path, "one of its columns with an expression of the other table"
        raise planning.error(item, f"a lookup in {place!r} needs an equality of {wanted}")
    try:
        lookup_keys = tuple(
            _lookup_key(planning, left, key, right.node.columns[number], number)
            for key, number in keys.items()
        )
        dimension = _dimension(planning, item, connector, right, tuple(keys.values()))
        names = [*left.names, *right.names]
        node = LookupJoin(left.node, dimension, lookup_keys, clause.is_left_outer)
        others = [*found.remaining, *(key.condition for key in found.keys if key not in keys)]
        if others:
            pairs = Source(node, names)
            condition = planning.scalar(conjunction(others), pairs.number, node.columns)
            node = replace(node, condition=condition)
        return Source(node, names)
    except NotEvaluatedError as error:
        raise planning.not_evaluated(error) from None


def _dimension(
    planning: Planning, item: exp.Expr, connector: Connector, right: Source, keys: tuple[int, ...]
) -> Dimension:
    try:
        lookup = connector.lookup(keys)
    except PlanError as error:
        raise planning.error(item, str(error)) from None
    return Dimension(connector.table.path, right.node.columns, lookup, declaring_conversion(connector))


def _lookup_key(
    planning: Planning, left: Source, key: EqualKey, column: TableColumn, number: int
) -> LookupKey:
    if isinstance(column.type_info, FieldsTypeInfo | ArrayTypeInfo | MapTypeInfo):
        message = f"a lookup by {column} is not supported, only by columns of single values"
        raise planning.error(key.condition, message)
    value = planning.scalar(key.left, left.number, left.node.columns)
    data_type = value.evaluation.data_type
    common = common_column(TableColumn(str(value), data_type, data_type.type_info, 0), column)
    if common is None or common.conversions[1] is not None:
        message = f"a lookup by {column} needs a CAST of {value}, which is {data_type}, to its type"
        raise planning.error(key.condition, message)
    return LookupKey(number, value, common.conversions[0])
