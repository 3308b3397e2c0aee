"""What folding the elements of each key is to the engine: a key, and an aggregation that needs no order."""

from __future__ import annotations

from typing import Any

from pystream.lifting import NotLifted, lift_key, lift_reduce, refusal_of_order
from pystream.plan.native import NativeStep
from pystream.plan.nodes import OperatorNode
from typeinfo.info import TypeInformation

__all__ = ["fold_by_key"]


def fold_by_key(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    """Return the step of a keyed reduce whose last results alone count, or why there is none.

    Args:
        node: the operator.
        type_info: type of its elements.
    """
    (key_function,) = node.keys
    key = lift_key(key_function.function.value, type_info, key_function.type_info)
    if isinstance(key, NotLifted):
        return NotLifted(f"its key: {key.reason}")
    aggregation = lift_reduce(node.function.value, type_info)
    if isinstance(aggregation, NotLifted):
        return aggregation
    return refusal_of_order(aggregation, key) or NativeStep(node.kind, key, type_info, aggregation)
