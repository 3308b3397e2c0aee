"""Translate folds by key to aggregations of Spark, which are independent of order."""

from __future__ import annotations

from typing import Any

from pystream.expressions.folds import Accumulation, Reduction
from pystream.field_aggregations import FieldAggregation
from pystream.kinds import EventWindows, Lifting, WindowFold
from pystream.lifting import (
    Expression,
    NotLifted,
    lift_add,
    lift_aggregate,
    lift_field_fold,
    lift_key,
    lift_reduce,
    refusal_of_order,
)
from pystream.plan.native import NativeStep
from pystream.plan.nodes import OperatorNode
from pystream.rules.lift_functions.liftable import (
    as_pickled,
    declared_type,
    liftable_part,
    refusal_of_hooks,
    refusal_of_undeclared,
)
from typeinfo.info import TypeInformation

__all__ = ["key_fold_step", "key_reduction", "window_fold_step", "window_columns_fold"]


def key_fold_step(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    """Return the native step of a keyed fold whose last results alone count, or the reason for none.

    Args:
        node: the operator.
        type_info: type of its elements.
    """
    return _step(node, type_info, key_reduction(node, type_info))


def key_reduction(
    node: OperatorNode, type_info: TypeInformation[Any], *, in_order: bool = False, is_declared: bool = True
) -> Reduction | NotLifted:
    """Return the reduction of a keyed fold, or the reason for none.

    Args:
        node: the operator.
        type_info: type of its elements.
        in_order: whether elements are reduced in their order.
        is_declared: whether the type is declared, so that results are converted to it.
    """
    function = as_pickled(node.function, node.kind.method)
    if isinstance(function, NotLifted):
        return function
    owner = getattr(function, "__self__", None)
    if isinstance(owner, FieldAggregation):
        return lift_field_fold(owner.kind, owner.field, type_info, in_order=in_order)
    return lift_reduce(function, type_info, in_order=in_order, is_declared=is_declared)


def window_columns_fold(
    node: OperatorNode, type_info: TypeInformation[Any], *, is_declared: bool
) -> Reduction | Accumulation | NotLifted:
    """Return the fold of windows, in the order of elements, or the reason for none.

    Args:
        node: the operator.
        type_info: type of its elements.
        is_declared: whether the type is declared, so that results are converted to it.
    """
    fold: WindowFold | None = liftable_part(node)
    if fold is None or fold.is_repeated:
        return NotLifted(
            "is no window of event time, or of a number of elements, with a reduce or aggregate function that"
            " fires once"
        )
    refusal = refusal_of_hooks(fold.function)
    if refusal is not None:
        return refusal
    if fold.reduce is not None:
        if type_info.admits_none():
            return NotLifted("may have None as an element, which windows ignore")
        return lift_reduce(fold.reduce, type_info, in_order=True, is_declared=is_declared)
    key = _key(node, type_info)
    return key if isinstance(key, NotLifted) else lift_add(fold.function, type_info, key)


def window_fold_step(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    """Return the native step of windows that fold complete contents, or the reason for none.

    Args:
        node: the operator.
        type_info: type of its elements, which have event times.
    """
    fold: WindowFold | None = liftable_part(node)
    if fold is None or fold.windows is None or fold.has_function or fold.keeps_late:
        return NotLifted(
            "is not a plain tumbling, sliding or session window of event time with a reduce or aggregate"
            " function alone"
        )
    if type_info.admits_none():
        return NotLifted("may have None as an element, which windows ignore")
    refusal = refusal_of_hooks(fold.function)
    if refusal is not None:
        return refusal
    if fold.reduce is not None:
        return _step(node, type_info, lift_reduce(fold.reduce, type_info), fold.windows)
    return _aggregated(node, type_info, fold)


def _aggregated(
    node: OperatorNode, type_info: TypeInformation[Any], fold: WindowFold
) -> NativeStep | NotLifted:
    key = _key(node, type_info)
    if isinstance(key, NotLifted):
        return key
    declared = declared_type(node.type_info)
    aggregation = lift_aggregate(fold.function, type_info, fold.accumulator_type, declared, key)
    if isinstance(aggregation, NotLifted):
        return aggregation
    own = declared or aggregation.result.type
    refusal = None if declared else refusal_of_undeclared(own, [aggregation.result])
    return refusal or NativeStep(
        Lifting.WINDOW_FOLD, key, own, True, aggregation=aggregation, windows=fold.windows
    )


def _step(
    node: OperatorNode,
    type_info: TypeInformation[Any],
    reduction: Reduction | NotLifted,
    windows: EventWindows | None = None,
) -> NativeStep | NotLifted:
    key = _key(node, type_info)
    if isinstance(key, NotLifted):
        return key
    if isinstance(reduction, NotLifted):
        return reduction
    refusal = refusal_of_order(reduction, key)
    lifting = Lifting.FOLD if windows is None else Lifting.WINDOW_FOLD
    return refusal or NativeStep(lifting, key, type_info, True, reduction=reduction, windows=windows)


def _key(node: OperatorNode, type_info: TypeInformation[Any]) -> Expression | NotLifted:
    (key_function,) = node.keys
    selector = key_function.function.value
    if not isinstance(selector, (str, int)):
        selector = as_pickled(key_function.function, "get_key")
    if isinstance(selector, NotLifted):
        return selector
    key = lift_key(selector, type_info, key_function.type_info)
    return NotLifted(f"its key: {key.reason}") if isinstance(key, NotLifted) else key
