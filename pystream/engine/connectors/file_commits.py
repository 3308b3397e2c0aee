"""The committer of the file sink in unbounded jobs: builds part files from segments and publishes them.

The staging directory of a sink, ``.inprogress.<job>.epochs.<sink>/`` in its base path, holds the segments
of all parts that are not visible yet, and a file that names the job.
"""

from __future__ import annotations

import json
import logging
import math
import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from pystream.engine.connectors.compaction import COMPACTED, Compaction
from pystream.engine.connectors.file_segments import FilesState, Part, compacted, rolled
from pystream.engine.connectors.interfaces import EpochEnd, PreparedCommit
from pystream.engine.connectors.job_record import staging_path
from pystream.engine.connectors.part_file import PartFormat, Rolling
from pystream.engine.connectors.publishing import (
    directories_of,
    mark,
    move_into_place,
    remove_marker,
    sink_errors,
)
from pystream.engine.connectors.segment_merging import SegmentMerging
from pystream.engine.connectors.storage import storage_of
from pystream.errors import SinkError

__all__ = ["OWNER", "FilesCommitter", "Publication"]

OWNER = ".job.json"
"""The file in a staging directory that names the job, and the last epoch that it has published."""

_LOG = logging.getLogger(__name__)


class Publication(NamedTuple):
    """The files to publish at the commit of an epoch.

    Attributes:
        moves: names in the staging directory, and the names below the base path that take their place.
        obsolete: names in the staging directory of files that were merged into others.
    """

    moves: tuple[tuple[str, str], ...]
    obsolete: tuple[str, ...]


class _Output(Protocol):
    """The settings of a file sink on which its commits depend."""

    @property
    def base_path(self) -> str: ...
    @property
    def format(self) -> PartFormat: ...
    @property
    def rolling(self) -> Rolling: ...
    @property
    def check_interval(self) -> int: ...
    @property
    def prefix(self) -> str: ...
    @property
    def suffix(self) -> str: ...
    @property
    def compaction(self) -> Compaction | None: ...


