"""What folding the elements of each key is to the engine: a key, and an aggregation that needs no order."""

from __future__ import annotations

from typing import Any

import cloudpickle

from pystream.lifting import NotLifted, lift_key, lift_reduce, refusal_of_order
from pystream.optimize.pickled_functions import as_pickled
from pystream.plan.native import NativeStep
from pystream.plan.nodes import OperatorNode
from typeinfo.info import TypeInformation

__all__ = ["fold_by_key", "fold_by_window"]


def fold_by_key(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    """Return the step of a keyed reduce whose last results alone count, or why there is none.

    Args:
        node: the operator.
        type_info: type of its elements.
    """
    fold = as_pickled(node.function, "reduce")
    return fold if isinstance(fold, NotLifted) else _folded(node, type_info, fold, None)


def fold_by_window(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    """Return the step of a window that folds its elements once it has all of them, or why there is none.

    Args:
        node: the operator.
        type_info: type of its elements, which have event times.
    """
    fold = cloudpickle.loads(node.function.payload).tumbling_fold
    if fold is None:
        return NotLifted("is no plain tumbling event-time window with a reduce function alone")
    return _folded(node, type_info, fold.reduce, (fold.size, fold.offset))


def _folded(
    node: OperatorNode, type_info: TypeInformation[Any], fold: Any, window: tuple[int, int] | None
) -> NativeStep | NotLifted:
    (key_function,) = node.keys
    selector = key_function.function.value
    if not isinstance(selector, (str, int)):
        selector = as_pickled(key_function.function, "get_key")
    if isinstance(selector, NotLifted):
        return selector
    key = lift_key(selector, type_info, key_function.type_info)
    if isinstance(key, NotLifted):
        return NotLifted(f"its key: {key.reason}")
    aggregation = lift_reduce(fold, type_info)
    if isinstance(aggregation, NotLifted):
        return aggregation
    refusal = refusal_of_order(aggregation, key)
    return refusal or NativeStep(node.kind, key, type_info, True, aggregation, window)
