"""Check that a job can start from a savepoint, before it starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from pystream.engine.state.errors import StateMigrationError
from pystream.engine.state.evolution import StateTypes
from pystream.hosts.unbounded.identify import KnownStates
from pystream.hosts.unbounded.identity import JobIdentity, compare
from pystream.hosts.unbounded.savepoint_reader import SavepointReader

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
    for uid, history in savepoint.types(titles).items():
        stored = StateTypes(history)
        for name, declared in known.get(uid, KnownStates()).types.items():
            try:
                stored.register(name, declared)
            except StateMigrationError as error:
                yield f"{titles[uid]}: {error}"
