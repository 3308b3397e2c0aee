"""Lifting: user functions as expressions that give exactly the same, for Spark to run without Python."""

from __future__ import annotations

from pystream.lifting.accumulator_parts import Part
from pystream.lifting.aggregates import Accumulation, lift_aggregate
from pystream.lifting.aliasing import elements_of, has_aliases
from pystream.lifting.expression import GUARD_MARK, Expression, Op, is_guarded, raising
from pystream.lifting.folds import Fold
from pystream.lifting.keys import lift_key
from pystream.lifting.kinds import nullable_type
from pystream.lifting.lift import NotLifted, lift, lift_condition, lift_flat_map, project
from pystream.lifting.reductions import Aggregation, lift_field_fold, lift_reduce, refusal_of_order

__all__ = [
    "GUARD_MARK",
    "Accumulation",
    "Aggregation",
    "Expression",
    "Fold",
    "NotLifted",
    "Op",
    "Part",
    "elements_of",
    "is_guarded",
    "lift",
    "lift_aggregate",
    "lift_condition",
    "lift_field_fold",
    "lift_flat_map",
    "lift_key",
    "lift_reduce",
    "has_aliases",
    "nullable_type",
    "project",
    "raising",
    "refusal_of_order",
]
