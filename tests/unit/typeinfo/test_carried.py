"""Sets, tuples of any length, unions, addresses and paths: types carried as another type."""

from __future__ import annotations

import datetime
import ipaddress
import pathlib
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from typeinfo import Row, TypeCheckError, TypeInformation, Types, register_custom_type
from typeinfo.agreement import contradiction
from typeinfo.carried import TEXT_KINDS, SetTypeInfo, TextTypeInfo, UnionTypeInfo, VariadicTupleTypeInfo
from typeinfo.formats.arrow import from_arrow_schema, to_arrow, to_arrow_schema
from typeinfo.formats.spark import from_spark_schema, to_spark, to_spark_schema
from typeinfo.keys import key_refusal
from typeinfo.serde import serializer_for
from typeinfo.serde.registry import key_encoder
from typeinfo.testing.laws import check_round_trip, check_type_is_value
from typeinfo.text import text_of


@dataclass(frozen=True)
class Circle:
    radius: float


@dataclass(frozen=True)
class Square:
    side: int


ADDRESS = ipaddress.ip_address("10.0.0.1")
BACK: list[tuple[Any, list[Any]]] = [
    (tuple[int, ...], [(), (1,), (1, 2, 3)]),
    (tuple[str | None, ...], [("a", None)]),
    (set[int], [set(), {3, 1, 2}]),
    (set[int | None], [{None, 1}]),
    (frozenset[tuple[int, str]], [frozenset({(1, "a")})]),
    (set[Any], [{1, "a", None}]),
    (int | str, [1, "a", "1"]),
    (bool | int | float, [True, 1, 1.5]),
    (Circle | Square | None, [Circle(0.5), None, Square(2)]),
    (list[int | str], [[1, "a"], []]),
    (dict[str, set[int]], [{"a": {1}, "b": set()}]),
    (dict[int | str, bool], [{1: True, "1": False}]),
    (int | list[int | str], [1, [1, "a"]]),
    (datetime.date | datetime.datetime, [datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)]),
    (Literal["a"] | Literal[1], ["a", 1]),
    (Decimal | ipaddress.IPv4Address, [Decimal("1.000000000000000000"), ADDRESS]),
    (ipaddress.IPv4Address | ipaddress.IPv6Address, [ADDRESS, ipaddress.ip_address("fe80::1%eth0")]),
    *((kind.cls, TextTypeInfo(kind.cls).samples()) for kind in TEXT_KINDS),
]


@pytest.mark.parametrize(("annotation", "values"), BACK, ids=str)
def test_values_come_back_from_bytes_and_columns(annotation: Any, values: list[Any]) -> None:
    t = Types.of(annotation)
    check_type_is_value(t, values)
    check_round_trip(t, values)
    assert serializer_for(t).conform(values) is values


@pytest.mark.parametrize(("annotation", "_"), BACK, ids=str)
def test_schemas_come_back_without_classes(annotation: Any, _: Any) -> None:
    t = Types.of(annotation)
    assert from_arrow_schema(to_arrow_schema(t)) == from_spark_schema(to_spark_schema(t))


@pytest.mark.parametrize(
    ("annotation", "arrow", "spark_type"),
    [
        (tuple[int, ...], "list<element: int64 not null>", "array<bigint>"),
        (frozenset[str], "list<element: string not null>", "array<string>"),
        (
            Circle | Square,
            "struct<tag: string, Circle: struct<radius: double not null>, "
            "Square: struct<side: int64 not null>>",
            "struct<tag:string,Circle:struct<radius:double>,Square:struct<side:bigint>>",
        ),
        (pathlib.Path, "string", "string"),
    ],
    ids=str,
)
def test_columns(annotation: Any, arrow: str, spark_type: str) -> None:
    t = Types.of(annotation)
    assert str(to_arrow(t)) == arrow
    assert to_spark(t).simpleString() == spark_type


def test_a_union_in_a_column_names_the_member() -> None:
    column = serializer_for(Types.of(int | str)).to_batch([1, "a"]).column(0)
    assert column.to_pylist() == [
        {"tag": "int", "int": 1, "str": None},
        {"tag": "str", "int": None, "str": "a"},
    ]


