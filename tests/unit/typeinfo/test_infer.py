from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import gc
import sys
import types
import typing
import uuid
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    TypedDict,
    TypeVar,
    Union,
)

import pytest
import typing_extensions
from typing_extensions import ReadOnly, TypeAliasType

from typeinfo import Instant, Row, TypeInferenceError, TypeInformation, Types
from typeinfo.collection import PrimitiveArrayTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo

if TYPE_CHECKING:
    from fractions import Fraction

T = TypeVar("T")
K = TypeVar("K")
OPTIONAL = OptionalTypeInfo


class Colour(enum.Enum):
    RED = 1
    BLUE = "b"


class Name(enum.StrEnum):
    ANN = "ann"


class Level(enum.IntEnum):
    LOW = 0


class Permission(enum.Flag):
    READ = 1
    WRITE = 2


class NoMembers(enum.Enum):
    pass


@dataclasses.dataclass
class Line:
    sku: str
    price: float | None = None


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    id: Annotated[int, Types.INT]
    lines: list[Line]
    tags: dict[str, int]


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int


@dataclasses.dataclass
class Pair(Generic[T, K]):
    first: T
    second: list[K]


@dataclasses.dataclass
class Keyed(Pair[str, T]):
    key: T


@dataclasses.dataclass
class Fixed(Keyed[int]):
    pass


class Point(NamedTuple):
    x: int
    y: Line


class GenericPoint(NamedTuple, Generic[T]):
    x: T
    y: list[T]


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Partial(TypedDict, total=False):
    a: int
    b: Required[str]
    c: ReadOnly[bool]
    d: Annotated[Required[int], "a remark"]


class Sequel(Movie):
    part: int


class Box(TypedDict, Generic[T]):
    content: T


class IntBox(Box[int]):
    label: str


UserId = NewType("UserId", int)
Names = TypeAliasType("Names", "list[Line]")
Twice = TypeAliasType("Twice", tuple[T, T], type_params=(T,))


def record(
    cls: Any, kind: RecordKind, optional: set[str] = frozenset(), **fields: TypeInformation[Any]
) -> Any:
    return RecordTypeInfo(cls, kind, tuple(fields), tuple(fields.values()), frozenset(optional))


def dataclass_of(cls: Any, **fields: TypeInformation[Any]) -> Any:
    return record(cls, RecordKind.DATACLASS, **fields)


LINE = dataclass_of(Line, sku=Types.STRING, price=OPTIONAL(Types.DOUBLE))

BYTES = PrimitiveArrayTypeInfo(Types.BYTE)

