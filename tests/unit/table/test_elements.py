"""Tables of elements of the program: their types, values and errors, as PyFlink 2.3 gave them.

Where PyFlink fails or gives other values, the test says so.
"""

from __future__ import annotations

import datetime
from array import array
from collections import namedtuple
from collections.abc import Iterable
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Any

import pytest

from pystream.common import Row
from pystream.common.types import RowKind
from pystream.errors import PlanError, PlanTypeError, SqlError, UnsupportedTypeError
from pystream.table import DataTypes, StreamTableEnvironment
from pystream.table.elements.tables import table_of_elements
from pystream.table.expressions import call_sql, col, lit, row
from pystream.table.types import DataType, RowType, UserDefinedType
from pystream.testing import local_environment
from typeinfo.instant import Instant

STAMP = datetime.datetime(2020, 1, 2, 3, 4, 5, 123456)
Pair = namedtuple("Pair", "b a")
INT, STRING = DataTypes.INT(), DataTypes.STRING()


class Point:
    def __init__(self, y: int, x: str) -> None:
        self.y = y
        self.x = x


class Color(Enum):
    RED = 1


class Size(IntEnum):
    SMALL = 1


class Looped:
    def __init__(self) -> None:
        self.me = self


def looped_list() -> list[Any]:
    looped: list[Any] = []
    looped.append({"a": looped})
    return looped


@pytest.fixture
def t_env() -> StreamTableEnvironment:
    return StreamTableEnvironment.create(local_environment())


def columns(**types: DataType) -> RowType:
    return DataTypes.ROW([DataTypes.FIELD(name, data_type) for name, data_type in types.items()])


@pytest.mark.parametrize(
    ("elements", "names", "schema", "rows"),
    [
        ([(1, "Hi"), (2, None)], None, "`_1` BIGINT, `_2` STRING", [(1, "Hi"), (2, None)]),
        ([(1, "Hi")], ["a", "b"], "`a` BIGINT, `b` STRING", [(1, "Hi")]),
        ([(1, "Hi")], ("a",), "`a` BIGINT, `_2` STRING", [(1, "Hi")]),
        ([(1,)], ["a", "b"], "`a` BIGINT", [(1,)]),
        ([[1, "a"]], None, "`_1` BIGINT, `_2` STRING", [(1, "a")]),
        ([{"b": 1, "a": "x"}, {"b": 2, "a": None}], None, "`a` STRING, `b` BIGINT", [("x", 1), (None, 2)]),
        ([{"b": 1, "a": "x"}], ["q", "r"], "`a` STRING, `b` BIGINT", [("x", 1)]),
        ([{"b": 1}, {"b": 2, "a": "x"}], None, "`b` BIGINT, `a` STRING", [(1, None), (2, "x")]),
        ([Pair(1, "x")], None, "`b` BIGINT, `a` STRING", [(1, "x")]),
        ([Point(1, "a")], None, "`x` STRING, `y` BIGINT", [("a", 1)]),
        ([([],), ([1],)], None, "`_1` ARRAY<BIGINT>", [([],), ([1],)]),
        ([({},), ({"a": 1},)], None, "`_1` MAP<STRING NOT NULL, BIGINT>", [({},), ({"a": 1},)]),
        # A Row without a schema is a row of nulls in PyFlink, and an iterator an empty table.
        ([Row(1, "x")], None, "`_1` BIGINT, `_2` STRING", [(1, "x")]),
        ([Row(b=1, a="x")], ["c", "d"], "`b` BIGINT, `a` STRING", [(1, "x")]),
        (iter([(1,), (2,)]), None, "`_1` BIGINT", [(1,), (2,)]),
        # PyFlink refuses these four.
        ([{"b": 2, "a": "x"}, {"b": 1}], None, "`a` STRING, `b` BIGINT", [("x", 2), (None, 1)]),
        ([(b"ab",)], None, "`_1` BYTES", [(b"ab",)]),
        ([([None, 1],)], None, "`_1` ARRAY<BIGINT>", [([None, 1],)]),
        ([(Instant(1, 2000),)], None, "`_1` TIMESTAMP_LTZ(6)", [(Instant(1, 2000),)]),
    ],
)
def test_types_are_inferred(
    t_env: StreamTableEnvironment, elements: Iterable[Any], names: Any, schema: str, rows: list[Any]
) -> None:
    table = t_env.from_elements(elements, names)
    assert repr(table) == f"Table({schema})"
    assert [tuple(found) for found in table.execute().collect()] == rows


