"""Lifting: user functions as expressions that give exactly the same, for Spark to run without Python."""

from __future__ import annotations

from pystream.lifting.accumulate import Accumulation, lift_aggregate
from pystream.lifting.accumulator_folds import Part
from pystream.lifting.aliasing import elements_of, has_aliases
from pystream.lifting.expression import GUARD_MARK, Expression, Op, is_guarded, raising
from pystream.lifting.field_folds import lift_field_fold
from pystream.lifting.keys import lift_key, refusal_of_order
from pystream.lifting.kinds import nullable_type
from pystream.lifting.lift import (
    NotLifted,
    lift,
    lift_condition,
    lift_flat_map,
    project,
)
from pystream.lifting.reduce import Aggregation, Fold, lift_reduce

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
