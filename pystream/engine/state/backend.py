"""KeyedStateBackend: all state of one operator in one subtask."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from pystream.engine.state.checks import check_of
from pystream.engine.state.descriptors import (
    AggregatingStateDescriptor,
    ListStateDescriptor,
    MapStateDescriptor,
    ReducingStateDescriptor,
    StateDescriptor,
    ValueStateDescriptor,
)
from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.expiring import (
    ExpiringListState,
    ExpiringMapState,
    ExpiringValueState,
    Expiry,
    drop_expired,
)
from pystream.engine.state.heap import (
    Check,
    HeapAggregatingState,
    HeapListState,
    HeapMapState,
    HeapReducingState,
    HeapValueState,
    Scope,
    Table,
)
from pystream.engine.state.interfaces import (
    AggregatingState,
    KeyedStateStore,
    ListState,
    MapState,
    ReducingState,
    ValueState,
)
from pystream.engine.time.clock import Clock
from typeinfo.info import TypeInformation

__all__ = ["KeyedStateBackend"]


@dataclass(slots=True)
class _Registered:
    kind: type[Any]
    type_info: TypeInformation[Any]
    table: Table
    expiry: Expiry | None


class KeyedStateBackend:
    """Keeps the state of one operator by descriptor name and slot.

    Args:
        clock: the clock of times to live.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._registered: dict[str, _Registered] = {}
        self._restored: dict[str, Table] = {}

    def store(self, scope: Scope, prefix: str = "") -> KeyedStateStore:
        """Return the states of a scope; those of another prefix are others, even of the same name."""
        return _Store(self, scope, prefix)

    def table(self, name: str, descriptor: StateDescriptor[Any], kind: type[Any]) -> Table:
        """Return the table behind a state.

        Raises:
            StateAccessError: the name is that of a state of another kind or type, or of one that does not
                expire while this one does, or the other way round.
        """
        found, expiry = self._registered.get(name), self.expiry(descriptor)
        if found is None:
            found = _Registered(kind, descriptor.type_info, self._restored.pop(name, {}), expiry)
            self._registered[name] = found
        elif found.kind is not kind or found.type_info != descriptor.type_info:
            raise StateAccessError(
                f"state {descriptor.name!r} is a {found.kind.__name__} of {found.type_info} already; it "
                f"cannot also be a {kind.__name__} of {descriptor.type_info}: use another name"
            )
        if (found.expiry is None) is not (expiry is None):
            raise StateAccessError(
                f"state {descriptor.name!r} is asked for both with a time to live and without: use one "
                f"descriptor, or another name"
            )
        return found.table

    def expiry(self, descriptor: StateDescriptor[Any]) -> Expiry | None:
        """Return the expiry of the values of a state, ``None`` if they do not expire."""
        config = descriptor.ttl_config
        return None if config is None else Expiry(config, self._clock)

    def clear(self) -> None:
        """Remove all state of all slots."""
        for registered in self._registered.values():
            registered.table.clear()

    def snapshot(self) -> dict[str, Table]:
        """Return all state by name and slot, without expired values.

        The tables are those in use, to be pickled before they change.
        """
        for registered in self._registered.values():
            if registered.expiry is not None:
                drop_expired(registered.table, registered.kind, registered.expiry)
        tables = {name: registered.table for name, registered in self._registered.items()}
        return tables | self._restored

    def restore(self, tables: dict[str, Table]) -> None:
        """Take over the state of a snapshot, each table when its state is first asked for."""
        self._restored = dict(tables)
        for name, registered in self._registered.items():
            registered.table.clear()
            registered.table.update(self._restored.pop(name, {}))


class _Store(KeyedStateStore):
    def __init__(self, backend: KeyedStateBackend, scope: Scope, prefix: str) -> None:
        self._backend = backend
        self._scope = scope
        self._prefix = prefix

    def get_state(self, state_descriptor: ValueStateDescriptor[Any]) -> ValueState[Any]:
        """Return a state of one value a slot."""
        return self._value(state_descriptor, ValueState)

    def get_list_state(self, state_descriptor: ListStateDescriptor[Any]) -> ListState[Any]:
        """Return a state of a list a slot."""
        table, expiry = self._opened(state_descriptor, ListState)
        check = check_of(state_descriptor.elem_type_info)
        if expiry is None:
            return HeapListState(table, self._scope, check)
        return ExpiringListState(table, self._scope, check, expiry)

    def get_map_state(self, state_descriptor: MapStateDescriptor[Any, Any]) -> MapState[Any, Any]:
        """Return a state of a mapping a slot."""
        table, expiry = self._opened(state_descriptor, MapState)
        checks = check_of(state_descriptor.key_type_info), _check_nullable(state_descriptor.value_type_info)
        if expiry is None:
            return HeapMapState(table, self._scope, *checks)
        return ExpiringMapState(table, self._scope, *checks, expiry)

    def get_reducing_state(self, state_descriptor: ReducingStateDescriptor[Any]) -> ReducingState[Any]:
        """Return a state that folds values with a reduce function."""
        return HeapReducingState(self._value(state_descriptor, ReducingState), state_descriptor.fold)

    def get_aggregating_state(
        self, state_descriptor: AggregatingStateDescriptor[Any, Any, Any]
    ) -> AggregatingState[Any, Any]:
        """Return a state that folds values with an aggregate function."""
        accumulated = self._value(state_descriptor, AggregatingState)
        return HeapAggregatingState(accumulated, state_descriptor.get_agg_function())

    def _value(self, descriptor: StateDescriptor[Any], kind: type[Any]) -> ValueState[Any]:
        table, expiry = self._opened(descriptor, kind)
        check = check_of(descriptor.type_info)
        if expiry is None:
            return HeapValueState(table, self._scope, check)
        return ExpiringValueState(table, self._scope, check, expiry)

    def _opened(self, descriptor: StateDescriptor[Any], kind: type[Any]) -> tuple[Table, Expiry | None]:
        table = self._backend.table(self._prefix + descriptor.name, descriptor, kind)
        return table, self._backend.expiry(descriptor)


def _check_nullable(type_info: TypeInformation[Any]) -> Check:
    """Return the check of a value of a map against a type; ``None`` is allowed, as in all maps."""
    return partial(_conformed_or_none, check_of(type_info))


def _conformed_or_none(check: Check, value: Any) -> Any:
    return None if value is None else check(value)
