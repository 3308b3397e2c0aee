"""Values that do not quite fit their declared type: accepted, converted or refused."""

from __future__ import annotations

import datetime
from decimal import Decimal

from pystream.common import Instant, Row
from pystream.common.typeinfo import Types

_NAN, _INF = float("nan"), float("inf")
_UTC = datetime.UTC

CASES = {
    "INT_from_int": (Types.INT(), 7),
    "INT_from_whole_float": (Types.INT(), 1.0),
    "INT_from_fraction": (Types.INT(), 1.5),
    "INT_from_True": (Types.INT(), True),
    "INT_from_str": (Types.INT(), "1"),
    "INT_from_Decimal": (Types.INT(), Decimal("1")),
    "INT_greatest": (Types.INT(), 2**31 - 1),
    "INT_smallest": (Types.INT(), -(2**31)),
    "INT_too_great": (Types.INT(), 2**31),
    "INT_too_small": (Types.INT(), -(2**31) - 1),
    "BYTE_greatest": (Types.BYTE(), 127),
    "BYTE_too_great": (Types.BYTE(), 128),
    "BYTE_too_small": (Types.BYTE(), -129),
    "BYTE_from_fraction": (Types.BYTE(), 1.5),
    "SHORT_greatest": (Types.SHORT(), 2**15 - 1),
    "SHORT_too_great": (Types.SHORT(), 2**15),
    "LONG_greatest": (Types.LONG(), 2**63 - 1),
    "LONG_smallest": (Types.LONG(), -(2**63)),
    "LONG_too_great": (Types.LONG(), 2**63),
    "LONG_from_fraction": (Types.LONG(), 1.5),
    "BIG_INT_small": (Types.BIG_INT(), 7),
    "BIG_INT_great": (Types.BIG_INT(), 10**30),
    "DOUBLE_from_int": (Types.DOUBLE(), 1),
    "DOUBLE_from_True": (Types.DOUBLE(), True),
    "DOUBLE_from_str": (Types.DOUBLE(), "1.5"),
    "DOUBLE_from_great_int": (Types.DOUBLE(), 2**53 + 1),
    "DOUBLE_from_Decimal": (Types.DOUBLE(), Decimal("1.5")),
    "DOUBLE_nan": (Types.DOUBLE(), _NAN),
    "DOUBLE_minus_zero": (Types.DOUBLE(), -0.0),
    "FLOAT_rounds": (Types.FLOAT(), 110.1),
    "FLOAT_third": (Types.FLOAT(), 1 / 3),
    "FLOAT_from_int": (Types.FLOAT(), 1),
    "FLOAT_too_great": (Types.FLOAT(), 1e39),
    "FLOAT_too_small": (Types.FLOAT(), 1e-50),
    "FLOAT_nan": (Types.FLOAT(), _NAN),
    "FLOAT_inf": (Types.FLOAT(), -_INF),
    "BOOLEAN_from_bool": (Types.BOOLEAN(), True),
    "BOOLEAN_from_1": (Types.BOOLEAN(), 1),
    "BOOLEAN_from_0": (Types.BOOLEAN(), 0),
    "BOOLEAN_from_2": (Types.BOOLEAN(), 2),
    "BOOLEAN_from_str": (Types.BOOLEAN(), "true"),
    "STRING_from_str": (Types.STRING(), "grün 😀\n"),
    "STRING_from_int": (Types.STRING(), 1),
    "STRING_from_bytes": (Types.STRING(), b"ab"),
    "STRING_empty": (Types.STRING(), ""),
    "STRING_lone_surrogate": (Types.STRING(), "\ud800"),
    "STRING_with_nul": (Types.STRING(), "a\0b"),
    "CHAR_one": (Types.CHAR(), "a"),
    "CHAR_two": (Types.CHAR(), "ab"),
    "CHAR_empty": (Types.CHAR(), ""),
    "BIG_DEC_plain": (Types.BIG_DEC(), Decimal("1.50")),
    "BIG_DEC_many_digits": (Types.BIG_DEC(), Decimal("12345678901234567890123.456789012345678901234567")),
    "BIG_DEC_tiny": (Types.BIG_DEC(), Decimal("1E-25")),
    "BIG_DEC_exponent": (Types.BIG_DEC(), Decimal("1E+3")),
    "BIG_DEC_from_int": (Types.BIG_DEC(), 1),
    "BIG_DEC_from_float": (Types.BIG_DEC(), 1.5),
    "BIG_DEC_nan": (Types.BIG_DEC(), Decimal("NaN")),
    "SQL_DATE_from_date": (Types.SQL_DATE(), datetime.date(2020, 2, 29)),
    "SQL_DATE_before_1970": (Types.SQL_DATE(), datetime.date(1960, 1, 2)),
    "SQL_DATE_old": (Types.SQL_DATE(), datetime.date(1500, 1, 2)),
    "SQL_DATE_from_datetime": (Types.SQL_DATE(), datetime.datetime(2020, 2, 29, 23, 5)),
    "SQL_DATE_from_str": (Types.SQL_DATE(), "2020-02-29"),
    "SQL_TIME_whole": (Types.SQL_TIME(), datetime.time(12, 30, 5)),
    "SQL_TIME_micros": (Types.SQL_TIME(), datetime.time(12, 30, 5, 123456)),
    "SQL_TIME_with_zone": (Types.SQL_TIME(), datetime.time(12, 30, tzinfo=_UTC)),
    "SQL_TIMESTAMP_plain": (Types.SQL_TIMESTAMP(), datetime.datetime(2020, 2, 29, 12, 30, 5, 123456)),
    "SQL_TIMESTAMP_before_1970": (Types.SQL_TIMESTAMP(), datetime.datetime(1960, 1, 2, 3, 4, 5, 600000)),
    "SQL_TIMESTAMP_with_zone": (
        Types.SQL_TIMESTAMP(),
        datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.timezone(datetime.timedelta(hours=5))),
    ),
    "SQL_TIMESTAMP_from_date": (Types.SQL_TIMESTAMP(), datetime.date(2020, 2, 29)),
    "INSTANT_millis": (Types.INSTANT(), Instant.of_epoch_milli(1582979405123)),
    "INSTANT_nanos": (Types.INSTANT(), Instant(1582979405, 123456789)),
    "INSTANT_before_1970": (Types.INSTANT(), Instant.of_epoch_milli(-1)),
    "INSTANT_from_datetime": (Types.INSTANT(), datetime.datetime(2020, 2, 29, tzinfo=_UTC)),
    "PICKLED_set": (Types.PICKLED_BYTE_ARRAY(), {1, 2}),
    "PICKLED_bytes": (Types.PICKLED_BYTE_ARRAY(), b"\x00\xff"),
    "PICKLED_row": (Types.PICKLED_BYTE_ARRAY(), Row(a=1)),
    "ROW_from_row": (Types.ROW([Types.INT(), Types.STRING()]), Row(1, "a")),
    "ROW_from_tuple": (Types.ROW([Types.INT(), Types.STRING()]), (1, "a")),
    "ROW_from_list": (Types.ROW([Types.INT(), Types.STRING()]), [1, "a"]),
    "ROW_from_dict": (Types.ROW([Types.INT(), Types.STRING()]), {"f0": 1, "f1": "a"}),
    "ROW_from_int": (Types.ROW([Types.INT()]), 1),
    "ROW_too_short": (Types.ROW([Types.INT(), Types.STRING()]), Row(1)),
    "ROW_too_long": (Types.ROW([Types.INT(), Types.STRING()]), Row(1, "a", 2)),
    "ROW_wrong_field": (Types.ROW([Types.INT(), Types.STRING()]), Row("a", 1)),
    "ROW_named_value": (Types.ROW([Types.INT(), Types.STRING()]), Row(x=1, y="a")),
    "ROW_NAMED_same_order": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), Row(a=1, b="x")),
    "ROW_NAMED_other_order": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), Row(b="x", a=1)),
    "ROW_NAMED_other_names": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), Row(c=1, d="x")),
    "ROW_NAMED_missing_name": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), Row(a=1)),
    "ROW_NAMED_more_names": (Types.ROW_NAMED(["a"], [Types.INT()]), Row(a=1, b="x")),
    "ROW_NAMED_unnamed_value": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), Row(1, "x")),
    "ROW_NAMED_from_dict": (Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]), {"a": 1, "b": "x"}),
    "ROW_NAMED_unicode": (Types.ROW_NAMED(["größe", "数"], [Types.INT(), Types.INT()]), Row(1, 2)),
    "ROW_nested": (Types.ROW([Types.ROW_NAMED(["a"], [Types.INT()])]), Row(Row(a=1))),
    "ROW_nested_from_tuples": (Types.ROW([Types.ROW([Types.INT()])]), Row((1,))),
    "ROW_empty": (Types.ROW([]), Row()),
    "TUPLE_from_tuple": (Types.TUPLE([Types.INT(), Types.STRING()]), (1, "a")),
    "TUPLE_from_row": (Types.TUPLE([Types.INT(), Types.STRING()]), Row(1, "a")),
    "TUPLE_from_list": (Types.TUPLE([Types.INT(), Types.STRING()]), [1, "a"]),
    "TUPLE_too_short": (Types.TUPLE([Types.INT(), Types.STRING()]), (1,)),
    "TUPLE_too_long": (Types.TUPLE([Types.INT(), Types.STRING()]), (1, "a", 2)),
    "TUPLE_empty": (Types.TUPLE([]), ()),
    "TUPLE_nested": (Types.TUPLE([Types.TUPLE([Types.INT()]), Types.INT()]), ((1,), 2)),
    "LIST_of_ints": (Types.LIST(Types.INT()), [1, 2]),
    "LIST_of_strings": (Types.LIST(Types.STRING()), ["a", "b"]),
    "LIST_empty": (Types.LIST(Types.INT()), []),
    "LIST_from_tuple": (Types.LIST(Types.INT()), (1, 2)),
    "LIST_from_set": (Types.LIST(Types.INT()), {1}),
    "LIST_from_str": (Types.LIST(Types.STRING()), "ab"),
    "LIST_of_rows": (Types.LIST(Types.ROW([Types.INT()])), [Row(1)]),
    "LIST_of_tuples": (Types.LIST(Types.TUPLE([Types.INT()])), [(1,)]),
    "LIST_nested": (Types.LIST(Types.LIST(Types.INT())), [[1], []]),
    "MAP_plain": (Types.MAP(Types.STRING(), Types.INT()), {"b": 1, "a": 2}),
    "MAP_empty": (Types.MAP(Types.STRING(), Types.INT()), {}),
    "MAP_from_pairs": (Types.MAP(Types.STRING(), Types.INT()), [("a", 1)]),
    "MAP_int_keys": (Types.MAP(Types.INT(), Types.STRING()), {2: "x", 1: "y"}),
    "MAP_of_lists": (Types.MAP(Types.STRING(), Types.LIST(Types.INT())), {"a": [1, 2]}),
    "PRIMITIVE_ARRAY_INT": (Types.PRIMITIVE_ARRAY(Types.INT()), [1, 2]),
    "PRIMITIVE_ARRAY_from_tuple": (Types.PRIMITIVE_ARRAY(Types.INT()), (1, 2)),
    "PRIMITIVE_ARRAY_BYTE_from_bytes": (Types.PRIMITIVE_ARRAY(Types.BYTE()), b"\x01\xff"),
    "PRIMITIVE_ARRAY_BYTE_from_list": (Types.PRIMITIVE_ARRAY(Types.BYTE()), [1, 2]),
    "PRIMITIVE_ARRAY_BYTE_from_bytearray": (Types.PRIMITIVE_ARRAY(Types.BYTE()), bytearray(b"\x01")),
    "PRIMITIVE_ARRAY_FLOAT": (Types.PRIMITIVE_ARRAY(Types.FLOAT()), [1.5, 1 / 3]),
    "PRIMITIVE_ARRAY_BOOLEAN": (Types.PRIMITIVE_ARRAY(Types.BOOLEAN()), [True, False]),
    "BASIC_ARRAY_STRING": (Types.BASIC_ARRAY(Types.STRING()), ["a", "b"]),
    "BASIC_ARRAY_LONG": (Types.BASIC_ARRAY(Types.LONG()), [1, 2]),
    "BASIC_ARRAY_BYTE": (Types.BASIC_ARRAY(Types.BYTE()), [1, 2]),
    "OBJECT_ARRAY_of_rows": (Types.OBJECT_ARRAY(Types.ROW([Types.INT()])), [Row(1)]),
    "OBJECT_ARRAY_of_arrays": (Types.OBJECT_ARRAY(Types.BASIC_ARRAY(Types.INT())), [[1], [2, 3]]),
}


def source_to_function(env, case):
    declared, value = case
    return env.from_collection([value], type_info=declared).map(lambda element: ("seen", element))


def function_to_function(env, case):
    declared, value = case
    typed = env.from_collection([0]).map(lambda _: value, output_type=declared)
    return typed.map(lambda element: ("seen", element)).disable_chaining()


def collected(env, case):
    declared, value = case
    return env.from_collection([0]).map(lambda _: value, output_type=declared)
