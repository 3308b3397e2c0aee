"""Lifting of user functions to expressions that compute exactly the same, for Spark to run without Python.

The modules, from the entry points downwards; each uses those after it:

- ``lift``: elements: maps, filters and flat maps; ``keys``: key selectors.
- ``aggregates``, ``accumulator_parts``, ``reductions``, ``folds``: aggregate and reduce functions, recognised
  as folds that do not depend on the order of elements.
- ``inlining``: symbolic evaluation of calls, in a ``frame`` each, by the function's ``source``;
  ``generators``, ``desugaring``, ``statements``, ``results``: of statements; ``evaluator``: of expressions.
- ``intrinsics``, ``operators``, ``members``: functions, operators and attributes by the kinds of values;
  ``formatting``, ``lists``, ``text``, ``arithmetic``, ``comparing``: what these do, as in Python.
- ``constants``, ``values``: constant folding, and the abstract values of symbolic evaluation; ``imported``:
  which constants workers certainly have, too.
- ``conforming``: conversion to declared types, as serializers do it.
- ``building``, ``unification``, ``kinds``, ``expression``: expressions, their constructors and types.
- ``aliasing``: alias analysis of results, whose parts columns copy.
"""

from __future__ import annotations

from pystream.lifting.accumulator_parts import Part
from pystream.lifting.aggregates import Aggregation, lift_aggregate
from pystream.lifting.aliasing import elements_of, has_aliases
from pystream.lifting.expression import GUARD_MARK, Expression, Op, is_guarded, raising
from pystream.lifting.folds import Fold
from pystream.lifting.keys import lift_key
from pystream.lifting.kinds import nullable_type
from pystream.lifting.lift import NotLifted, lift, lift_condition, lift_flat_map, project
from pystream.lifting.reductions import Reduction, lift_field_fold, lift_reduce, refusal_of_order

__all__ = [
    "GUARD_MARK",
    "Aggregation",
    "Expression",
    "Fold",
    "NotLifted",
    "Op",
    "Part",
    "Reduction",
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
