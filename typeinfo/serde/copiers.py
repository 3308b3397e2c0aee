"""Copiers: copy the values of one type, by code generated for the type.

A copy of a declared type has no shared parts, as after encoding.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import count
from typing import Any, cast

from typeinfo.collection import ArrayTypeInfo, MapTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.extended import OptionalTypeInfo, is_immutable
from typeinfo.info import TypeInformation
from typeinfo.records import is_frozen
from typeinfo.row import Row, RowKind, make_row, row_class
from typeinfo.serde.copies import IMMUTABLE, copy_of
from typeinfo.serde.instances import allowed_attributes
from typeinfo.serde.record import AttributesCodec
from typeinfo.serde.registry import codec_for
from typeinfo.serde.row import names_of

__all__ = ["Copier", "copier_for", "with_rows"]

Copy = Callable[[Any], Any]
_new = object.__new__


class Copier:
    """Copies the values of one type.

    The loops are generated for the type, so that the usual case costs no call; ``value`` is the current value
    in the generated code.

    Args:
        copy: copies any value, also one that does not fit the type.
        usual: Python code of a condition for values that need no call of ``copy``.
        made: Python code that copies these; by default they are immutable and not copied.
        names: the values of other names in the two.

    Attributes:
        copied: Python code that copies any value.
        names: the values of the names in it, except ``value``.
        each: yields a copy of each value, made before the next one is requested.
        of_each: returns a function's result for each value, each copied before the next call.
        of_passing: returns the values that satisfy a predicate, each copied before the next call.
    """

    __slots__ = ("copied", "each", "names", "of_each", "of_passing", "one")

    def __init__(self, copy: Copy, usual: str = "False", made: str = "value", **names: Any) -> None:
        self.copied: str = "copy(value)" if usual == "False" else f"({made} if {usual} else copy(value))"
        self.names: dict[str, Any] = {"copy": copy, **names}
        scope = dict(self.names)
        exec(compile(_LOOPS.format(copied=self.copied), __file__, "exec"), scope)
        self.one: Copy = scope["one"]
        self.each: Callable[[Iterable[Any]], Iterator[Any]] = scope["each"]
        self.of_each: Callable[[Copy, Iterable[Any]], list[Any]] = scope["of_each"]
        self.of_passing: Callable[[Copy, Iterable[Any]], list[Any]] = scope["of_passing"]

    def __call__(self, value: Any) -> Any:
        return self.one(value)


def _inlined(copier: Copier | None, variable: str) -> tuple[str, dict[str, Any]]:
    """Return Python code that copies the value of a variable, and the values of the names in it."""
    if copier is None:
        return variable, {}
    number = next(_NUMBERS)
    renamed = {name: f"{name}_{number}" for name in copier.names} | {"value": variable}
    names = "|".join(map(re.escape, renamed))
    expression = re.sub(rf"(?<![.\w])({names})\b", lambda found: renamed[found[0]], copier.copied)
    return expression, {renamed[name]: meaning for name, meaning in copier.names.items()}


_NUMBERS = count()

_LOOPS = """
def one(value):
    return {copied}
def each(values):
    return ({copied} for value in values)
def of_each(function, values):
    return [{copied} for given in values for value in (function(given),)]
def of_passing(predicate, values):
    return [{copied} for value in values if predicate(value)]
