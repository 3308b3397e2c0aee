"""Translate functions that are called for each element to expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pystream.kinds import Lifting
from pystream.lifting import (
    NotLifted,
    elements_of,
    lift,
    lift_condition,
    lift_flat_map,
    nullable_type,
    project,
)
from pystream.plan.native import NativeStep
from pystream.plan.nodes import OperatorNode
from pystream.rules.lift_functions.liftable import (
    as_pickled,
    declared_type,
    liftable_part,
    refusal_of_undeclared,
)
from typeinfo.extended import OptionalTypeInfo
from typeinfo.formats.layout import has_columns
from typeinfo.info import TypeInformation
from typeinfo.types import Types

__all__ = ["elementwise_step", "timestamp_step"]


def elementwise_step(
    node: OperatorNode, type_info: TypeInformation[Any], timed: bool
) -> NativeStep | NotLifted:
    """Return the native step of a map, flat map, filter or projection, or the reason for none.

    Args:
        node: the operator.
        type_info: type of its elements.
        timed: whether they have a timestamp.
    """
    lifting = node.kind.lifting
    if lifting is Lifting.PROJECTION:
        return NativeStep(lifting, project(type_info, node.function.value), node.type_info, timed)
    function = as_pickled(node.function, node.kind.method)
    if isinstance(function, NotLifted):
        return function
    if lifting is Lifting.PREDICATE:
        condition = lift_condition(function, type_info)
        if isinstance(condition, NotLifted):
            return condition
        return NativeStep(lifting, condition, type_info, timed)
    many = lifting is Lifting.FLAT_MAP
    declared = declared_type(node.type_info)
    lifted = lift_flat_map(function, type_info, declared) if many else lift(function, [type_info], declared)
    if isinstance(lifted, NotLifted):
        return lifted
    own = declared or (lifted.type.slots()[0].type if many else nullable_type(lifted))
    if isinstance(own, OptionalTypeInfo) and has_columns(own.value_type):
        return NotLifted("may return None for a whole row, tuple or record, which are columns in a table")
    refusal = None if declared else refusal_of_undeclared(own, elements_of(lifted) if many else [lifted])
    return refusal or NativeStep(Lifting.FLAT_MAP if many else Lifting.MAP, lifted, own, timed)


def timestamp_step(node: OperatorNode, type_info: TypeInformation[Any]) -> NativeStep | NotLifted:
    """Return the native step of a timestamp assigner, or the reason for none.

    Args:
        node: the operator.
        type_info: type of its elements.
    """
    extract: Callable[..., Any] | None = liftable_part(node)
    if extract is None:
        return NotLifted("has a user-defined watermark generator, or no timestamp assigner")
    time = lift(extract, [type_info, Types.LONG()], Types.LONG())
    return time if isinstance(time, NotLifted) else NativeStep(Lifting.TIMESTAMP, time, type_info, True)
