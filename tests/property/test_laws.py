"""Every law holds for every type."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import InitVar, dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, NotRequired, TypedDict, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from typeinfo import Row, RowKind, TypeInformation, Types
from typeinfo.basic import BasicType
from typeinfo.carried import TEXT_KINDS, CarriedTypeInfo
from typeinfo.collection import PRIMITIVE_TYPES, ArrayTypeInfo, DeclaredMapTypeInfo
from typeinfo.composite import DeclaredRowTypeInfo, FieldsTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo, RoundedDecimalTypeInfo
from typeinfo.inferred import InferredTypeInfo
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.temporal import SqlTimeTypeInfo, TemporalTypeInfo
from typeinfo.testing.laws import check_all, check_keys, check_spark_collect
from typeinfo.testing.strategies import (
    RECORDS,
    Colour,
    Key,
    Level,
    Pair,
    Reading,
    Word,
    batches,
    type_infos,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

T = TypeVar("T")
ABSTRACT = {ScalarTypeInfo, TemporalTypeInfo, SqlTimeTypeInfo, ArrayTypeInfo, FieldsTypeInfo, CarriedTypeInfo}
FOR_STRATEGIES = {DeclaredMapTypeInfo, DeclaredRowTypeInfo}  # determine the values to make, and carry none
NOT_DECLARED = {InferredTypeInfo, RoundedDecimalTypeInfo}
CONSTANTS = {name: t for name, t in vars(Types).items() if isinstance(t, TypeInformation)}
PRIMITIVES = [t for t in CONSTANTS.values() if getattr(t, "basic_type", None) in PRIMITIVE_TYPES]


@dataclass
class Checked:
    """A dataclass whose constructor does more than store its arguments."""

    width: int
    scale: InitVar[int] = 1
    area: int = field(init=False)
    note: str = field(default="", compare=False)

    def __post_init__(self, scale: int) -> None:
        self.area = (self.width * scale) % 2**63


@dataclass
class Base(Generic[T]):
    first: T


@dataclass
class Derived(Base[list[int | None]]):
    second: dict[str, Reading]


@dataclass(eq=False)
class Incomparable:
    a: int


class Sparse(TypedDict, total=False):
    a: int
    b: str | None
    c: NotRequired[list[int]]


class Single(NamedTuple):
    only: float


class Money:
    """A class that is no record, as its __eq__ is its own."""

    def __init__(self, amount: Decimal, currency: Literal["EUR", "JPY"]) -> None:
        self.amount, self.currency = amount, currency

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.amount, self.currency))

    def __repr__(self) -> str:
        return f"Money({self.amount!r}, {self.currency!r})"


def money_to_tuple(money: Money) -> tuple[Decimal, str]:
    return money.amount, money.currency


def money_of_tuple(carried: tuple[Decimal, Any]) -> Money:
    return Money(*carried)


class Blob:
    """A class without __eq__ and without annotations."""

    def __init__(self, data):
        self.data = data


def blob_to_bytes(blob: Blob) -> bytes:
    return blob.data


def blob_to_tuple(blob: Blob) -> tuple[Blob]:
    return (blob,)


def blob_of_tuple(carried: tuple[Blob]) -> Blob:
    return carried[0]


MONEY = CustomTypeInfo(
    Money, Types.TUPLE([Types.BIG_DEC(), Types.STRING()]), money_to_tuple, money_of_tuple, deterministic=True
)
BLOB = CustomTypeInfo(Blob, Types.of(bytes), blob_to_bytes, Blob)


def nested(depth: int) -> TypeInformation[Any]:
    t: TypeInformation[Any] = Types.DOUBLE
    for level in range(depth):
        t = (
            Types.ROW_NAMED(["inner", "level"], [t, Types.INT]),
            Types.TUPLE(t, Types.STRING),
            Types.LIST(t),
            Types.MAP(Types.STRING, t),
            Types.ROW([t]),
            Types.OBJECT_ARRAY(t),
        )[level % 6]
    return t


REGISTRY: dict[str, TypeInformation[Any]] = {
    **CONSTANTS,
    **{f"PRIMITIVE_ARRAY of {t}": Types.PRIMITIVE_ARRAY(t) for t in PRIMITIVES},
    **{f"BASIC_ARRAY of {t}": Types.BASIC_ARRAY(t) for t in [*PRIMITIVES, Types.STRING]},
    **{f"LIST of {name}": Types.LIST(t) for name, t in CONSTANTS.items()},
    **{f"OBJECT_ARRAY of {name}": Types.OBJECT_ARRAY(t) for name, t in CONSTANTS.items()},
    **{f"MAP from {name}": Types.MAP(t, Types.INT) for name, t in CONSTANTS.items() if not t.admits_none()},
    **{f"record {t}": t for t in RECORDS},
    "MAP of MAP": Types.MAP(Types.STRING, Types.MAP(Types.INT, Types.LIST(Types.DOUBLE))),
    "MAP from TUPLE": Types.MAP(Types.TUPLE(Types.DOUBLE, Types.STRING), Types.ROW([Types.INT])),
    "MAP from records": Types.MAP(Types.of(Key), Types.of(Pair)),
    "MAP from bytes": Types.MAP(Types.of(bytes), Types.PICKLED_BYTE_ARRAY),
    "ROW of all": Types.ROW(list(CONSTANTS.values())),
    "ROW_NAMED of all": Types.ROW_NAMED(list(CONSTANTS), list(CONSTANTS.values())),
    "TUPLE of all": Types.TUPLE(list(CONSTANTS.values())),
    "ROW of none": Types.ROW([]),
    "ROW_NAMED of none": Types.ROW_NAMED([], []),
    "TUPLE of none": Types.TUPLE([]),
    "LIST of empty rows": Types.LIST(Types.ROW([])),
    "ROW of 40": Types.ROW([Types.LONG] * 40),
    "TUPLE of 40": Types.TUPLE([Types.STRING, Types.DOUBLE] * 20),
    "unicode names": Types.ROW_NAMED(["日本", "a b", "f0", "😀.x"], [Types.INT] * 4),
    "names of columns": Types.ROW_NAMED(["value", "f1", "f0"], [Types.INT, Types.STRING, Types.BOOLEAN]),
    "nested 6 deep": nested(6),
    "nested 12 deep": nested(12),
    "ROW of ROW": Types.ROW(
        [Types.ROW_NAMED(["a"], [Types.ROW([Types.DOUBLE])]), Types.TUPLE([Types.ROW([])])]
    ),
    "optional": Types.of(int | None),
    "optional record": Types.of(Reading | None),
    "LIST of optional": Types.of(list[float | None]),
    "TUPLE of optional": Types.of(tuple[str | None, list[int] | None]),
    "ROW of optional": Types.ROW([Types.of(int | None), Types.of(Pair | None)]),
    "enum": Types.of(Colour),
    "int enum": Types.of(Level),
    "str enum": Types.of(Word),
    "optional enum": Types.of(Colour | None),
    "literal str": Types.of(Literal["a", "b"]),
    "literal int": Types.of(Literal[-1, 2]),
    "literal bool": Types.of(Literal[True]),
    "literal bytes": Types.of(Literal[b"", b"x"]),
    "literal enum": Types.of(Literal[Colour.RED, Colour.BLUE]),
    "optional literal": Types.of(Literal["a", None]),
    "dataclass with __post_init__": Types.of(Checked),
    "generic base": Types.of(Derived),
    "dataclass without ==": Types.of(Incomparable),
    "TypedDict, all optional": Types.of(Sparse),
    "NamedTuple of one": Types.of(Single),
    **{kind.cls.__name__: Types.of(kind.cls) for kind in TEXT_KINDS},
    "decimals of fixed digits": BigDecimalTypeInfo(10, 2),
    "decimals without fraction": BigDecimalTypeInfo(38, 0),
    "decimals of only a fraction": BigDecimalTypeInfo(38, 38),
    "LIST of decimals": Types.LIST(BigDecimalTypeInfo(5, 1)),
    "set": Types.of(set[int | None]),
    "frozenset of tuples": Types.of(frozenset[tuple[int, str]]),
    "tuple of any length": Types.of(tuple[str | None, ...]),
    "union": Types.of(int | str),
    "union of records": Types.of(Key | Pair | None),
    "dict from unions to sets": Types.of(dict[int | str, set[int]]),
    "custom": MONEY,
    "custom without ==": BLOB,
    "LIST of custom": Types.LIST(BLOB),
    "ROW of custom": Types.ROW_NAMED(["a", "b"], [MONEY, BLOB]),
    "MAP from custom": Types.MAP(MONEY, Types.LIST(MONEY)),
    "custom of custom": CustomTypeInfo(Blob, Types.TUPLE([BLOB]), blob_to_tuple, blob_of_tuple),
    "LIST of records": Types.of(list[Reading]),
}


def subclasses(cls: type[Any]) -> Iterator[type[Any]]:
    for sub in cls.__subclasses__():
        # dataclass(slots=True) makes a new class, and the original one remains among the subclasses
        if getattr(sys.modules[sub.__module__], sub.__name__, None) is sub:
            yield sub
            yield from subclasses(sub)


def test_every_class_of_types_is_registered():
    defined = {cls for cls in subclasses(TypeInformation) if cls.__module__.startswith("typeinfo.")}
    assert defined - {type(t) for t in REGISTRY.values()} == ABSTRACT | FOR_STRATEGIES | NOT_DECLARED


def test_every_basic_type_is_registered():
    assert {t.basic_type for t in REGISTRY.values() if hasattr(t, "basic_type")} == set(BasicType)


@pytest.mark.parametrize("t", REGISTRY.values(), ids=REGISTRY.keys())
def test_all_laws_hold(t: TypeInformation[Any]) -> None:
    check_all(t, examples=6)


@given(data=st.data())
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_all_laws_hold_for_types_of_any_shape(data: st.DataObject) -> None:
    t = data.draw(type_infos())
    elements = data.draw(batches(t, max_size=4))
    check_all(t, elements)


KEYS_THAT_MUST_NOT_RUN_TOGETHER: list[tuple[TypeInformation[Any], list[Any]]] = [
    (Types.TUPLE(Types.STRING, Types.STRING), [("a", "bc"), ("ab", "c"), ("", "abc"), ("abc", "")]),
    (Types.LIST(Types.STRING), [[], [""], ["", ""], ["ab"], ["a", "b"]]),
    (Types.of(list[bytes]), [[], [b""], [b"", b""], [b"ab"], [b"a", b"b"]]),
    (Types.of(tuple[list[int], list[int]]), [([1], [2, 3]), ([1, 2], [3]), ([], [1, 2, 3])]),
    (Types.TUPLE(Types.BIG_INT, Types.BIG_INT), [(0, 1), (1, 0), (0, 256), (256, 0), (-1, 255), (255, -1)]),
    (Types.BIG_DEC, [Decimal(n).scaleb(-3) for n in (0, 1, -1, 1000, -1000)]),
    (Types.ROW([Types.STRING, Types.STRING]), [Row(None, ""), Row("", None), Row(None, None), Row("", "")]),
    (Types.ROW([Types.INT]), [Row.of_kind(kind, 1) for kind in RowKind]),
    (Types.MAP(Types.STRING, Types.STRING), [{}, {"a": "bc"}, {"ab": "c"}, {"a": "b", "c": ""}, {"a": None}]),
    (Types.of(Sparse), [{}, {"a": 0}, {"b": None}, {"b": ""}, {"c": []}, {"c": [0]}]),
    (Types.of(tuple[int | None, bool]), [(None, True), (0, True), (1, False), (None, False)]),
    (Types.DOUBLE, [0.0, 1.0, -1.0, math.nan, math.inf, -math.inf]),
]


@pytest.mark.parametrize(("t", "keys"), KEYS_THAT_MUST_NOT_RUN_TOGETHER, ids=str)
def test_keys_do_not_run_together(t: TypeInformation[Any], keys: list[Any]) -> None:
    check_keys(t, keys)


COLLECTED = [
    "ROW of all",
    "TUPLE of optional",
    "MAP of MAP",
    "LIST of records",
    "ROW of custom",
    "nested 6 deep",
]


@pytest.mark.parametrize("name", COLLECTED)
def test_values_survive_a_round_trip_through_spark(spark: SparkSession, name: str) -> None:
    check_spark_collect(REGISTRY[name], session=spark, examples=2)
