"""Check that a job can start from a savepoint, before it starts."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import cast

from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.evolution import StateHistory, StateTypes
from pystream.engine.stored_data import DataError, MissingClassError, classes_of, has_functions, load_data
from pystream.errors import CheckpointError
from pystream.hosts.unbounded.identify import KnownStates
from pystream.hosts.unbounded.identity import JobIdentity, compare
from pystream.hosts.unbounded.savepoint_reader import SavepointReader
from typeinfo.errors import summarize

__all__ = ["check_savepoint"]


def check_savepoint(
    location: str,
    identity: JobIdentity,
    known: Mapping[str, KnownStates],
    *,
    allow_non_restored_state: bool,
) -> None:
    """Check that a savepoint is intact, and that its state fits a program.

    The states of functions are not known yet: they are checked when a function declares them.

    Args:
        location: location of the savepoint.
        identity: the operators of the program.
        known: those of their states that are known before it starts, by uid.
        allow_non_restored_state: whether the state of operators that the program lacks may be dropped.

    Raises:
        CheckpointError: a file is missing, damaged or of another savepoint, or the state does not fit; the
            message names the file, or operator, state and the place in its type.
        ConnectorError: no file system is known for the location.
    """
    savepoint = SavepointReader(location)
    savepoint.verify()
    differences = compare(savepoint.metadata.identity, identity)
    if not differences.conflicts:
        differences = replace(differences, conflicts=tuple(_conflicts(savepoint, identity, known)))
    differences.check(allow_non_restored_state=allow_non_restored_state)


def _conflicts(
    savepoint: SavepointReader, identity: JobIdentity, known: Mapping[str, KnownStates]
) -> Iterator[str]:
    """Yield the reasons why states cannot be migrated to the types of the program."""
    titles = {operator.uid: operator.title for operator in identity.operators}
    stored_types = savepoint.types()
    for uid in titles.keys() & known.keys() & stored_types.keys():
        stored = StateTypes(_history(savepoint, titles[uid], stored_types[uid], known[uid]))
        for name, declared in known[uid].types.items():
            try:
                stored.register(name, declared)
            except StateMigrationError as error:
                yield f"{titles[uid]}: {error}"


def _history(savepoint: SavepointReader, title: str, stored: bytes, known: KnownStates) -> StateHistory:
    declared = [state.type_info for state in known.types.values()]
    try:
        if any(map(has_functions, declared)):
            return cast("StateHistory", pickle.loads(stored))
        return cast("StateHistory", load_data(stored, classes_of(declared)))
    except Exception as error:
        if isinstance(error, DataError) and not isinstance(error, MissingClassError):
            return {}  # types of states that functions declare, when their operator loads them
        raise CheckpointError(
            f"savepoint {savepoint.location} has state of operator {title} whose type the program no longer "
            f"has ({summarize(error)}); restore it, or give the operator a new uid to start with empty state"
        ) from error
