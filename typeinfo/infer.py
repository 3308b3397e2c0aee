"""Infer types from Python annotations, and register types for classes."""

from __future__ import annotations

import collections
import collections.abc
import enum
import types
import typing
from collections import ChainMap
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Annotated, Any, ForwardRef, Literal, NewType, TypeVar, Union, get_args, get_origin

import typing_extensions
from typing_extensions import TypeAliasType

from typeinfo import basic
from typeinfo.agreement import contradiction
from typeinfo.annotations import Context, alias_context, caller_scope, contexts_of, describe
from typeinfo.carried import SetTypeInfo, UnionTypeInfo, VariadicTupleTypeInfo, text_type_of
from typeinfo.collection import DeclaredMapTypeInfo, ListTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import DeclaredRowTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo, custom_type_of, register
from typeinfo.errors import TypeInferenceError, UnsupportedTypeError
from typeinfo.extended import EnumTypeInfo, LiteralTypeInfo, OptionalTypeInfo, optional_of
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY
from typeinfo.records import (
    QUALIFIERS,
    may_be_missing,
    record_fields,
    record_kind,
    uncarried_state,
)
from typeinfo.row import Row
from typeinfo.scalar import INFERRED

__all__ = ["declared_type", "infer", "register_custom_type", "type_of"]

C = TypeVar("C")

Arguments = tuple[Any, ...]

_ATOMS: ChainMap[Any, TypeInformation[Any]] = ChainMap(
    {
        None: basic.VOID,
        bytes: PrimitiveArrayTypeInfo(basic.BYTE),
        Any: PICKLED_BYTE_ARRAY,
        typing_extensions.Any: PICKLED_BYTE_ARRAY,
        object: PICKLED_BYTE_ARRAY,
        typing.LiteralString: basic.STRING,
    },
    INFERRED,
)

_REMEDIES: dict[Any, str] = {
    list: "a list needs its element type: write list[int]",
    dict: "a dict needs its key and value types: write dict[str, int]",
    tuple: "a tuple needs its field types: write tuple[int, str]",
    Row: "a Row does not declare its fields: pass output_type=Types.ROW([…]), or write "
    "Annotated[Row, Types.ROW([…])]",
    bytearray: "write bytes",
    memoryview: "write bytes",
    set: "a set needs its element type: write set[int]",
    frozenset: "a frozenset needs its element type: write frozenset[int]",
    collections.abc.Set: "the class of the values must be known: write set[…] or frozenset[…]",
    collections.abc.MutableSet: "the class of the values must be known: write set[…]",
    collections.deque: "write list[…]",
    collections.OrderedDict: "write dict[…, …], which keeps its order too",
    collections.defaultdict: "write dict[…, …]",
    collections.Counter: "write dict[…, int]",
    collections.abc.Mapping: "the class of the values must be known: write dict[…, …]",
    collections.abc.MutableMapping: "the class of the values must be known: write dict[…, …]",
    collections.abc.Sequence: "the class of the values must be known: write list[…] or tuple[X, Y]",
    collections.abc.MutableSequence: "the class of the values must be known: write list[…]",
    collections.abc.Collection: "the class of the values must be known: write list[…]",
    collections.abc.Iterable: "the class of the values must be known: write list[…]",
    collections.abc.Iterator: "it can be iterated over only once: write list[…]",
    collections.abc.Generator: "it can be iterated over only once: write list[…]",
    typing.Never: "it has no values",
    typing.NoReturn: "it has no values",
}


def type_of(annotation: Any) -> TypeInformation[Any]:
    """Return the type of a Python annotation; a type is returned unchanged.

    Names in the strings of a class are looked up in its module and in the running functions that define it;
    those of a string passed directly, as in ``type_of(list["Order"])``, in the scope of the caller.

    Args:
        annotation: see ``Types.of``.

    Raises:
        TypeInferenceError: no type can be derived; the message names the place inside the annotation.
    """
    return infer(annotation, Context(caller_scope()), describe(annotation))


def declared_type(annotation: Any) -> TypeInformation[Any]:
    """Return the type of an annotation, with nullability as annotated even for map values and row fields.

    ``Types.of(dict[str, int])`` and ``Types.of(dict[str, int | None])`` are one type, because values of a MAP
    may always be null, and so may fields of a ROW; here, they differ. The result is meant for generating
    values, not for serializers. A type inside the annotation is left unchanged. For a union of annotations
    that differ only in nullability, it equals ``type_of``.

    Args:
        annotation: see ``Types.of``.

    Raises:
        TypeInferenceError: no type can be derived.
    """
    try:
        return infer(annotation, Context(caller_scope(), declared=True), describe(annotation))
    except TypeInferenceError:
        return type_of(annotation)


