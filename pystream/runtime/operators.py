"""The operator behind each spec."""

from __future__ import annotations

from pystream.runtime.async_wait.operator import AsyncWait
from pystream.runtime.broadcast.operators import broadcast_operator
from pystream.runtime.elementwise import elementwise_operator
from pystream.runtime.iteration import IterationHead
from pystream.runtime.joins.interval import IntervalJoin
from pystream.runtime.keyed.operator import KeyedOperator
from pystream.runtime.keyed.process import KeyedElementwise, KeyedProcess
from pystream.runtime.keyed.reduce import KeyedReduce
from pystream.runtime.keyed.sorted import SortedByKey
from pystream.runtime.operator import Operator
from pystream.runtime.spec import OperatorKind, OperatorSpec
from pystream.runtime.watermarks.assigner import AssignWatermarks
from pystream.runtime.windows.factory import window_operator

__all__ = ["make_operator"]


def make_operator(spec: OperatorSpec, *, batch: bool) -> Operator:
    """Return the operator a spec describes, its user function unpickled but not yet opened.

    Args:
        spec: the operator.
        batch: whether keyed operators work on one key after another.
    """
    if spec.kind is OperatorKind.ASSIGN_WATERMARKS:
        return AssignWatermarks(spec)
    if spec.kind is OperatorKind.ASYNC_WAIT:
        return AsyncWait(spec)
    if spec.kind is OperatorKind.BROADCAST_PROCESS:
        return broadcast_operator(spec, batch=batch)
    if spec.kind is OperatorKind.ITERATION:
        return IterationHead(spec.label)
    if not spec.keys:
        return elementwise_operator(spec)
    if spec.kind is OperatorKind.REDUCE:
        return KeyedReduce(spec, last_only=batch)
    operator = _keyed_operator(spec)
    return SortedByKey(operator) if batch else operator


def _keyed_operator(spec: OperatorSpec) -> KeyedOperator:
    match spec.kind:
        case OperatorKind.WINDOW:
            return window_operator(spec)
        case OperatorKind.INTERVAL_JOIN:
            return IntervalJoin(spec)
        case OperatorKind.PROCESS | OperatorKind.CO_PROCESS:
            return KeyedProcess(spec)
        case _:
            return KeyedElementwise(spec)