class FilesCommitter:
    """Build part files from the segments of a file sink and publish them.

    Args:
        output: the sink.
        transaction: names the staging directory.
        job_name: display name of the job.
        directory: location of the directory of the job.
    """

    def __init__(self, output: _Output, transaction: str, job_name: str, directory: str) -> None:
        self._output = output
        self._transaction = transaction
        self._owner = {"job": job_name, "directory": directory, "epoch": -1}
        self._storage, self._base = storage_of(output.base_path)
        self._staging = staging_path(self._base, transaction)
        self._is_marked = True

    def open(self) -> None:
        """Make the staging directory.

        Raises:
            SinkError: it cannot be made.
        """
        with sink_errors(f"cannot make {self._staging}"):
            self._storage.make_directory(self._base)
            self._storage.make_directory(self._staging, private=True)
            self._owner["epoch"] = self.last_committed()
            self._write_owner()

    def last_committed(self) -> int:
        """Return the last epoch whose files were published from the staging directory; -1 for none.

        Raises:
            SinkError: the directory cannot be read.
        """
        path = f"{self._staging}/{OWNER}"
        with sink_errors(f"cannot read {path}"):
            content = self._storage.read(path)
        try:
            return int(json.loads(content)["epoch"]) if content else -1
        except (ValueError, KeyError, TypeError) as error:
            raise SinkError(f"{path} is damaged: {error}; restore it, or remove it") from error

    def _write_owner(self) -> None:
        data = json.dumps(self._owner).encode()
        self._storage.replace(f"{self._staging}/{OWNER}", data, f"{self._staging}/{OWNER}.new", private=True)

    def prepare(self, end: EpochEnd, state: FilesState | None, messages: Sequence[Any]) -> PreparedCommit:
        """Decide which parts are complete, and merge their segments.

        Raises:
            SinkError: a segment cannot be read, or the merged file cannot be written.
        """
        if state is None:
            state = FilesState(self._output.base_path, end.now + self._output.check_interval)
        state = rolled(state, end, messages, self._output.rolling, self._output.check_interval)
        merging = SegmentMerging(self._output, self._staging, end.number)
        moves: tuple[tuple[str, str], ...] = ()
        if end.publishes or end.last:
            state, groups = compacted(state, self._output.compaction, flushes=end.last)
            moves = tuple(self._move(merging, group, number) for number, group in enumerate(groups))
        state = state._replace(
            in_progress=tuple(map(merging.condensed, state.in_progress)),
            pending=tuple(map(merging.condensed, state.pending)),
        )
        if merging.obsolete or any(segments for _, segments in messages):
            with sink_errors(f"cannot write {self._staging}"):
                self._storage.sync(self._staging)
        action = Publication(moves, tuple(merging.obsolete)) if moves or merging.obsolete else None
        return PreparedCommit(state if state.in_progress or state.pending else None, action)

    def commit(self, epoch: int, action: Publication, *, repeated: bool = False) -> None:
        """Publish the parts that an epoch completed.

        Raises:
            SinkError: a file is missing, or cannot be moved.
        """
        base, staging, storage = self._base, self._staging, self._storage
        with sink_errors(f"cannot publish part files in {base}"):
            if action.moves:
                self._remove_marker()
                self._owner["epoch"] = epoch
                self._write_owner()  # before any of them is visible
            staged = set(storage.names(staging))
            directories = directories_of(target for _, target in action.moves)
            for below in directories:
                storage.make_directory(f"{base}/{below}" if below else base)
            for name, target in action.moves:
                if name in staged:
                    move_into_place(storage, f"{staging}/{name}", f"{base}/{target}")
                elif not storage.exists(f"{base}/{target}"):
                    if not repeated:
                        raise SinkError(f"cannot publish part file {base}/{target}: {staging}/{name} is gone")
                    _LOG.warning("%s/%s is not there: removed since it was published?", base, target)
            for below in directories:
                storage.sync(f"{base}/{below}" if below else base)
            for name in action.obsolete:
                if name in staged:
                    storage.remove(f"{staging}/{name}")

    def restore(self, state: FilesState | None) -> None:
        """Remove the files of uncommitted attempts.

        Raises:
            SinkError: a segment is missing.
        """
        parts = () if state is None else (*state.in_progress, *state.pending)
        wanted = {segment.name for part in parts for segment in part.segments}
        if state is not None and state.base_path != self._output.base_path:
            raise SinkError(
                f"the job has {len(parts)} part files in progress in {state.base_path}, but its sink now "
                f"writes to {self._output.base_path}; resume it with the former path and stop it with a "
                "savepoint, which finishes all part files, before the path is changed"
            )
        with sink_errors(f"cannot remove files in progress in {self._staging}"):
            staged = set(self._storage.names(self._staging))
            if missing := sorted(wanted - staged):
                raise SinkError(
                    f"{len(missing)} files in progress are gone from {self._staging}, the first is "
                    f"{missing[0]}; restore them, or start the job from a savepoint"
                )
            for name in sorted(staged - wanted - {OWNER}):
                self._storage.remove(f"{self._staging}/{name}")

    def next_time(self, state: FilesState | None) -> int | None:
        """Return the earliest time at which a checkpoint publishes parts; ``None`` without new elements."""
        if state is None:
            return None
        rolling = self._output.rolling
        compaction = self._output.compaction
        if state.pending and (compaction is None or compaction.checkpoints is not None):
            return 0
        if not state.in_progress:
            return None
        if rolling.on_checkpoint:
            return 0
        due = min(part.due(rolling) for part in state.in_progress)
        return None if math.isinf(due) else max(state.next_check, int(due))

    def end(self, *, complete: bool) -> None:
        """Remove the staging directory, and mark the base path if the job has finished.

        Raises:
            SinkError: it cannot be removed or marked.
        """
        with sink_errors(f"cannot remove {self._staging}"):
            self._storage.remove_tree(self._staging)
        if complete:
            mark(self._output.base_path)

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def _move(self, merging: SegmentMerging, group: Sequence[Part], number: int) -> tuple[str, str]:
        """Return the file that holds some parts, and its final name, which the number makes unique."""
        output, first = self._output, group[0]
        uid = uuid.uuid5(uuid.NAMESPACE_OID, f"{self._transaction}/{first.subtask}")
        name = f"{output.prefix}-{uid}-{merging.epoch}-{number}{output.suffix}"
        names = [merging.file_of(part) for part in group]
        if output.compaction is None:
            (source,) = names
        else:
            name = f"{COMPACTED}{name}"
            source = merging.merged(names, output.compaction.compactor.compact)[0]
        return source, f"{first.bucket}/{name}" if first.bucket else name

    def _remove_marker(self) -> None:
        """Remove the marker of earlier jobs, for as long as this one adds files."""
        if self._is_marked:
            remove_marker(self._output.base_path)
            self._is_marked = False
