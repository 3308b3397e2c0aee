"""attrs classes and pydantic models are record types: kept whole, without running their checks again."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

import attrs
import pydantic
import pytest

from typeinfo import Types
from typeinfo.composite import RecordTypeInfo
from typeinfo.errors import TypeCheckError, TypeInferenceError
from typeinfo.formats.arrow import to_arrow_schema
from typeinfo.formats.spark import to_spark_schema
from typeinfo.functions import result_type
from typeinfo.keys import key_refusal
from typeinfo.serde import serializer_for
from typeinfo.serde.copiers import copier_for
from typeinfo.serde.registry import key_encoder
from typeinfo.testing.laws import check_all
from typeinfo.testing.sameness import same_key
from typeinfo.text import text_of

T = TypeVar("T")
RUNS: list[str] = []
"""The converters, validators and the like that ran."""


def noted(name: str) -> Callable[..., Any]:
    def run(*given: Any) -> Any:
        RUNS.append(name)
        return given[-1]

    return run


@attrs.define
class Sensor:
    _id: int = attrs.field(converter=noted("converter"), validator=noted("validator"))
    unit: str = attrs.field(alias="in_unit", default="°C")
    tags: list[str] = attrs.field(factory=list)
    label: str = attrs.field(init=False, default="none")


@attrs.frozen(cache_hash=True)
class Place:
    row: int
    column: int = attrs.field(kw_only=True)
    note: str = attrs.field(default="", eq=False)


@attrs.frozen(slots=False, cache_hash=True)
class Held:
    x: int


@attrs.define
class Pair(Generic[T]):
    left: T
    places: list[Place] | None = None


@attrs.define(slots=False)
class Sized:
    text: str
    size: int = attrs.field(init=False, default=0)

    def __attrs_post_init__(self) -> None:
        RUNS.append("post_init")
        self.size = len(self.text)


class Code(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)

    text: str
    number: Annotated[int, Types.INT()] = 7


class Order(pydantic.BaseModel):
    id: int = pydantic.Field(alias="orderId")
    amount: Annotated[float, pydantic.Field(ge=0)] = 1.0
    tags: list[str] = pydantic.Field(default_factory=list)
    code: Code | None = None

    @pydantic.field_validator("id")
    @classmethod
    def _check(cls, value: int) -> int:
        RUNS.append("validator")
        return value

    def model_post_init(self, context: Any) -> None:
        RUNS.append("post_init")


class Box(pydantic.BaseModel, Generic[T]):
    content: T


class Numbers(pydantic.RootModel[list[int]]):
    pass


class Hidden(pydantic.BaseModel):
    x: int
    _secret: int = 1


class Open(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(extra="allow")

    x: int


VALUES: list[tuple[Any, Any]] = [
    (Sensor, Sensor(1, "K", ["a"])),
    (Place, Place(1, column=2, note="n")),
    (Held, Held(3)),
    (Pair[int], Pair(1, [Place(1, column=2)])),
    (Sized, Sized("four")),
    (Order, Order(orderId=1, code=Code(text="c"))),
    (Code, Code(text="a")),
    (Box[int], Box[int](content=1)),
    (Numbers, Numbers([1, 2])),
]


def carried(annotation: Any, value: Any) -> Any:
    serializer = serializer_for(Types.of(annotation))
    (read,) = serializer.deserialize(serializer.serialize(serializer.conform([value])))
    return read


@pytest.mark.parametrize(("annotation", "value"), VALUES)
def test_a_value_is_kept_and_nothing_of_its_class_runs_again(annotation: Any, value: Any) -> None:
    RUNS.clear()

    read = carried(annotation, value)

    assert type(read) is type(value)
    assert read == value
    assert not RUNS


def test_derived_attributes_are_restored() -> None:
    assert hash(carried(Place, Place(1, column=2))) == hash(Place(1, column=2))
    assert hash(carried(Held, Held(3))) == hash(Held(3))
    assert carried(Sized, Sized("four")).size == 4
    assert carried(Sensor, Sensor(1)).label == "none"


def test_the_fields_set_are_those_that_differ_from_their_defaults() -> None:
    assert carried(Order, Order(orderId=1)).model_fields_set == {"id"}
    assert carried(Order, Order(orderId=1, tags=["a"])).model_dump(exclude_unset=True) == {
        "id": 1,
        "tags": ["a"],
    }


def test_a_read_model_can_be_used_as_any_other() -> None:
    read = carried(Order, Order(orderId=1))
    read.amount = 2.5
    assert read.model_copy() == Order(orderId=1, amount=2.5)
    assert pickle.loads(pickle.dumps(read)) == read


def test_fields_are_columns() -> None:
    assert to_arrow_schema(Types.of(Sensor)).names == ["_id", "unit", "tags", "label"]
    assert to_spark_schema(Types.of(Order)).fieldNames() == ["id", "amount", "tags", "code"]
    assert Types.of(Code).field_types == (Types.STRING(), Types.INT())
    assert Types.of(Box[str]).field_types == (Types.STRING(),)
    assert Types.of(Pair[str]).field_types[0] == Types.STRING()


@pytest.mark.parametrize(("annotation", "value"), VALUES)
def test_types_pickle(annotation: Any, value: Any) -> None:
    t = Types.of(annotation)
    assert isinstance(t, RecordTypeInfo)
    assert pickle.loads(pickle.dumps(t)) == t


@pytest.mark.parametrize(
    ("cls", "fault"),
    [
        (Hidden, r"private attributes \['_secret'\] would be lost; make them fields"),
        (Open, r'extra="allow"\) would be lost; declare a dict field'),
        (attrs.make_class("Bare", ["x"]), r"Bare\.x: .*no annotation: write it as name: type"),
    ],
)
def test_state_that_would_be_lost_is_refused_with_a_remedy(cls: Any, fault: str) -> None:
    with pytest.raises(TypeInferenceError, match=fault):
        Types.of(cls)


def test_values_that_do_not_fit_are_refused_with_their_place() -> None:
    wrong = Order.model_construct(id="1")
    with pytest.raises(TypeCheckError) as refused:
        serializer_for(Types.of(Order)).conform([wrong])
    assert refused.value.path == ".id"

    class More(Order):
        more: int

    with pytest.raises(TypeCheckError, match=r"\['more'\].*would be lost"):
        carried(Order, More(orderId=1, more=2))


def test_equal_values_of_classes_with_a_generated_equality_are_one_key() -> None:
    encode = key_encoder(Types.of(Place))
    assert encode(Place(1, column=2, note="a")) == encode(Place(1, column=2, note="b"))
    assert encode(Place(1, column=2)) != encode(Place(2, column=1))
    assert same_key(Code(text="a"), Code(text="a"))
    assert key_refusal(Types.of(Code)) is None


@attrs.frozen(eq=False)
class Alone:
    x: int


@attrs.frozen
class Folded:
    x: str = attrs.field(eq=str.lower)


class Loose(pydantic.BaseModel):
    x: int

    def __eq__(self, other: object) -> bool:
        return True


@pytest.mark.parametrize("cls", [Alone, Folded, Loose])
def test_classes_with_another_equality_cannot_be_keys(cls: Any) -> None:
    assert "cannot be a key" in str(key_refusal(Types.of(cls)))


def test_copies_share_nothing_that_can_change() -> None:
    for value, cls in ((Sensor(1), Sensor), (Order(orderId=1), Order)):
        copier = copier_for(Types.of(cls))
        assert copier is not None
        copy = copier(value)
        copy.tags.append("new")
        assert value.tags == []
        assert type(copy) is cls


def test_frozen_values_are_their_own_copies() -> None:
    for value in (Place(1, column=2), Code(text="a")):
        copier = copier_for(Types.of(type(value)))
        assert copier is not None
        assert copier(value) is value


def test_the_text_names_class_and_fields() -> None:
    assert text_of(Types.of(Code), "encoder")(Code(text="a")) == "Code(text=a, number=7)"


def order_of(sensor: Sensor) -> Order:
    return Order(orderId=sensor._id)


def test_annotations_of_functions_are_read() -> None:
    assert result_type(order_of).type == Types.of(Order)


class Shape(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)

    side: int
    parts: dict[str, float] = {}


@pytest.mark.parametrize("cls", [Place, Pair[int], Shape])
def test_the_laws_hold(cls: Any) -> None:
    check_all(Types.of(cls), examples=3)