"""


def _copier(unchanging: frozenset[type], copy: Copy) -> Copier:
    return Copier(copy, "type(value) in unchanging", unchanging=unchanging)


@cache
def copier_for(t: TypeInformation[Any], *, conformed: bool = False) -> Copier | None:
    """Return the copier of a type, ``None`` if its values are immutable.

    Args:
        t: the type.
        conformed: whether the copies are then validated or encoded, so that a tuple may replace
            a row.

    Raises:
        CopyError: raised by the copier for a value that cannot be copied.
    """
    if is_immutable(t):
        return None
    match t:
        case OptionalTypeInfo():
            return copier_for(t.value_type, conformed=conformed)
        case CustomTypeInfo():
            return _copier(IMMUTABLE, _copy_of_custom(t))
        case PrimitiveArrayTypeInfo() if t.is_bytes:  # a bytearray is accepted, too
            return _copier(frozenset({bytes}), copy_of)
        case ArrayTypeInfo():
            return _copier_of_lists(copier_for(t.element_type, conformed=conformed))
        case MapTypeInfo():
            return _copier_of_dicts(copier_for(t.key_type), copier_for(t.value_type, conformed=conformed))
        case RowTypeInfo():
            return _copier_of_rows(t, conformed=conformed)
        case TupleTypeInfo():
            return _copier_of_tuples(tuple, t, conformed=conformed)
        case RecordTypeInfo(kind=RecordKind.NAMED_TUPLE):
            return _copier_of_tuples(t.record_class, t, conformed=conformed)
        case RecordTypeInfo(kind=RecordKind.DATACLASS):
            return _copier_of_instances(t)
        case RecordTypeInfo(kind=RecordKind.ATTRS | RecordKind.PYDANTIC):
            if is_frozen(t.record_class) and not _parts(t):
                return _copier(frozenset({t.record_class}), copy_of)
            return Copier(_copy_by_codec(t))
        case RecordTypeInfo():
            return Copier(_copy_of_typed_dict(_parts_by_name(t)))
    return Copier(copy_of, _OFTEN_IMMUTABLE, unchanging=IMMUTABLE)  # determined by the class of each value


_OFTEN_IMMUTABLE = (
    "type(value) in unchanging or (type(value) is tuple and unchanging.issuperset(map(type, value)))"
)


def with_rows(t: TypeInformation[Any], value: Any) -> Any:
    """Restore the rows, copied to tuples, of a value for messages."""
    if isinstance(t, OptionalTypeInfo):
        return with_rows(t.value_type, value)
    if isinstance(t, ArrayTypeInfo) and type(value) is list:
        return [with_rows(t.element_type, part) for part in value]
    if isinstance(t, MapTypeInfo) and type(value) is dict:
        return {key: with_rows(t.value_type, part) for key, part in value.items()}
    if isinstance(t, (RowTypeInfo, TupleTypeInfo)) and type(value) is tuple and len(value) == t.get_arity():
        parts = tuple(with_rows(slot.type, part) for slot, part in zip(t.slots(), value, strict=True))
        return make_row(parts, t.field_names) if isinstance(t, RowTypeInfo) else parts
    return value


def _copy_of_custom(t: CustomTypeInfo[Any]) -> Copy:
    codec = codec_for(t)

    def copy(value: Any) -> Any:
        if not isinstance(value, t.custom_class):
            return copy_of(value)
        (copied,) = codec.read_plain(pickle.loads(pickle.dumps(codec.write_plain([value]))))
        return copied

    return copy


def _copier_of_lists(part: Copier | None) -> Copier:
    if part is None:
        return Copier(copy_of, "type(value) is list", "value[:]")
    variable = f"part_{next(_NUMBERS)}"
    copied, names = _inlined(part, variable)
    return Copier(copy_of, "type(value) is list", f"[{copied} for {variable} in value]", **names)


def _copier_of_dicts(key: Copier | None, part: Copier | None) -> Copier:
    if key is None and part is None:
        return Copier(copy_of, "type(value) is dict", "value.copy()")
    key_variable, variable = f"key_{next(_NUMBERS)}", f"part_{next(_NUMBERS)}"
    copied_key, key_names = _inlined(key, key_variable)
    copied, names = _inlined(part, variable)
    made = f"{{{copied_key}: {copied} for {key_variable}, {variable} in value.items()}}"
    return Copier(copy_of, "type(value) is dict", made, **key_names, **names)


_Parts = list[tuple[int, Copier]]
"""The positions of mutable fields, with their copiers."""


def _parts(t: FieldsTypeInfo[Any], *, conformed: bool = False) -> _Parts:
    copiers = ((at, copier_for(slot.type, conformed=conformed)) for at, slot in enumerate(t.slots()))
    return [(at, copier) for at, copier in copiers if copier is not None]


def _parts_by_name(t: RecordTypeInfo[Any]) -> dict[str, Copier]:
    return {t.field_names[at]: copier for at, copier in _parts(t)}


def _copy_of_values(arity: int, parts: _Parts) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Generate a function from the values of all fields to a tuple of them, with mutable parts copied."""
    variables = [f"field_{at}" for at in range(arity)]
    copied = variables.copy()
    scope: dict[str, Any] = {}
    for at, copier in parts:
        copied[at], names = _inlined(copier, variables[at])
        scope |= names
    lines = (
        "def copy_of_values(values):",
        f"  {', '.join(variables)}, = values",
        f"  return ({', '.join(copied)},)",
    )
    exec(compile("\n".join(lines), __file__, "exec"), scope)
    return cast("Callable[[tuple[Any, ...]], tuple[Any, ...]]", scope["copy_of_values"])


def _copier_of_tuples(cls: type[tuple[Any, ...]], t: FieldsTypeInfo[Any], *, conformed: bool) -> Copier:
    parts, arity = _parts(t, conformed=conformed), t.get_arity()
    if not parts:
        return _copier(frozenset({cls}), copy_of)
    usual = f"type(value) is cls and len(value) == {arity}"
    made = "copy_of_values(value)" if cls is tuple else "new(cls, copy_of_values(value))"
    names = {"cls": cls, "copy_of_values": _copy_of_values(arity, parts), "new": tuple.__new__}
    return Copier(copy_of, usual, made, **names)


