"""The rows that the Spark action of a job returns: results, messages of sinks and metrics."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

from pystream.engine.exchange.rows import END_OF_CHANNEL
from pystream.engine.metrics.values import merge_snapshots, plain
from pystream.hosts.spark.result_files import ChannelWriter, ResultFiles

__all__ = ["divided", "messages", "write_results"]

Payloads = Mapping[int, list[bytes]]


def _in_order(rows: pa.Table) -> Iterator[tuple[int, int, int, bytes]]:
    table = rows.sort_by([("seq", "ascending"), ("channel", "ascending")])
    columns = (table.column(name).to_pylist() for name in ("edge", "channel", "seq", "payload"))
    return zip(*columns, strict=True)


def write_results(rows: pa.Table, edges: frozenset[int], files: ResultFiles) -> None:
    """Write the results among the rows to result files.

    Args:
        rows: the rows.
        edges: the edges that carry results.
        files: the files to write.
    """
    writers: dict[tuple[int, int], ChannelWriter] = {}
    for edge, channel, seq, payload in _in_order(rows):
        if edge in edges and seq != END_OF_CHANNEL:
            if (edge, channel) not in writers:
                writers[edge, channel] = files.writer(edge, channel, run=0)
            writers[edge, channel].write(payload)
    for writer in writers.values():
        writer.end()


def divided(rows: pa.Table) -> tuple[Payloads, dict[str, Any]]:
    """Return the payloads of each edge in order, and the metrics by scope and name."""
    payloads: dict[int, list[bytes]] = {}
    snapshots = []
    for edge, _, seq, payload in _in_order(rows):
        if seq == END_OF_CHANNEL:
            snapshots.append(pickle.loads(payload))
        else:
            payloads.setdefault(edge, []).append(payload)
    return payloads, plain(merge_snapshots(snapshots))


def messages(payloads: Payloads, number: int) -> list[Any]:
    """Return the unpickled messages of an edge."""
    return [pickle.loads(payload) for payload in payloads.get(number, [])]
