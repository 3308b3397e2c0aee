"""KeyedStateBackend: the keyed state of one operator in one subtask."""

from __future__ import annotations

import pickle
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from pystream.engine.failure import OperatorLabel
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.evolution import MigrateTable, StateType, StateTypes, migrate_values
from pystream.engine.state.slots import Expiry, SlotScope, Table
from pystream.engine.state.state import StateDescriptor, holds_data
from pystream.engine.state.state_format import StateFormat
from pystream.engine.state.store import KeyedStateStore
from pystream.engine.stored_data import classes_of, is_data
from pystream.engine.time.clock import Clock
from typeinfo.info import TypeInformation
from typeinfo.pickling import dump_state

__all__ = ["KeyedStateBackend", "OwnState"]

S = TypeVar("S")


class OwnState(NamedTuple):
    """A state of the operator itself, which its functions cannot use.

    Attributes:
        descriptor: its name and type.
        migrate: migrates the values in its table, which may be arranged in a way of its own.
    """

    descriptor: StateDescriptor[Any]
    migrate: MigrateTable = migrate_values


@dataclass(slots=True)
class _Registered:
    descriptor: StateDescriptor[Any]
    table: Table
    expiry: Expiry | None
    own: OwnState | None
    is_apart: bool


class _Apart(NamedTuple):
    """A value that only the declaration of its state loads: ``dump_state`` has pickled it."""

    pickled: bytes