def _copier_of_rows(t: RowTypeInfo[Any], *, conformed: bool) -> Copier:
    parts, names = _parts(t, conformed=conformed), names_of(t)
    arity, classes = len(names), frozenset({row_class(names), Row})
    copy_of_values = _copy_of_values(arity, parts) if parts else None

    def copy(value: Any) -> Any:
        cls = type(value)
        if cls not in classes or len(values := value._values) != arity:
            return copy_of(value)
        copied: Row[Any] = _new(cls)
        copied._values = values if copy_of_values is None else copy_of_values(values)
        copied._row_kind = value._row_kind
        return copied

    if not conformed:
        return Copier(copy)
    usual = f"type(value) in classes and value._row_kind is insert and len(value._values) == {arity}"
    meanings = {"classes": classes, "insert": _INSERT}
    if copy_of_values is None:
        return Copier(copy, usual, "value._values", **meanings)
    made = "copy_of_values(value._values)"
    return Copier(copy, usual, made, copy_of_values=copy_of_values, **meanings)


_INSERT = RowKind.INSERT


def _copier_of_instances(t: RecordTypeInfo[Any]) -> Copier:
    cls: Any = t.record_class
    parts = _parts_by_name(t)
    if cls.__dataclass_params__.frozen and not parts:
        return _copier(frozenset({cls}), copy_of)
    return Copier(_copy_of_instance(cls, t.field_names, parts) if _only_stores(t) else copy_of)


def _only_stores(t: RecordTypeInfo[Any]) -> bool:
    """Return whether a class uses Python's default creation of instances and storage of fields."""
    cls: Any = t.record_class
    own_ways = ("__new__", "__getattribute__", *(() if cls.__dataclass_params__.frozen else ("__setattr__",)))
    return (
        all(getattr(cls, name) is getattr(object, name) for name in own_ways)
        and not any(isinstance(getattr(cls, name, None), property) for name in cls.__dataclass_fields__)
        and not allowed_attributes(cls, t.field_names).has_slots
    )


def _copy_of_instance(cls: Any, names: tuple[str, ...], parts: dict[str, Copier]) -> Copy:
    """Generate a function that copies the fields one by one, twice as fast as copying ``__dict__``."""
    store = "store(copied, {0!r}, {1})" if cls.__dataclass_params__.frozen else "copied.{0} = {1}"
    stores: list[str] = []
    allowed = allowed_attributes(cls, names)
    scope = {"cls": cls, "copy_of": copy_of, "new": _new, "store": object.__setattr__}
    scope |= {"known": allowed.known, "size": allowed.size}
    for name in names:
        copied = f"value.{name}"
        if name in parts:
            stores.append(f"part = {copied}")
            copied, meanings = _inlined(parts[name], "part")
            scope |= meanings
        stores.append(store.format(name, copied))
    others = "not known.issuperset(value.__dict__)"
    if allowed.size is not None:
        others = f"len(value.__dict__) != size and {others}"
    lines = (
        "def copy(value):",
        "  if type(value) is not cls:",
        "    return copy_of(value)",
        "  copied = new(cls)",
        "  try:",
        *(f"    {line}" for line in stores or ["pass"]),
        "  except AttributeError:",  # a field has no value
        "    return copy_of(value)",
        # Other attributes are kept, to be rejected later. Reading fields is slower once there is a dict.
        *((f"  if {others}:", "    return copy_of(value)") if allowed.has_dict else ()),
        "  return copied",
    )
    exec(compile("\n".join(lines), __file__, "exec"), scope)
    return cast("Copy", scope["copy"])


def _copy_by_codec(t: RecordTypeInfo[Any]) -> Copy:
    """Return a function that copies the fields and builds an instance as in decoding."""
    cls: Any = t.record_class
    parts, codec = _parts(t), codec_for(t)
    assert isinstance(codec, AttributesCodec)
    allowed = allowed_attributes(cls, t.field_names)
    copy_of_values = _copy_of_values(t.get_arity(), parts) if parts else tuple

    def copy(value: Any) -> Any:
        if type(value) is not cls or not allowed.covers([value]):
            return copy_of(value)
        try:
            values = tuple([part for (part,) in codec.columns([value])])
        except AttributeError:  # a field has no value
            return copy_of(value)
        (copied,) = codec.built([[part] for part in copy_of_values(values)], None, 1)
        return copied

    return copy


def _copy_of_typed_dict(parts: dict[str, Copier]) -> Copy:
    def copy(value: Any) -> Any:
        if type(value) is not dict:
            return copy_of(value)
        copied = value.copy()
        for name in parts.keys() & value:
            copied[name] = parts[name](value[name])
        return copied

    return copy