REFUSED: list[tuple[Any, Any, str]] = [
    (set[int], {"a"}, "value{}: 'a' (str) is not a LONG"),
    (set[int], {1, None}, "value{}: None is not a LONG"),
    (set[int], [1], "[1] (list) is not a SetTypeInfo<Long>; give a set"),
    (set[int], frozenset({1}), "give a set"),
    (frozenset[int], {1}, "give a frozenset"),
    (set[Annotated[float, Types.FLOAT]], {0.1, 0.10000000149011612}, "two of its elements are equal"),
    (set[tuple[int, ...]], {(1, "a")}, "value{}[1]: 'a' (str) is not a LONG"),
    (tuple[int, ...], (1, "a"), "value[1]: 'a' (str) is not a LONG"),
    (tuple[int, ...], {1}, "give a tuple"),
    (int | str, 1.5, "1.5 (float) is not a Union<Long, String>; its class must be one of int, str"),
    (int | str, True, "True (bool) is not a LONG"),
    (int | str, 2**63, "does not fit LONG"),
    (int | str, None, "None is not a Union<Long, String>"),
    (float | str, True, "True (bool) is not a DOUBLE"),
    (Circle | Square, Circle("x"), "value.radius: 'x' (str) is not a DOUBLE"),  # type: ignore[arg-type]
    (pathlib.Path, "a", "'a' (str) is not a Path"),
    (pathlib.PurePath, pathlib.PureWindowsPath("a"), "is not a PurePath"),
    (pathlib.Path, pathlib.PurePath("a"), "is not a Path"),
    (ipaddress.IPv6Address, ipaddress.IPv6Interface("::1/8"), "IPv6Address"),
    (pathlib.Path, pathlib.Path("caf\udce9"), "holds a lone surrogate"),
    (ipaddress.IPv4Address, ipaddress.IPv4Interface("1.2.3.4/8"), "is not an IPv4Address"),
]


@pytest.mark.parametrize(("annotation", "value", "message"), REFUSED, ids=str)
def test_values_that_do_not_fit_are_refused(annotation: Any, value: Any, message: str) -> None:
    serializer = serializer_for(Types.of(annotation))
    with pytest.raises(TypeCheckError) as caught:
        serializer.conform([value])
    assert message in str(caught.value)
    assert caught.value.index == 0
    with pytest.raises(TypeCheckError):
        serializer.to_batch([value])


