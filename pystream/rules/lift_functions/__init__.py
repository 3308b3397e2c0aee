"""Rule: let operators on tables run as expressions of Spark, where their functions can be expressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pystream.kinds import Lifting, OperatorKind, PartitionKind, SourceColumns
from pystream.lifting import NotLifted, is_guarded
from pystream.plan.graph import Plan, PlanOptions
from pystream.plan.native import NativeStep
from pystream.plan.nodes import OperatorNode, PartitionNode, SourceNode
from pystream.plan.query import Query
from pystream.rules.lift_functions.folds import key_fold_step, window_fold_step
from pystream.rules.lift_functions.functions import elementwise_step, timestamp_step
from pystream.rules.lift_functions.queries import query_with_expressions
from typeinfo.info import TypeInformation
from typeinfo.pickling import classes_as_pickled

__all__ = ["lift_functions"]

# With Java's usual stack, as in a session that the program made itself, planning some 500 overflows it; and
# a chain of 400 is no faster with all of them lifted than with 100.
_LONGEST_CHAIN = 100
_TOO_LONG = f"follows {_LONGEST_CHAIN} lifted operators; Spark cannot plan chains of any length"


def lift_functions(plan: Plan, options: PlanOptions) -> Plan:
    """Lift the functions of the operators that follow a table, up to the first one that cannot be lifted.

    An operator is lifted if it belongs to the chain of a source Spark can read, follows it or another
    lifted operator directly and alone, and its expression returns exactly what the function does. In batch
    mode, so are timestamp assigners, and folds of the elements of a key or a window. In bounded jobs, so are
    the functions that queries call. If a job cannot be run again, only expressions that support all values
    are used.
    """
    if not options.lifting:
        return plan
    changed: dict[int, OperatorNode | SourceNode] = {}
    with classes_as_pickled():
        for source in plan.nodes:
            if isinstance(source, SourceNode) and source.columns not in _NO_TABLE:
                changed |= _Prefix(plan, source, options).nodes()
                if isinstance(source.source, Query) and not plan.unbounded_sources:
                    query = query_with_expressions(source.source, can_run_again=options.can_run_again)
                    changed[source.id] = replace(source, source=query)
    return Plan(tuple(changed.get(node.id, node) for node in plan.nodes))


_NO_TABLE = (SourceColumns.NONE, SourceColumns.TIMED)  # a table of elements has no timestamps


class _Prefix:
    """The operators that follow a table, up to the first one that cannot be lifted."""

    def __init__(self, plan: Plan, source: SourceNode, options: PlanOptions) -> None:
        self._plan = plan
        self._source = source
        self._options = options

    def nodes(self) -> dict[int, OperatorNode]:
        """Return the operators that were considered, each with its step or the reason why it has none."""
        found: dict[int, OperatorNode] = {}
        before, type_info, timed = self._source.id, self._source.type_info, False
        while (node := self._next(before) or self._folded(before, timed)) is not None:
            if len(found) == _LONGEST_CHAIN:
                return found | {node.id: replace(node, not_native=_TOO_LONG)}
            step = self._step(node, type_info, timed)
            if isinstance(step, NotLifted):
                return found | {node.id: replace(node, not_native=step.reason)}
            found[node.id] = replace(node, native=step)
            before, type_info, timed = node.id, step.type_info, step.timed
        for node, reason in self._out_of_reach(before, timed):
            found[node.id] = replace(node, not_native=reason)
        return found

    def _next(self, before: int) -> OperatorNode | None:
        match self._plan.consumers[before]:
            case (OperatorNode(keys=(), kind=OperatorKind(lifting=Lifting() as lifting)) as node,) if (
                (lifting.is_elementwise or (lifting is Lifting.TIMESTAMP and self._options.batch))
                and node.chain == self._plan.by_id[before].chain
                and not node.function.takes_batches
            ):
                return node
        return None

    def _folded(self, before: int, timed: bool) -> OperatorNode | None:
        """Return the operator that folds the elements of each key, if only its last results count."""
        if not self._options.batch:
            return None
        match self._plan.consumers[before]:
            case (PartitionNode(kind=PartitionKind.HASH) as partition,):
                match self._plan.consumers[partition.id]:
                    case (OperatorNode(inputs=(_,)) as node,) if node.kind.lifting is Lifting.FOLD or (
                        node.kind.lifting is Lifting.WINDOW_FOLD and timed
                    ):
                        return node
        return None

    def _out_of_reach(self, before: int, timed: bool) -> Iterator[tuple[OperatorNode, str]]:
        """Yield the next operators that could be lifted elsewhere, each with the obstacle here."""
        readers = self._plan.consumers[before]
        for reader in readers:
            is_divided = isinstance(reader, PartitionNode)
            for node in self._plan.consumers[reader.id] if is_divided else (reader,):
                if not isinstance(node, OperatorNode) or len(node.inputs) > 1 or node.function.takes_batches:
                    continue
                lifting = node.kind.lifting
                if lifting is None:
                    continue
                if len(readers) > 1 and lifting is not Lifting.TIMESTAMP:
                    yield node, "several operators read the table it takes"
                elif lifting.is_fold and not self._options.batch:
                    yield node, "Spark folds elements by key in batch mode only"
                elif lifting is Lifting.TIMESTAMP and not self._options.batch:
                    yield node, "Spark has timestamps in batch mode only"
                elif lifting is Lifting.WINDOW_FOLD and not timed:
                    yield node, "the timestamps of elements are not computed by an expression"
                elif lifting.is_elementwise and is_divided:
                    yield node, "elements are repartitioned before it"
                elif lifting.is_elementwise:
                    yield node, "it starts a chain of its own"

    def _step(
        self, node: OperatorNode, type_info: TypeInformation[Any], timed: bool
    ) -> NativeStep | NotLifted:
        step = _lifted(node, type_info, timed)
        if (
            isinstance(step, NotLifted)
            or self._options.can_run_again
            or not any(map(is_guarded, step.computed))
        ):
            return step
        return NotLifted(
            "is exact for only some values as an expression, and neither a lazy table nor a job in Real-Time "
            "Mode can be restarted in Python"
        )


def _lifted(node: OperatorNode, type_info: TypeInformation[Any], timed: bool) -> NativeStep | NotLifted:
    match node.kind.lifting:
        case Lifting.FOLD:
            return key_fold_step(node, type_info)
        case Lifting.WINDOW_FOLD:
            return window_fold_step(node, type_info)
        case Lifting.TIMESTAMP:
            return timestamp_step(node, type_info)
    return elementwise_step(node, type_info, timed)
