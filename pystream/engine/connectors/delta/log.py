"""The log of a Delta table, version by version."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pystream.engine.connectors.delta.files import DataFile, DeltaRows, deleted_rows, require_features
from pystream.errors import SourceError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["DeltaLog", "OnChange"]


class OnChange(Enum):
    """What a reader of appended rows does at a version that removes rows."""

    FAIL = 0
    IGNORE_DELETES = 1
    IGNORE_CHANGES = 2


class DeltaLog:
    """Read what the versions of a table added.

    Args:
        rows: the table and its columns.
        on_change: what to do at a version that does not only append.
    """

    def __init__(self, rows: DeltaRows, on_change: OnChange) -> None:
        self._table = rows.location
        self._schema = rows.schema
        self._on_change = on_change
        self._filesystem = rows.location.filesystem()

    def require_versions_after(self, version: int, latest: int) -> None:
        """Check that the log has the versions after one.

        Args:
            version: the version.
            latest: the latest one.

        Raises:
            SourceError: it does not, or there is no such version.
        """
        if version > latest:
            raise SourceError(
                f"the Delta table {self._table} has no version {version}, the latest is {latest}; if it was "
                "recreated, start a new job"
            )
        if version < latest and not self.has(version + 1):
            raise SourceError(
                f"the Delta table {self._table} has version {latest}, but its log of version {version + 1} "
                "was removed, which is the next to read; start a new job, and let the table keep its log "
                "for longer (delta.logRetentionDuration)"
            )

    def has(self, version: int) -> bool:
        """Return whether a version is in the log."""
        from pyarrow.fs import FileType

        return bool(self._filesystem.get_file_info(_path(version)).type == FileType.File)

    def added(self, version: int) -> list[DataFile]:
        """Return the files with the rows that a version appended.

        Raises:
            SourceError: it is gone, removed rows, changed a column that is read, or gave the table a feature
                with which its rows are not those of its files.
        """
        added: list[DataFile] = []
        removes = False
        actions = list(self._actions(version))
        self._check_features(actions)
        for action in actions:
            if "metaData" in action:
                self._check_columns(version, action["metaData"])
            elif "add" in action and action["add"]["dataChange"]:
                added.append(self._file(action["add"]))
            elif "remove" in action and action["remove"]["dataChange"]:
                removes = True
        if removes:
            self._check_removal(version, is_delete=not added)
        return added

    def _actions(self, version: int) -> Iterator[Mapping[str, Any]]:
        try:
            with self._filesystem.open_input_file(_path(version)) as file:
                lines = bytes(file.read()).splitlines()
        except OSError as error:
            reason = str(error).partition("\n")[0]
            raise SourceError(
                f"cannot read version {version} of the Delta table {self._table}: {reason}"
            ) from error
        return map(json.loads, lines)

    def _file(self, add: Mapping[str, Any]) -> DataFile:
        if add.get("deletionVector"):
            raise SourceError(deleted_rows(self._table.uri))
        partition = tuple((name, self._value(name, text)) for name, text in add["partitionValues"].items())
        return DataFile(unquote(add["path"]), add["size"], partition)

    def _value(self, name: str, text: str | None) -> Any:
        """Return the value of a partition column, ``None`` for one that is not read.

        A timestamp with a time zone may be written without it, and is in UTC then, as in delta-rs.
        """
        import pyarrow as pa

        if not text or name not in self._schema.names:
            return None
        dt = self._schema.field(name).type
        if dt == pa.timestamp("us", "UTC"):
            moment = datetime.fromisoformat(text)
            return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return pa.scalar(text).cast(dt).as_py()

    def _check_features(self, actions: Sequence[Mapping[str, Any]]) -> None:
        for action in actions:
            features = action.get("protocol", {}).get("readerFeatures") or ()
            configuration = action.get("metaData", {}).get("configuration") or {}
            require_features(self._table.uri, features, configuration)

    def _check_removal(self, version: int, *, is_delete: bool) -> None:
        if self._on_change is OnChange.IGNORE_CHANGES:
            return
        if self._on_change is OnChange.IGNORE_DELETES and is_delete:
            return
        what = "deletes rows" if is_delete else "updates rows"
        remedy = "ignore_deletes()" if is_delete else "ignore_changes()"
        raise SourceError(
            f"version {version} of the Delta table {self._table} {what}, and only appended rows can be read "
            f"continuously: use {remedy}, or start a new job"
        )

    def _check_columns(self, version: int, metadata: Mapping[str, Any]) -> None:
        import pyarrow as pa
        from deltalake import Schema

        schema: pa.Schema = pa.schema(Schema.from_json(metadata["schemaString"]).to_arrow())
        for field in self._schema:
            if field.name not in schema.names or schema.field(field.name).type != field.type:
                raise SourceError(
                    f"version {version} of the Delta table {self._table} has another type for the column "
                    f"{field.name!r}, or does not have it; start a new job"
                )


def _path(version: int) -> str:
    return f"_delta_log/{version:020}.json"
