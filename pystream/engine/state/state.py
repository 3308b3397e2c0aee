"""Base classes of keyed state and of state descriptors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, ClassVar, Generic

from typing_extensions import TypeVar

from pystream.engine.state.errors import StateAccessError
from pystream.engine.state.slots import Check, Expiry, SlotScope, Table
from pystream.engine.state.ttl import StateTtlConfig
from pystream.engine.stored_data import is_data
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation, require_type

__all__ = [
    "AppendingState",
    "MergingState",
    "SlotState",
    "State",
    "StateDescriptor",
    "holds_data",
    "merge_by_adding",
    "of_data",
]

T = TypeVar("T")
IN = TypeVar("IN")
OUT = TypeVar("OUT")
D = TypeVar("D", bound="StateDescriptor[Any]")
S_co = TypeVar("S_co", covariant=True, default=Any)


class State(ABC):
    """State of the current key; each key has its own.

    Mirrors ``org.apache.flink.api.common.state.State``.
    """

    @abstractmethod
    def clear(self) -> None:
        """Remove the value of the current key."""


class AppendingState(State, Generic[IN, OUT]):
    """State to which values are added. Mirrors ``org.apache.flink.api.common.state.AppendingState``."""

    @abstractmethod
    def get(self) -> OUT:
        """Return the result of the added values."""

    @abstractmethod
    def add(self, value: IN) -> None:
        """Add a value.

        Raises:
            TypeCheckError: it does not fit the descriptor's type.
        """


class MergingState(AppendingState[IN, OUT]):
    """State that can be merged, e.g. for session windows. Mirrors ``…common.state.MergingState``."""


def of_data(descriptor: D) -> D:
    """Mark the values of a state as data, whatever its type: keys, windows and numbers of pystream's own."""
    descriptor._holds_data = True
    return descriptor


def holds_data(descriptor: StateDescriptor[Any]) -> bool:
    """Return whether the values of a state are data, rather than any object that the program pickles."""
    return descriptor._holds_data


@checks_arguments(ArgumentTypeError, methods=False)
class StateDescriptor(ABC, Generic[T, S_co]):
    """The name and type of a state. Mirrors ``…api.common.state.StateDescriptor``.

    Args:
        name: unique within an operator.
        type_info: type of the stored values, which are validated.
    """

    KIND: ClassVar[str]
    """Name of the class of its states, for messages."""

    def __init__(self, name: str, type_info: TypeInformation[Any]) -> None:
        if not isinstance(name, str) or not name:
            raise ArgumentTypeError(f"a state needs a name, a str that is not empty, not {short_repr(name)}")
        self.name = name
        self.type_info: TypeInformation[Any] = require_type(type_info, f"the type of state {name!r}")
        self._ttl_config: StateTtlConfig | None = None
        self._holds_data = is_data(self.type_info)

    def get_name(self) -> str:
        """Return the name."""
        return self.name

    @checks_arguments(ArgumentTypeError)
    def enable_time_to_live(self, ttl_config: StateTtlConfig) -> None:
        """Let values expire after a time to live."""
        self._ttl_config = ttl_config

    @property
    def ttl_config(self) -> StateTtlConfig | None:
        """The time to live, ``None`` if values do not expire."""
        return self._ttl_config if self._ttl_config is not None and self._ttl_config.is_enabled() else None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {self.type_info})"

    @abstractmethod
    def state(self, table: Table, scope: SlotScope, expiry: Expiry | None) -> S_co:
        """Return the state stored in a table; its values expire if an expiry is given."""

    def drop_expired(self, table: Table, expiry: Expiry) -> None:
        """Remove expired values from the table of a state, even if they are still visible."""
        for slot in [slot for slot, stored in table.items() if expiry.is_over(stored)]:
            del table[slot]

    def merge(self, table: Table, scope: SlotScope, slots: Sequence[Hashable], expiry: Expiry | None) -> None:
        """Move the state of other slots into that of the current one, as when windows merge.

        Raises:
            StateAccessError: such a state cannot be merged.
        """
        raise StateAccessError(
            f"{self} is the state of a trigger whose windows merge, and cannot be merged:"
            f" use a list, reducing or aggregating state"
        )


def merge_by_adding(
    state: Any, scope: SlotScope, slots: Iterable[Hashable], values: Callable[[Any], Iterable[Any]]
) -> None:
    """Add the values of other slots to the state of the current one, and clear the other slots.

    Args:
        state: the state.
        scope: its scope.
        slots: the other slots.
        values: returns the values to add from the contents of a slot.
    """
    into = scope.slot
    for slot in slots:
        scope.slot = slot
        found = values(state.get())
        state.clear()
        scope.slot = into
        for value in found:
            if value is not None:
                state.add(value)


class SlotState(State):
    """State of the current slot, stored in a table.

    Args:
        table: the values of all slots.
        scope: the current slot.
        check: returns the form in which a value is stored.
    """

    __slots__ = ("_check", "_scope", "_table")

    def __init__(self, table: Table, scope: SlotScope, check: Check) -> None:
        self._table = table
        self._scope = scope
        self._check = check

    def clear(self) -> None:
        """Remove the state of the slot; fails without a current slot, even if the table is empty."""
        if self._scope.slot in self._table:
            del self._table[self._scope.slot]
