"""State schema evolution: values stored with an earlier type are migrated when they are loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.slots import Table
from pystream.engine.state.state import StateDescriptor
from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordKind, RecordTypeInfo, RowTypeInfo, TupleTypeInfo
from typeinfo.extended import OptionalTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.records import MISSING, field_default, with_added
from typeinfo.row import Row

__all__ = ["MigrateTable", "StateHistory", "StateType", "StateTypes", "merged_history", "migrate_values"]

Migration: TypeAlias = Callable[[Any], Any] | None
"""Returns the migrated form of a value; ``None`` if values stay as they are."""

MigrateTable: TypeAlias = Callable[[Table, Callable[[Any], Any]], None]
"""Replaces all values in the table of a state by their migrated forms."""


class StateType(NamedTuple):
    """The stored form of the values of a state.

    Attributes:
        kind: the kind of state, as ``StateDescriptor.KIND``.
        type_info: the type of its values.
        expires: whether values are stored with the time of their last renewal.
    """

    kind: str
    type_info: TypeInformation[Any]
    expires: bool

    @classmethod
    def of(cls, descriptor: StateDescriptor[Any]) -> StateType:
        """Return the stored form of a state."""
        return cls(descriptor.KIND, descriptor.type_info, descriptor.ttl_config is not None)

    def __str__(self) -> str:
        return f"{self.kind} of {self.type_info}{' with a time to live' if self.expires else ''}"


StateHistory: TypeAlias = "Mapping[str, Sequence[StateType]]"
"""The types that each state of an operator has had, the latest last, by the name of the state."""


class StateTypes:
    """The history of the types of an operator's states, the latest last.

    Args:
        history: the types of each state by name, stored with the state.
    """

    def __init__(self, history: StateHistory | None = None) -> None:
        self.history: dict[str, list[StateType]] = {
            name: list(types) for name, types in (history or {}).items()
        }

    def register(self, name: str, declared: StateType) -> Migration:
        """Record the declared type of a state; return the migration from the type before.

        Raises:
            StateMigrationError: values cannot be migrated.
        """
        types = self.history.setdefault(name, [declared])
        if types[-1] == declared:
            return None
        migration = _of_state(name, types[-1], declared)
        types.append(declared)
        return migration

    def versions(self) -> dict[str, int]:
        """Return the number of the current type of each state whose type has changed."""
        return {name: len(types) - 1 for name, types in self.history.items() if len(types) > 1}

    def migrations(self, name: str, version: int) -> Iterator[Callable[[Any], Any]]:
        """Yield what turns a value of an earlier type into one of the current type, step by step."""
        for before, after in pairwise(self.history.get(name, ())[version:]):
            migration = _of_state(name, before, after)
            if migration is not None:
                yield migration


def merged_history(name: str, histories: Iterable[Sequence[StateType]]) -> list[StateType]:
    """Return the types that a state has had in all subtasks, some of which may not have used the latest yet.

    Raises:
        StateMigrationError: subtasks have used it with different types.
    """
    longest: list[StateType] = []
    for history in histories:
        shorter, longest = sorted((longest, list(history)), key=len)
        if shorter != longest[: len(shorter)]:
            raise StateMigrationError(
                f"state {name!r} is a {shorter[-1]} in one subtask and a {longest[-1]} in another: declare "
                "it alike in all of them"
            )
    return longest


def migrate_values(table: Table, migration: Callable[[Any], Any]) -> None:
    """Migrate the values of a table in place: the way of states of functions."""
    for slot, value in table.items():
        table[slot] = migration(value)


_MAPS = ("MapState", "BroadcastState")


def _of_state(name: str, before: StateType, after: StateType) -> Migration:
    if before.kind != after.kind or before.expires is not after.expires:
        raise StateMigrationError(
            f"state {name!r} was stored as a {before}, and is a {after} now, which stored values cannot "
            f"become: use another name for it"
        )
    stamped = _stamped if after.expires else (lambda migration: migration)
    old, new = before.type_info, after.type_info
    try:
        if after.kind == "ListState" and isinstance(old, ArrayTypeInfo) and isinstance(new, ArrayTypeInfo):
            return _each(stamped(_of_type(old.element_type, new.element_type, "[]")))
        if after.kind in _MAPS and isinstance(old, MapTypeInfo) and isinstance(new, MapTypeInfo):
            _require_same(old.key_type, new.key_type, "{}")
            return _each_value(stamped(_of_type(old.value_type, new.value_type, "[]")))
        return stamped(_of_type(old, new, ""))
    except _IncompatibleError as error:
        path = error.args[0]
        was, becomes = (part if isinstance(part, str) else part.display_name() for part in error.args[1:])
        place = f" at {path}" if path else ""
        raise StateMigrationError(
            f"state {name!r} has another type than the stored one{place}: it was {was}, and is {becomes} "
            f"now; fields may be added if they have a default or may be null, any other change needs a new "
            f"name of the state"
        ) from None


class _IncompatibleError(Exception):
    """A type cannot be migrated to another; holds the path and both types."""


def _require_same(old: TypeInformation[Any], new: TypeInformation[Any], path: str) -> None:
    if old != new:
        raise _IncompatibleError(path, old, new)


def _of_type(old: TypeInformation[Any], new: TypeInformation[Any], path: str) -> Migration:
    if old == new:
        return None
    if isinstance(old, RecordTypeInfo) and isinstance(new, RecordTypeInfo) and _have_one_class(old, new):
        return _of_record(old, new, path)
    if isinstance(new, OptionalTypeInfo):
        within = old.value_type if isinstance(old, OptionalTypeInfo) else old
        return _unless_none(_of_type(within, new.value_type, path))
    if type(old) is not type(new):
        raise _IncompatibleError(path, old, new)
    if isinstance(old, RowTypeInfo) and isinstance(new, RowTypeInfo):
        return _of_row(old, new, path)
    if isinstance(old, TupleTypeInfo) and isinstance(new, TupleTypeInfo):
        if len(old.field_types) == len(new.field_types):
            return partial(_tuple, [migration for _, migration in _of_fields(old, new, path)])
    elif isinstance(old, ArrayTypeInfo) and isinstance(new, ArrayTypeInfo):
        return _each(_of_type(old.element_type, new.element_type, f"{path}[]"))
    elif isinstance(old, MapTypeInfo) and isinstance(new, MapTypeInfo):
        _require_same(old.key_type, new.key_type, f"{path}{{}}")
        return _each_value(_of_type(old.value_type, new.value_type, f"{path}[]"))
    raise _IncompatibleError(path, old, new)


def _have_one_class(old: RecordTypeInfo[Any], new: RecordTypeInfo[Any]) -> bool:
    before, after = old.record_class, new.record_class
    same_name = (before.__module__, before.__qualname__) == (after.__module__, after.__qualname__)
    return old.kind is new.kind and (before is after or same_name)


def _of_fields(old: FieldsTypeInfo[Any], new: FieldsTypeInfo[Any], path: str) -> list[tuple[str, Migration]]:
    """Return the migration of each field that both types have; none may be missing."""
    before = dict(zip(old.get_field_names(), old.slots(), strict=True))
    after = dict(zip(new.get_field_names(), new.slots(), strict=True))
    if not before.keys() <= after.keys():
        raise _IncompatibleError(path, old, new)
    fields = []
    for name, slot in before.items():
        now = after[name]
        if slot.nullable and not now.nullable and not now.type.admits_none():
            raise _IncompatibleError(f"{path}{slot.segment}", old, new)
        fields.append((name, _of_type(slot.type, now.type, f"{path}{slot.segment}")))
    return fields


def _of_row(old: RowTypeInfo[Any], new: RowTypeInfo[Any], path: str) -> Migration:
    if (old.field_names is None) is not (new.field_names is None):
        raise _IncompatibleError(path, old, new)
    fields = _of_fields(old, new, path)
    before = {name: (at, migration) for at, (name, migration) in enumerate(fields)}
    for slot, name in zip(new.slots(), new.get_field_names(), strict=True):
        if name not in before and not slot.nullable and not slot.type.admits_none():
            raise _IncompatibleError(f"{path}{slot.segment}", "absent", slot.type)
    places = [before.get(name) for name in new.get_field_names()]
    return partial(_row, new.field_names, places)


def _of_record(old: RecordTypeInfo[Any], new: RecordTypeInfo[Any], path: str) -> Migration:
    by_position = new.kind is RecordKind.NAMED_TUPLE or not hasattr(new.record_class, "__dict__")
    if by_position and new.field_names[: len(old.field_names)] != old.field_names:
        raise _IncompatibleError(path, old, new)
    fields = _of_fields(old, new, path)
    defaults: dict[str, Callable[[], Any]] = {}
    for slot, name in zip(new.slots(), new.field_names, strict=True):
        if name in old.field_names or (new.kind is RecordKind.TYPED_DICT and name in new.optional_keys):
            continue
        default = field_default(new.record_class, new.kind, name)
        if default is MISSING:
            if not slot.type.admits_none():
                raise _IncompatibleError(f"{path}{slot.segment}", "absent", slot.type)
            default = _none
        defaults[name] = default
    changed = {name: migration for name, migration in fields if migration is not None}
    return partial(with_added, new.kind, defaults, changed)


def _none() -> None:
    return None


def _row(
    names: tuple[str, ...] | None, places: list[tuple[int, Migration] | None], value: Row[Any] | None
) -> Row[Any] | None:
    if value is None:
        return None
    held = list(value)
    values = [None if place is None else _migrated(held[place[0]], place[1]) for place in places]
    kind = value.get_row_kind()
    if names is None:
        return Row.of_kind(kind, *values)
    return Row.of_kind(kind, **dict(zip(names, values, strict=True)))


def _tuple(migrations: list[Migration], value: Any) -> Any:
    if value is None:
        return None
    return tuple(_migrated(part, migration) for part, migration in zip(value, migrations, strict=True))


def _migrated(value: Any, migration: Migration) -> Any:
    return value if migration is None or value is None else migration(value)


def _unless_none(migration: Migration) -> Migration:
    return None if migration is None else lambda value: _migrated(value, migration)


def _each(migration: Migration) -> Migration:
    if migration is None:
        return None
    return lambda values: None if values is None else [_migrated(value, migration) for value in values]


def _each_value(migration: Migration) -> Migration:
    if migration is None:
        return None
    return lambda held: (
        None if held is None else {key: _migrated(value, migration) for key, value in held.items()}
    )


def _stamped(migration: Migration) -> Migration:
    if migration is None:
        return None
    return lambda stored: (_migrated(stored[0], migration), stored[1])
