"""Epoch: the part of an unbounded job between two consistent snapshots of its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Epoch"]


@dataclass(frozen=True, slots=True)
class Epoch:
    """The input of one epoch: all subtasks process it, then their state is stored and sinks commit.

    Attributes:
        number: its number within the job, from 0.
        splits: the splits that each subtask of a stage with a source reads, by chain id.
        ended: chain ids of the sources that have no input after it.
        drains: whether event time ends with it, although there may be more input.
        publishes: whether its end is a checkpoint of the program, at which sinks publish complete files.
        savepoint: location of the savepoint to write at its end; empty for none.
    """

    number: int
    splits: Mapping[int, tuple[tuple[Any, ...], ...]] = field(default_factory=dict)
    ended: frozenset[int] = frozenset()
    drains: bool = False
    publishes: bool = True
    savepoint: str = ""
