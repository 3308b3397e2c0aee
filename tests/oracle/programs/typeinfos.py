"""Type information: text, equality, hash and attributes; and the declared types of streams."""

from __future__ import annotations

import pickle

import pystream.common.typeinfo
import pystream.common.types
from pystream.common.typeinfo import (
    BasicArrayTypeInfo,
    BasicTypeInfo,
    ListTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
    RowTypeInfo,
    SqlTimeTypeInfo,
    TupleTypeInfo,
    Types,
)

CASES = {
    "STRING": lambda: Types.STRING(),
    "BYTE": lambda: Types.BYTE(),
    "BOOLEAN": lambda: Types.BOOLEAN(),
    "SHORT": lambda: Types.SHORT(),
    "INT": lambda: Types.INT(),
    "LONG": lambda: Types.LONG(),
    "FLOAT": lambda: Types.FLOAT(),
    "DOUBLE": lambda: Types.DOUBLE(),
    "CHAR": lambda: Types.CHAR(),
    "BIG_INT": lambda: Types.BIG_INT(),
    "BIG_DEC": lambda: Types.BIG_DEC(),
    "INSTANT": lambda: Types.INSTANT(),
    "SQL_DATE": lambda: Types.SQL_DATE(),
    "SQL_TIME": lambda: Types.SQL_TIME(),
    "SQL_TIMESTAMP": lambda: Types.SQL_TIMESTAMP(),
    "PICKLED": lambda: Types.PICKLED_BYTE_ARRAY(),
    "ROW": lambda: Types.ROW([Types.INT(), Types.STRING()]),
    "ROW_empty": lambda: Types.ROW([]),
    "ROW_nested": lambda: Types.ROW([Types.ROW([Types.INT()]), Types.LIST(Types.STRING())]),
    "ROW_NAMED": lambda: Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()]),
    "ROW_NAMED_nested": lambda: Types.ROW_NAMED(
        ["a", "b"], [Types.ROW_NAMED(["c"], [Types.INT()]), Types.STRING()]
    ),
    "TUPLE": lambda: Types.TUPLE([Types.INT(), Types.STRING()]),
    "TUPLE_nested": lambda: Types.TUPLE([Types.TUPLE([Types.INT()]), Types.STRING()]),
    "LIST": lambda: Types.LIST(Types.INT()),
    "MAP": lambda: Types.MAP(Types.STRING(), Types.LIST(Types.INT())),
    "PRIMITIVE_ARRAY": lambda: Types.PRIMITIVE_ARRAY(Types.INT()),
    "BASIC_ARRAY": lambda: Types.BASIC_ARRAY(Types.STRING()),
    "OBJECT_ARRAY": lambda: Types.OBJECT_ARRAY(Types.ROW([Types.INT()])),
}


def text(case):
    return [str(case()), repr(case())]


def equality(case):
    return [case() == case(), case() != case()]


def pickling(case):
    return str(pickle.loads(pickle.dumps(case())))


def declared_type_of_a_stream(env, case):
    return str(env.from_collection([], type_info=case()).get_type())


def type_of_a_mapped_stream(env, case):
    return str(env.from_collection([1]).map(lambda value: value, output_type=case()).get_type())


def equality_between_types():
    return {
        "ints": Types.INT() == Types.LONG(),
        "row_and_tuple": Types.ROW([Types.INT()]) == Types.TUPLE([Types.INT()]),
        "row_field_types": Types.ROW([Types.INT()]) == Types.ROW([Types.LONG()]),
        "list_and_array": Types.LIST(Types.INT()) == Types.BASIC_ARRAY(Types.INT()),
        "basic_and_primitive": Types.BASIC_ARRAY(Types.INT()) == Types.PRIMITIVE_ARRAY(Types.INT()),
        "list_elements": Types.LIST(Types.INT()) == Types.LIST(Types.LONG()),
        "map_values": Types.MAP(Types.INT(), Types.INT()) == Types.MAP(Types.INT(), Types.LONG()),
    }


