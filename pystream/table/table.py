"""Table: columns of a stream, by name and type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import attribute_hint
from pystream.arguments.checks import require
from pystream.arguments.frames import frame_of_table
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.operators.elementwise import MAP
from pystream.engine.worker import standard_output
from pystream.errors import (
    ArgumentTypeError,
    PlanTypeError,
    UnknownAttributeError,
    UnsupportedOperationError,
)
from pystream.lazy import re_exports
from pystream.plan.function import UserFunction
from pystream.sql_types.decimals import in_tables
from pystream.table.algebra.explain import plan_text
from pystream.table.column_casts import ColumnCast, row_conversion
from pystream.table.column_paths import ColumnPath
from pystream.table.columns import TableColumn, renamed_columns, resolved_schema, row_type
from pystream.table.conversions import ElementConversion, converter, matching_positions
from pystream.table.explain_detail import ExplainDetail
from pystream.table.plan_text import with_details
from pystream.table.printed_rows import table_lines
from pystream.table.resolved_schema import ResolvedSchema
from pystream.table.row_operations import RowOperations
from pystream.table.session_zone import local_zone, session_zone
from pystream.table.table_result import TableResult
from pystream.table.table_schema import TableSchema
from pystream.table.time_attribute import TimeAttribute
from pystream.table.upsert_key import UpsertKey
from pystream.table.window_columns import WindowColumns
from typeinfo.arguments import checks_arguments
from typeinfo.composite import FieldsTypeInfo, TupleTypeInfo
from typeinfo.info import TypeInformation, require_type
from typeinfo.row import Row, RowKind
from typeinfo.types import Types

if TYPE_CHECKING:
    import pandas as pd

    from pystream.table.aggregated_tables import AggregatedTable as AggregatedTable
    from pystream.table.aggregated_tables import FlatAggregateTable as FlatAggregateTable
    from pystream.table.algebra.node import RelNode
    from pystream.table.connectors.base import Connector
    from pystream.table.expression import Expression as Expression
    from pystream.table.expressions import col as col
    from pystream.table.expressions import with_columns as with_columns
    from pystream.table.expressions import without_columns as without_columns
    from pystream.table.grouped_table import GroupedTable as GroupedTable
    from pystream.table.over_windows import OverWindow as OverWindow
    from pystream.table.sql.relations import Relation
    from pystream.table.table_descriptor import TableDescriptor as TableDescriptor
    from pystream.table.table_environment import TableEnvironment
    from pystream.table.table_pipeline import TablePipeline as TablePipeline
    from pystream.table.types import create_arrow_schema as create_arrow_schema
    from pystream.table.user_functions.aggregate import (
        UserDefinedAggregateFunctionWrapper as UserDefinedAggregateFunctionWrapper,
    )
    from pystream.table.user_functions.scalar import (
        UserDefinedScalarFunctionWrapper as UserDefinedScalarFunctionWrapper,
    )
    from pystream.table.user_functions.table import (
        UserDefinedTableFunctionWrapper as UserDefinedTableFunctionWrapper,
    )
    from pystream.table.window import GroupWindow as GroupWindow
    from pystream.table.windowed_tables import GroupWindowedTable as GroupWindowedTable
    from pystream.table.windowed_tables import OverWindowedTable as OverWindowedTable
    from pystream.table.windowed_tables import WindowGroupedTable as WindowGroupedTable
else:
    __getattr__ = re_exports(__name__)

__all__ = ["ANONYMOUS", "Table", "require_table"]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True, default=Any)

ANONYMOUS = "*anonymous*"
"""Stands for the name of a table that has none."""

_unnamed = count()

_RETRACTED = (RowKind.UPDATE_BEFORE, RowKind.DELETE)


@checks_arguments(ArgumentTypeError)
class Table(RowOperations, Generic[T_co]):
    """Columns of a stream, by name and type; a table never changes.

    Made by a table environment. The columns are fields of the elements of a stream, which stay what they are:
    a table that is converted back to the type it was made from costs nothing. A row keeps its kind.

    For type checkers, ``Table[T]`` has the fields of a dataclass, named tuple or row ``T`` as its columns.

    Mirrors ``org.apache.flink.table.api.Table``.

    Args:
        environment: the environment that it belongs to.
        stream: the stream; the error of using it if there is none, such as for rows that need ``fetch`` after
            ``order_by``.
        columns: the columns.
        relation: the query of which the stream is the results.
        time: its event time, if a watermark is declared.
        is_updating: whether rows may be retracted or updated later.
        upsert_key: the fields by which updates replace rows, if they are known.
        windows: the windows that its rows belong to, if they have the bounds of windows of event time.
        proctimes: the fields that are ``PROCTIME()``, the time at which a row is processed.
        plan: the relational operators that make its rows, if a query was planned.
    """

    _example: ClassVar[str] = "t_env.from_data_stream(stream)"

    def __init__(
        self,
        environment: TableEnvironment,
        stream: DataStream[Any] | UnsupportedOperationError,
        columns: Sequence[TableColumn],
        relation: Relation | None = None,
        *,
        time: TimeAttribute | None = None,
        is_updating: bool = False,
        upsert_key: UpsertKey | None = None,
        windows: WindowColumns | None = None,
        proctimes: frozenset[int] = frozenset(),
        plan: RelNode | None = None,
    ) -> None:
        self._environment = environment
        self._made_stream = stream
        self._columns = tuple(columns)
        self._relation = relation
        self._time = time
        self._is_updating = is_updating
        self._upsert_key = upsert_key
        self._windows = windows
        self._proctimes = proctimes
        self._made_plan = plan
        self._choice: tuple[Table, Sequence[int]] | None = None  # the table whose columns it has, and these
        self._all_rows: Relation | None = None  # the query of all its rows, if it is the results of none
        self._name: str | None = None
        self._path = ANONYMOUS  # its name in the program, for plans and messages
        self._connector: Connector | None = None  # that of a whole table, whose rows lookup joins find
        self._zone = None if relation is None else session_zone(environment.get_config().get_configuration())
        self._in_zone: Table | None = None  # the same query in another time zone, the last that was needed
        self._narrowed: dict[frozenset[ColumnPath], Table] = {}  # tables of what is read of it

    # A query has other results in another time zone, so what it was planned to is asked for in that of now.

    @property
    def _stream_or_error(self) -> DataStream[Any] | UnsupportedOperationError:
        """The stream, or the error of using it."""
        if self._choice is not None:
            return self._choice[0]._stream_or_error
        return self._environment._in_zone_of_now(self)._made_stream

    @property
    def _stream(self) -> DataStream[Any]:
        """The stream.

        Raises:
            UnsupportedOperationError: there is none.
        """
        stream = self._stream_or_error
        if isinstance(stream, UnsupportedOperationError):
            raise stream
        return stream

    @property
    def _plan(self) -> RelNode | None:
        """The relational operators that make the rows, if a query was planned."""
        if self._choice is not None and self._relation is not None:
            from pystream.table.algebra.calc import project

            rows, numbers = self._choice
            return project(rows._rel_node, numbers, [column.name for column in self._columns])
        return self._environment._in_zone_of_now(self)._made_plan

    def __getattr__(self, name: str) -> Expression[Any]:
        """Return a column as an expression: ``table.price`` is ``col("price")``.

        Raises:
            UnknownAttributeError: there is no such column; the message names those that there are.
        """
        columns = self.__dict__.get("_columns", ())  # copy and pickle ask for names before there are any
        names = [column.name for column in columns]
        if name not in names:
            if name.startswith("__"):
                raise AttributeError(f"'Table' object has no attribute {name!r}", name=name, obj=self)
            raise UnknownAttributeError(
                f"Table has no attribute {name!r}; {attribute_hint(type(self), name)}; "
                f"its columns are {', '.join(names)}"
            )
        from pystream.table.expressions import col

        return col(name)

    def __str__(self) -> str:
        """Return a name by which queries of its environment find the table, which becomes a view of it.

        So a table can be part of the text of a query: ``t_env.sql_query(f"SELECT * FROM {table}")``.
        """
        if self._name is None:
            self._name = f"UnnamedTable${next(_unnamed)}"
            self._environment.create_temporary_view(self._name, self)
        return self._name

    def __repr__(self) -> str:
        return f"Table({', '.join(map(str, self._columns))})"

    def alias(self, field: str, *fields: str) -> Table:
        """Return the table with other names for its first columns.

        Args:
            field: the name of the first column.
            fields: the names of the next ones.

        Raises:
            PlanError: there are more names than columns, or two columns would have the same name.

        Mirrors ``Table.as``.

        Examples:
            >>> from pystream.common import Types
            >>> from pystream.table import StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> pair = Types.TUPLE([Types.STRING(), Types.INT()])
            >>> t_env.from_data_stream(env.from_collection([("a", 1)], pair)).alias("word", "n")
            Table(`word` STRING NOT NULL, `n` INT NOT NULL)
        """
        columns = renamed_columns(self._columns, (field, *fields), "alias")
        return self._with_columns(columns, [column.name for column in self._columns])

    def get_schema(self) -> TableSchema:
        """Return the names and types of the columns."""
        return TableSchema([c.name for c in self._columns], [c.data_type for c in self._columns])

    def get_resolved_schema(self) -> ResolvedSchema:
        """Return the names and types of the columns.

        Mirrors ``Table.getResolvedSchema``.
        """
        return resolved_schema(self._columns)

    def print_schema(self) -> None:
        """Print the names and types of the columns.

        Examples:
            >>> from pystream.common import Types
            >>> from pystream.table import StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> t_env.from_data_stream(env.from_collection([1], Types.INT())).print_schema()
            (
              `f0` INT NOT NULL
            )
        """
        standard_output.write(f"{self.get_resolved_schema()}\n")

    def execute(self) -> TableResult:
        """Return the rows of the table, to collect or to print."""
        rows = self._rows()
        environment = self._environment
        shows_kinds = not environment._streams._is_batch([rows._node_id])
        zone = local_zone(environment.get_config().get_configuration())
        lines = partial(table_lines, shows_kinds=shows_kinds, zone=zone)
        return TableResult(self._columns, rows.execute_and_collect, lines)

    def execute_insert(
        self, table_path_or_descriptor: str | TableDescriptor, overwrite: bool = False
    ) -> TableResult:
        """Start a job that writes the rows of the table to another one.

        Columns correspond by position. The result's ``wait`` waits for the end of the job.

        Args:
            table_path_or_descriptor: the name of the other table, or a descriptor of it.
            overwrite: whether the rows replace those of the table, or of its partitions that they are in.

        Raises:
            PlanError: the other table does not exist, is only read, or has other columns.
            UnsupportedOperationError: ``overwrite`` is true, and the connector or the execution mode only
                adds rows.

        Mirrors ``Table.executeInsert``.
        """
        return self._environment._insert(self, table_path_or_descriptor, overwrite)

    def insert_into(
        self, table_path_or_descriptor: str | TableDescriptor, overwrite: bool = False
    ) -> TablePipeline:
        """Return the way of the rows of the table to another one, which runs by its ``execute``.

        Args:
            table_path_or_descriptor: the name of the other table, or a descriptor of it.
            overwrite: as in ``execute_insert``.

        Mirrors ``Table.insertInto``.
        """
        return self._environment._pipeline(self, table_path_or_descriptor, overwrite)

    def explain(self, *extra_details: ExplainDetail) -> str:
        """Return the plan by which the rows of the table are computed, as text.

        The relational operators of a query come first, as Flink prints its physical plan, with the text of
        what Spark computes; then the operators of streams that they become.

        Args:
            extra_details: what else it shows.

        Mirrors ``Table.explain``.
        """
        rows = self._rows()
        text = f"== relational plan ==\n{plan_text(self._rel_node)}\n\n{rows.explain()}"
        return with_details(self._environment, text, [rows._node_id], extra_details)

    def print_explain(self, *extra_details: ExplainDetail) -> None:
        """Print the plan by which the rows of the table are computed, as ``explain`` returns it."""
        standard_output.write(f"{self.explain(*extra_details)}\n")

    def to_append_stream(self, table: Table, type_info: TypeInformation[T]) -> DataStream[T]:
        """Convert a table to a stream, as ``StreamTableEnvironment.to_append_stream`` does.

        Flink's guide calls it on a table; PyFlink has it only on the environment.
        """
        require_table(table, "to_append_stream")
        table._require_appended("to_append_stream")
        return self._environment._leaving(table._elements(type_info))

    def to_retract_stream(self, table: Table, type_info: TypeInformation[T]) -> DataStream[tuple[bool, T]]:
        """Convert a table to a stream, as ``StreamTableEnvironment.to_retract_stream`` does.

        Flink's guide calls it on a table; PyFlink has it only on the environment.
        """
        require_table(table, "to_retract_stream")
        return self._environment._leaving(table._changes(type_info))

    def to_changelog(self, *arguments: Expression[Any]) -> Table:
        """Return the changes of the table as rows that are only inserted, each after the name of its kind.

        Args:
            arguments: the name of the column of kinds, ``op`` unless given, and texts that stand for them,
                for those of the kinds that are wanted: ``descriptor("code").as_argument("op")`` and
                ``map_("INSERT, UPDATE_AFTER", "upsert", "DELETE", "delete").as_argument("op_mapping")``.

        Raises:
            PlanError: an argument is another one, or there is a column of the name already.

        Mirrors ``Table.toChangelog``.

        Examples:
            >>> from pystream.table import StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> t_env.from_elements([("a", 1)], ["word", "n"]).to_changelog()
            Table(`op` STRING, `word` STRING, `n` BIGINT)
        """
        from pystream.table.operation_codes import codes_of_changes

        return codes_of_changes(self, arguments)

    def from_changelog(self, *arguments: Expression[Any]) -> Table:
        """Return the table whose changes are the rows, of the kinds that a column of each says.

        Args:
            arguments: the name of the column of kinds, ``op`` unless given, and what texts in it stand for,
                the names of the kinds unless given: ``descriptor("code").as_argument("op")`` and
                ``map_("c, r", "INSERT", "d", "DELETE").as_argument("op_mapping")``. Any other text fails the
                job.

        Raises:
            PlanError: an argument is another one, or there is no such column of text.
            UnsupportedOperationError: rows of the table may be updated later, or a text stands for updates
                and none for the rows before them.

        Mirrors ``Table.fromChangelog``.
        """
        from pystream.table.operation_codes import changes_of_codes

        return changes_of_codes(self, arguments)

    def to_pandas(self) -> pd.DataFrame:
        """Run the program and return the rows as a pandas DataFrame, typed as ``DataStream.to_pandas`` does.

        Times have the unit that holds the digits of their type: ``TIMESTAMP(3)`` is ``datetime64[ms]``, and
        ``TIMESTAMP_LTZ(3)`` the same in the time zone of the session. Of a table whose rows are updated,
        these are the last ones.

        Raises:
            UnsupportedOperationError: a source is unbounded, or a time of more than 6 digits is out of the
                range of nanoseconds.

        Examples:
            >>> from pystream.common import Types
            >>> from pystream.table import StreamTableEnvironment
            >>> t_env = StreamTableEnvironment.create(env)
            >>> pair = Types.TUPLE([Types.STRING(), Types.INT()])
            >>> t_env.from_data_stream(env.from_collection([("a", 1)], pair), "word", "n").to_pandas()
              word  n
            0    a  1
        """
        if self._is_updating:
            return self._environment._final_table(self).to_pandas()
        from pystream.table.elements.frame_times import with_declared_times

        rows = self._in_column_types()
        columns = rows._stream.to_arrow().select([column.position for column in rows._columns])
        frame = frame_of_table(columns.rename_columns([column.name for column in self._columns]))
        return with_declared_times(frame, self._columns, self._environment.get_config().get_configuration())

    def _as_relation(self) -> Relation:
        if self._relation is not None:
            return self._relation
        if self._all_rows is None:
            from pystream.table.sql.relations import Relation

            self._all_rows = Relation.of_table(self, [column.name for column in self._columns])
        return self._all_rows

    @property
    def _whole_connector(self) -> Connector | None:
        """The connector of a table that is what that reads, with nothing that is computed of it."""
        connector = self._connector
        if connector is None or connector.table.schema.watermarks:
            return None
        return connector if self._columns == connector.table.columns else None

    @property
    def _reads_files(self) -> bool:
        """Whether the table is computed of one whose connector can read less than all columns."""
        connector, time, relation = self._whole_connector, self._time, self._relation
        if connector is not None:
            return connector.can_read_less
        if relation is not None:
            return any(table._reads_files for table in relation.tables.values())
        return time is not None and time.untimed is not None and time.untimed._reads_files

    @property
    def _rel_node(self) -> RelNode:
        """The relational operators that make its rows; a scan of the table if no query was planned."""
        from pystream.table.algebra.scans import Scan

        return self._plan or Scan(self, self._path)

    def _with_columns(self, columns: Sequence[TableColumn], names: Sequence[str]) -> Table:
        """Return the table with some of its columns, which needs no operator.

        Args:
            columns: the columns.
            names: the names that they have now.
        """
        renamed = [column.name for column in columns]
        rows, relation = self, self._relation
        if self._reads_files:
            rows, relation = self._environment._narrowed_table(self, names), self._as_relation()
        return rows._chosen(names, renamed, relation and relation.chosen(names, renamed))

    def _chosen(
        self, names: Sequence[str], renamed: Sequence[str], relation: Relation | None = None
    ) -> Table:
        """Return columns of the table under other names.

        Args:
            names: the columns.
            renamed: their other names.
            relation: the query that chooses them, if they are known by one.
        """
        own = [column.name for column in self._columns]
        numbers = [own.index(name) for name in names]
        time = self._time
        if time is not None and time.untimed is not None:
            time = time._replace(untimed=time.untimed._chosen(names, renamed))
        chosen: Table = Table(
            self._environment,
            self._made_stream,
            [self._columns[number].renamed(name) for number, name in zip(numbers, renamed, strict=True)],
            relation,
            time=time,
            is_updating=self._is_updating,
            upsert_key=self._upsert_key,
            windows=self._windows,
            proctimes=self._proctimes,
        )
        chosen._path, chosen._choice = self._path, (self, numbers)
        return chosen

    def _require_appended(self, call: str) -> None:
        """Check that rows are only inserted.

        Raises:
            UnsupportedOperationError: they may be updated later.
        """
        if self._is_updating:
            raise UnsupportedOperationError(
                f"{call}: rows of the table may be updated later; use to_changelog_stream() or "
                "to_retract_stream()"
            )

    def _rows(self) -> DataStream[Any]:
        """Return the stream of the rows of the table, named by its columns."""
        return self._elements(row_type(self._columns))

    def _elements(self, target: TypeInformation[T], *, by_position: bool = False) -> DataStream[T]:
        """Return the stream of the rows of the table as elements of a type.

        Args:
            target: the type.
            by_position: whether columns correspond to the fields of the type by position, whatever their
                names.

        Raises:
            PlanTypeError: the columns are not those of the type.
        """
        columns = self._columns_for(target, by_position=by_position)
        source, positions = self._stream._type, [column.position for column in columns]
        if source == target and positions == list(range(len(positions))):
            return self._stream
        return self._converted(ElementConversion(source, positions, target), target)

    def _in_column_types(self) -> Table:
        """Return the table with elements of the types of its columns, which have decimals of fixed digits."""
        t = self._stream._type
        types = [slot.type for slot in t.slots()] if isinstance(t, FieldsTypeInfo) else [t]
        if all(in_tables(types[column.position]) == types[column.position] for column in self._columns):
            return self
        columns = [replace(column, position=number) for number, column in enumerate(self._columns)]
        return Table(self._environment, self._rows(), columns)

    def _cast_rows(self, columns: Sequence[TableColumn], casts: Sequence[ColumnCast]) -> DataStream[Row[Any]]:
        """Return the stream of the rows of the table with cast values.

        Args:
            columns: the columns of the results, which correspond by position.
            casts: the casts of their values.

        Raises:
            PlanTypeError: values are not cast from one type to another.
        """
        positions = [column.position for column in self._columns]
        conversion = row_conversion(self._stream._type, positions, columns, casts)
        return self._stream if conversion is None else self._converted(conversion, row_type(columns))

    def _converted(self, conversion: ElementConversion, target: TypeInformation[Any]) -> DataStream[Any]:
        function = UserFunction.of(conversion, "map", is_object=True, described=None)
        added = self._stream._added(conversion.kind, function, (target, "the columns of the table"))
        converted = added.name("Convert")
        return converted.set_parallelism(self._stream.get_parallelism())  # rows keep their order

    def _columns_for(self, target: TypeInformation[Any], *, by_position: bool = False) -> list[TableColumn]:
        """Return the columns for the fields of elements of a type; see ``_elements``."""
        require_type(target, "the type of the stream")
        names = [column.name for column in self._columns]
        if isinstance(target, FieldsTypeInfo):
            chosen = range(len(names)) if by_position else matching_positions(names, target, "")
            columns, types = [self._columns[position] for position in chosen], target.field_types
        else:
            columns, types = list(self._columns), (target,)
        if len(columns) != len(types):
            raise PlanTypeError(f"{target} has {len(types)} columns, but there are {', '.join(names)}")
        for column, t in zip(columns, types, strict=True):
            converter(column.type_info, t, column.name)
        return columns

    def _changes(self, target: TypeInformation[T]) -> DataStream[tuple[bool, T]]:
        """Return the stream of the rows of the table, each with whether it is added, not retracted."""
        flagged: TypeInformation[tuple[bool, T]] = TupleTypeInfo((Types.BOOLEAN, target))
        positions = [column.position for column in self._columns_for(target)]
        return self._converted(_Flagged(self._stream._type, positions, target), flagged)


class _Flagged(ElementConversion):
    """Make elements as the base class does, each with whether it is added, not retracted."""

    kind = MAP

    def map(self, value: Any) -> tuple[bool, Any]:
        is_retracted = isinstance(value, Row) and value.get_row_kind() in _RETRACTED
        return not is_retracted, super().map(value)


def require_table(argument: object, call: str) -> None:
    """Check that an argument is a table.

    Raises:
        PlanTypeError: it is not.
    """
    require(argument, Table, call, "a Table such as t_env.from_data_stream(stream)")
