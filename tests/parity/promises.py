"""The rows of api.tsv and of exceptions.tsv."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

__all__ = ["LATER_SECTIONS", "Promise", "Status", "read_exceptions", "read_promises"]

_HERE = Path(__file__).parent

LATER_SECTIONS = frozenset(
    {
        "dataset",
        "jython",
        "table",
    }
)
"""Sections nothing is promised of yet: their rows count as not yet without being looked at."""


class Status(Enum):
    """How a promise stands."""

    IMPLEMENTED = "implemented"
    NOT_YET = "not yet"
    NEVER = "never"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Promise:
    """One row of api.tsv.

    Attributes:
        id: unique name of the row.
        kind: class, method, attribute, enum_member, format, behaviour, example, cli or connector.
        owner: module or class that holds ``name``; empty for what is no Python name.
        name: the name promised.
        signature: how it is written in Flink's documentation.
        summary: what it does.
        section: part of the API it belongs to.
    """

    id: str
    kind: str
    owner: str
    name: str
    signature: str
    summary: str
    section: str

    @property
    def has_name(self) -> bool:
        """Whether the promise is a Python name, which importing shows; all others need a test."""
        return self.kind in {"class", "method", "attribute", "enum_member", "format"}


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why a row is not implemented."""

    status: Status
    reason: str


def read_promises() -> list[Promise]:
    """Return all rows in the order of the file."""
    return [
        Promise(
            row["id"],
            row["kind"],
            row["owner"],
            row["name"],
            row["signature"],
            row["summary"],
            row["section"],
        )
        for row in _rows("api.tsv")
    ]


def read_exceptions() -> dict[str, Excuse]:
    """Return the excuses by row id."""
    excuses: dict[str, Excuse] = {}
    for row in _rows("exceptions.tsv"):
        if row["id"] in excuses:
            raise ValueError(f"exceptions.tsv names {row['id']} twice")
        excuses[row["id"]] = Excuse(Status(row["status"]), row["reason"] or "")
    return excuses


def _rows(file: str) -> Iterator[dict[str, str]]:
    with (_HERE / file).open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
