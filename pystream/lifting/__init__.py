"""Lifting of user functions to expressions that compute exactly the same, for Spark to run without Python.

The modules, from the entry points downwards; none imports a module listed before it:

- ``reductions``, ``aggregates``, ``accumulator_parts``, ``folds``: reduce and aggregate functions, recognised
  as folds that do not depend on the order of elements.
- ``keys``: key selectors; ``scalar_replacement``, ``reduced_replacement``: code of functions on the fields of
  their elements, with ``element_fields``, ``element_calls``, ``result_columns``, ``returns``,
  ``pure_columns``, ``recompiling`` and ``field_reads``; ``result_lists``, ``lift``: maps, filters, flat maps.
- ``inlining``: symbolic evaluation of calls; ``desugaring``, ``generators``, ``statements``, ``results``: of
  statements; ``evaluator``: of expressions.
- ``objects``: attributes of known objects; ``frame``: the variables of a call; ``source``: the syntax tree of
  its function.
- ``intrinsics``, ``records``, ``operators``, ``members``: functions, classes, operators and attributes by the
  kinds of values; ``formatting``, ``lists``, ``text``: what these do, as in Python.
- ``conforming``: conversion to declared types, as serializers do it.
- ``arithmetic``, ``comparing``: arithmetic, comparison and truth, as in Python.
- ``imported``: which constants workers certainly have, too; ``bindings``: names that code binds, uses, calls
  and sets again.
- ``constants``: constant folding.
- ``aliasing``: alias analysis of results, whose parts columns copy.
- ``composites``, ``building``: constructors of expressions.
- ``values``, ``kinds``: abstract values of symbolic evaluation, and their kinds.
"""

from __future__ import annotations

from pystream.expressions.expression import GUARD_MARK, Expression, Op, is_guarded, raising
from pystream.lifting.aggregates import lift_add, lift_aggregate, lift_result
from pystream.lifting.aliasing import elements_of, has_aliases
from pystream.lifting.keys import lift_key
from pystream.lifting.kinds import is_exactly, nullable_type
from pystream.lifting.lift import (
    NotLifted,
    lift,
    lift_condition,
    lift_flat_map,
    project,
)
from pystream.lifting.reduced_replacement import replace_reduced
from pystream.lifting.reductions import lift_field_fold, lift_reduce, refusal_of_order
from pystream.lifting.result_lists import columns_of, result_list
from pystream.lifting.scalar_replacement import replace_element

__all__ = [
    "GUARD_MARK",
    "Expression",
    "NotLifted",
    "Op",
    "columns_of",
    "elements_of",
    "is_guarded",
    "lift",
    "lift_add",
    "lift_aggregate",
    "lift_result",
    "lift_condition",
    "lift_field_fold",
    "lift_flat_map",
    "lift_key",
    "lift_reduce",
    "has_aliases",
    "is_exactly",
    "nullable_type",
    "result_list",
    "project",
    "raising",
    "refusal_of_order",
    "replace_element",
    "replace_reduced",
]
