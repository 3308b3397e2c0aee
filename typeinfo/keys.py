"""Decide whether values of a type can be keys."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from typeinfo.carried import CarriedTypeInfo
from typeinfo.composite import RecordKind, RecordTypeInfo
from typeinfo.custom import CustomTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.records import compared_names

__all__ = ["key_refusal"]


def key_refusal(t: TypeInformation[Any], path: str = "") -> str | None:
    """Return the reason why values of a type cannot be keys, or ``None`` if they can.

    Pickled objects cannot be keys, because equal ones may pickle differently; nor can instances of a class
    whose ``==`` does not compare field by field: without ``__eq__``, an instance equals only itself, and by a
    user's own ``__eq__``, equal instances may differ in their fields.

    Args:
        t: the type.
        path: the path of its values inside the key, for the returned reason.
    """
    where = f" at {path}" if path else ""
    if isinstance(t, PickledBytesTypeInfo):
        return (
            f"{t}{where} cannot be a key: equal objects may pickle to other bytes; declare the type"
            " of the key, e.g. key_type=Types.STRING()"
        )
    if isinstance(t, RecordTypeInfo) and (fault := _equality_fault(t)) is not None:
        return f"{t.record_class.__qualname__}{where} cannot be a key: {fault}"
    if isinstance(t, CustomTypeInfo):
        if t.deterministic:
            return key_refusal(t.carrier, path)
        return (
            f"{t}{where} cannot be a key: equal instances may be encoded differently; if they never are,"
            " register the class with deterministic=True"
        )
    if isinstance(t, CarriedTypeInfo):
        fault = t.key_fault()
        return key_refusal(t.carrier, path) if fault is None else f"{t}{where} cannot be a key: {fault}"
    for slot in t.slots():
        reason = key_refusal(slot.type, path + slot.segment)
        if reason is not None:
            return reason
    return None


_DATACLASS_EQ = dataclasses.make_dataclass("_", ()).__eq__.__code__.co_qualname


def _is_of_dataclass(owner: Any) -> bool:
    code = getattr(owner.__eq__, "__code__", None)
    return code is not None and code.co_qualname == _DATACLASS_EQ


def _is_of_attrs(owner: Any) -> bool:
    code = getattr(owner.__eq__, "__code__", None)
    generated = code is not None and code.co_filename.startswith("<attrs generated")
    return generated and all(attribute.eq_key is None for attribute in owner.__attrs_attrs__)


_GENERATED: dict[RecordKind, Callable[[Any], bool]] = {
    RecordKind.DATACLASS: _is_of_dataclass,
    RecordKind.NAMED_TUPLE: lambda owner: owner is tuple,
    RecordKind.ATTRS: _is_of_attrs,
    RecordKind.PYDANTIC: lambda owner: owner.__module__.partition(".")[0] == "pydantic",
}
"""Whether the ``==`` that a base of a record class defines compares field by field."""


def _equality_fault(t: RecordTypeInfo[Any]) -> str | None:
    """Return the reason why equal instances of a record class may differ in their fields, else ``None``."""
    if t.kind is RecordKind.TYPED_DICT:
        return None
    cls = t.record_class
    owner = next(base for base in cls.__mro__ if "__eq__" in vars(base))
    if owner is object:
        return "it has no __eq__, so no two instances are equal; declare it with @dataclass(eq=True)"
    if not _GENERATED[t.kind](owner):
        return (
            "it has an __eq__ of its own, so equal instances may differ in their fields; use a field as key"
        )
    if t.kind in (RecordKind.DATACLASS, RecordKind.ATTRS) and compared_names(owner) != compared_names(cls):
        return f"its __eq__ is that of {owner.__qualname__}, which has other fields; declare it with eq=True"
    return None
