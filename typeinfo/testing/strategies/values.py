"""Strategies of the values of a type, alone and in batches."""

from __future__ import annotations

import copy
import enum
import inspect
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from typing_extensions import TypeForm

from typeinfo import basic, temporal
from typeinfo.basic import TRICKY_TEXTS, decimal_of, edges
from typeinfo.carried import CarriedTypeInfo, SetTypeInfo, TextTypeInfo, UnionTypeInfo
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo
from typeinfo.errors import PyStreamError, UnsupportedTypeError
from typeinfo.extended import LiteralTypeInfo, OptionalTypeInfo
from typeinfo.infer import declared_type, type_of
from typeinfo.info import Slot, TypeInformation
from typeinfo.instant import Instant
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row, RowKind, make_row
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.temporal import MICROS, MICROSECOND, TRICKY_TIMES
from typeinfo.testing.invalid_values import misfits
from typeinfo.testing.reproduction import source
from typeinfo.testing.strategies.tricky import TRICKY_BYTES

__all__ = [
    "CHARACTERS",
    "ValuesError",
    "arguments_of",
    "batches",
    "batches_of",
    "declared_fields",
    "decoded",
    "given_values",
    "instance",
    "invalid_values",
    "is_cheap",
    "parameters_of",
    "records",
    "register_values",
    "values",
]

T = TypeVar("T")
_given: dict[type[Any], SearchStrategy[Any]] = {}


class ValuesError(PyStreamError, ValueError):
    """Report a class whose instances cannot be made from values of its fields, with the remedy."""


def register_values(cls: type[T], strategy: SearchStrategy[T]) -> None:
    """Register the strategy of a class, for all types that contain it.

    Needed for a record whose constructor refuses some values of its field types, and for a custom type whose
    class does not annotate its constructor while not every value of the carrier can be decoded.
    ``hypothesis.strategies.from_type(cls)`` returns it as well.
    """
    _given[cls] = strategy
    st.register_type_strategy(cls, strategy)


def given_values(cls: type[Any]) -> SearchStrategy[Any] | None:
    """Return the strategy that was registered for a class, if there is one."""
    return _given.get(cls)


def values(t: TypeInformation[T]) -> SearchStrategy[T]:
    """Return a strategy of the values of a type, as serializers give them back.

    Bounds, and texts and times that often go wrong, come up more often than others. Rows are of all kinds,
    except in keys of maps.
    None comes up at any depth where the type admits it, so among the values of a MAP and the fields of a
    ROW; but in an instance of a class only where its annotations do, as with ``records``. A dataclass is
    made by its constructor. An instance of a custom type is made by the constructor of its class if that
    annotates its parameters, else decoded from a value of the carrier; see ``register_values``.

    Raises:
        UnsupportedTypeError: ``t`` is of a class unknown here.
        ValuesError: while values are made, a class refuses some.
    """
    return _values(t)


def records(cls: TypeForm[T]) -> SearchStrategy[T]:
    """Return a strategy of the instances of a dataclass, NamedTuple, TypedDict or registered class.

    None comes up only where the annotations admit it: a value of a ``dict[str, int]`` is never None, although
    one of a MAP may always be.

    Raises:
        TypeInferenceError: ``Types.of(cls)`` finds no type.
    """
    return _values(declared_type(cls))


def batches(t: TypeInformation[T], *, min_size: int = 0, max_size: int = 6) -> SearchStrategy[list[T]]:
    """Return a strategy of lists of values of a type; some values occur twice.

    What occurs twice is equal, but never one object.
    """
    return batches_of(_values(t), min_size=min_size, max_size=max_size)


@st.composite
def batches_of(
    draw: st.DrawFn, elements: SearchStrategy[T], *, min_size: int = 0, max_size: int = 6
) -> list[T]:
    """Draw a list that repeats some values of another strategy."""
    places = st.integers(0, max(max_size - 1, 0))
    # drawn first, and of a full batch, too: where it depends on the size, a batch does not shrink well
    copies = draw(st.lists(st.tuples(places, places), max_size=max_size))
    batch = draw(st.lists(elements, min_size=min_size, max_size=max_size))
    for origin, target in copies:
        if batch and len(batch) < max_size:
            batch.insert(target % len(batch), copy.deepcopy(batch[origin % len(batch)]))
    return batch


