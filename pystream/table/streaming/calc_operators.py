"""The operators of streams that compute SELECTs of single rows, one inside the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pystream.datastream.functions import NullByteKeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.operators.batch_flat_map import BATCH_FLAT_MAP
from pystream.engine.operators.column_map import COLUMN_FLAT_MAP
from pystream.kinds import OperatorKind
from pystream.plan.function import UserFunction
from pystream.plan.query import QueryOperator
from pystream.table.algebra.calc import Calc, EventTime
from pystream.table.algebra.node import RelNode
from pystream.table.columns import row_type
from pystream.table.conversions import ElementConversion
from pystream.table.streaming.calc import Calc as CalcFunction
from pystream.table.streaming.calc import CalcStep, KeptResults
from pystream.table.streaming.expiry import state_ttl
from pystream.table.streaming.operators import results
from pystream.table.table import Table
from pystream.table.time_attribute import TimeAttribute, with_timestamps
from typeinfo.row import Row
from typeinfo.types import Types

__all__ = ["are_by_kernels", "calc_chain", "calc_operator", "calculated", "projected", "with_event_time_of"]


def projected(node: Calc, rows: Table) -> Table:
    """Return some columns of rows, which need no operator."""
    fields = [(field.name, field.value.column) for field in node.fields]
    columns = [rows._columns[number].renamed(name) for name, number in fields if number is not None]
    return Table(rows._environment, rows._stream_or_error, columns, time=rows._time)


def calculated(nodes: Sequence[Calc], rows: Table) -> Table:
    """Return the results of SELECTs of single rows.

    The results for a row that is taken back are those that it had, even of functions that are not
    deterministic.

    Args:
        nodes: the SELECTs, from the innermost outwards.
        rows: the rows that the innermost one reads.
    """
    last, function = nodes[-1], _function(nodes, rows)
    row = row_type(last.columns)
    stream: DataStream[Row[Any]]
    if nodes[0].rows.is_updating and not all(node.is_deterministic for node in nodes):
        keyed = rows._stream.key_by(NullByteKeySelector(), Types.INT())
        stream = keyed.process(KeptResults(function, state_ttl(rows)), row).name("KeptCalc")
    else:
        pickled = UserFunction.of(function, "sql_query", is_object=True, described=None)
        stream = rows._stream._added(_kind(function), pickled, (row, "sql_query")).name("Calc")
        stream.set_parallelism(rows._stream.get_parallelism())  # rows keep their order
    return results(last, rows, stream)


def calc_operator(nodes: Sequence[Calc], rows: Table) -> QueryOperator:
    """Return the operator that makes the results of SELECTs of the elements of a table."""
    function = _function(nodes, rows)
    return QueryOperator(_kind(function), UserFunction.of(function, "sql_query", is_object=True))


def are_by_kernels(nodes: Sequence[Calc], rows: Table) -> bool:
    """Return whether kernels compute all expressions of SELECTs of the elements of a table."""
    return _function(nodes, rows).is_by_kernels(rows._stream._type)


def calc_chain(node: RelNode, rows: RelNode) -> list[Calc]:
    """Return the SELECTs by which a node is computed of rows, from the innermost outwards."""
    chain: list[Calc] = []
    while isinstance(node, Calc) and node is not rows:
        chain.insert(0, node)
        node = node.rows
    return chain


def _kind(function: CalcFunction) -> OperatorKind:
    return BATCH_FLAT_MAP if function.takes_batches else COLUMN_FLAT_MAP


def _function(nodes: Sequence[Calc], rows: Table) -> CalcFunction:
    columns = [column.renamed(f"f{number}") for number, column in enumerate(rows._columns)]
    positions = [column.position for column in columns]
    conversion = ElementConversion(rows._stream._type, positions, row_type(columns))
    return CalcFunction(conversion, [_step(node) for node in nodes], row_type(nodes[-1].columns))


def _step(node: Calc) -> CalcStep:
    return CalcStep(
        tuple(condition.evaluation for condition in node.conditions),
        tuple(field.value.evaluation for field in node.fields),
        tuple(field.value.column for field in node.fields),
    )


def with_event_time_of(node: EventTime, rows: Table) -> Table:
    """Return bounded rows with the times of a column as timestamps."""
    column = rows._columns[node.column]
    return Table(
        rows._environment,
        with_timestamps(rows._stream, column),
        rows._columns,
        time=TimeAttribute(column.position),
    )
