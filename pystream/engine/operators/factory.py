"""The operator behind each spec."""

from __future__ import annotations

from pystream.engine.operators.assign_watermarks import AssignWatermarks
from pystream.engine.operators.async_wait.operator import AsyncWait
from pystream.engine.operators.broadcast.operators import broadcast_operator
from pystream.engine.operators.elementwise import elementwise_operator
from pystream.engine.operators.interval_join.operator import IntervalJoin
from pystream.engine.operators.iteration import IterationHead
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.operators.keyed_process import KeyedElementwise, KeyedProcess
from pystream.engine.operators.keyed_reduce import KeyedReduce
from pystream.engine.operators.operator import Operator
from pystream.engine.operators.sorted_by_key import SortedByKey
from pystream.engine.spec import OperatorKind, OperatorSpec
from pystream.engine.windows.factory import window_operator

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
