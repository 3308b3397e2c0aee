"""Instances of record classes with attributes besides their fields are refused, unless these are derived."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, TypeVar

import attrs
import pydantic
import pytest

from pystream.engine.failure import TaskFailure
from pystream.engine.operators.elementwise import MAP
from tests.unit.engine.tasks import collect, operator, run
from typeinfo import TypeCheckError, Types
from typeinfo.serde import serializer_for
from typeinfo.serde.copiers import copier_for

T = TypeVar("T")


@dataclass
class Word:
    text: str
    length: int = 0

    @cached_property
    def upper(self) -> str:
        return self.text.upper()


@dataclass(frozen=True)
class FrozenWord:
    text: str


@dataclass
class Single:
    text: str


@dataclass
class Counted:
    text: str

    def __post_init__(self) -> None:
        self.size = len(self.text)


@dataclass
class Declared:
    text: str
    size: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        self.size = len(self.text)


@dataclass
class Fallback:
    """Its instances do not hold the field that the class has a value for."""

    text: str
    kind: str = field(init=False, default="word")


@dataclass
class WithSlot:
    __slots__ = ("note", "text")
    text: str


@dataclass
class Boxed(Generic[T]):
    content: T


@attrs.define(slots=False)
class AttrsWord:
    text: str

    @cached_property
    def upper(self) -> str:
        return self.text.upper()


@attrs.define
class SlottedAttrsWord:
    text: str

    @cached_property
    def upper(self) -> str:
        return self.text.upper()


@attrs.frozen(slots=False, cache_hash=True)
class HashedWord:
    text: str


class Model(pydantic.BaseModel):
    text: str
    tags: list[str] = []

    @cached_property
    def upper(self) -> str:
        return self.text.upper()


class FrozenModel(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(frozen=True)

    text: str
    number: int = 7


def noted(value: T) -> T:
    object.__setattr__(value, "note", 1)
    return value


MORE = [
    *(noted(Word("a")), noted(FrozenWord("a")), noted(Single("a")), noted(Fallback("a"))),
    *(noted(WithSlot("a")), noted(AttrsWord("a")), noted(HashedWord("a")), noted(Model(text="a"))),
]


@pytest.mark.parametrize("value", MORE, ids=lambda value: type(value).__name__)
def test_other_attributes_are_refused_by_name_with_the_remedy(value: Any) -> None:
    t = Types.of(type(value))
    copier = copier_for(t, conformed=True)
    expected = r"\['note'\], which .* not fields of \w+ and would be lost; declare .*PICKLED_BYTE_ARRAY"
    for given in (value, value if copier is None else copier(value)):
        for check in (serializer_for(t).conform, serializer_for(t).to_batch):
            with pytest.raises(TypeCheckError, match=expected) as refused:
                check([given])
            assert refused.value.index == 0
    with pytest.raises(TypeCheckError, match="not fields") as nested:
        serializer_for(Types.LIST(t)).conform([[], [value]])
    assert (nested.value.path, nested.value.index) == ("[0]", 1)


def test_attributes_that_post_init_sets_are_refused_unless_they_are_fields() -> None:
    with pytest.raises(TypeCheckError, match=r"\['size'\], which .* not fields of Counted"):
        serializer_for(Types.of(Counted)).conform([Counted("a")])
    serializer = serializer_for(Types.of(Declared))
    (read,) = serializer.deserialize(serializer.serialize(serializer.conform([Declared("four")])))
    assert read.size == 4


def test_an_attribute_of_a_subclass_is_refused() -> None:
    class Louder(Word):
        pass

    with pytest.raises(TypeCheckError, match=r"\['note'\], which .* not fields of Word"):
        serializer_for(Types.of(Word)).conform([noted(Louder("a"))])


def use(value: Any) -> Any:
    assert value.upper == "A"
    return value


@pytest.mark.parametrize(
    "value",
    [
        use(Word("a")),
        *(Fallback("a"), WithSlot("a")),
        *(use(AttrsWord("a")), use(SlottedAttrsWord("a")), HashedWord("a"), use(Model(text="a"))),
    ],
    ids=lambda value: type(value).__name__,
)
def test_attributes_derived_from_the_fields_are_accepted(value: Any) -> None:
    hash(value) if isinstance(value, HashedWord) else None
    t = Types.of(type(value))
    serializer, copier = serializer_for(t), copier_for(t)
    (conformed,) = serializer.conform([value])
    assert conformed is value
    for read in (
        *serializer.deserialize(serializer.serialize([value])),
        *serializer.from_batch(serializer.to_batch([value])),
        value if copier is None else copier(value),
    ):
        assert read == value
        assert getattr(read, "upper", "A") == "A"


def test_a_generic_class_with_arguments_is_validated_by_its_fields() -> None:
    serializer = serializer_for(Types.of(Boxed[int]))
    boxed = Boxed[int](1)
    assert serializer.conform([boxed]) == [boxed]
    with pytest.raises(TypeCheckError, match=r"\['note'\]"):
        serializer.conform([noted(boxed)])


def test_a_copy_holds_the_fields_alone_as_a_read_instance_does() -> None:
    word = use(Word("a"))
    for value, changed in ((word, "text"), (use(AttrsWord("a")), "text"), (use(Model(text="a")), "text")):
        copier = copier_for(Types.of(type(value)))
        assert copier is not None
        setattr(value, changed, "b")
        assert copier(value).upper == "B"


def changed_word(text: str) -> Word:
    return noted(Word(text))


def test_an_operator_refuses_them_whether_chained_or_not() -> None:
    t = Types.of(Word)
    length = operator(MAP, lambda w: w.length, collect())
    for consumer in (collect(type_info=t), length):
        chain = operator(MAP, changed_word, consumer, output_type=t)
        with pytest.raises(TaskFailure, match=r"\['note'\], which .* not fields of Word"):
            run((chain,), [["a"]], t)


def test_the_fields_set_of_a_model_are_the_same_on_every_path() -> None:
    for value in (Model(text="a", tags=[]), FrozenModel(text="a", number=7)):
        t = Types.of(type(value))
        serializer, copier = serializer_for(t), copier_for(t)
        assert copier is not None
        conformed = serializer.conform([copier(value)])
        assert conformed[0].model_fields_set == {"text"}
        assert serializer.deserialize(serializer.serialize(conformed))[0].model_fields_set == {"text"}
        assert serializer.conform(conformed) is conformed