def test_every_class_of_values_has_a_type(t_env: StreamTableEnvironment) -> None:
    pairs = [
        (1, "BIGINT"),
        (2.5, "DOUBLE"),
        ("s", "STRING"),
        (True, "BOOLEAN"),
        (Decimal("1.5"), "DECIMAL(38, 18)"),
        (STAMP.date(), "DATE"),
        (STAMP, "TIMESTAMP_LTZ(6)"),
        (STAMP.time(), "TIME(0)"),
        ((1, "z"), "ROW<`_1` BIGINT, `_2` STRING>"),
        (Row(n=1), "ROW<`n` BIGINT>"),
        (bytearray(b"ab"), "BYTES"),
        ([1, None], "ARRAY<BIGINT>"),
        ({"k": 1}, "MAP<STRING NOT NULL, BIGINT>"),
        (array("i", [1, 2]), "ARRAY<INT NOT NULL>"),
        (array("B", [255]), "ARRAY<SMALLINT NOT NULL>"),
        (array("d", [1.5]), "ARRAY<DOUBLE NOT NULL>"),
    ]
    table = t_env.from_elements([tuple(value for value, _ in pairs)])
    assert [str(t) for t in table.get_schema().get_field_data_types()] == [text for _, text in pairs]
    (found,) = table.execute().collect()
    instant = Instant.of_datetime(STAMP.astimezone())
    millis = STAMP.time().replace(microsecond=STAMP.microsecond // 1000 * 1000)
    assert list(found)[:6] == [1, 2.5, "s", True, Decimal("1.5"), STAMP.date()]
    assert list(found)[6:10] == [instant, millis, Row(1, "z"), Row(1)]
    assert list(found)[10:] == [b"ab", [1, None], {"k": 1}, [1, 2], [255], [1.5]]


@pytest.mark.parametrize(
    ("elements", "schema", "rows"),
    [
        ([], columns(a=INT), []),
        ([{"a": 1}, {"c": 2}], columns(a=INT, b=STRING), [(1, None), (None, None)]),
        ([Row(b="x", a=1)], columns(a=INT, b=STRING), [(1, "x")]),
        ([Row(1, "x")], columns(a=INT, b=STRING), [(1, "x")]),
        ([Point(1, "a")], columns(x=STRING, z=INT), [("a", None)]),
        ([((1, 2),)], columns(a=DataTypes.ARRAY(INT)), [([1, 2],)]),
        ([([{"b": 1}],)], columns(a=DataTypes.ARRAY(columns(b=INT))), [([Row(1)],)]),
        ([(Decimal("1.256"),)], columns(a=DataTypes.DECIMAL(4, 2)), [(Decimal("1.26"),)]),
        (
            [(STAMP, STAMP.time(), STAMP)],
            columns(a=DataTypes.TIMESTAMP(3), b=DataTypes.TIME(3), c=DataTypes.DATE()),
            [(STAMP.replace(microsecond=123000), datetime.time(3, 4, 5, 123000), STAMP.date())],
        ),
        ([Row.of_kind(RowKind.DELETE, 1)], columns(a=INT), [(1,)]),
        # PyFlink declares the type of elements that are no rows, but cannot convert them; nor bytes.
        ([1, 2], INT, [(1,), (2,)]),
        ([(b"ab",)], columns(a=DataTypes.BINARY(2)), [(b"ab",)]),
    ],
)
def test_values_have_the_types_of_the_schema(
    t_env: StreamTableEnvironment, elements: list[Any], schema: DataType, rows: list[Any]
) -> None:
    table = t_env.from_elements(elements, schema)
    expected = schema if isinstance(schema, RowType) else columns(value=schema)
    assert table.get_schema().to_row_data_type() == expected.not_null()
    with table.execute().collect() as found:
        assert [tuple(one) for one in found] == rows


def test_times_with_a_zone_are_points_in_time(t_env: StreamTableEnvironment) -> None:
    aware = STAMP.replace(tzinfo=datetime.UTC)
    table = t_env.from_elements([(aware,)], columns(a=DataTypes.TIMESTAMP_LTZ(3)))
    assert list(table.execute().collect()) == [Row(Instant(1577934245, 123000000))]
    naive = t_env.from_elements([(aware,)], columns(a=DataTypes.TIMESTAMP(6)))
    assert list(naive.execute().collect()) == [Row(aware.astimezone().replace(tzinfo=None))]


@pytest.mark.parametrize(
    ("elements", "schema", "complaint"),
    [
        ([1], None, r"element 0 has no fields: 1 \(int\)"),
        (["a"], None, r"element 0 has no fields: 'a' \(str\)"),
        ([(1,), ("x",)], None, "field '_1': there are values of BIGINT and of STRING"),
        ([(1,), (1.5,)], None, "field '_1': there are values of BIGINT and of DOUBLE"),
        ([((1,),), (("x",),)], None, "field '_1' of field '_1': there are values of BIGINT and of STRING"),
        ([(datetime.timedelta(1),)], None, "there is no data type for datetime.timedelta"),
        # PyFlink fails in an endless recursion in these eight.
        ([(Color.RED,)], None, r"there is no data type for <Color.RED: 1> \(Color\)"),
        ([([Size.SMALL],)], None, r"there is no data type for <Size.SMALL: 1> \(Size\)"),
        ([(Color,)], None, r"there is no data type for .*Color.* \(EnumType\)"),
        ([(datetime,)], None, r"there is no data type for <module 'datetime'.* \(module\)"),
        ([Color.RED], None, r"element 0 has no fields: <Color.RED: 1> \(Color\)"),
        ([Looped()], None, r"field 'me' contains itself \(Looped\).*; leave out the part"),
        ([{"x": Looped()}], None, "field 'me' of field 'x' contains itself"),
        ([(looped_list(),)], None, r"field '_1' contains itself \(list\)"),
        ([(lit(1), "a")], None, r"Expression\(1\) is part of an element"),
        ([("x",)], columns(a=INT), r"element 0: field 'a' is 'x' \(str\), but INT takes int"),
        ([(True,)], columns(a=INT), r"field 'a' is True \(bool\), but INT takes int"),
        ([(1,)], columns(a=DataTypes.DOUBLE()), r"field 'a' is 1 \(int\), but DOUBLE takes float"),
        ([([1, "a"],)], columns(a=DataTypes.ARRAY(INT)), "an element of field 'a' is 'a'"),
        ([({"a": "b"},)], columns(a=DataTypes.MAP(STRING, INT)), "a value of field 'a' is 'b'"),
        ([((1,),)], columns(a=columns(b=STRING)), "field 'b' of field 'a' is 1"),
        ([5], columns(a=INT), r"the value is 5 \(int\), but a ROW takes a Row, tuple"),
        (["a"], INT, "field 'value' is 'a'"),
        ([(1,)], "a", "takes a DataType or a Sequence"),
        ([row(1), (2,)], columns(a=INT), "some elements are expressions, but not all"),
    ],
)
def test_values_of_another_class_are_refused(
    t_env: StreamTableEnvironment, elements: list[Any], schema: Any, complaint: str
) -> None:
    with pytest.raises(PlanTypeError, match=f"from_elements.*{complaint}"):
        t_env.from_elements(elements, schema)


@pytest.mark.parametrize(
    ("elements", "schema", "complaint"),
    [
        ([], None, "cannot be inferred from no elements"),
        ([(None, 1)], None, "the type of column '_1' cannot be inferred from its nulls"),
        (
            [(1, [])],
            None,
            "the type of column '_2' cannot be inferred from its lists, which have no values in",
        ),
        ([([None],)], None, "cannot be inferred from its lists, which have no values in"),
        ([({},)], None, "cannot be inferred from its dicts, which have no values in"),
        ([((1, None),)], None, "cannot be inferred from its values, parts of which are always null or empty"),
        # In PyFlink, the job fails.
        ([(1,), None], columns(a=INT), "element 1 is None, but a row must be there; leave it out"),
        ([(1,), (1, "x")], None, "element 0: the value has 1 fields, but the schema has 2"),
        ([(1,), (None,)], columns(a=INT.not_null()), "element 1: field 'a' is None, but INT NOT NULL has no"),
        ([(300,)], columns(a=DataTypes.TINYINT()), "field 'a' is 300, which is out of the range of TINYINT"),
        ([(1, 2)], columns(a=INT), "the value has 2 fields, but the schema has 1"),
        ([("ab",)], columns(a=DataTypes.CHAR(3)), r"of length 2, but CHAR\(3\) takes exactly 3"),
        ([("abcd",)], columns(a=DataTypes.VARCHAR(3)), r"of length 4, but VARCHAR\(3\) takes at most 3"),
        ([(1, 2)], ["a", "a"], "two columns of the name 'a'"),
        ([Row(a=1, c=2)], columns(a=INT, b=INT), "the value has no field 'b'"),
        # In PyFlink, these two become null.
        ([(2**63,)], columns(a=DataTypes.BIGINT()), "out of the range of BIGINT"),
        ([(Decimal(123456),)], columns(a=DataTypes.DECIMAL(4, 2)), r"out of the range of DECIMAL\(4, 2\)"),
    ],
)
def test_values_that_do_not_fit_are_refused(
    t_env: StreamTableEnvironment, elements: list[Any], schema: Any, complaint: str
) -> None:
    with pytest.raises(PlanError, match=f"from_elements: .*{complaint}"):
        t_env.from_elements(elements, schema)


@pytest.mark.parametrize(
    ("data_type", "value", "found"),
    [
        (INT, "x", None),
        (STRING, 1, "1"),
        (DataTypes.TINYINT(), 300, 44),
        (DataTypes.BIGINT(), 2**63, None),
        (DataTypes.DOUBLE(), 1, None),
        (DataTypes.DECIMAL(4, 2), Decimal(123456), None),
        (DataTypes.ARRAY(INT), [1, "a"], [1, None]),
        (DataTypes.VARCHAR(3), "abcd", "abc"),  # PyFlink keeps it all
    ],
)
def test_values_that_are_not_verified(
    t_env: StreamTableEnvironment, data_type: DataType, value: object, found: object
) -> None:
    table = t_env.from_elements([(value,)], columns(a=data_type), verify_schema=False)
    assert list(table.execute().collect()) == [Row(found)]


def test_a_null_that_is_not_verified_is_still_none(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(PlanError, match="element 0: field 'a' is None"):
        t_env.from_elements([(None,)], columns(a=INT.not_null()), verify_schema=False)


def test_types_without_values(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(UnsupportedTypeError, match="MULTISET<INT>"):
        t_env.from_elements([([1],)], columns(a=DataTypes.MULTISET(INT)))


def test_expressions_are_rows(t_env: StreamTableEnvironment) -> None:
    schema = columns(a=DataTypes.BIGINT(), b=STRING, c=DataTypes.FLOAT())
    table = t_env.from_elements([row(1, "abc", 2.0), row(lit(1) + 2, lit("a").upper_case, 3)], schema)
    assert repr(table) == "Table(`a` BIGINT, `b` STRING, `c` FLOAT)"
    assert list(table.execute().collect()) == [Row(1, "abc", 2.0), Row(3, "A", 3.0)]
    assert list(t_env.from_elements([lit(1), lit(2)], INT).execute().collect()) == [Row(1), Row(2)]


def test_expressions_without_a_schema(t_env: StreamTableEnvironment) -> None:
    """PyFlink 2.3 fails here; the names are those of Flink's ``fromValues``."""
    assert repr(t_env.from_elements([row(1, 2.5)])) == "Table(`f0` INT NOT NULL, `f1` DOUBLE NOT NULL)"
    assert list(t_env.from_elements([row(1, "a")], ["n", "s"]).execute().collect()) == [Row(n=1, s="a")]


def test_expressions_that_are_no_constants_are_refused(t_env: StreamTableEnvironment) -> None:
    with pytest.raises(PlanError, match="row 0 has 2 values for 1 columns"):
        t_env.from_elements([row(1, 2)], columns(a=INT))
    for schema in (None, columns(a=INT)):
        with pytest.raises(SqlError, match="from_elements takes constants, not the column 'x'; write lit"):
            t_env.from_elements([row(1 + col("x"))], schema)
    with pytest.raises(SqlError, match=r"from_elements: REGEXP_EXTRACT takes .*, not 1 argument"):
        t_env.from_elements([row(call_sql("REGEXP_EXTRACT(1)"))])


@pytest.mark.parametrize(
    ("elements", "schema", "given"),
    [
        ([(1, 2)], "INT", r"'INT' \(str\)"),
        ([(1, 2)], {"a": 1}, r"\{'a': 1\} \(dict\)"),
        ([(1, 2)], {"a"}, r"\{'a'\} \(set\)"),
        ([(1, 2)], iter("ab"), r".* \(str_.*iterator\)"),
        ([(1, 2)], b"ab", r"b'ab' \(bytes\)"),
        ([(1, 2)], ["a", 1], r"\['a', 1\] \(list\)"),
        ([row(1)], "a", r"'a' \(str\)"),
    ],
)
def test_a_schema_of_another_class_is_refused(
    t_env: StreamTableEnvironment, elements: list[Any], schema: Any, given: str
) -> None:
    """The checks of arguments let it pass where the program has not loaded the classes of types."""
    with pytest.raises(
        PlanTypeError, match=f"from_elements takes a data type or a list of names.* not {given}"
    ):
        table_of_elements(t_env, elements, schema, verifies=True)


def test_a_value_may_be_in_several_fields(t_env: StreamTableEnvironment) -> None:
    point = Point(1, "a")
    table = t_env.from_elements([(point, point, [point, point])])
    assert repr(table).count("ROW<`x` STRING, `y` BIGINT>") == 3


def test_queries_read_the_elements(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_elements([(1, "a"), (2, "b"), (3, "a")], ["id", "name"])
    counted = table.group_by(col("name")).select(col("name"), col("id").sum.alias("n"))
    assert sorted(map(tuple, counted.execute().collect())) == [("a", 4), ("b", 2)]


class PointType(UserDefinedType):
    @classmethod
    def sql_type(cls) -> DataType:
        return DataTypes.ARRAY(DataTypes.DOUBLE())

    def serialize(self, obj: Any) -> Any:
        return [obj.x, obj.y]


class Place:
    __UDT__ = PointType()

    def __init__(self, x: Any, y: Any) -> None:
        self.x = x
        self.y = y


def test_objects_of_a_type_of_the_program(t_env: StreamTableEnvironment) -> None:
    table = t_env.from_elements([(1, Place(1.0, 2.0), [Place(3.0, 4.0)]), (2, None, [])])
    assert repr(table) == "Table(`_1` BIGINT, `_2` ARRAY<DOUBLE>, `_3` ARRAY<ARRAY<DOUBLE>>)"
    rows = [(1, [1.0, 2.0], [[3.0, 4.0]]), (2, None, [])]
    assert list(map(tuple, table.execute().collect())) == rows
    declared = t_env.from_elements([(Place(1.0, 2.0),)], columns(p=PointType()))
    assert repr(declared) == "Table(`p` ARRAY<DOUBLE>)"
    with pytest.raises(PlanTypeError, match=r"field 'p' is \[1.0, 2.0\], whose class has not PointType"):
        t_env.from_elements([([1.0, 2.0],)], columns(p=PointType()))
    with pytest.raises(PlanTypeError, match="an element of field 'p' is 1"):
        t_env.from_elements([(Place(1, 2.0),)], columns(p=PointType()))
    with pytest.raises(PlanError, match="field 'p' is None"):
        t_env.from_elements([(None,)], columns(p=PointType(False)))
