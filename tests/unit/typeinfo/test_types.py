from __future__ import annotations

import copy
import enum
import pickle
from dataclasses import dataclass
from typing import NamedTuple, TypedDict

import pytest

from typeinfo import PyStreamError, TypeInformation, Types, UnsupportedTypeError
from typeinfo.basic import BasicTypeInfo
from typeinfo.collection import (
    BasicArrayTypeInfo,
    MapTypeInfo,
    ObjectArrayTypeInfo,
    PrimitiveArrayTypeInfo,
)
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo, optional_of
from typeinfo.temporal import (
    DateTypeInfo,
    LocalTimeTypeInfo,
    SqlTimeTypeInfo,
    TimestampTypeInfo,
    TimeTypeInfo,
)

CONSTANTS = {
    # as PyFlink writes them (tests/oracle/recorded/typeinfos.json)
    "STRING": "String",
    "BYTE": "Byte",
    "BOOLEAN": "Boolean",
    "SHORT": "Short",
    "INT": "Integer",
    "LONG": "Long",
    "FLOAT": "Float",
    "DOUBLE": "Double",
    "CHAR": "Char",
    "BIG_INT": "BigInteger",
    "BIG_DEC": "BigDecimal",
    "INSTANT": "Instant",
    "SQL_DATE": "DateTypeInfo",
    "SQL_TIME": "TimeTypeInfo",
    "SQL_TIMESTAMP": "TimestampTypeInfo",
    "PICKLED_BYTE_ARRAY": "PickledByteArrayTypeInfo",
    # not in PyFlink 2.3
    "VOID": "Void",
    "LOCAL_DATE": "LocalTimeTypeInfo<LOCAL_DATE>",
    "LOCAL_TIME": "LocalTimeTypeInfo<LOCAL_TIME>",
    "LOCAL_DATE_TIME": "LocalTimeTypeInfo<LOCAL_DATE_TIME>",
    "UUID": "UUID",
    "DURATION": "Duration",
}


class Colour(enum.Enum):
    RED = 1


@dataclass
class Point:
    x: int
    label: str | None


class Pair(NamedTuple):
    left: int
    right: str


class Entry(TypedDict, total=False):
    a: int


FACTORIES = [
    (lambda: Types.ROW([]), "RowTypeInfo()"),
    (lambda: Types.ROW([Types.INT(), Types.STRING()]), "RowTypeInfo(Integer, String)"),
    (lambda: Types.ROW((Types.INT, Types.STRING)), "RowTypeInfo(Integer, String)"),
    (
        lambda: Types.ROW([Types.ROW([Types.INT]), Types.LIST(Types.STRING)]),
        "RowTypeInfo(RowTypeInfo(Integer), ListTypeInfo<String>)",
    ),
    (lambda: Types.ROW_NAMED(["a", "b"], [Types.INT, Types.STRING]), "RowTypeInfo(a: Integer, b: String)"),
    (lambda: Types.ROW_NAMED(["日本", "a b"], [Types.INT] * 2), "RowTypeInfo(日本: Integer, a b: Integer)"),
    (lambda: Types.ROW_NAMED([], []), "RowTypeInfo()"),
    (lambda: Types.TUPLE([Types.INT(), Types.STRING()]), "TupleTypeInfo(Integer, String)"),
    (lambda: Types.TUPLE((Types.INT, Types.STRING)), "TupleTypeInfo(Integer, String)"),
    (lambda: Types.TUPLE(Types.INT, Types.STRING), "TupleTypeInfo(Integer, String)"),
    (lambda: Types.TUPLE(field_types=[Types.INT]), "TupleTypeInfo(Integer)"),
    (lambda: Types.TUPLE(Types.INT), "TupleTypeInfo(Integer)"),
    (lambda: Types.TUPLE([]), "TupleTypeInfo()"),
    (lambda: Types.TUPLE(), "TupleTypeInfo()"),
    (lambda: Types.TUPLE([Types.INT] * 26), f"TupleTypeInfo({', '.join(['Integer'] * 26)})"),
    (lambda: Types.PRIMITIVE_ARRAY(Types.INT()), "PrimitiveArrayTypeInfo<Integer>"),
    (lambda: Types.PRIMITIVE_ARRAY(Types.BYTE), "PrimitiveArrayTypeInfo<Byte>"),
    (lambda: Types.BASIC_ARRAY(Types.STRING()), "BasicArrayTypeInfo<String>"),
    (lambda: Types.OBJECT_ARRAY(Types.ROW([Types.INT])), "ObjectArrayTypeInfo<RowTypeInfo(Integer)>"),
    (lambda: Types.LIST(Types.INT()), "ListTypeInfo<Integer>"),
    (
        lambda: Types.MAP(Types.STRING(), Types.LIST(Types.INT())),
        "MapTypeInfo<String, ListTypeInfo<Integer>>",
    ),
    (lambda: Types.of(int | None), "Optional<Long>"),
    (lambda: Types.of(Colour), "Enum<Colour>"),
    (lambda: LiteralTypeInfo(("a", "b"), Types.STRING), "Literal<'a', 'b'>"),
    (lambda: Types.of(Point), "Point(x: Long, label: Optional<String>)"),
    (lambda: Types.of(Pair), "Pair(left: Long, right: String)"),
    (lambda: Types.of(Entry), "Entry(a: Long)"),
]

