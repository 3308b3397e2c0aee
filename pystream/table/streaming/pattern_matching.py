"""Pattern matching: the matches of a pattern in the rows of each key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pystream.common.typeinfo import Types
from pystream.datastream.functions import KeyedProcessFunction, RuntimeContext
from pystream.datastream.state import MapState, MapStateDescriptor, ValueState, ValueStateDescriptor
from pystream.engine.lifecycle import close_all
from pystream.table.algebra.matches import Match
from pystream.table.streaming.mapped_rows import MappedRows
from pystream.table.streaming.match_expressions import EvaluatedMatch
from pystream.table.streaming.operators import keyed, results, results_type
from pystream.table.streaming.pattern_automaton import Matching, PatternAutomaton
from pystream.table.streaming.row_order import RowOrder
from pystream.table.table import Table
from typeinfo.row import Row, make_row

__all__ = ["PatternMatching", "matched"]

Fields = tuple[Any, ...]


class PatternMatching(KeyedProcessFunction[Any, Row[Any], Row[Any]]):
    """Emit the matches of a pattern in the rows of each key, in the order of their timestamps.

    Rows are matched when the watermark reaches them; those that come later are dropped. A result is a row
    without names: the fields of the key, then the measures, with the timestamp at which the match is known.
    State, which never expires: the rows that the watermark has not reached, and those of matches that have
    begun, the latter up to the time within which matches end.

    Mirrors ``org.apache.flink.cep.operator.CepOperator``.

    Args:
        node: the pattern, and its measures.
    """

    def __init__(self, node: Match) -> None:
        width = len(node.rows.columns)
        self._keys = node.keys
        self._order = RowOrder(node.order)
        self._measures = [EvaluatedMatch(measure.expression, width) for measure in node.measures]
        self._conditions = {
            number: EvaluatedMatch(condition, width) for number, condition in node.defined.items()
        }
        conditions = [self._conditions.get(number) for number in range(len(node.pattern))]
        self._automaton = PatternAutomaton(node.pattern, conditions, node.skip, node.within)
        pickled = Types.PICKLED_BYTE_ARRAY()
        self._waiting_rows = MapStateDescriptor("rows", Types.LONG(), pickled)
        self._begun_matches = ValueStateDescriptor("matches", pickled)
        self._rows: MapState[int, list[Fields]]
        self._matching: ValueState[Matching]

    def open(self, runtime_context: RuntimeContext) -> None:
        """Get the state, and open the functions of the program."""
        self._rows = runtime_context.get_map_state(self._waiting_rows)
        self._matching = runtime_context.get_state(self._begun_matches)
        for expression in self._expressions():
            expression.open(runtime_context)

    def close(self) -> None:
        """Close the functions of the program."""
        close_all(expression.close for expression in self._expressions())

    def process_element(self, value: Row[Any], ctx: KeyedProcessFunction.Context[Any]) -> None:
        """Keep a row until the watermark reaches its timestamp."""
        timestamp = ctx.timestamp()
        assert timestamp is not None
        if timestamp > ctx.timer_service().current_watermark():
            self._rows.put(timestamp, [*(self._rows.get(timestamp) or ()), tuple(value)])
            ctx.timer_service().register_event_time_timer(timestamp)

    def on_timer(self, timestamp: int, ctx: KeyedProcessFunction.OnTimerContext[Any]) -> Iterator[Row[Any]]:
        """Yield the matches that are known by the rows of a timestamp."""
        matching = self._matching.value() or self._automaton.started()
        yield from self._results(self._automaton.advance(matching, timestamp))
        for row in sorted(self._rows.get(timestamp) or (), key=self._order.key):
            yield from self._results(self._automaton.process(matching, row, timestamp))
        self._rows.remove(timestamp)
        if matching.rows:
            self._matching.update(matching)
        else:
            self._matching.clear()
        expiry = self._automaton.expiry(matching)
        if expiry is not None:
            ctx.timer_service().register_event_time_timer(expiry)

    def _results(self, matches: Iterable[MappedRows]) -> Iterator[Row[Any]]:
        for mapped in matches:
            first = mapped.rows[mapped.start]
            key = (first[position] for position in self._keys)
            yield make_row((*key, *(measure(mapped) for measure in self._measures)), None)

    def _expressions(self) -> Iterator[EvaluatedMatch]:
        yield from self._measures
        yield from self._conditions.values()


def matched(node: Match, rows: Table) -> Table:
    """Return the matches of a pattern."""
    stream = keyed(rows, node.keys).process(PatternMatching(node), results_type(node)).name("Match")
    return results(node, rows, stream)
