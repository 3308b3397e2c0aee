"""Parse SQL text into statements."""

from __future__ import annotations

from sqlglot import exp

from pystream.errors import ConfigurationError, SqlError
from pystream.table.schema import Schema
from pystream.table.sql.column_types import data_type_of_sql
from pystream.table.sql.dialect import Flink, MetadataColumn
from pystream.table.sql.statements import (
    CreateTable,
    DescribeTable,
    DropTable,
    InsertAll,
    ShowTables,
    Statement,
)
from pystream.table.sql.syntax import located, parsed

__all__ = ["parse_statement"]

_SUPPORTED = (
    "CREATE TABLE, DROP TABLE, DROP VIEW, SHOW TABLES, DESCRIBE and INSERT INTO … SELECT * FROM … are "
    "supported"
)


def parse_statement(text: str) -> Statement:
    """Parse one statement.

    Raises:
        SqlError: the text is not one statement that is supported; the message names the place.
    """
    trees = parsed(text)
    if len(trees) != 1 or trees[0] is None:
        raise SqlError(f"execute_sql takes one statement, not {text!r}")
    return _Statements(text).read(trees[0])


class _Statements:
    """Read the tree of a statement.

    Args:
        text: the text of the statement, for messages.
    """

    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, tree: exp.Expr) -> Statement:
        match tree:
            case exp.Create() if tree.args["kind"] == "TABLE":
                return self._create_table(tree)
            case exp.Drop() if tree.args["kind"] in ("TABLE", "VIEW") and len(tree.args["tables"]) == 1:
                (table,) = tree.args["tables"]
                return DropTable(_path(table), bool(tree.args["exists"]), tree.args["kind"] == "VIEW")
            case exp.Show():
                return ShowTables()
            case exp.Describe(this=exp.Table() as table):
                return DescribeTable(_path(table))
            case exp.Insert(this=exp.Table() as target):
                overwrite = bool(tree.args.get("overwrite"))
                return InsertAll(_path(target), self._whole_table(tree), overwrite)
        raise self._error(tree, f"this statement is not supported; {_SUPPORTED}")

    def _create_table(self, tree: exp.Create) -> CreateTable:
        definition = tree.this
        if not isinstance(definition, exp.Schema) or tree.args.get("replace") or tree.expression:
            raise self._error(tree, "CREATE TABLE takes a list of columns and WITH (…)")
        options: dict[str, str] = {}
        for node in tree.args["properties"].expressions if tree.args.get("properties") else ():
            match node:
                case exp.TemporaryProperty() | exp.SchemaCommentProperty():
                    pass
                case exp.Property(this=exp.Literal() as key):
                    options[key.name] = node.args["value"].name
                case _:
                    raise self._error(definition, f"the clause {node.sql(Flink)} is not supported")
        schema = self._schema(definition)
        return CreateTable(_path(definition.this), schema, options, bool(tree.args["exists"]))

    def _schema(self, definition: exp.Schema) -> Schema:
        builder = Schema.new_builder()
        for node in definition.expressions:
            try:
                self._add(builder, node)
            except ConfigurationError as error:
                raise self._error(node, str(error)) from None
        return builder.build()

    def _add(self, builder: Schema.Builder, node: exp.Expr) -> None:
        match node:
            case exp.ColumnDef():
                self._add_column(builder, node)
            case exp.WatermarkColumnConstraint():
                builder.watermark(node.this.name, node.expression.sql(Flink))
            case exp.PrimaryKey():
                builder.primary_key(*(column.name for column in node.expressions))
            case exp.Constraint(expressions=[exp.PrimaryKey() as key]):
                builder.primary_key(*(column.name for column in key.expressions))
            case exp.Identifier():
                raise self._error(node, f"the column {node.name} needs a type")
            case _:
                raise self._error(node, f"{node.sql(Flink)} is not supported here")

    def _add_column(self, builder: Schema.Builder, node: exp.ColumnDef) -> None:
        kinds = [constraint.args["kind"] for constraint in node.args.get("constraints") or ()]
        for kind in kinds:
            if isinstance(kind, exp.ComputedColumnConstraint):
                builder.column_by_expression(node.name, kind.this.sql(Flink))
                return
        data_type = data_type_of_sql(node.args.get("kind"))
        for kind in kinds:
            match kind:
                case exp.NotNullColumnConstraint():
                    data_type = data_type if kind.args.get("allow_null") else data_type.not_null()
                case MetadataColumn():
                    key = kind.this.name if kind.this else None
                    builder.column_by_metadata(node.name, data_type, key, bool(kind.args["is_virtual"]))
                    return
        builder.column(node.name, data_type)
        for kind in kinds:
            match kind:
                case exp.NotNullColumnConstraint() | exp.CommentColumnConstraint():
                    pass
                case exp.PrimaryKeyColumnConstraint():
                    builder.primary_key(node.name)
                case _:
                    raise self._error(node, f"{kind.sql(Flink)} is not supported here")

    def _whole_table(self, insert: exp.Insert) -> str:
        """Return the name of the table in ``SELECT * FROM name`` or ``TABLE name``."""
        match insert.args.get("source") or insert.expression:
            case exp.Table() as table:
                return _path(table)
            case exp.Select(expressions=[exp.Star()]) as query:
                clauses = {key for key, value in query.args.items() if value}
                if clauses == {"expressions", "from_"} and isinstance(query.args["from_"].this, exp.Table):
                    return _path(query.args["from_"].this)
        raise self._error(insert, "INSERT INTO takes SELECT * FROM and the name of a table or view")

    def _error(self, node: exp.Expr, complaint: str) -> SqlError:
        """Return an error that names the first place in a tree that is known."""
        for part in node.walk(bfs=False):
            meta = part.meta
            if "line" in meta:
                found = self._text[meta["start"] : meta["end"] + 1]
                column = meta["col"] - len(found) + 1
                return SqlError(located(self._text, meta["line"], column, found, complaint))
        return SqlError(f"{self._text!r}: {complaint}")


def _path(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)
