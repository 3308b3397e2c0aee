"""Create the window operator that fits a window plan."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from pystream.engine.spec import OperatorSpec
from pystream.engine.windows.plan import CallsFunction, WindowCall, WindowPlan
from pystream.kinds import FunctionCall, Given, Lifting, OperatorKind

if TYPE_CHECKING:
    from pystream.engine.operators.operator import Operator
    from pystream.engine.windows.operator import WindowOperator

__all__ = ["WINDOW", "window_operator"]


def window_operator(spec: OperatorSpec) -> WindowOperator:
    """Return the operator of a spec whose function is a WindowPlan."""
    from pystream.engine.windows.aligned_operator import AlignedWindowOperator
    from pystream.engine.windows.count_operator import CountWindowOperator
    from pystream.engine.windows.evicting_operator import EvictingWindowOperator
    from pystream.engine.windows.operator import WindowOperator
    from pystream.engine.windows.session_operator import SessionWindowOperator

    plan: WindowPlan = pickle.loads(spec.function)
    if plan.evictor is not None:
        return EvictingWindowOperator(spec)
    for operator in (AlignedWindowOperator, SessionWindowOperator, CountWindowOperator):
        if operator.serves(plan):
            return operator(spec)
    return WindowOperator(spec)


def _make(spec: OperatorSpec, batch: bool) -> Operator:
    from pystream.engine.operators.sorted_by_key import by_key

    return by_key(window_operator(spec), batch)


def _calls(plan: WindowPlan, is_object: bool) -> tuple[FunctionCall, ...]:
    """Return the call of the window function, or of the aggregate function if there is none."""
    elements: Given | list[FunctionCall] = Given.ELEMENTS
    if plan.aggregate is not None:
        created = FunctionCall(plan.aggregate.create_accumulator, ())
        added = FunctionCall(plan.aggregate.add, (Given.ELEMENT, created))
        result = FunctionCall(plan.aggregate.get_result, (added,))
        if plan.call is WindowCall.NOTHING:
            return (result,)
        elements = [result]
    if isinstance(plan.function, CallsFunction):
        return plan.function.calls()
    if plan.call is WindowCall.NOTHING:
        return ()
    key = () if plan.all_windows else (Given.KEY,)
    place = Given.WINDOW if plan.call is WindowCall.APPLY else Given.CONTEXT
    return (FunctionCall(getattr(plan.function, plan.call.value), (*key, place, elements), many=True),)


def _late_tags(plan: WindowPlan) -> dict[str, int]:
    return {} if plan.late_tag is None else {plan.late_tag.tag_id: 0}


WINDOW = OperatorKind(
    "Window",
    _make,
    side_outputs=True,
    lifting=Lifting.WINDOW_FOLD,
    liftable=WindowPlan.window_fold,
    has_own_state=True,
    calls=_calls,
    late_tags=_late_tags,
)
