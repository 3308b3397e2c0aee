"""Tables of files, of which a query reads no more than the columns and the partitions that it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import TYPE_CHECKING

from sqlglot import exp

from pystream.table.connectors.base import Connector
from pystream.table.connectors.partitions import PartitionCondition
from pystream.table.evaluation import NotEvaluatedError, evaluated
from pystream.table.planner.trees import conditions_of
from pystream.table.sql.analysis import AnalysedQuery, name_of_table
from pystream.table.sql.dialect import Flink
from pystream.table.sql.match_calls import has_matches
from pystream.table.streaming.local_time import session_zone
from pystream.table.table import Table

if TYPE_CHECKING:
    from pystream.table.table_environment import TableEnvironment

__all__ = ["pruned_tables"]


def pruned_tables(
    environment: TableEnvironment, analysed: AnalysedQuery, tables: Sequence[Table]
) -> tuple[AnalysedQuery, list[Table]]:
    """Return a query and its tables, those of files without the columns and partitions that it does not need.

    Args:
        environment: the environment of the tables.
        analysed: the query.
        tables: the tables that it reads, in order.
    """
    tree = analysed.tree
    if has_matches(tree) or any(
        isinstance(star.parent, exp.Select | exp.Column) for star in tree.find_all(exp.Star)
    ):
        return analysed, [*tables]
    zone = session_zone(environment.get_config().get_configuration())
    pruned = [*tables]
    for number, table in enumerate(tables):
        connector = table._connector
        items = [item for item in tree.find_all(exp.Table) if item.name == name_of_table(number)]
        if (
            connector is None
            or not _is_whole(table, connector)
            or any(item.alias_column_names for item in items)
        ):
            continue
        aliases = {item.alias_or_name for item in items}
        names = {column.name for column in tree.find_all(exp.Column) if column.table in ("", *aliases)}
        conditions = [*_conditions(analysed, items[0], connector, zone)] if len(items) == 1 else []
        own = connector.pruned(names, conditions)
        if own is not connector:
            pruned[number] = environment._table_of_connector(own)
    columns = tuple(tuple(column.name for column in table._columns) for table in pruned)
    return replace(analysed, columns=columns), pruned


def _is_whole(table: Table, connector: Connector) -> bool:
    """Return whether a table is what a connector reads, with nothing that is computed of it."""
    return table._columns == connector.table.columns and not connector.table.schema.watermarks


def _conditions(
    analysed: AnalysedQuery, item: exp.Table, connector: Connector, zone: tzinfo | None
) -> Iterator[PartitionCondition]:
    """Yield the conditions on the partition keys of a table that a query reads once."""
    select = item.find_ancestor(exp.Select)
    if select is None or any(join.side for join in select.args.get("joins") or ()):
        return
    keys, alias = connector.table.partition_keys, item.alias_or_name
    for condition in conditions_of(select):
        columns = [*condition.find_all(exp.Column)]
        if not columns or any(column.table != alias or column.name not in keys for column in columns):
            continue
        read = tuple(dict.fromkeys(column.name for column in columns))
        try:
            evaluation = evaluated(condition, partial(_position_in, read), analysed.functions, zone=zone)
        except NotEvaluatedError:
            continue
        if evaluation.is_deterministic and not evaluation.calls_program:
            yield PartitionCondition(_text_of(condition), read, evaluation)


def _position_in(names: Sequence[str], column: exp.Column) -> int:
    return names.index(column.name)


def _text_of(condition: exp.Expr) -> str:
    """Return the text of a condition without the name of the table."""
    shown = condition.copy()
    for column in shown.find_all(exp.Column):
        column.set("table", None)
    return shown.sql(Flink)
