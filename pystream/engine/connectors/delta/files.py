"""The files of a version of a Delta table, and how their rows are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pystream.engine.connectors.delta.location import DeltaLocation
from pystream.engine.connectors.splits import OPENING_COST
from pystream.errors import SourceError
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    import pyarrow as pa
    from deltalake import DeltaTable
    from pyarrow.parquet import ParquetFile

__all__ = [
    "DataFile",
    "DeltaRows",
    "assigned",
    "columns_of",
    "files_of",
    "require_features",
    "require_readable",
]

_BATCH_ROWS = 8192
_READABLE = frozenset(
    {"deletionVectors", "timestampNtz", "typeWidening", "v2Checkpoint", "vacuumProtocolCheck"}
)


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a table; it is read as a whole, in order.

    Attributes:
        path: its path below the directory of the table.
        size: its length in bytes.
        partition: the value of each partition column, which the file does not contain.
    """

    path: str
    size: int
    partition: tuple[tuple[str, Any], ...] = ()

    @property
    def cost(self) -> int:
        """The cost of reading it, in bytes."""
        return self.size + OPENING_COST


def columns_of(table: DeltaTable, names: Sequence[str] | None = None) -> pa.Schema:
    """Return columns of a table in Arrow's types, all of them by default.

    Raises:
        SourceError: it has no column of one of the names.
    """
    import pyarrow as pa

    schema = pa.schema(table.schema().to_arrow()).remove_metadata()
    if names is None:
        return schema
    for name in names:
        if name not in schema.names:
            raise SourceError(
                f"the Delta table {table.table_uri} has no column {name!r}; its columns are "
                f"{', '.join(schema.names)}"
            )
    return pa.schema([schema.field(name) for name in names])


def require_readable(table: DeltaTable) -> None:
    """Check that the rows of a table are those of its files.

    Raises:
        SourceError: it has a feature with which they are not.
    """
    features = table.protocol().reader_features or ()
    require_features(table.table_uri, features, table.metadata().configuration)


def require_features(table: str, features: Iterable[str], configuration: Mapping[str, str]) -> None:
    """Check that the rows of a table with some features are those of its files.

    Args:
        table: its URI.
        features: those that readers must know.
        configuration: its properties.

    Raises:
        SourceError: there is a feature with which they are not.
    """
    unknown = set(features) - _READABLE
    if configuration.get("delta.columnMapping.mode", "none") != "none":
        unknown.add("columnMapping")
    if unknown:
        raise SourceError(
            f"the Delta table {table} has the feature {', '.join(sorted(unknown))}, which is not "
            "supported; ALTER TABLE … DROP FEATURE in Spark removes it"
        )


def files_of(table: DeltaTable) -> list[DataFile]:
    """Return the files of a version of a table, the oldest first.

    Raises:
        SourceError: rows of a file are deleted without a new file.
    """
    import pyarrow as pa

    if table.deletion_vectors().read_all().num_rows:
        raise SourceError(deleted_rows(table.table_uri))
    found = pa.table(table.get_add_actions()).to_pylist()
    found.sort(key=lambda file: (file["modification_time"], file["path"]))
    return [
        DataFile(unquote(file["path"]), file["size_bytes"], tuple((file.get("partition") or {}).items()))
        for file in found
    ]


def deleted_rows(table: str) -> str:
    """Return the message for a table with deletion vectors."""
    return (
        f"rows of the Delta table {table} are deleted by deletion vectors, which are not supported; "
        "REORG TABLE … APPLY (PURGE) in Spark writes new files"
    )


def assigned(files: Iterable[DataFile], parallelism: int, turn: int = 0) -> list[list[DataFile]]:
    """Return the files of each subtask, about the same number of bytes.

    Args:
        files: in the order of reading.
        parallelism: number of subtasks.
        turn: determines the subtask preferred among those with as many bytes.
    """
    shares: list[list[DataFile]] = [[] for _ in range(parallelism)]
    sizes = [0] * parallelism
    order = sorted(range(parallelism), key=lambda subtask: (subtask - turn) % parallelism)
    for file in files:
        chosen = min(order, key=sizes.__getitem__)
        shares[chosen].append(file)
        sizes[chosen] += file.cost
    return shares


@dataclass(frozen=True, slots=True)
class DeltaRows:
    """Read the rows of files, on a worker.

    Attributes:
        location: the table.
        schema: the columns to read.
        type_info: the type of the rows.
    """

    location: DeltaLocation
    schema: pa.Schema
    type_info: TypeInformation[Any]

    def read(self, file: DataFile) -> Iterator[Sequence[Any]]:
        """Yield the rows of a file in order; they stay columns until their values are accessed.

        A column that the file lacks, because it was added to the table later, is null.

        Raises:
            SourceError: the file is gone or damaged, or its columns are not those of the table.
        """
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile

        from pystream.engine.vectorised.columns import layout_of
        from pystream.engine.vectorised.parts import elements_of

        layout = layout_of(self.type_info)
        try:
            with self.location.filesystem().open_input_file(file.path) as stream:
                for arrays in self._columns(ParquetFile(stream), dict(file.partition)):
                    for elements in elements_of(layout, arrays):
                        yield elements.values
        except (ArrowException, OSError, TypeCheckError) as error:
            reason = str(error).strip().partition("\n")[0]
            raise SourceError(
                f"cannot read {file.path} of the Delta table {self.location}: {reason}"
            ) from error

    def _columns(self, file: ParquetFile, partition: Mapping[str, Any]) -> Iterator[list[pa.Array]]:
        import pyarrow as pa

        stored = set(file.schema_arrow.names) - partition.keys()
        wanted = [name for name in self.schema.names if name in stored]
        for batch in file.iter_batches(_BATCH_ROWS, columns=wanted):
            yield [
                batch.column(field.name).cast(field.type)
                if field.name in stored
                else pa.repeat(pa.scalar(partition.get(field.name), field.type), batch.num_rows)
                for field in self.schema
            ]