def register_custom_type(
    cls: type[C],
    carrier: TypeInformation[Any],
    encode: Callable[[C], Any],
    decode: Callable[[Any], C],
    *,
    deterministic: bool = False,
) -> TypeInformation[C]:
    """Register a type for a class, to be found by ``Types.of``.

    Register a class where it is defined, at the top level of a module. A later registration of the same class
    replaces the earlier one. ``typeinfo.testing.laws.check_all(cls)`` tests round trips.

    Args:
        cls: the class; not a generic one with arguments.
        carrier: the type that carries its instances, e.g. ``Types.TUPLE([Types.LONG(), Types.STRING()])``.
        encode: takes an instance and returns a value of ``carrier``; it must not change the instance.
        decode: takes such a value and returns an instance.
        deterministic: whether equal instances, and only those, are encoded equally; required for keys.

    Returns:
        The type, a `CustomTypeInfo`.

    Raises:
        UnsupportedTypeError: ``cls`` is not a class, or has a built-in type such as ``int``; ``carrier`` is
            not a type or admits ``None``, or a function is not callable.

    Mirrors ``flink.Environment.register_custom_type``, whose serializers are a pair of functions to bytes.

    Example:
        >>> from typeinfo import Types, register_custom_type
        >>> _ = register_custom_type(complex, Types.TUPLE([Types.DOUBLE(), Types.DOUBLE()]),
        ...                          lambda z: (z.real, z.imag), lambda parts: complex(*parts))
        >>> Types.of(list[complex])
        ListTypeInfo<complex<TupleTypeInfo(Double, Double)>>
    """
    t: CustomTypeInfo[C] = CustomTypeInfo(cls, carrier, encode, decode, deterministic)
    if cls in _ATOMS:
        raise UnsupportedTypeError(f"{cls.__qualname__} is carried as {_ATOMS[cls]}; register another class")
    _records.clear()
    register(t)
    return t


def infer(annotation: Any, context: Context, path: str) -> TypeInformation[Any]:
    """Return the type of an annotation in a context.

    Args:
        annotation: the annotation, evaluated or as a string.
        context: names, type variables and the enclosing classes.
        path: the place, for the message of an error.

    Raises:
        TypeInferenceError: no type can be derived.
    """
    if isinstance(annotation, TypeInformation):
        return annotation
    if isinstance(annotation, (str, ForwardRef)):
        return infer(_evaluated(annotation, context, path), context, path)
    if isinstance(annotation, TypeVar):
        return _variable(annotation, context, path)
    if isinstance(annotation, NewType):
        return infer(annotation.__supertype__, context, path)
    origin = get_origin(annotation)
    if isinstance(origin or annotation, TypeAliasType):
        return _alias(origin or annotation, annotation, context, path)
    if origin is not None:
        return _parametrised(origin, annotation, context, path)
    atom = _ATOMS.get(annotation) if _is_hashable(annotation) else None
    return atom or _class(annotation, annotation, context, path)


def _parametrised(origin: Any, annotation: Any, context: Context, path: str) -> TypeInformation[Any]:
    arguments = get_args(annotation)
    if origin in QUALIFIERS:
        return infer(arguments[0], context, path)
    handler = _HANDLERS.get(origin)
    bare = not arguments and (origin is not tuple or annotation is typing.Tuple)  # noqa: UP006
    if handler is not None and not bare:
        return handler(annotation, arguments, context, path)
    return _class(origin, annotation, context, path)


def _evaluated(reference: str | ForwardRef, context: Context, path: str) -> Any:
    try:
        return context.scope.evaluate(reference)
    except TypeInferenceError as error:
        raise TypeInferenceError(f"{path}: {error}") from error.__cause__


def _variable(variable: TypeVar, context: Context, path: str) -> TypeInformation[Any]:
    bound = context.variables.get(variable)
    if bound is not None:
        return infer(bound.annotation, bound.context, path)
    default = getattr(variable, "__default__", typing_extensions.NoDefault)
    if default is not typing_extensions.NoDefault:
        return infer(default, context, path)
    raise TypeInferenceError(
        f"{path}: the type variable {variable.__name__} is not bound; "
        f"give the generic class its argument, as in Pair[int]"
    )


def _alias(alias: TypeAliasType, annotation: Any, context: Context, path: str) -> TypeInformation[Any]:
    _refuse_cycle(alias, context, path)
    return infer(alias.__value__, alias_context(annotation, context), path)