class KeyedStateBackend:
    """Store the state of one operator by descriptor name and slot.

    Args:
        clock: the clock of the time to live.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._registered: dict[str, _Registered] = {}
        self._restored: dict[str, Table] = {}
        self._types = StateTypes()
        self._stores_data = False

    def state_format(
        self, label: OperatorLabel, types: Iterable[TypeInformation[Any]], *, has_known_slots: bool = True
    ) -> StateFormat:
        """Return how the state is stored, as the states declared so far decide.

        It is stored as data if all of them have known types. Values of states without a known type that are
        declared later are then pickled one by one, and loaded once their state is declared.

        Args:
            label: the operator.
            types: the types of what is stored with it.
            has_known_slots: whether the slots are keys and windows that are data.
        """
        declared = [each.descriptor for each in self._registered.values()]
        others = [*types]
        are_data = all(map(holds_data, declared)) and all(map(is_data, others))
        self._stores_data = has_known_slots and are_data
        classes = classes_of([*others, *(descriptor.type_info for descriptor in declared)])
        return StateFormat(label, self._stores_data, classes)

    @property
    def types(self) -> StateTypes:
        """The types that states have had."""
        return self._types

    def restore_types(self, types: StateTypes) -> None:
        """Restore the types of stored state; check states that are registered already.

        Raises:
            StateMigrationError: the stored values of a state cannot become those of its type.
        """
        self._types = types
        for name, found in self._registered.items():
            types.register(name, StateType.of(found.descriptor))

    def store(self, scope: SlotScope, prefix: str = "") -> KeyedStateStore:
        """Return the states of a scope; each prefix has a namespace of its own."""
        return _Store(self, scope, prefix)

    def own_table(self, own: OwnState) -> Table:
        """Return the table of a state of the operator itself, before its functions use any.

        Raises:
            StateMigrationError: its stored values cannot become those of its type.
        """
        return self._new(own.descriptor.name, own.descriptor, own).table

    def table(self, name: str, descriptor: StateDescriptor[Any]) -> Table:
        """Return the table of a state of a function.

        Raises:
            StateMigrationError: its stored values cannot become those of its type.
            StateAccessError: a state with the same name has another kind or type, differs in whether it
                expires, or is one of the operator itself.
        """
        found, expiry = self._registered.get(name), self.expiry(descriptor)
        if found is None:
            found = self._new(name, descriptor)
        elif found.own is not None:
            raise StateAccessError(
                f"state {descriptor.name!r} is one of the operator itself: use another name"
            )
        elif (before := found.descriptor).KIND != descriptor.KIND or (
            before.type_info != descriptor.type_info
        ):
            raise StateAccessError(
                f"state {descriptor.name!r} is a {before.KIND} of {before.type_info} already; it "
                f"cannot also be a {descriptor.KIND} of {descriptor.type_info}: use another name"
            )
        if (found.expiry is None) is not (expiry is None):
            raise StateAccessError(
                f"state {descriptor.name!r} is requested both with and without a time to live: use one "
                f"descriptor, or another name"
            )
        return found.table

    def _new(self, name: str, descriptor: StateDescriptor[Any], own: OwnState | None = None) -> _Registered:
        is_apart = self._stores_data and not holds_data(descriptor)
        table = self._restored.pop(name, {})
        found = _Registered(
            descriptor,
            table if holds_data(descriptor) else _loaded(table),
            self.expiry(descriptor),
            own,
            is_apart,
        )
        migration = self._types.register(name, StateType.of(descriptor))
        if migration is not None:
            (migrate_values if own is None else own.migrate)(found.table, migration)
        self._registered[name] = found
        return found

    def migrate(self, tables: Mapping[str, Table], versions: Mapping[str, int]) -> None:
        """Migrate the values in tables that were stored with earlier types.

        Args:
            tables: the tables by the name of their state.
            versions: the numbers of these types, where it is not the first.
        """
        for name in self._types.versions():
            if name in tables:
                found = self._registered.get(name)
                migrate = migrate_values if found is None or found.own is None else found.own.migrate
                for migration in self._types.migrations(name, versions.get(name, 0)):
                    migrate(tables[name], migration)

    def expiry(self, descriptor: StateDescriptor[Any]) -> Expiry | None:
        """Return the expiry of a state's values, ``None`` if they do not expire."""
        config = descriptor.ttl_config
        return None if config is None else Expiry(config, self._clock)

    def holds(self, slot: Hashable) -> bool:
        """Return whether a slot has state, expired or not."""
        tables = chain((each.table for each in self._registered.values()), self._restored.values())
        return any(slot in table for table in tables)

    def tables(self) -> dict[str, Table]:
        """Return all state by name and slot; the tables are live."""
        return {name: registered.table for name, registered in self._registered.items()} | self._restored

    def clear(self) -> None:
        """Remove all state in all slots."""
        for registered in self._registered.values():
            registered.table.clear()
        self._restored.clear()

    @property
    def has_expiring_state(self) -> bool:
        """Whether the values of a state expire."""
        return any(registered.expiry is not None for registered in self._registered.values())

    def drop_expired(self) -> None:
        """Remove all expired values."""
        for registered in self._registered.values():
            if registered.expiry is not None:
                registered.descriptor.drop_expired(registered.table, registered.expiry)

    def snapshot(self) -> dict[str, Table]:
        """Return all state by name and slot, without expired values.

        The tables are live and must be pickled before they change.
        """
        self.drop_expired()
        tables = self.tables()
        for name, registered in self._registered.items():
            if registered.is_apart:
                tables[name] = {slot: _Apart(dump_state(value)) for slot, value in registered.table.items()}
        return tables

    def add(self, name: str, table: Table) -> None:
        """Add the values of further slots to a state, which may be registered later."""
        registered = self._registered.get(name)
        found = self._restored.setdefault(name, {}) if registered is None else registered.table
        is_pickled = registered is not None and not holds_data(registered.descriptor)
        found.update(_loaded(table) if is_pickled else table)


def _loaded(table: Table) -> Table:
    """Return a table with the values that were pickled one by one."""
    return {
        slot: pickle.loads(value.pickled) if isinstance(value, _Apart) else value
        for slot, value in table.items()
    }


class _Store(KeyedStateStore):
    def __init__(self, backend: KeyedStateBackend, scope: SlotScope, prefix: str) -> None:
        self._backend = backend
        self._scope = scope
        self._prefix = prefix

    def _state(self, descriptor: StateDescriptor[Any, S]) -> S:
        table = self._backend.table(self._prefix + descriptor.name, descriptor)
        return descriptor.state(table, self._scope, self._backend.expiry(descriptor))
