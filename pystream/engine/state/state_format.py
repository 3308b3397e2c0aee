"""StateFormat: how the state of an operator is stored, as data or as any objects that the program pickles."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pystream.engine.failure import OperatorLabel, TaskFailure
from pystream.engine.state.errors import StateMigrationError, StateStorageError
from pystream.engine.stored_data import (
    NO_CLASSES,
    Classes,
    DataError,
    MissingClassError,
    dump_data,
    load_data,
)
from typeinfo.errors import summarize
from typeinfo.pickling import dump_state

__all__ = ["StateFormat"]


@dataclass(frozen=True, slots=True)
class StateFormat:
    """Stores and loads the state of an operator, as its declarations allow.

    Attributes:
        label: the operator.
        is_data: whether all its state has known types, so that nothing but data is stored and loaded.
        classes: the classes that these types name.
    """

    label: OperatorLabel
    is_data: bool = True
    classes: Classes = NO_CLASSES

    def dump(self, value: Any, tables: Mapping[str, Any] | None = None) -> bytes:
        """Pickle state.

        Args:
            value: the state.
            tables: the tables in it by the name of their state, for messages.

        Raises:
            StateStorageError: state of known types holds something else than data.
            Exception: it cannot be pickled.
        """
        if not self.is_data:
            return dump_state(value)
        try:
            return dump_data(value, self.classes)
        except DataError as error:
            raise self._refusal(error, tables or {}) from error

    def load(self, stored: bytes) -> Any:
        """Return what was pickled.

        Raises:
            TaskFailure: it cannot be loaded, or holds something else than data; it names the operator.
        """
        try:
            return load_data(stored, self.classes) if self.is_data else pickle.loads(stored)
        except Exception as error:
            is_missing = isinstance(error, AttributeError | ImportError | MissingClassError)
            cause = StateMigrationError(
                f"the stored state cannot be loaded: {summarize(error)}; "
                f"{'restore the class that it names, or ' if is_missing else ''}"
                "give the operator a new uid to start with empty state"
            )
            raise TaskFailure.of(self.label, cause) from error

    def _refusal(self, error: DataError, tables: Mapping[str, Any]) -> StateStorageError:
        for name, table in tables.items():
            try:
                dump_data(table, self.classes)
            except DataError as found:
                return StateStorageError(f"state {name!r} cannot be stored: {found}; {_REMEDY}")
        return StateStorageError(f"its state cannot be stored: {error}; {_REMEDY}")


_REMEDY = (
    "states and keys of known types hold only data, from which the program makes what it needs; for any "
    "other objects, declare the state with Types.PICKLED_BYTE_ARRAY()"
)