DERIVED = [
    (bool, Types.BOOLEAN),
    (int, Types.LONG),
    (float, Types.DOUBLE),
    (str, Types.STRING),
    (bytes, BYTES),
    (None, Types.VOID),
    (type(None), Types.VOID),
    (decimal.Decimal, Types.BIG_DEC),
    (uuid.UUID, Types.UUID),
    (datetime.datetime, Types.LOCAL_DATE_TIME),
    (datetime.date, Types.LOCAL_DATE),
    (datetime.time, Types.LOCAL_TIME),
    (datetime.timedelta, Types.DURATION),
    (Instant, Types.INSTANT),
    (Any, Types.PICKLED_BYTE_ARRAY),
    (object, Types.PICKLED_BYTE_ARRAY),
    (typing.LiteralString, Types.STRING),
    (Types.SHORT, Types.SHORT),
    (list[int], Types.LIST(Types.LONG)),
    (typing.List[int], Types.LIST(Types.LONG)),  # noqa: UP006
    (list["int"], Types.LIST(Types.LONG)),
    (typing.List["Line"], Types.LIST(LINE)),  # noqa: UP006
    (list[list[bytes]], Types.LIST(Types.LIST(BYTES))),
    (list[int | None], Types.LIST(OPTIONAL(Types.LONG))),
    (dict[str, float], Types.MAP(Types.STRING, Types.DOUBLE)),
    (typing.Dict[str, "Line"], Types.MAP(Types.STRING, LINE)),  # noqa: UP006
    (dict[str, int | None], Types.MAP(Types.STRING, Types.LONG)),
    (dict[tuple[int, bytes], str], Types.MAP(Types.TUPLE(Types.LONG, BYTES), Types.STRING)),
    (dict[Frozen, str], Types.MAP(dataclass_of(Frozen, a=Types.LONG), Types.STRING)),
    (tuple[int, str], Types.TUPLE(Types.LONG, Types.STRING)),
    (typing.Tuple[int], Types.TUPLE(Types.LONG)),  # noqa: UP006
    (tuple[()], Types.TUPLE([])),
    (int | None, OPTIONAL(Types.LONG)),
    (Optional[int], OPTIONAL(Types.LONG)),  # noqa: UP045
    (Union[int, None], OPTIONAL(Types.LONG)),  # noqa: UP007
    (Optional["Line"], OPTIONAL(LINE)),
    (Any | None, Types.PICKLED_BYTE_ARRAY),
    (list[int] | typing.List[int], Types.LIST(Types.LONG)),  # noqa: UP006
    (Literal["a", "b"], LiteralTypeInfo(("a", "b"), Types.STRING)),
    (Literal["b", "a"], LiteralTypeInfo(("b", "a"), Types.STRING)),
    (Literal[1, 2], LiteralTypeInfo((1, 2), Types.LONG)),
    (Literal[True], LiteralTypeInfo((True,), Types.BOOLEAN)),
    (Literal[b"x"], LiteralTypeInfo((b"x",), BYTES)),
    (Literal[Colour.RED], LiteralTypeInfo((Colour.RED,), EnumTypeInfo(Colour))),
    (Literal["a", None], OPTIONAL(LiteralTypeInfo(("a",), Types.STRING))),
    (Literal["a"] | None, OPTIONAL(LiteralTypeInfo(("a",), Types.STRING))),
    (Literal[None], Types.VOID),
    (Literal["a"] | Literal["b", "a"], LiteralTypeInfo(("a", "b"), Types.STRING)),
    (Colour, EnumTypeInfo(Colour)),
    (Name, EnumTypeInfo(Name)),
    (Level, EnumTypeInfo(Level)),
    (UserId, Types.LONG),
    (Annotated[int, Types.SHORT], Types.SHORT),
    (Annotated[int, Types.SHORT()], Types.SHORT),
    (Annotated[int, "a remark", Types.BYTE], Types.BYTE),
    (Annotated[int, "a remark"], Types.LONG),
    (Annotated[int | None, Types.SHORT], OPTIONAL(Types.SHORT)),
    (Annotated[float, Types.FLOAT], Types.FLOAT),
    (Annotated[int, Types.DOUBLE], Types.DOUBLE),
    (Annotated[str, Types.CHAR], Types.CHAR),
    (Annotated[datetime.datetime, Types.INSTANT], Types.INSTANT),
    (Annotated[datetime.datetime, Types.SQL_TIMESTAMP], Types.SQL_TIMESTAMP),
    (Literal["a"] | str, Types.STRING),
    (str | Literal["a"] | None, Types.of(str | None)),
    (Annotated[Row, Types.ROW([Types.INT])], Types.ROW([Types.INT])),
    (Annotated[set[int], Types.PICKLED_BYTE_ARRAY], Types.PICKLED_BYTE_ARRAY),
    (Annotated[list[int], Types.PRIMITIVE_ARRAY(Types.INT)], Types.PRIMITIVE_ARRAY(Types.INT)),
    (list[Annotated[int, Types.SHORT]], Types.LIST(Types.SHORT)),
    (Names, Types.LIST(LINE)),
    (Twice[int], Types.TUPLE(Types.LONG, Types.LONG)),
    (Twice[Twice[str]], Types.TUPLE([Types.TUPLE(Types.STRING, Types.STRING)] * 2)),
    (Row[tuple[int, str | None]], Types.ROW([Types.LONG, Types.STRING])),
    (Row[Movie], Types.ROW_NAMED(["title", "year"], [Types.STRING, Types.LONG])),
    (Line, LINE),
    (
        Order,
        dataclass_of(Order, id=Types.INT, lines=Types.LIST(LINE), tags=Types.MAP(Types.STRING, Types.LONG)),
    ),
    (Pair[int, str], dataclass_of(Pair, first=Types.LONG, second=Types.LIST(Types.STRING))),
    (
        Pair[Pair[int, int], str],
        dataclass_of(
            Pair,
            first=dataclass_of(Pair, first=Types.LONG, second=Types.LIST(Types.LONG)),
            second=Types.LIST(Types.STRING),
        ),
    ),
    (
        Keyed[bool],
        dataclass_of(Keyed, first=Types.STRING, second=Types.LIST(Types.BOOLEAN), key=Types.BOOLEAN),
    ),
    (Fixed, dataclass_of(Fixed, first=Types.STRING, second=Types.LIST(Types.LONG), key=Types.LONG)),
    (Point, record(Point, RecordKind.NAMED_TUPLE, x=Types.LONG, y=LINE)),
    (
        GenericPoint[str],
        record(GenericPoint, RecordKind.NAMED_TUPLE, x=Types.STRING, y=Types.LIST(Types.STRING)),
    ),
    (Movie, record(Movie, RecordKind.TYPED_DICT, {"year"}, title=Types.STRING, year=Types.LONG)),
    (
        Partial,
        record(
            Partial,
            RecordKind.TYPED_DICT,
            {"a", "c"},
            a=Types.LONG,
            b=Types.STRING,
            c=Types.BOOLEAN,
            d=Types.LONG,
        ),
    ),
    (
        Sequel,
        record(Sequel, RecordKind.TYPED_DICT, {"year"}, title=Types.STRING, year=Types.LONG, part=Types.LONG),
    ),
    (IntBox, record(IntBox, RecordKind.TYPED_DICT, content=Types.LONG, label=Types.STRING)),
]


