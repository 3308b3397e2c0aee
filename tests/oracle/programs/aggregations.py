"""Rolling aggregations of keyed streams, over every kind of element."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types

_TUPLE = Types.TUPLE([Types.STRING(), Types.INT(), Types.DOUBLE()])
_TUPLES = [("a", 3, 0.5), ("b", 7, 1.5), ("a", 1, 2.5), ("a", 3, -1.5), ("b", 7, 0.25)]
_NAMED = Types.ROW_NAMED(["word", "count", "weight"], [Types.STRING(), Types.INT(), Types.DOUBLE()])
_UNNAMED = Types.ROW([Types.STRING(), Types.INT(), Types.DOUBLE()])
_ROWS = [Row(*values) for values in _TUPLES]
_NULLABLE = [Row("a", 1, None), Row("a", 2, 0.5), Row("a", 0, 1.5)]


def _first(value):
    return value[0]


def _same(value):
    return 0


# elements, their type, the key selector, the field
CASES = {
    "tuple_by_position": (_TUPLES, _TUPLE, _first, (1,)),
    "tuple_by_last_position": (_TUPLES, _TUPLE, _first, (2,)),
    "tuple_key_field": (_TUPLES, _TUPLE, _first, (0,)),
    "tuple_default_position": ([(3, "a"), (1, "b"), (2, "c")], None, _same, ()),
    "tuple_pickled": (_TUPLES, None, _first, (1,)),
    "tuple_position_beyond": (_TUPLES, _TUPLE, _first, (3,)),
    "tuple_position_negative": (_TUPLES, _TUPLE, _first, (-1,)),
    "tuple_by_name": (_TUPLES, _TUPLE, _first, ("f1",)),
    "tuple_pickled_position_beyond": (_TUPLES, None, _first, (3,)),
    "row_by_name": (_ROWS, _NAMED, _first, ("count",)),
    "row_by_position": (_ROWS, _NAMED, _first, (1,)),
    "row_unknown_name": (_ROWS, _NAMED, _first, ("none",)),
    "row_unnamed_by_position": (_ROWS, _UNNAMED, _first, (2,)),
    "row_unnamed_by_name": (_ROWS, _UNNAMED, _first, ("f1",)),
    "row_null_field": (_NULLABLE, _NAMED, _first, ("weight",)),
    "int": ([3, 1, 2], Types.INT(), _same, ()),
    "int_by_position": ([3, 1, 2], Types.INT(), _same, (0,)),
    "int_position_beyond": ([3, 1, 2], Types.INT(), _same, (1,)),
    "float": ([0.5, 1.5, -2.0], Types.DOUBLE(), _same, ()),
    "int_pickled": ([3, 1, 2], None, _same, ()),
    "str": (["b", "a", "c"], Types.STRING(), _same, ()),
    "bool": ([True, False, True], Types.BOOLEAN(), _same, ()),
    "list_pickled": ([[3, "x"], [1, "y"]], None, _same, (0,)),
    "single_element": ([("a", 1, 0.5)], _TUPLE, _first, (1,)),
    "position_none": (_TUPLES, _TUPLE, _first, (None,)),
    "position_float": (_TUPLES, _TUPLE, _first, (1.0,)),
}


def _keyed(env, case):
    values, type_info, selector, field = case
    return env.from_collection(values, type_info=type_info).key_by(selector), field


def sum_of(env, case):
    keyed, field = _keyed(env, case)
    return keyed.sum(*field)


def min_of(env, case):
    keyed, field = _keyed(env, case)
    return keyed.min(*field)


def max_of(env, case):
    keyed, field = _keyed(env, case)
    return keyed.max(*field)


def min_by_of(env, case):
    keyed, field = _keyed(env, case)
    return keyed.min_by(*field)


def max_by_of(env, case):
    keyed, field = _keyed(env, case)
    return keyed.max_by(*field)


def sum_keeps_the_type(env):
    return str(env.from_collection(_TUPLES, type_info=_TUPLE).key_by(_first).sum(1).get_type())


def sum_overflow(env):
    return env.from_collection([2**31 - 1, 1], type_info=Types.INT()).key_by(_same).sum()


def sum_of_sums(env):
    counted = env.from_collection([("a", 1), ("b", 1), ("a", 1)]).key_by(_first).sum(1)
    return counted.key_by(lambda value: value[0] < "b").sum(1)
