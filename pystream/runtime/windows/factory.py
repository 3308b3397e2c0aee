"""Choice of the operator that runs a window plan."""

from __future__ import annotations

import pickle

from pystream.runtime.spec import OperatorSpec
from pystream.runtime.windows.aligned import AlignedWindowOperator
from pystream.runtime.windows.evicting import EvictingWindowOperator
from pystream.runtime.windows.operator import WindowOperator
from pystream.runtime.windows.plan import WindowPlan
from pystream.runtime.windows.sessions import SessionWindowOperator

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