@pytest.mark.parametrize(("annotation", "expected"), DERIVED, ids=str)
def test_derives(annotation, expected):
    assert Types.of(annotation) == expected


def test_typed_dict_with_keys_that_are_not_identifiers():
    odd = TypedDict("odd", {"a-b": int, "class": str})
    assert Types.of(odd).get_field_names() == ["a-b", "class"]


def test_a_dataclass_has_the_fields_its_values_hold():
    @dataclasses.dataclass
    class Computed:
        shared: ClassVar[int] = 1
        given: int
        only_init: dataclasses.InitVar[str]
        later: str = dataclasses.field(init=False)
        fixed: Final[int] = 3
        _: dataclasses.KW_ONLY
        named: bool = False

    assert Types.of(Computed).get_field_names() == ["given", "later", "fixed", "named"]


def test_a_field_may_have_the_name_of_its_class():
    @dataclasses.dataclass
    class Event:
        datetime: datetime.datetime = None
        Line: Line = None

    assert Types.of(Event).field_types == (Types.LOCAL_DATE_TIME, LINE)


def test_a_nested_class_is_found():
    @dataclasses.dataclass
    class Outer:
        @dataclasses.dataclass
        class Line:
            amount: int

        lines: list[Line]

    assert Types.of(Outer).field_types == (Types.LIST(Types.of(Outer.Line)),)


def test_an_alias_in_a_class_body_is_found():
    @dataclasses.dataclass
    class Aliased:
        Prices = list[float]
        prices: Prices

    assert Types.of(Aliased).field_types == (Types.LIST(Types.DOUBLE),)


def test_a_typed_dict_of_another_module_is_read_there(monkeypatch):
    module = types.ModuleType("elsewhere")
    monkeypatch.setitem(sys.modules, "elsewhere", module)
    source = """
from __future__ import annotations
import typing
Hidden = int
class There(typing.TypedDict):
    a: list[Hidden]
"""
    exec(source, vars(module))

    class Here(module.There):
        c: int

    assert Types.of(Here).field_types == (Types.LIST(Types.LONG), Types.LONG)


def test_a_class_made_inside_a_function_is_not_kept_alive():
    def make():
        @dataclasses.dataclass
        class Fleeting:
            a: int

        Types.of(Fleeting)
        return weakref.ref(Fleeting)

    reference = make()
    gc.collect()
    assert reference() is None