def invalid_values(t: TypeInformation[Any]) -> SearchStrategy[Any]:
    """Return a strategy of values that are wrong for a type in one place, at any depth.

    Empty for PICKLED_BYTE_ARRAY, which takes every value.
    """
    if isinstance(t, PickledBytesTypeInfo):
        return st.nothing()
    if isinstance(t, OptionalTypeInfo):
        return _wrong(t.value_type, _values(t.value_type), True)
    return _wrong(t, _values(t), False)


@st.composite
def _wrong(draw: st.DrawFn, t: TypeInformation[Any], right: SearchStrategy[Any], nullable: bool) -> Any:
    found = [misfit.value for misfit in misfits(t, draw(right))]
    return draw(st.sampled_from([value for value in found if not (nullable and value is None)]))


@st.composite
def _made(draw: st.DrawFn, function: Callable[..., Any], *parts: SearchStrategy[Any]) -> Any:
    """Apply a function to drawn parts; unlike with ``builds``, Hypothesis shows the result, not the call."""
    return function(*(draw(part) for part in parts))


def _values(t: TypeInformation[Any], in_key: bool = False) -> SearchStrategy[Any]:
    """Return a strategy of the values of a type; in keys of maps hashable ones, and rows of one kind."""
    match t:
        case ScalarTypeInfo():
            return _scalar(t)
        case PickledBytesTypeInfo():
            return _HASHABLE if in_key else _OBJECTS
        case OptionalTypeInfo():
            return st.none() | _values(t.value_type, in_key)
        case LiteralTypeInfo():
            return st.one_of(*map(_member, t.values))
        case PrimitiveArrayTypeInfo() if t.is_bytes:
            return st.binary(max_size=20) | st.sampled_from(TRICKY_BYTES)
        case ArrayTypeInfo():
            return _lists(*t.slots())
        case MapTypeInfo():
            return _maps(*t.slots())
        case RowTypeInfo():
            kinds = st.just(RowKind.INSERT) if in_key else st.sampled_from(RowKind)  # which columns lose
            return _made(make_row, _parts(t, in_key), st.just(t.get_field_names()), kinds)
        case TupleTypeInfo():
            return _parts(t, in_key)
        case RecordTypeInfo():
            given = given_values(t.record_class)
            return _record(t, in_key) if given is None else given
        case CustomTypeInfo():
            given = given_values(t.custom_class)
            return _custom(t, in_key) if given is None else given
        case TextTypeInfo():
            return st.sampled_from(t.samples())
        case UnionTypeInfo():
            return st.one_of(*(_values(member, in_key) for member in t.member_types))
        case SetTypeInfo():
            make = st.frozensets if t.frozen else st.sets
            return make(_values(t.element_type, in_key=True), max_size=4)
        case CarriedTypeInfo():
            return _made(t.wrap, _values(t.carrier, in_key))
    raise UnsupportedTypeError(f"there is no strategy for {t!r}")


def _parts(t: FieldsTypeInfo[Any], in_key: bool) -> SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*(_slot(slot, in_key) for slot in t.slots()))


_RARELY = st.integers(0, 15)
_SIZES = st.sampled_from([5, 17, 300])


@st.composite
def _mostly(draw: st.DrawFn, usual: SearchStrategy[T], rare: SearchStrategy[T]) -> T:
    """Draw mostly from one strategy, sometimes from another; ``|`` would draw from both equally often."""
    return draw(rare if draw(_RARELY) == 15 else usual)


def _lists(slot: Slot) -> SearchStrategy[list[Any]]:
    usual = st.lists(_slot(slot), max_size=4)
    return _mostly(usual, _made(_cycled, _few_parts(slot), _SIZES)) if is_cheap(slot.type) else usual


def _maps(key: Slot, value: Slot) -> SearchStrategy[dict[Any, Any]]:
    usual = st.dictionaries(_slot(key, in_key=True), _slot(value), max_size=4)
    if key.type not in (basic.STRING, basic.INT, basic.LONG) or not is_cheap(value.type):
        return usual
    return _mostly(usual, _made(partial(_long_map, key.type.value_class), _few_parts(value), _SIZES))


def _long_map(key_class: Callable[[int], Any], parts: list[Any], size: int) -> dict[Any, Any]:
    cycled = _cycled(parts, size)
    return dict(zip(map(key_class, range(len(cycled), 0, -1)), cycled, strict=True))


def _cycled(parts: list[Any], size: int) -> list[Any]:
    size = 5 if len(repr(parts)) > 2_000 else size  # what is long itself is not repeated hundreds of times
    return [copy.deepcopy(parts[i % len(parts)]) for i in range(size)]


