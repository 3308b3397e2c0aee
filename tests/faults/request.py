"""The request of the harness to one process of a program."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from tests.faults.disturbances import AtRecord, AtStep, Disturbance

__all__ = ["Request"]


@dataclass(frozen=True, slots=True)
class Request:
    """A program to run.

    Attributes:
        program: ``windows`` or ``stages``.
        input: directory of the files to read.
        output: directory of the sinks.
        control: directory of control files and marks.
        savepoints: directory of savepoints.
        disturbances: what the processes do to themselves.
        bad_lines: what the program does with lines that are no records: ``skipped`` or ``to a side output``;
            empty to fail.
    """

    program: str
    input: str
    output: str
    control: str
    savepoints: str
    disturbances: tuple[Disturbance, ...] = ()
    bad_lines: str = ""

    def text(self) -> str:
        """Return the request as JSON."""
        kinds = [type(each).__name__ for each in self.disturbances]
        return json.dumps(asdict(self) | {"kinds": kinds})

    @classmethod
    def parse(cls, text: str) -> Request:
        """Return the request of a JSON text."""
        fields = json.loads(text)
        kinds = [{"AtRecord": AtRecord, "AtStep": AtStep}[kind] for kind in fields.pop("kinds")]
        given = zip(kinds, fields.pop("disturbances"), strict=True)
        return cls(**fields, disturbances=tuple(kind(**each) for kind, each in given))
