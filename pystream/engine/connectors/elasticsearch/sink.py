"""The sink of Elasticsearch and OpenSearch: documents in bulk requests, at least once."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pystream.engine.connectors.elasticsearch.actions import Action, ActionFactory, DocumentFormat
from pystream.engine.connectors.elasticsearch.bulk import BulkRequests
from pystream.engine.connectors.elasticsearch.settings import Backoff, BulkLimits, Cluster
from pystream.engine.connectors.packages import client_library
from pystream.engine.connectors.uncommitted import NothingToCommit
from pystream.engine.events import NO_TIMESTAMP, Timestamps
from pystream.engine.task_info import JobInfo, SubtaskInfo
from typeinfo.info import TypeInformation

__all__ = ["DocumentsOutput"]


@dataclass(frozen=True, slots=True)
class DocumentsOutput:
    """A sink of documents, which are visible when an epoch ends.

    Attributes:
        cluster: the cluster.
        format: where the documents of elements go.
        limits: when actions are sent.
        backoff: how requests are repeated.
        type_info: the type of the elements.
    """

    cluster: Cluster
    format: DocumentFormat
    limits: BulkLimits
    backoff: Backoff
    type_info: TypeInformation[Any]

    def check(self) -> None:
        """Check that the client library is installed; the cluster may be away when the job starts.

        Raises:
            DependencyError: it is not.
        """
        client_library("opensearchpy", "opensearch")

    def epoch_writer(self, transaction: str, subtask: SubtaskInfo) -> DocumentWriter:
        """Return a writer."""
        return DocumentWriter(self)

    def committer(self, transaction: str, job: JobInfo, directory: str) -> NothingToCommit:
        """Return a committer that has nothing to do."""
        return NothingToCommit()


class DocumentWriter:
    """Buffer actions, and send them in bulk.

    Args:
        output: the sink.
    """

    def __init__(self, output: DocumentsOutput) -> None:
        self._limits = output.limits
        self._factory = ActionFactory(output.format, output.type_info)
        self._requests = BulkRequests(output.cluster, output.backoff)
        self._actions: list[Action] = []
        self._size = 0
        self._since = 0.0

    def write(
        self, values: Sequence[Any], timestamps: Timestamps | None = None, watermark: int = NO_TIMESTAMP
    ) -> None:
        """Buffer the actions of elements, and send them when a limit is reached.

        Raises:
            ElementFailure: one cannot be written.
            SinkError: the cluster cannot be reached, or cannot take documents.
        """
        for action in self._factory.actions(values):
            if not self._actions:
                self._since = time.monotonic()
            self._actions.append(action)
            self._size += len(action.lines)
            waited = (time.monotonic() - self._since) * 1000
            if self._limits.are_reached(len(self._actions), self._size, waited):
                self._send()

    def finish(self, *, end_of_input: bool = True) -> None:
        """Send all actions.

        Raises:
            ElementFailure: one cannot be done.
            SinkError: the cluster cannot be reached, or cannot take documents.
        """
        self._send()

    def abort(self) -> None:
        """Drop the actions that were not sent."""
        self._actions, self._size = [], 0

    def close(self) -> None:
        """Close the connections."""
        self._requests.close()

    def _send(self) -> None:
        actions, self._actions, self._size = self._actions, [], 0
        if actions:
            self._requests.send(actions)
