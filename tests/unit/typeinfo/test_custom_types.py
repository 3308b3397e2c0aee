"""Custom types: registration, inference, serialization, and what is refused."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from functools import partial
from typing import Any

import cloudpickle
import pyarrow as pa
import pytest

from typeinfo import TypeCheckError, TypeInferenceError, Types, UnsupportedTypeError, register_custom_type
from typeinfo.agreement import contradiction
from typeinfo.custom import CustomTypeInfo, custom_types
from typeinfo.keys import key_refusal
from typeinfo.serde import serializer_for
from typeinfo.serde.registry import key_encoder
from typeinfo.testing.laws import LawViolation, check_type_is_value
from typeinfo.text import text_of


class Vector:
    def __init__(self, x: int, y: int) -> None:
        self.x, self.y = x, y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self) -> int:
        return hash((self.x, self.y))

    def __repr__(self) -> str:
        return f"Vector({self.x}, {self.y})"


class Arrow(Vector):
    """A vector of a subclass."""


class Unregistered:
    """Of no type."""


@dataclass
class Move:
    by: Vector
    back: Vector | None


def parts(vector: Vector) -> tuple[int, int]:
    return vector.x, vector.y


def vector(carried: tuple[int, int]) -> Vector:
    return Vector(*carried)


CARRIER = Types.TUPLE([Types.INT(), Types.BYTE()])
VECTOR = register_custom_type(Vector, CARRIER, parts, vector, deterministic=True)


def test_a_registered_class_is_found_inside_other_annotations() -> None:
    assert Types.of(Vector) is VECTOR
    assert VECTOR in custom_types()
    assert Types.of(list[Vector]) == Types.LIST(VECTOR)
    assert Types.of(Move).slots()[0].type == VECTOR  # type: ignore[attr-defined]


def test_a_class_that_is_not_registered_is_refused() -> None:
    with pytest.raises(TypeInferenceError, match="there is no type for Unregistered"):
        Types.of(Unregistered)


def test_values_come_back_from_columns_and_bytes() -> None:
    moves = [Move(Vector(1, 2), None), Move(Vector(3, 4), Vector(-3, -4))]
    serializer = serializer_for(Types.of(Move))
    assert serializer.conform(moves) is moves
    assert serializer.from_batch(serializer.to_batch(moves)) == moves
    assert serializer.deserialize(serializer.serialize(moves)) == moves


def test_a_table_shows_the_carrier() -> None:
    batch = serializer_for(VECTOR).to_batch([Vector(1, 2)])
    assert batch.column(0).to_pylist() == [{"f0": 1, "f1": 2}]
    assert batch.schema.field("value").type == pa.struct(
        [pa.field("f0", pa.int32(), nullable=False), pa.field("f1", pa.int8(), nullable=False)]
    )


def test_results_of_encode_are_validated_by_the_carrier() -> None:
    with pytest.raises(TypeCheckError) as caught:
        serializer_for(Types.LIST(VECTOR)).conform([[Vector(1, 2)], [Vector(1, 2), Vector(1, 300)]])
    assert (caught.value.index, caught.value.path) == (1, "[1][1]")
    assert caught.value.message.startswith("the result of parts (")
    assert "test_custom_types.py" in caught.value.message
    assert "for Vector(1, 300) does not fit: 300 does not fit BYTE" in caught.value.message


@pytest.mark.parametrize("wrong", [(1, 2), None, "text", Unregistered()], ids=repr)
def test_other_classes_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeCheckError, match=r"is not a Vector<.*give an instance of Vector|is not a Vector"):
        serializer_for(VECTOR).conform([Vector(1, 2), wrong])


def fails(value: Any) -> Any:
    raise KeyError("gone")


def wrong_class(value: Any) -> Any:
    return "text"


def test_a_function_that_fails_is_named_with_the_element() -> None:
    with pytest.raises(TypeCheckError, match=r"fails \(.*\) failed on Vector\(1, 2\): KeyError: 'gone'") as e:
        serializer_for(CustomTypeInfo(Vector, CARRIER, fails, vector)).conform([Vector(1, 2)])
    assert e.value.index == 0
    broken = serializer_for(CustomTypeInfo(Vector, CARRIER, parts, fails))
    with pytest.raises(TypeCheckError, match=r"fails \(.*\) failed on \(1, 2\): KeyError: 'gone'"):
        broken.from_batch(broken.to_batch([Vector(1, 2)]))


def test_decode_must_return_an_instance() -> None:
    broken = serializer_for(CustomTypeInfo(Vector, CARRIER, parts, wrong_class))
    with pytest.raises(TypeCheckError, match=r"returned 'text' for \(1, 2\), .* not an instance of Vector"):
        broken.deserialize(broken.serialize([Vector(1, 2)]))


def test_an_instance_of_a_subclass_comes_back_as_decode_makes_it() -> None:
    serializer = serializer_for(VECTOR)
    (back,) = serializer.deserialize(serializer.serialize(serializer.conform([Arrow(1, 2)])))
    assert type(back) is Vector


def test_only_a_type_said_to_be_deterministic_is_a_key() -> None:
    encode = key_encoder(VECTOR)
    assert encode(Vector(1, 2)) == key_encoder(CARRIER)((1, 2)) != encode(Vector(2, 1))
    loose = CustomTypeInfo(Vector, CARRIER, parts, vector)
    assert "deterministic=True" in (key_refusal(Types.TUPLE([Types.INT(), loose])) or "")
    of_objects = CustomTypeInfo(Vector, Types.LIST(Types.PICKLED_BYTE_ARRAY()), list, vector, True)
    assert "PickledByteArrayTypeInfo" in (key_refusal(of_objects) or "")


def test_equality_is_that_of_class_carrier_and_functions() -> None:
    t = CustomTypeInfo(Vector, CARRIER, parts, vector, True)
    assert t == VECTOR
    assert hash(t) == hash(VECTOR)
    for other in (
        CustomTypeInfo(Vector, CARRIER, parts, vector),
        CustomTypeInfo(Vector, CARRIER, fails, vector, True),
        CustomTypeInfo(Vector, Types.TUPLE([Types.LONG(), Types.BYTE()]), parts, vector, True),
        CustomTypeInfo(Arrow, CARRIER, parts, vector, True),
        Types.INT(),
    ):
        assert t != other


def test_types_travel() -> None:
    assert pickle.loads(pickle.dumps(VECTOR)) == VECTOR
    by_value = CustomTypeInfo(Vector, CARRIER, lambda v: (v.x, v.y), lambda c: Vector(*c))
    assert cloudpickle.loads(cloudpickle.dumps(by_value)) == by_value
    bound = CustomTypeInfo(Vector, CARRIER, partial(parts), partial(vector))
    assert pickle.loads(pickle.dumps(bound)) == bound


def test_the_last_registration_counts() -> None:
    class Local:
        """Registered twice."""

    first = register_custom_type(Local, Types.STRING(), repr, wrong_class)
    record = dataclass(type("Holder", (), {"__annotations__": {"held": Local}}))
    assert Types.of(record).slots()[0].type is first  # type: ignore[attr-defined]
    second = register_custom_type(Local, Types.of(bytes), repr, wrong_class)
    assert Types.of(Local) is second
    assert Types.of(record).slots()[0].type is second  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((int, Types.LONG(), parts, vector), "int is carried as Long"),
        (("Vector", Types.LONG(), parts, vector), "takes a class, not 'Vector' (str), as custom_class"),
        ((Vector, int, parts, vector), "not the class int, as carrier; write Types.of(int)"),
        ((Vector, Types.PICKLED_BYTE_ARRAY(), parts, vector), "None there means that there is no Vector"),
        ((Vector, Types.of(int | None), parts, vector), "None there means that there is no Vector"),
        ((Vector, Types.LONG(), "parts", vector), "takes a function, not 'parts' (str), as encode"),
        ((Vector, Types.LONG(), parts, None), "takes a function, not None, as decode"),
    ],
)
def test_invalid_registrations_are_refused(arguments: Any, message: str) -> None:
    with pytest.raises(UnsupportedTypeError) as caught:
        register_custom_type(*arguments)
    assert message in str(caught.value)
    assert Types.of(Vector) is VECTOR


def test_text_and_agreement() -> None:
    assert text_of(VECTOR, "print")(Vector(1, 2)) == "Vector(1, 2)"
    assert contradiction(VECTOR, CustomTypeInfo(Arrow, CARRIER, parts, vector)) is None
    assert contradiction(VECTOR, CARRIER) is not None


def from_helper(scale: int, table: dict[str, int]) -> CustomTypeInfo[Any]:
    def encode(value: Vector) -> tuple[int, int]:
        return (encode.__name__ and value.x * scale), value.y + table["y"]

    def decode(carried: tuple[int, int], scale: int = scale) -> Vector:
        return Vector(carried[0] // scale, carried[1] - table["y"])

    return CustomTypeInfo(Vector, CARRIER, encode, decode)


def test_functions_made_by_a_helper_are_equal_to_their_copies() -> None:
    t = from_helper(2, {"y": 1})
    copied = cloudpickle.loads(cloudpickle.dumps(t))
    assert copied == t == from_helper(2, {"y": 1})
    assert t not in (from_helper(3, {"y": 1}), from_helper(2, {"y": 2}))
    check_type_is_value(t, [Vector(1, 2)])


def test_a_captured_object_without_equality_is_named() -> None:
    kept = Unregistered()
    t = CustomTypeInfo(Vector, CARRIER, lambda value: (kept and value.x, value.y), vector)
    with pytest.raises(LawViolation, match=r"another encode: .*<lambda> captures .* not equal to its copy"):
        check_type_is_value(t, [Vector(1, 2)])
