"""Choice of the operator that runs a window plan."""

from __future__ import annotations

import pickle

from pystream.engine.spec import OperatorSpec
from pystream.engine.windows.aligned import AlignedWindowOperator
from pystream.engine.windows.evicting import EvictingWindowOperator
from pystream.engine.windows.operator import WindowOperator
from pystream.engine.windows.plan import WindowPlan
from pystream.engine.windows.sessions import SessionWindowOperator

__all__ = ["window_operator"]


def window_operator(spec: OperatorSpec) -> WindowOperator:
    """Return the operator for a spec whose function is a WindowPlan."""
    plan: WindowPlan = pickle.loads(spec.function)
    if plan.evictor is not None:
        return EvictingWindowOperator(spec)
    for operator in (AlignedWindowOperator, SessionWindowOperator):
        if operator.serves(plan):
            return operator(spec)
    return WindowOperator(spec)
