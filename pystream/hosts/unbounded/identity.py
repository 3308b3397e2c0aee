"""JobIdentity: the operators of a job and their states, compared when the job resumes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from pystream.engine.state.evolution import StateType
from pystream.errors import CheckpointError

__all__ = ["Compatibility", "JobIdentity", "OperatorIdentity", "StateInfo", "compare"]


@dataclass(frozen=True, slots=True)
class StateInfo:
    """A state of an operator.

    Attributes:
        name: its name in the operator.
        kind: its kind, such as ``ValueState``.
        type: its type, as text.
    """

    name: str
    kind: str
    type: str

    @classmethod
    def of(cls, name: str, declared: StateType) -> Self:
        """Return the description of a state."""
        return cls(name, declared.kind, str(declared.type_info))


@dataclass(frozen=True, slots=True)
class OperatorIdentity:
    """An operator of a job.

    Attributes:
        uid: identifies it across versions of the program.
        name: its display name.
        kind: its kind, such as ``KeyedProcess``.
        chain: number of the chain that it runs in, which numbers the splits and positions of a source, too.
        parallelism: number of its subtasks.
        max_parallelism: its number of key groups.
        key_type: the type of its keys, as text; empty if it is not keyed.
        has_state: whether something of it is restored, such as its state, timers or position.
        states: the states known so far; functions may add some while they run.
        layout: the arrangement of the state of windows, which must not change; empty if there is only one.
    """

    uid: str
    name: str
    kind: str
    chain: int
    parallelism: int
    max_parallelism: int
    key_type: str = ""
    has_state: bool = False
    states: tuple[StateInfo, ...] = ()
    layout: str = ""

    @property
    def title(self) -> str:
        """Its uid and name, for messages."""
        return f"{self.name!r} (uid {self.uid})"

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the operator that ``asdict`` described."""
        states = tuple(StateInfo(**state) for state in value["states"])
        return cls(**{**value, "states": states})


@dataclass(frozen=True, slots=True)
class JobIdentity:
    """The operators of a job, by which it is recognised when it resumes.

    Attributes:
        name: its name.
        operators: its operators, sources included.
    """

    name: str
    operators: tuple[OperatorIdentity, ...]

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the job that ``asdict`` described."""
        operators = tuple(map(OperatorIdentity.of_json, value["operators"]))
        return cls(value["name"], operators)


@dataclass(frozen=True, slots=True)
class Compatibility:
    """The differences of a program from the one that stored a state.

    Attributes:
        added: operators that it has not had.
        removed: operators that it has no more, as they were.
        moved: operators that run in another chain.
        rescaled: operators of another parallelism.
        retyped: operators, each with a state whose type differs, which may still be compatible.
        conflicts: reasons why an operator cannot take its state over.
    """

    added: tuple[OperatorIdentity, ...] = ()
    removed: tuple[OperatorIdentity, ...] = ()
    moved: tuple[OperatorIdentity, ...] = ()
    rescaled: tuple[OperatorIdentity, ...] = ()
    retyped: tuple[tuple[OperatorIdentity, StateInfo], ...] = ()
    conflicts: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether nothing differs, so that the job can resume from its checkpoint."""
        return self == Compatibility()

    def check(self, *, allow_non_restored_state: bool) -> None:
        """Check that the state can be restored.

        Args:
            allow_non_restored_state: whether the state of removed operators may be dropped.

        Raises:
            CheckpointError: it cannot; the message names each operator concerned.
        """
        if self.conflicts:
            raise CheckpointError(
                f"the state does not fit the program: {'; '.join(self.conflicts)}. Restore the definition of "
                "the operator, or give it a new uid to start with empty state"
            )
        lost = [operator.title for operator in self.removed if operator.has_state]
        if lost and not allow_non_restored_state:
            raise CheckpointError(
                f"the program no longer has operators that have state: {', '.join(lost)}. If the "
                "uid of one has changed, restore it; to drop the state, use --allow-non-restored-state"
            )


def compare(stored: JobIdentity, current: JobIdentity) -> Compatibility:
    """Compare the program that stored a state with the one that restores it; operators match by uid."""
    before = {operator.uid: operator for operator in stored.operators}
    after = {operator.uid: operator for operator in current.operators}
    both = [(before[uid], now) for uid, now in after.items() if uid in before]
    return Compatibility(
        tuple(operator for uid, operator in after.items() if uid not in before),
        tuple(operator for uid, operator in before.items() if uid not in after),
        tuple(now for was, now in both if was.chain != now.chain),
        tuple(now for was, now in both if was.parallelism != now.parallelism),
        tuple((now, state) for was, now in both for state in _retyped(was, now)),
        tuple(conflict for was, now in both for conflict in _conflicts(was, now)),
    )


def _conflicts(was: OperatorIdentity, now: OperatorIdentity) -> Iterator[str]:
    """Yield the reasons why an operator cannot restore its state."""
    if not was.has_state:
        return
    if now.kind != was.kind:
        yield f"{now.title} is a {now.kind}, but was a {was.kind}"
    if now.key_type != was.key_type:
        yield f"{now.title} has {_keys(now.key_type)}, but had {_keys(was.key_type)}"
    if now.key_type and now.max_parallelism != was.max_parallelism:
        yield (
            f"{now.title} has the maximum parallelism {now.max_parallelism}, but had {was.max_parallelism}, "
            "which set_max_parallelism restores"
        )
    if now.layout != was.layout:
        yield f"{now.title} stores windows {now.layout}, but stored them {was.layout}"


def _retyped(was: OperatorIdentity, now: OperatorIdentity) -> Iterator[StateInfo]:
    before = {state.name: state for state in was.states}
    return (state for state in now.states if before.get(state.name, state) != state)


def _keys(type_text: str) -> str:
    return f"keys of type {type_text}" if type_text else "no keys"