def _annotated(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    written, *metadata = arguments
    if isinstance(written, (str, ForwardRef)):
        written = _evaluated(written, context, path)
    chosen = [item for item in metadata if isinstance(item, TypeInformation)]
    if not chosen:
        return infer(written, context, path)
    if len(chosen) > 1:
        raise TypeInferenceError(f"{path}: {chosen} contradict each other; keep one type in Annotated[…]")
    try:
        derived = infer(written, context, path)
    except TypeInferenceError:
        return chosen[0]  # the fallback if no type can be derived
    reason = contradiction(chosen[0], derived)
    if reason is not None:
        raise TypeInferenceError(f"{path}: {describe(written)} contradicts {chosen[0]}: {reason}")
    return optional_of(chosen[0]) if isinstance(derived, OptionalTypeInfo) else chosen[0]


def _union(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    members = [infer(argument, context, path) for argument in arguments]
    present = list(dict.fromkeys(_unwrapped(member) for member in members if member != basic.VOID))
    present = [m for m in present if not (isinstance(m, LiteralTypeInfo) and m.value_type in present)]
    present = _merged_literals(present)
    if len(present) > 1:
        members_of = (m.member_types if isinstance(m, UnionTypeInfo) else (m,) for m in present)
        try:
            present = [UnionTypeInfo(dict.fromkeys(chain.from_iterable(members_of)))]
        except UnsupportedTypeError as error:
            raise _refusal(annotation, path, str(error)) from None
    nullable = any(member.admits_none() for member in members)
    return optional_of(present[0]) if nullable and present else (present or members)[0]


def _merged_literals(types: list[TypeInformation[Any]]) -> list[TypeInformation[Any]]:
    """Merge the Literal types of each class into one."""
    values: dict[TypeInformation[Any], dict[Any, None]] = {}
    for t in types:
        if isinstance(t, LiteralTypeInfo):
            values.setdefault(t.value_type, {}).update(dict.fromkeys(t.values))
    merged = (
        LiteralTypeInfo(tuple(values[t.value_type]), t.value_type) if isinstance(t, LiteralTypeInfo) else t
        for t in types
    )
    return list(dict.fromkeys(merged))


def _unwrapped(value_type: TypeInformation[Any]) -> TypeInformation[Any]:
    """Unwrap an optional type in a slot that always admits None, so that equal types have one form."""
    return value_type.value_type if isinstance(value_type, OptionalTypeInfo) else value_type


def _literal(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    values = [value for value in arguments if value is not None]
    if not values:
        return basic.VOID
    literal = _literal_of(values, annotation, path)
    return literal if len(values) == len(arguments) else optional_of(literal)


def _literal_of(values: Sequence[Any], annotation: Any, path: str) -> LiteralTypeInfo[Any]:
    cls = type(values[0])
    if any(type(value) is not cls for value in values):
        raise _refusal(annotation, path, "the values of a Literal must all be of one class")
    if cls is int and not all(-(2**63) <= value < 2**63 for value in values):
        raise _refusal(annotation, path, "the whole numbers of a Literal must fit 64 bits")
    carrier = _enum(cls, path) if issubclass(cls, enum.Enum) else _ATOMS[cls]
    return LiteralTypeInfo(tuple(dict.fromkeys(values)), carrier)


def _list(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    return ListTypeInfo(infer(arguments[0], context, f"{path}[]"))


def _dict(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    key = infer(arguments[0], context, f"{path}{{}}")
    value = infer(arguments[1], context, f"{path}[]")
    try:
        return DeclaredMapTypeInfo(key, value) if context.declared else MapTypeInfo(key, _unwrapped(value))
    except UnsupportedTypeError as error:
        raise _refusal(arguments[0], f"{path}{{}}", str(error)) from None


def _set(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    element = infer(arguments[0], context, f"{path}{{}}")
    try:
        return SetTypeInfo(element, get_origin(annotation) is frozenset)
    except UnsupportedTypeError as error:
        raise _refusal(arguments[0], f"{path}{{}}", str(error)) from None


def _tuple(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return VariadicTupleTypeInfo(infer(arguments[0], context, f"{path}[]"))
    if any(argument is Ellipsis or _is_unpacked(argument) for argument in arguments):
        raise _refusal(annotation, path, "write tuple[…, ...] for any number of values of one type")
    return TupleTypeInfo(infer(argument, context, f"{path}[{i}]") for i, argument in enumerate(arguments))


def _is_unpacked(argument: Any) -> bool:
    return getattr(argument, "__unpacked__", False) or get_origin(argument) is typing.Unpack


def _row(annotation: Any, arguments: Arguments, context: Context, path: str) -> TypeInformation[Any]:
    if arguments[0] is Any:
        raise _refusal(annotation, path, _REMEDIES[Row])
    fields = infer(arguments[0], context, path)
    if isinstance(fields, TupleTypeInfo):
        return _row_type(fields.field_types, None, context)
    if isinstance(fields, RecordTypeInfo) and fields.kind is RecordKind.TYPED_DICT:
        return _row_type(fields.field_types, fields.field_names, context)
    raise _refusal(annotation, path, "a tuple or a TypedDict describes a Row: write Row[tuple[int, str]]")


def _row_type(
    types: tuple[TypeInformation[Any], ...], names: tuple[str, ...] | None, context: Context
) -> TypeInformation[Any]:
    if context.declared:
        return DeclaredRowTypeInfo(types, names)
    return RowTypeInfo(map(_unwrapped, types), names)


_HANDLERS: dict[Any, Callable[[Any, Arguments, Context, str], TypeInformation[Any]]] = {
    Annotated: _annotated,
    Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    typing_extensions.Literal: _literal,
    list: _list,
    dict: _dict,
    tuple: _tuple,
    set: _set,
    frozenset: _set,
    Row: _row,
}


def _class(cls: Any, annotation: Any, context: Context, path: str) -> TypeInformation[Any]:
    custom = custom_type_of(cls)
    if custom is not None:
        return custom
    text = text_type_of(cls)
    if text is not None:
        return text
    if isinstance(cls, type) and issubclass(cls, enum.Enum):
        return _enum(cls, path)
    kind = record_kind(cls)
    if kind is not None:
        return _record(cls, kind, annotation, context, path)
    raise _refusal(annotation, path, _REMEDIES.get(cls) if _is_hashable(cls) else None)


def _enum(cls: type[enum.Enum], path: str) -> TypeInformation[Any]:
    if issubclass(cls, enum.Flag):
        raise _refusal(cls, path, "flags combine to values that have no name: write int")
    if not cls.__members__:
        raise _refusal(cls, path, "an Enum without members has no values")
    return EnumTypeInfo(cls)


_records: dict[Any, RecordTypeInfo[Any]] = {}


def _record(cls: Any, kind: RecordKind, annotation: Any, context: Context, path: str) -> TypeInformation[Any]:
    if annotation is cls and cls in _records and not context.declared:
        return _records[cls]
    _refuse_cycle(cls, context, path)
    state = uncarried_state(cls, kind)
    if state is not None:
        raise _refusal(cls, path, state)
    contexts = contexts_of(annotation, context)
    field_types: dict[str, TypeInformation[Any]] = {}
    optional_keys: set[str] = set(getattr(cls, "__optional_keys__", ()))
    for name, owner, written in record_fields(cls, kind, context):
        place, inside = f"{path}.{name}", contexts[owner]
        if written is None and kind is RecordKind.NAMED_TUPLE:
            raise _refusal(
                cls, place, "the field has no annotation: inherit from typing.NamedTuple and annotate it"
            )
        if written is None and kind is RecordKind.ATTRS:
            raise _refusal(cls, place, "the field has no annotation: write it as name: type")
        if isinstance(written, (str, ForwardRef)):
            written = _evaluated(written, inside, place)
        if kind is RecordKind.TYPED_DICT:
            missing = may_be_missing(written, otherwise=name in optional_keys)
            (optional_keys.add if missing else optional_keys.discard)(name)
        field_types[name] = infer(written, inside, place)
    record: RecordTypeInfo[Any] = RecordTypeInfo(
        cls, kind, tuple(field_types), tuple(field_types.values()), frozenset(optional_keys)
    )
    # Local classes come and go; caching them would keep them alive.
    if annotation is cls and "<locals>" not in cls.__qualname__ and not context.declared:
        _records[cls] = record
    return record


def _refuse_cycle(entry: Any, context: Context, path: str) -> None:
    if entry in context.entered:
        around = context.entered[context.entered.index(entry) :]
        chain = " -> ".join(map(describe, (*around, entry)))
        raise _refusal(
            entry, path, f"it contains itself ({chain}), so its schema would be infinite: store a key instead"
        )


def _refusal(annotation: Any, path: str, remedy: str | None) -> TypeInferenceError:
    written = describe(annotation)
    place = "" if path == written else f"{path}: "
    if remedy is None and not (isinstance(annotation, type) or get_origin(annotation)):
        return TypeInferenceError(f"{place}{written} is not the annotation of a class of values")
    reason = remedy or (
        "it is not a dataclass, NamedTuple, TypedDict or Enum, attrs class or pydantic model, nor a class"
        " known to Types.of"
    )
    return TypeInferenceError(
        f"{place}there is no type for {written}: {reason}; or carry it pickled, "
        f"as Annotated[{written}, Types.PICKLED_BYTE_ARRAY()]"
    )


def _is_hashable(annotation: Any) -> bool:
    try:
        hash(annotation)
    except TypeError:
        return False
    return True
