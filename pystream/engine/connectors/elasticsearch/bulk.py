"""Bulk requests, which are repeated as far as the server could not take them."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from itertools import count
from typing import Any, NamedTuple

from pystream.engine.connectors.elasticsearch.actions import Action
from pystream.engine.connectors.elasticsearch.settings import Backoff, Cluster
from pystream.engine.connectors.packages import client_library
from pystream.engine.failure import ElementFailure
from pystream.errors import SinkError

__all__ = ["BulkRequests"]

_TEMPORARY = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)

_LOG = logging.getLogger(__name__)


class _Refused(NamedTuple):
    """Actions to repeat, and why."""

    actions: Sequence[Action]
    reason: str
    error: BaseException | None = None


class BulkRequests:
    """Send actions to a cluster.

    Args:
        cluster: the cluster.
        backoff: how requests are repeated that the cluster could not take at the moment.
    """

    def __init__(self, cluster: Cluster, backoff: Backoff) -> None:
        self._cluster = cluster
        self._backoff = backoff
        self._client = cluster.connect()
        self._errors = client_library("opensearchpy", "opensearch").exceptions

    def send(self, actions: Sequence[Action]) -> None:
        """Send actions, and return when all are done.

        Raises:
            ElementFailure: the server refused an action; the cause names the document and the reason.
            SinkError: the cluster cannot be reached, or cannot take the actions, even after all repetitions.
        """
        for retry in count():
            refused = self._attempt(actions)
            if refused is None:
                return
            wait = self._backoff.wait_before(retry)
            if wait is None:
                raise self._failure(refused, retry)
            _LOG.warning("%s; %d actions are repeated in %g s", refused.reason, len(refused.actions), wait)
            time.sleep(wait)
            actions = refused.actions

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _attempt(self, actions: Sequence[Action]) -> _Refused | None:
        """Send actions once; return those to repeat, if any."""
        try:
            response = self._client.bulk(body=b"".join(action.lines for action in actions))
        except self._errors.ConnectionError as error:  # a timeout is one, too
            return _Refused(actions, f"no answer from {self._cluster}: {error.info}", error)
        except self._errors.TransportError as error:
            reason = f"{self._cluster} answered with status {error.status_code}: {_reason(error.info)}"
            if error.status_code in _TEMPORARY:
                return _Refused(actions, reason, error)
            raise SinkError(f"documents cannot be written: {reason}") from error
        return self._refused(actions, response["items"]) if response["errors"] else None

    def _refused(self, actions: Sequence[Action], items: Sequence[Mapping[str, Any]]) -> _Refused | None:
        outcomes = [next(iter(item.values())) for item in items]
        failed = [
            (action, outcome) for action, outcome in zip(actions, outcomes, strict=True) if "error" in outcome
        ]
        for action, outcome in failed:
            if outcome["status"] not in _TEMPORARY:
                others = f" (and {len(failed) - 1} others)" if len(failed) > 1 else ""
                raise ElementFailure(action.element) from SinkError(_of_document(outcome) + others)
        # Later actions on the same documents are repeated, too, as the order decides what remains.
        documents = {action.document for action, _ in failed if action.document[1] is not None}
        first = next(number for number, outcome in enumerate(outcomes) if "error" in outcome)
        again = [
            action
            for action, outcome in zip(actions[first:], outcomes[first:], strict=True)
            if "error" in outcome or action.document in documents
        ]
        return _Refused(again, _of_document(failed[0][1]))

    def _failure(self, refused: _Refused, retries: int) -> SinkError:
        tries = "" if self._backoff.max_retries == 0 else f", even after {retries} repetitions"
        remedy = "; set_bulk_flush_backoff_strategy sets how often requests are repeated"
        failure = SinkError(f"{len(refused.actions)} actions cannot be done{tries}: {refused.reason}{remedy}")
        failure.__cause__ = refused.error
        return failure


def _of_document(outcome: Mapping[str, Any]) -> str:
    id = "without an id" if outcome.get("_id") is None else f"{outcome['_id']!r}"
    return f"document {id} of index {outcome['_index']!r} was refused: {_reason(outcome['error'])}"


def _reason(error: Any) -> str:
    """Return the reasons in an error of the server, from the outermost to its causes."""
    reasons = []
    error = error.get("error", error) if isinstance(error, Mapping) else error
    while isinstance(error, Mapping):
        reasons.append(f"{error.get('type')}: {error.get('reason')}")
        error = error.get("caused_by")
    return "; caused by ".join(reasons) or str(error)