def test_an_inherited_annotation_is_read_where_it_was_written():
    @dataclasses.dataclass(frozen=True, kw_only=True)
    class Line(Order):  # hides the Line that Order means
        extra: int

    assert Types.of(Line).get_field_types()[1] == Types.LIST(LINE)


def test_annotations_of_a_base_that_is_not_a_dataclass_are_ignored():
    class Mixin:
        sku: int

    @dataclasses.dataclass
    class Mixed(Mixin, Line):
        more: bool = True

    assert Types.of(Mixed).field_types == (Types.STRING, OPTIONAL(Types.DOUBLE), Types.BOOLEAN)


def test_function_local_classes_are_found_while_the_function_runs():
    @dataclasses.dataclass
    class Inner:
        a: int

    @dataclasses.dataclass
    class Outer:
        inner: Inner
        more: list["Inner"]  # noqa: UP037

    inner = Types.of(Inner)
    assert Types.of(Outer).field_types == (inner, Types.LIST(inner))
    assert Types.of("list[Outer]") == Types.LIST(Types.of(Outer))


def make_outer():
    @dataclasses.dataclass
    class Inner:
        a: int

    @dataclasses.dataclass
    class Outer:
        inner: Inner

    return Outer


def test_function_local_classes_out_of_reach_are_refused():
    with pytest.raises(TypeInferenceError, match=r"Outer\.inner: the name 'Inner' in 'Inner' is not known"):
        Types.of(make_outer())


def test_a_string_is_read_where_the_call_stands():
    a_local = Line
    assert Types.of("a_local | None") == OPTIONAL(Types.of(a_local))


def test_type_variable_defaults():
    u = typing_extensions.TypeVar("u", default=int)
    generic = dataclasses.make_dataclass("generic", [("a", u)], bases=(Generic[u],))
    assert Types.of(generic).field_types == (Types.LONG,)
    assert Types.of(generic[str]).field_types == (Types.STRING,)


def test_the_type_of_a_class_is_cached():
    assert Types.of(Order) is Types.of(Order)


@dataclasses.dataclass
class Node:
    value: int
    next: Node | None


@dataclasses.dataclass
class Parent:
    children: list[Child]


@dataclasses.dataclass
class Child:
    parents: dict[str, Parent]


@dataclasses.dataclass
class ThroughBase(Pair["ThroughBase", int]):
    pass


class RecursiveDict(TypedDict):
    again: NotRequired[RecursiveDict]


class RecursiveTuple(NamedTuple):
    again: Optional[RecursiveTuple]  # noqa: UP045


Json = TypeAliasType("Json", "dict[str, Json]")


@dataclasses.dataclass
class Bad:
    lines: list[dict[str, Union[list[int], list[str]]]]  # noqa: UP007


@dataclasses.dataclass
class Worse:
    bad: tuple[int, Bad]


@dataclasses.dataclass
class Unresolved:
    amount: Fraction


class Plain:
    pass


