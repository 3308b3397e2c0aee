"""The rows of api.tsv and of exceptions.tsv."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path

__all__ = ["Promise", "Status", "read_exceptions", "read_promises"]

_HERE = Path(__file__).parent


class Status(Enum):
    """The status of a promise."""

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
        owner: module or class that has ``name``; empty if the promise is not a Python name.
        name: the promised name.
        signature: signature in Flink's documentation.
        summary: description.
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
        """Whether the promise is a Python name, which an import can check; all others need a test."""
        return self.kind in {"class", "method", "attribute", "enum_member", "format"}


@dataclass(frozen=True, slots=True)
class Excuse:
    """The status of a row that is not implemented, and the reason."""

    status: Status
    reason: str


def read_promises() -> list[Promise]:
    """Return all rows in the order of the file."""
    return [Promise(**{field.name: row[field.name] for field in fields(Promise)}) for row in _rows("api.tsv")]


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