def _few_parts(slot: Slot) -> SearchStrategy[list[Any]]:
    return st.lists(_slot(slot), min_size=1, max_size=3)


def is_cheap(part: TypeInformation[Any]) -> bool:
    """Return whether a part has no parts, so that hundreds of it stay small."""
    return isinstance(part, (ScalarTypeInfo, LiteralTypeInfo))


def _slot(slot: Slot, in_key: bool = False) -> SearchStrategy[Any]:
    part = _values(slot.type, in_key)
    return st.none() | part if slot.nullable else part


def _member(value: Any) -> SearchStrategy[Any]:
    """Return a strategy of one value; Hypothesis does not show members that are numbers as source."""
    if isinstance(value, enum.Enum) and isinstance(value, (int, str)):
        return st.builds(type(value), st.just(value.value))
    return st.just(value)


def _record(t: RecordTypeInfo[Any], in_key: bool) -> SearchStrategy[Any]:
    declared = zip(t.field_names, declared_fields(t), strict=True)
    parts = {name: _values(part, in_key) for name, part in declared}
    if t.kind is RecordKind.TYPED_DICT:
        optional = {name: parts.pop(name) for name in t.field_names if name in t.optional_keys}
        given = st.fixed_dictionaries(parts, optional=optional)
        return _made(_in_order, st.just(t.field_names), given)
    return _instances(t.record_class, {given: parts[name] for given, name in arguments_of(t).items()})


def arguments_of(t: RecordTypeInfo[Any]) -> dict[str, str]:
    """Return the names of the fields that a record's class is constructed from, by argument name."""
    cls: Any = t.record_class
    match t.kind:
        case RecordKind.DATACLASS:
            arguments = {f.name: f.name for f in fields(cls) if f.init}
        case RecordKind.ATTRS:
            arguments = {a.alias: a.name for a in cls.__attrs_attrs__ if a.init}
        case RecordKind.PYDANTIC:
            aliases = ((f.validation_alias, name) for name, f in cls.__pydantic_fields__.items())
            arguments = {alias if isinstance(alias, str) else name: name for alias, name in aliases}
        case _:
            return {name: name for name in t.field_names}
    return {argument: name for argument, name in arguments.items() if name in t.field_names}


def declared_fields(t: RecordTypeInfo[Any]) -> tuple[TypeInformation[Any], ...]:
    """Return the types of fields as the class declares them; a generic one declares too little for that."""
    try:
        declared = declared_type(t.record_class) if type_of(t.record_class) == t else t
    except PyStreamError:
        return t.field_types
    return declared.field_types if isinstance(declared, RecordTypeInfo) else t.field_types


def _in_order(names: tuple[str, ...], value: dict[str, Any]) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value}


def _custom(t: CustomTypeInfo[Any], in_key: bool) -> SearchStrategy[Any]:
    parameters = parameters_of(t)
    if parameters is None:
        return _made(partial(decoded, t), _values(t.carrier, in_key))
    return _instances(t.custom_class, {name: _values(part, in_key) for name, part in parameters.items()})


def _instances(cls: type[Any], parts: dict[str, SearchStrategy[Any]]) -> SearchStrategy[Any]:
    def make(**given: Any) -> Any:
        return instance(cls, given)

    make.__name__ = cls.__name__  # Hypothesis shows the call
    return st.builds(make, **parts)


def instance(cls: type[Any], given: dict[str, Any]) -> Any:
    """Call a class with arguments.

    Raises:
        ValuesError: it refuses them.
    """
    try:
        return cls(**given)
    except Exception as error:
        call = ", ".join(f"{name}={source(value)}" for name, value in given.items())
        raise _unmade(f"{cls.__name__}({_cut(call)}) cannot be made", cls, error) from error


def decoded(t: CustomTypeInfo[Any], carried: Any) -> Any:
    """Decode a value of the carrier of a custom type.

    Raises:
        ValuesError: it cannot be decoded.
    """
    try:
        return t.decode(carried)
    except Exception as error:
        name = t.custom_class.__name__
        raise _unmade(
            f"{name} cannot be decoded from {_cut(source(carried))}", t.custom_class, error
        ) from error


def _unmade(what: str, cls: type[Any], error: Exception) -> ValuesError:
    if isinstance(error, ValuesError):
        return error  # of an instance inside, which is the one to be registered
    fault = str(error) or type(error).__name__
    return ValuesError(f"{what}: {fault}; call register_values({cls.__name__}, ...)")


