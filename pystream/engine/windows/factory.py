"""Create the window operator that fits a window plan."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from pystream.engine.spec import OperatorSpec
from pystream.engine.windows.plan import WindowPlan
from pystream.kinds import Lifting, OperatorKind

if TYPE_CHECKING:
    from pystream.engine.operators.operator import Operator
    from pystream.engine.windows.operator import WindowOperator

__all__ = ["WINDOW", "window_operator"]


def window_operator(spec: OperatorSpec) -> WindowOperator:
    """Return the operator of a spec whose function is a WindowPlan."""
    from pystream.engine.windows.aligned_operator import AlignedWindowOperator
    from pystream.engine.windows.evicting_operator import EvictingWindowOperator
    from pystream.engine.windows.operator import WindowOperator
    from pystream.engine.windows.session_operator import SessionWindowOperator

    plan: WindowPlan = pickle.loads(spec.function)
    if plan.evictor is not None:
        return EvictingWindowOperator(spec)
    for operator in (AlignedWindowOperator, SessionWindowOperator):
        if operator.serves(plan):
            return operator(spec)
    return WindowOperator(spec)


def _make(spec: OperatorSpec, batch: bool) -> Operator:
    from pystream.engine.operators.sorted_by_key import by_key

    return by_key(window_operator(spec), batch)


WINDOW = OperatorKind(
    "Window",
    _make,
    side_outputs=True,
    lifting=Lifting.WINDOW_FOLD,
    liftable=WindowPlan.window_fold,
    has_own_state=True,
)
