"""The request of the harness to one process of a program with connectors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from tests.faults.disturbances import AtRecord, AtStep, Disturbance

__all__ = ["ConnectorRequest"]


@dataclass(frozen=True, slots=True)
class ConnectorRequest:
    """A program to run.

    Attributes:
        program: ``windows``, ``map`` or ``files``.
        guarantee: ``at-least-once`` or ``exactly-once``; that of Kafka as a sink.
        servers: the bootstrap servers of Kafka.
        input: the topic, or the directory of the files, to read.
        output: the topic, or the table, to write.
        bad: the topic for malformed records.
        malformed: ``fail``, ``skipped`` or ``to a side output``: the treatment of malformed records.
        database: the JDBC URL of the database, if there is one.
        control: directory of control files and marks.
        savepoints: directory of savepoints.
        properties: additional properties of Kafka's clients.
        disturbances: what the processes do to themselves.
    """

    program: str
    guarantee: str
    servers: str
    input: str
    output: str
    bad: str
    malformed: str
    database: str
    control: str
    savepoints: str
    properties: Mapping[str, str] = field(default_factory=dict)
    disturbances: tuple[Disturbance, ...] = ()

    def text(self) -> str:
        """Return the request as JSON."""
        kinds = [type(each).__name__ for each in self.disturbances]
        return json.dumps(asdict(self) | {"kinds": kinds})

    @classmethod
    def parse(cls, text: str) -> ConnectorRequest:
        """Return the request of a JSON text."""
        fields = json.loads(text)
        kinds = [{"AtRecord": AtRecord, "AtStep": AtStep}[kind] for kind in fields.pop("kinds")]
        given = zip(kinds, fields.pop("disturbances"), strict=True)
        return cls(**fields, disturbances=tuple(kind(**each) for kind, each in given))