def _cut(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:200]}..."


def parameters_of(t: CustomTypeInfo[Any]) -> dict[str, TypeInformation[Any]] | None:
    """Return the types of the parameters of a class, or ``None`` if it does not annotate all of them."""
    try:
        parameters = inspect.signature(t.custom_class, eval_str=True).parameters.values()
        if any(p.kind not in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) for p in parameters):
            return None
        found = {p.name: declared_type(p.annotation) for p in parameters}
    except (PyStreamError, ValueError, NameError, TypeError):
        return None
    return found or None


def _scalar(t: ScalarTypeInfo[Any]) -> SearchStrategy[Any]:
    if t in _SCALARS:
        return _SCALARS[t]
    if isinstance(t, BigDecimalTypeInfo):
        beyond = 10**t.precision
        numbers = st.integers(1 - beyond, beyond - 1)
        return _made(decimal_of, numbers, st.just(t.scale)) | st.sampled_from(t.traits.samples)
    if t.traits.bounds is not None:
        return _at_bounds(*t.traits.bounds)
    return st.one_of(*map(_member, t.traits.samples))


def _at_bounds(low: int, high: int) -> SearchStrategy[int]:
    """Return a strategy of the integers between two, often at the limits of common widths."""
    return st.integers(low, high) | st.sampled_from(edges(low, high))


CHARACTERS = st.characters(exclude_categories=["Cs"])
"""All characters except surrogates."""


def _repeated(text: str | int) -> str:
    return "x" * text if isinstance(text, int) else text


_TEXTS = st.one_of(
    st.text(CHARACTERS, max_size=20),
    st.sampled_from(TRICKY_TEXTS[::2]),  # in two, so that each text comes up often enough to be found
    st.sampled_from(TRICKY_TEXTS[1::2]),
    st.sampled_from(["", "0", "00", "1"]),  # which often meet, and run together
    # one text in two forms; the long ones are last, and in no alternative of their own, so that they shrink
    _made(_repeated, st.sampled_from(["\u00e9", "e\u0301", "None", "a", "A", "ß", "ss", 33, 256, 65_537])),
)
_DATES = st.dates() | st.sampled_from([moment.date() for moment in TRICKY_TIMES])
_TIMES = st.times() | st.sampled_from([moment.time() for moment in TRICKY_TIMES])
_TIMESTAMPS = st.datetimes() | st.sampled_from(TRICKY_TIMES)
_SCALARS: dict[TypeInformation[Any], SearchStrategy[Any]] = {
    basic.VOID: st.none(),
    basic.STRING: _TEXTS,
    basic.BOOLEAN: st.booleans(),
    basic.FLOAT: st.floats(width=32),
    basic.DOUBLE: st.floats() | st.sampled_from([0.1, -0.0, float("nan"), 1 / 3]),
    basic.CHAR: CHARACTERS,
    basic.BIG_INT: _at_bounds(1 - 10**38, 10**38 - 1),
    basic.BIG_DEC: _made(decimal_of, st.integers(1 - 10**38, 10**38 - 1)),
    basic.UUID: st.uuids(),
    temporal.DURATION: st.timedeltas(-MICROS * MICROSECOND, MICROS * MICROSECOND),
    temporal.INSTANT: _made(Instant.of_epoch_micro, _at_bounds(-MICROS, MICROS)),
    **dict.fromkeys((temporal.SQL_DATE, temporal.LOCAL_DATE), _DATES),
    **dict.fromkeys((temporal.SQL_TIME, temporal.LOCAL_TIME), _TIMES),
    **dict.fromkeys((temporal.SQL_TIMESTAMP, temporal.LOCAL_DATE_TIME), _TIMESTAMPS),
}
"""Strategies of more values than the samples of a type."""


def _object_parts(parts: SearchStrategy[Any]) -> SearchStrategy[Any]:
    return (
        st.lists(parts, max_size=3)
        | st.tuples(parts, parts)
        | st.dictionaries(st.text(max_size=3), parts, max_size=3)
        | _made(Row, parts, parts)
    )


_HASHABLE = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=5),
    lambda parts: st.tuples(parts, st.none() | parts) | _made(Row, parts),
    max_leaves=5,
)
_OBJECTS = st.recursive(st.none() | _HASHABLE, _object_parts, max_leaves=5)