REFUSED = [
    (Node, r"Node\.next: .*it contains itself \(Node -> Node\)"),
    (Parent, r"Parent\.children\[\]\.parents\[\]: .*\(Parent -> Child -> Parent\)"),
    (list[Child], r"list\[Child\]\[\]\.parents\[\]\.children\[\]: .*\(Child -> Parent -> Child\)"),
    (ThroughBase, r"ThroughBase\.first: .*\(ThroughBase -> ThroughBase\)"),
    (RecursiveDict, r"RecursiveDict\.again: .*contains itself"),
    (RecursiveTuple, r"RecursiveTuple\.again: .*contains itself"),
    (Json, r"Json\[\]: .*contains itself"),
    (
        Worse,
        r"Worse\.bad\[1\]\.lines\[\]\[\]: there is no type for list\[int\] \| list\[str\]: list could be",
    ),
    (Unresolved, r"Unresolved\.amount: the name 'Fraction' .*TYPE_CHECKING"),
    (list[int] | list[str], r"list could be ListTypeInfo<Long> or ListTypeInfo<String>.*PICKLED_BYTE_ARRAY"),
    (tuple[int] | tuple[int, ...], r"tuple could be"),
    (dict[str, int] | Movie, r"dict could be"),
    (Annotated[int, Types.SHORT] | int, r"int could be Short or Long"),
    (int | Any, r"takes other values"),
    (set[list[int]], r"set\[list\[int\]\]\{\}: .*must be hashable"),
    (Annotated["Typo", Types.INT], r"the name 'Typo' in 'Typo' is not known"),  # noqa: F821
    (Pair, r"Pair\.first: the type variable T is not bound"),
    (Pair[int, K], r"Pair\[int, K\]\.second\[\]: .*type variable K"),
    (tuple[int, *tuple[str, ...]], r"write tuple\[…, \.\.\.\]"),
    (tuple[int, *tuple[str, int]], r"write tuple\[…, \.\.\.\]"),
    (list, r"write list\[int\]"),
    (typing.List, r"write list\[int\]"),  # noqa: UP006
    (dict, r"write dict\[str, int\]"),
    (tuple, r"write tuple\[int, str\]"),
    (typing.Tuple, r"write tuple\[int, str\]"),  # noqa: UP006
    (dict[int | None, str], r"dict\[int \| None, str\]\{\}: .*keys of a map cannot be None"),
    (dict[list[int], str], r"dict\[list\[int\], str\]\{\}: .*keys of a dict must be hashable"),
    (dict[tuple[int, Line], str], r"must be hashable"),
    (dict[Movie, str], r"must be hashable"),
    (set, r"write set\[int\]"),
    (frozenset, r"write frozenset\[int\]"),
    (collections.abc.Set[int], r"write set"),
    (bytearray, r"write bytes"),
    (collections.deque[int], r"write list"),
    (collections.OrderedDict[str, int], r"write dict"),
    (Sequence[int], r"write list\[…\] or tuple"),
    (Mapping[str, int], r"write dict"),
    (Iterator[int], r"only once"),
    (Callable[[int], str], r"no type for Callable\[\[int\], str\]"),
    (type[int], r"no type for type\[int\]"),
    (Row, r"Types\.ROW\(\[…\]\)"),
    (Row[Any], r"Types\.ROW\(\[…\]\)"),
    (Row[int], r"write Row\[tuple\[int, str\]\]"),
    (Plain, r"no type for Plain: it is not a dataclass, NamedTuple, TypedDict or Enum"),
    (Permission, r"flags .*write int"),
    (NoMembers, r"without members"),
    (
        collections.namedtuple("Untyped", "a b"),
        r"Untyped\.a: .*no annotation: inherit from typing\.NamedTuple",
    ),
    (slice, r"no type for slice"),
    (typing.NoReturn, r"it has no values"),
    (Literal["a", 1], r"all be of one class"),
    (Literal[0, False], r"all be of one class"),
    (Literal[2**63], r"fit 64 bits"),
    (Annotated[int, Types.STRING], r"int contradicts String"),
    (Annotated[list[str], Types.LIST(Types.INT)], r"value\[\] is String, not Integer"),
    (Annotated[int, Types.INT, Types.LONG], r"contradict each other"),
    (3, r"^3 is not the annotation"),
    ([int], r"^\[int\] is not the annotation"),
    ("Nowhere", r"the name 'Nowhere' in 'Nowhere' is not known in the calling code"),
    ("list[", r"'list\[' cannot be evaluated: SyntaxError"),
    ("collections.nothing", r"AttributeError"),
    (T, r"type variable T"),
]


@pytest.mark.parametrize(("annotation", "message"), REFUSED, ids=str)
def test_refuses(annotation, message):
    with pytest.raises(TypeInferenceError, match=message):
        Types.of(annotation)


def test_a_refusal_is_a_type_error():
    with pytest.raises(TypeError):
        Types.of(list[int] | list[str])


def test_part_of_a_cycle_may_be_carried_pickled():
    @dataclasses.dataclass
    class Tree:
        children: Annotated[list[Tree], Types.PICKLED_BYTE_ARRAY()]

    assert Types.of(Tree).field_types == (Types.PICKLED_BYTE_ARRAY,)