ALL = [getattr(Types, name) for name in CONSTANTS] + [make() for make, _ in FACTORIES]


@pytest.mark.parametrize(("name", "text"), CONSTANTS.items())
def test_constants(name, text):
    constant = getattr(Types, name)
    assert constant() is constant
    assert str(constant) == repr(constant) == text


def test_every_constant_is_tested():
    assert CONSTANTS.keys() == {n for n, value in vars(Types).items() if isinstance(value, TypeInformation)}


@pytest.mark.parametrize(("make", "text"), FACTORIES, ids=[text[:60] for _, text in FACTORIES])
def test_factories(make, text):
    made = make()
    assert str(made) == repr(made) == text
    assert made == make()
    assert hash(made) == hash(make())


@pytest.mark.parametrize("t", ALL, ids=lambda t: str(t)[:60])
def test_types_survive_pickle_and_copy(t):
    for other in (pickle.loads(pickle.dumps(t)), copy.copy(t), copy.deepcopy(t)):
        assert other == t
        assert hash(other) == hash(t)
        assert str(other) == str(t)


@pytest.mark.parametrize("t", ALL, ids=lambda t: str(t)[:60])
def test_types_are_frozen(t):
    for name in ("field_types", "basic_type", "anything"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(t, name, ())


DIFFERENT = [
    (Types.INT, Types.LONG),
    (Types.STRING, Types.CHAR),
    (Types.SQL_DATE, Types.LOCAL_DATE),
    (Types.LIST(Types.INT), Types.LIST(Types.LONG)),
    (Types.LIST(Types.INT), Types.OBJECT_ARRAY(Types.INT)),
    (Types.BASIC_ARRAY(Types.INT), Types.PRIMITIVE_ARRAY(Types.INT)),
    (Types.MAP(Types.INT, Types.INT), Types.MAP(Types.INT, Types.LONG)),
    (Types.ROW([Types.INT]), Types.TUPLE([Types.INT])),
    (Types.ROW([Types.INT]), Types.ROW([Types.LONG])),
    # unlike PyFlink, where names do not count
    (Types.ROW([Types.INT]), Types.ROW_NAMED(["f0"], [Types.INT])),
    (Types.ROW_NAMED(["a"], [Types.INT]), Types.ROW_NAMED(["b"], [Types.INT])),
    (Types.of(Point), Types.ROW_NAMED(["x", "label"], [Types.LONG, Types.STRING])),
    (LiteralTypeInfo((1,), Types.LONG), LiteralTypeInfo((True,), Types.BOOLEAN)),
    (OptionalTypeInfo(Types.INT), Types.INT),
]


@pytest.mark.parametrize(("left", "right"), DIFFERENT, ids=str)
def test_different_types_differ(left, right):
    assert left != right


def test_constants_are_reached_through_their_classes_too():
    for kind in (*PRIMITIVES, "STRING", "BIG_INT", "BIG_DEC"):
        assert getattr(BasicTypeInfo, f"{kind}_TYPE_INFO")() is getattr(Types, kind)
    assert SqlTimeTypeInfo.DATE() is Types.SQL_DATE
    assert SqlTimeTypeInfo.TIME() is Types.SQL_TIME
    assert SqlTimeTypeInfo.TIMESTAMP() is Types.SQL_TIMESTAMP


def test_classes_and_parameters_have_pyflinks_names() -> None:
    assert DateTypeInfo() == Types.SQL_DATE
    assert TimeTypeInfo() == Types.SQL_TIME
    assert TimestampTypeInfo() == Types.SQL_TIMESTAMP
    assert DateTypeInfo() != TimeTypeInfo()
    for name in ("LOCAL_DATE", "LOCAL_TIME", "LOCAL_DATE_TIME"):
        time_type = getattr(LocalTimeTypeInfo.TimeType, name)
        assert LocalTimeTypeInfo(time_type=time_type) == getattr(Types, name)
    t = MapTypeInfo(key_type_info=Types.INT, value_type_info=Types.STRING)
    assert t == Types.MAP(Types.INT, Types.STRING)
    assert pickle.loads(pickle.dumps([t, DateTypeInfo(), Types.LOCAL_DATE])) == [
        t,
        Types.SQL_DATE,
        Types.LOCAL_DATE,
    ]


def test_fields():
    named = Types.ROW_NAMED(["a", "b"], [Types.INT, Types.STRING])
    assert named.get_field_names() == ["a", "b"]
    assert named.get_field_types() == [Types.INT, Types.STRING]
    assert (named.get_field_index("b"), named.get_arity()) == (1, 2)
    with pytest.raises(ValueError, match=r"no field 'z' among \['a', 'b'\]"):
        named.get_field_index("z")
    row = Types.ROW([Types.INT, Types.STRING])
    assert row.get_field_names() == ["f0", "f1"]
    assert row.get_field_index("f0") == -1
    assert str(row) == "RowTypeInfo(Integer, String)"
    assert Types.TUPLE(Types.INT, Types.STRING).get_field_types() == [Types.INT, Types.STRING]
    assert Types.of(Point).get_field_names() == ["x", "label"]
    assert Types.LIST(Types.INT).elem_type == Types.INT


def test_slots_say_where_none_is_allowed():
    def nullable(t):
        return [(slot.segment, slot.nullable) for slot in t.slots()]

    assert nullable(Types.ROW([Types.INT])) == [("[0]", True)]
    assert nullable(Types.ROW_NAMED(["a"], [Types.INT])) == [(".a", True)]
    assert nullable(Types.TUPLE([Types.INT])) == [("[0]", False)]
    assert nullable(Types.LIST(Types.INT)) == [("[]", False)]
    assert nullable(Types.PRIMITIVE_ARRAY(Types.INT)) == [("[]", False)]
    assert nullable(Types.BASIC_ARRAY(Types.INT)) == [("[]", True)]
    assert nullable(Types.OBJECT_ARRAY(Types.INT)) == [("[]", True)]
    assert nullable(Types.MAP(Types.INT, Types.INT)) == [("{}", False), ("[]", True)]
    assert nullable(Types.of(Point)) == [(".x", False), (".label", False)]
    assert nullable(Types.INT) == []


def test_types_that_admit_none():
    admitting = {t for t in ALL if t.admits_none()}
    assert admitting == {Types.VOID, Types.PICKLED_BYTE_ARRAY, OptionalTypeInfo(Types.LONG)}


def test_optional_is_not_doubled():
    assert optional_of(optional_of(Types.INT)) == OptionalTypeInfo(Types.INT)
    assert optional_of(Types.VOID) is Types.VOID
    assert optional_of(Types.PICKLED_BYTE_ARRAY) is Types.PICKLED_BYTE_ARRAY


PRIMITIVES = ["BOOLEAN", "BYTE", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE", "CHAR"]


@pytest.mark.parametrize("name", CONSTANTS)
def test_primitive_arrays_hold_the_eight_primitives(name):
    element = getattr(Types, name)
    if name in PRIMITIVES:
        assert Types.PRIMITIVE_ARRAY(element) == PrimitiveArrayTypeInfo(element)
        assert Types.PRIMITIVE_ARRAY(element).is_bytes == (name == "BYTE")
    else:
        with pytest.raises(TypeError, match=r"^Invalid element type for a primitive array\.$"):
            Types.PRIMITIVE_ARRAY(element)
    if name in PRIMITIVES or name == "STRING":
        assert Types.BASIC_ARRAY(element) == BasicArrayTypeInfo(element)
    else:
        with pytest.raises(TypeError, match=r"^Invalid element type for a basic array\.$"):
            Types.BASIC_ARRAY(element)
    assert Types.OBJECT_ARRAY(element) == ObjectArrayTypeInfo(element)


REFUSED = [
    (lambda: Types.ROW([int]), r"not the class int, as field_types\[0\]; write Types\.of\(int\)"),
    (lambda: Types.ROW([Types.INT, None]), r"takes a TypeInformation .* not None, as field_types\[1\]"),
    (lambda: Types.ROW(Types.INT), "takes a Sequence .*, as field_types"),
    (lambda: Types.ROW_NAMED(["a"], []), r"1 field names \['a'\] for 0 types"),
    (lambda: Types.ROW_NAMED(["a", "b", "a"], [Types.INT] * 3), r"duplicate field names: \['a'\]"),
    (lambda: Types.ROW_NAMED("ab", [Types.INT] * 2), "takes a Sequence .*, not 'ab'"),
    (lambda: Types.ROW_NAMED({"a", "b"}, [Types.INT] * 2), "takes a Sequence .*, not {"),
    (lambda: Types.ROW_NAMED(5, []), "takes a Sequence .*, not 5"),
    (lambda: Types.ROW({Types.INT, Types.STRING}), "takes a Sequence .*, not {"),
    (lambda: Types.TUPLE({"a": Types.INT}), "takes a list of field types, not {"),
    (lambda: Types.TUPLE(Types.INT, field_types=[Types.STRING]), "by position or as field_types, not both"),
    (lambda: Types.MAP(Types.LIST(Types.INT), Types.INT), "keys of a dict must be hashable"),
    (lambda: Types.MAP(Types.TUPLE(Types.MAP(Types.INT, Types.INT)), Types.INT), "must be hashable"),
    (lambda: Types.MAP(Types.of(int | None), Types.INT), "the keys of a map cannot be None"),
    (lambda: Types.MAP(Types.VOID, Types.INT), "the keys of a map cannot be None"),
    (lambda: Types.MAP(Types.of(Point), Types.INT), "keys of a dict must be hashable"),
    (lambda: Types.ROW_NAMED([""], [Types.INT]), "field name ''; a field name must be a non-empty string"),
    (lambda: Types.ROW_NAMED([1], [Types.INT]), r"takes a str, not 1 \(int\), as field_names\[0\]"),
    (lambda: Types.TUPLE([str]), r"not the class str, as field_types\[0\]; write Types\.of\(str\)"),
    (lambda: Types.TUPLE(3), "takes an Iterable .*, not 3"),
    (lambda: Types.LIST(int), r"as element_type_info; write Types\.of\(int\)"),
    (lambda: Types.OBJECT_ARRAY("x"), "as element_type"),
    (lambda: Types.MAP(Types.STRING, int), "as value_type_info"),
    (lambda: Types.MAP(str, Types.INT), "as key_type_info"),
    (lambda: OptionalTypeInfo(int), "the type inside an optional"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED)
def test_refuses(make, message):
    with pytest.raises(UnsupportedTypeError, match=message) as caught:
        make()
    assert isinstance(caught.value, PyStreamError)
    assert isinstance(caught.value, TypeError)


def test_record_types_name_their_class():
    assert Types.of(Entry) == RecordTypeInfo(
        Entry, RecordKind.TYPED_DICT, ("a",), (Types.LONG,), frozenset({"a"})
    )
    assert Types.of(Pair).kind is RecordKind.NAMED_TUPLE
    assert Types.of(Point).record_class is Point
