"""None as an element or part of one: at a source, in functions, after an exchange, collected, printed."""

from __future__ import annotations

from pystream.common import Row
from pystream.common.typeinfo import Types

CASES = {
    "INT": (Types.INT(), None),
    "DOUBLE": (Types.DOUBLE(), None),
    "STRING": (Types.STRING(), None),
    "SQL_DATE": (Types.SQL_DATE(), None),
    "PICKLED": (Types.PICKLED_BYTE_ARRAY(), None),
    "ROW": (Types.ROW([Types.INT()]), None),
    "TUPLE": (Types.TUPLE([Types.INT()]), None),
    "LIST": (Types.LIST(Types.INT()), None),
    "MAP": (Types.MAP(Types.STRING(), Types.INT()), None),
    "PRIMITIVE_ARRAY": (Types.PRIMITIVE_ARRAY(Types.INT()), None),
    "in_ROW_of_INT": (Types.ROW([Types.INT(), Types.STRING()]), Row(None, "a")),
    "in_ROW_of_STRING": (Types.ROW([Types.INT(), Types.STRING()]), Row(1, None)),
    "in_ROW_of_SQL_TIMESTAMP": (Types.ROW([Types.SQL_TIMESTAMP()]), Row(None)),
    "in_ROW_of_BIG_DEC": (Types.ROW([Types.BIG_DEC()]), Row(None)),
    "in_ROW_of_ROW": (Types.ROW([Types.ROW([Types.INT()]), Types.INT()]), Row(None, 1)),
    "in_ROW_of_LIST": (Types.ROW([Types.LIST(Types.INT()), Types.INT()]), Row(None, 1)),
    "in_ROW_of_MAP": (Types.ROW([Types.MAP(Types.STRING(), Types.INT()), Types.INT()]), Row(None, 1)),
    "in_ROW_of_PICKLED": (Types.ROW([Types.PICKLED_BYTE_ARRAY(), Types.INT()]), Row(None, 1)),
    "in_ROW_NAMED": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), Row(a=None, b=None)),
    "in_TUPLE_of_INT": (Types.TUPLE([Types.INT(), Types.STRING()]), (None, "a")),
    "in_TUPLE_of_STRING": (Types.TUPLE([Types.INT(), Types.STRING()]), (1, None)),
    "in_TUPLE_of_ROW": (Types.TUPLE([Types.ROW([Types.INT()]), Types.INT()]), (None, 1)),
    "in_LIST_of_STRING": (Types.LIST(Types.STRING()), ["a", None]),
    "in_LIST_of_ROW": (Types.LIST(Types.ROW([Types.INT()])), [Row(1), None]),
    "in_MAP_key": (Types.MAP(Types.STRING(), Types.INT()), {None: 1}),
    "in_MAP_of_INT": (Types.MAP(Types.STRING(), Types.INT()), {"a": None}),
    "in_PRIMITIVE_ARRAY": (Types.PRIMITIVE_ARRAY(Types.INT()), [1, None]),
    "in_BASIC_ARRAY_of_STRING": (Types.BASIC_ARRAY(Types.STRING()), ["a", None]),
    "in_OBJECT_ARRAY_of_ROW": (Types.OBJECT_ARRAY(Types.ROW([Types.INT()])), [Row(1), None]),
}


def source_to_function(env, case):
    declared, value = case
    return env.from_collection([value], type_info=declared).map(lambda element: ("seen", element))


def chained_functions(env, case):
    declared, value = case
    typed = env.from_collection([0]).map(lambda _: value, output_type=declared)
    return typed.map(lambda element: ("seen", element))


def unchained_functions(env, case):
    declared, value = case
    typed = env.from_collection([0]).map(lambda _: value, output_type=declared)
    return typed.map(lambda element: ("seen", element)).disable_chaining()


def collected_from_function(env, case):
    declared, value = case
    return env.from_collection([0]).map(lambda _: value, output_type=declared)


def printed(env, case):
    declared, value = case
    env.from_collection([0]).map(lambda _: value, output_type=declared).print()
    env.execute()