@pytest.mark.parametrize(
    ("annotation", "values"),
    [
        (int | str, [1, "a"]),
        (pathlib.Path, [pathlib.Path("a")]),
        (ipaddress.IPv4Address, [ADDRESS]),
        (set[int], [{1}]),
        (tuple[int, ...], [(1,), [2]]),
    ],
    ids=str,
)
def test_columns_are_checked_class_by_class(
    annotation: Any, values: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    t: Any = Types.of(annotation)
    takes, asked = type(t).takes, []
    monkeypatch.setattr(type(t), "takes", lambda self, cls: asked.append(cls) or takes(self, cls))
    serializer_for(t).conform(values * 50)
    assert len(asked) == len(values)


def test_the_class_of_the_values_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    t: TextTypeInfo[Any] = TextTypeInfo(Fraction)
    made: list[Any] = [t.value_class]
    monkeypatch.setattr(Fraction, "__new__", lambda cls, *_: made.append(cls))
    assert t.value_class is Fraction
    assert made == [Fraction]


@pytest.mark.parametrize(
    ("annotation", "given", "value"),
    [
        (tuple[int, ...], [1, 2], (1, 2)),
        (float | str, 1, 1.0),
        (int | str, np.int64(1), 1),
        (bool | str, np.True_, True),
        (set[float], {1, 2.5}, {1.0, 2.5}),
        (pathlib.PurePath, pathlib.Path("a"), pathlib.PurePath("a")),
        (pathlib.PurePosixPath, pathlib.Path("a"), pathlib.PurePosixPath("a")),
        (pathlib.PurePath | int, pathlib.Path("a"), pathlib.PurePath("a")),
    ],
    ids=str,
)
def test_accepted_values_are_converted(annotation: Any, given: Any, value: Any) -> None:
    (conformed,) = serializer_for(Types.of(annotation)).conform([given])
    assert repr(conformed) == repr(value)


@pytest.mark.parametrize(
    ("t", "column", "message"),
    [
        (SetTypeInfo(Types.LONG()), pa.array([[1, 1]]), "two of its elements are equal"),
        (
            TextTypeInfo(ipaddress.IPv4Address),
            pa.array(["1.2.3"]),
            "'1.2.3' cannot be read as IPv4Address",
        ),
        (
            UnionTypeInfo([Types.LONG(), Types.STRING()]),
            pa.array([{"tag": "int", "int": None, "str": "a"}]),
            "its tag is 'int', but it has values for ['str']",
        ),
    ],
    ids=str,
)
def test_columns_that_hold_invalid_values_are_refused(
    t: TypeInformation[Any], column: pa.Array, message: str
) -> None:
    with pytest.raises(TypeCheckError) as caught:
        serializer_for(t).from_batch(pa.RecordBatch.from_arrays([column], ["value"]))
    assert message in str(caught.value)


def test_a_fraction_of_more_digits_than_python_writes_is_refused_with_its_place() -> None:
    serializer = serializer_for(Types.of(list[Fraction]))
    with pytest.raises(
        TypeCheckError, match="a Fraction cannot be carried as text: Exceeds the limit"
    ) as caught:
        serializer.conform([[], [Fraction(1), Fraction(1, 10**5000)]])
    assert (caught.value.path, caught.value.index) == ("[1]", 1)


@pytest.mark.parametrize(
    ("cls", "text"),
    [
        (ipaddress.IPv6Address, "::ffff:1.2.3.4"),
        (ipaddress.IPv6Address, "::ffff:1.2.3.4%eth0"),
        (ipaddress.IPv6Interface, "::ffff:1.2.3.4/120"),
        (ipaddress.IPv6Network, "::ffff:1.2.3.0/120"),
    ],
)
def test_mapped_addresses_are_written_alike_in_every_version(cls: Any, text: str) -> None:
    t = Types.of(cls)
    assert serializer_for(t).to_batch([cls(text)]).column(0).to_pylist() == [text]
    assert key_encoder(t)(cls(text))[4:] == text.encode()


@given(st.lists(st.integers(0, 2**63 - 1), unique=True))
def test_equal_sets_are_one_key_and_one_column(elements: list[int]) -> None:
    t = Types.of(frozenset[int])
    a, b = frozenset(elements), frozenset(reversed(elements))
    assert key_encoder(t)(a) == key_encoder(t)(b)
    assert serializer_for(t).to_batch([a]).equals(serializer_for(t).to_batch([b]))


@pytest.mark.parametrize(
    ("annotation", "refusal"),
    [
        (int | str, None),
        (Circle | Square, None),
        (frozenset[str], None),
        (tuple[int, ...], None),
        (ipaddress.IPv6Address, None),
        (int | float, "values of int and float may be equal"),
        (frozenset[int] | set[int], "values of frozenset and set may be equal"),
        (pathlib.PureWindowsPath, "equal without regard to case"),
        (set[Any], "equal objects may pickle to other bytes"),
    ],
    ids=str,
)
def test_which_can_be_keys(annotation: Any, refusal: str | None) -> None:
    found = key_refusal(Types.of(annotation))
    assert found is None if refusal is None else refusal in (found or "")


@pytest.mark.parametrize(
    ("annotation", "mutable", "hashable"),
    [
        (set[int], True, False),
        (frozenset[int], False, True),
        (tuple[int, ...], False, True),
        (tuple[list[int], ...], True, False),
        (int | str, False, True),
        (int | list[str], True, False),
        (pathlib.Path, False, True),
    ],
    ids=str,
)
def test_mutability_and_hashability(annotation: Any, mutable: bool, hashable: bool) -> None:
    t = Types.of(annotation)
    assert (t.is_mutable(), t.is_hashable()) == (mutable, hashable)


@pytest.mark.parametrize(
    ("annotation", "value", "text"),
    [
        (set[int], {3, 1, 2}, "[1, 2, 3]"),
        (tuple[float, ...], (1e10, 0.5), "(1.0E10,0.5)"),
        (float | str, 1e10, "1.0E10"),
        (pathlib.Path, pathlib.Path("/a b"), "/a b"),
    ],
    ids=str,
)
def test_text(annotation: Any, value: Any, text: str) -> None:
    assert text_of(Types.of(annotation), "print")(value) == text


@pytest.mark.parametrize(
    ("expected", "given", "agree"),
    [
        (int | str, int, True),
        (int | str, float, False),
        (int, int | str, True),
        (bytes, int | str, False),
        (set[int], set[str], False),
        (set[int], frozenset[int], False),
        (tuple[int, ...], tuple[str, ...], False),
        (tuple[int, ...], tuple[int, int], True),
        (list[int], tuple[int, ...], True),
        (pathlib.Path, str, False),
    ],
    ids=str,
)
def test_agreement(expected: Any, given: Any, agree: bool) -> None:
    assert (contradiction(Types.of(expected), Types.of(given)) is None) == agree


def test_types_of_annotations() -> None:
    assert Types.of(tuple[int, ...]) == VariadicTupleTypeInfo(Types.LONG())
    assert Types.of(frozenset[str]) == SetTypeInfo(Types.STRING(), frozen=True)
    assert Types.of(int | str | None) == Types.of(None | int | str)
    assert Types.of(int | str) != Types.of(str | int)
    assert str(Types.of(int | str)) == "Union<Long, String>"
    assert Types.of(Fraction) == TextTypeInfo(Fraction)


def test_null_unions_and_custom_values_leave_required_fields_without_nulls(tmp_path: pathlib.Path) -> None:
    import pyarrow.parquet as pq

    @dataclass
    class Place:
        city: str

    class Spot:
        def __init__(self, place: Place) -> None:
            self.place = place

    custom = register_custom_type(Spot, Types.of(Place), lambda spot: spot.place, Spot)
    t = Types.ROW_NAMED(["u", "c"], [UnionTypeInfo([Types.LONG(), Types.of(Place)]), custom])
    for rows in ([Row(u=None, c=None)], [Row(u=Place("a"), c=Spot(Place("b"))), Row(u=None, c=None)]):
        batch = serializer_for(t).to_batch(rows)
        pq.write_table(pa.Table.from_batches([batch]), tmp_path / "f.parquet")  # refuses such nulls
        read = serializer_for(t).from_batch(pq.read_table(tmp_path / "f.parquet").to_batches()[0])
        assert [row.u for row in read] == [row.u for row in rows]