def hashing():
    return len({declared() for declared in CASES.values()}) == len(CASES)


def constants_are_one_object():
    return Types.INT() is Types.INT()


def row_equality_with_other_names():
    return [
        Types.ROW_NAMED(["a"], [Types.INT()]) == Types.ROW_NAMED(["b"], [Types.INT()]),
        Types.ROW([Types.INT()]) == Types.ROW_NAMED(["a"], [Types.INT()]),
    ]


def row_attributes():
    row = Types.ROW_NAMED(["a", "b"], [Types.INT(), Types.STRING()])
    return {
        "names": row.get_field_names(),
        "types": [str(field) for field in row.get_field_types()],
        "index": row.get_field_index("b"),
    }


def row_default_names():
    return Types.ROW([Types.INT(), Types.STRING()]).get_field_names()


def row_text_after_reading_default_names():
    row = Types.ROW([Types.INT(), Types.STRING()])
    row.get_field_names()
    return str(row)


def row_unknown_field_index():
    return Types.ROW_NAMED(["a"], [Types.INT()]).get_field_index("z")


def row_field_index_without_names():
    return Types.ROW([Types.INT()]).get_field_index("f0")


def row_names_and_types_differ_in_number(env):
    row = Types.ROW_NAMED(["a"], [Types.INT(), Types.INT()])
    return str(env.from_collection([], type_info=row).get_type())


def row_duplicate_names(env):
    row = Types.ROW_NAMED(["a", "a"], [Types.INT(), Types.INT()])
    return str(env.from_collection([], type_info=row).get_type())


def row_with_a_field_that_is_no_type(env):
    return str(env.from_collection([], type_info=Types.ROW([Types.INT(), int])).get_type())


def tuple_attributes():
    return [str(field) for field in Types.TUPLE([Types.INT(), Types.STRING()]).get_field_types()]


def list_attributes():
    return str(Types.LIST(Types.INT()).elem_type)


def tuple_of_twenty_six(env):
    return str(env.from_collection([], type_info=Types.TUPLE([Types.INT()] * 26)).get_type())


def row_of_forty(env):
    row = Types.ROW([Types.INT()] * 40)
    return env.from_collection([tuple(range(40))], type_info=row)


def primitive_array_of_strings_when_made():
    return str(Types.PRIMITIVE_ARRAY(Types.STRING()))


def primitive_array_of_strings_when_used(env):
    return str(env.from_collection([], type_info=Types.PRIMITIVE_ARRAY(Types.STRING())).get_type())


def basic_array_of_rows_when_used(env):
    return str(env.from_collection([], type_info=Types.BASIC_ARRAY(Types.ROW([Types.INT()]))).get_type())


_FACTORIES = """STRING BYTE BOOLEAN SHORT INT LONG FLOAT DOUBLE CHAR BIG_INT BIG_DEC INSTANT SQL_DATE SQL_TIME
SQL_TIMESTAMP PICKLED_BYTE_ARRAY ROW ROW_NAMED TUPLE PRIMITIVE_ARRAY BASIC_ARRAY OBJECT_ARRAY MAP LIST"""


def exported_names():
    return [
        {"TypeInformation", "Types"} <= set(pystream.common.typeinfo.__all__),
        {"Row", "RowKind"} <= set(pystream.common.types.__all__),
    ]


def factories():
    return [hasattr(Types, name) for name in _FACTORIES.split()]


def direct_constructors():
    return [
        str(RowTypeInfo([Types.INT()], ["a"])),
        str(TupleTypeInfo([Types.INT()])),
        str(ListTypeInfo(Types.INT())),
        str(MapTypeInfo(Types.INT(), Types.STRING())),
        str(BasicTypeInfo.INT_TYPE_INFO()),
        str(SqlTimeTypeInfo.DATE()),
        str(PrimitiveArrayTypeInfo(Types.INT())),
        str(BasicArrayTypeInfo(Types.INT())),
        str(ObjectArrayTypeInfo(Types.INT())),
    ]
