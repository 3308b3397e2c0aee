"""Parse SQL text into statements."""

from __future__ import annotations

from sqlglot import exp

from pystream.errors import ConfigurationError, SqlError
from pystream.table.schema import Schema
from pystream.table.sql.column_types import data_type_of_sql
from pystream.table.sql.dialect import Explanation, Flink, MetadataColumn
from pystream.table.sql.masking import quoted, shown
from pystream.table.sql.statements import (
    CreateTable,
    CreateView,
    DescribeTable,
    DropTable,
    Explain,
    Insert,
    ParsedQuery,
    ShowTables,
    Statement,
)
from pystream.table.sql.syntax import error_at, parsed, path_of

__all__ = ["parse_column", "parse_query", "parse_statement"]

_SUPPORTED = (
    "SELECT, INSERT INTO, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, SHOW TABLES, SHOW VIEWS, "
    "DESCRIBE and EXPLAIN are supported"
)


def parse_statement(text: str) -> Statement:
    """Parse one statement.

    Raises:
        SqlError: the text is not one statement that is supported; the message names the place.
    """
    trees = parsed(text)
    if len(trees) != 1 or trees[0] is None:
        raise SqlError(f"execute_sql takes one statement, not {quoted(text)}")
    return _Statements(text).read(trees[0])


def parse_query(text: str) -> ParsedQuery:
    """Parse a query.

    Raises:
        SqlError: the text is not one query; the message names the place.
    """
    statement = parse_statement(text)
    if not isinstance(statement, ParsedQuery):
        raise SqlError(
            f"sql_query takes SELECT, VALUES or the like, not {quoted(text)}; execute it by execute_sql"
        )
    return statement


def parse_column(expression: str, name: str, table: str) -> ParsedQuery:
    """Parse an expression, and return the query of its values for the rows of a table.

    Args:
        expression: the expression.
        name: the name of the only column of the results.
        table: the name of the table.

    Raises:
        SqlError: the text is not one expression; the message names the place.
    """
    (tree,) = parsed(expression, exp.Condition)
    column = exp.alias_(tree, name, quoted=True)
    return ParsedQuery(expression, exp.select(column).from_(table))


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
            case exp.Create() if tree.args["kind"] == "VIEW":
                return self._create_view(tree)
            case exp.Drop() if tree.args["kind"] in ("TABLE", "VIEW") and len(tree.args["tables"]) == 1:
                (table,) = tree.args["tables"]
                return DropTable(path_of(table), bool(tree.args["exists"]), tree.args["kind"] == "VIEW")
            case exp.Show():
                return ShowTables(only_views=tree.name == "VIEWS")
            case exp.Describe(this=exp.Table() as table):
                return DescribeTable(path_of(table))
            case exp.Insert(this=exp.Table() | exp.Schema()):
                return self._insert(tree)
            case Explanation(this=exp.Insert() as insert):
                return Explain(self._insert(insert))
            case Explanation():
                return Explain(self._query(tree.this, tree))
            case exp.Query() | exp.Values():
                return self._query(tree, tree)
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
                    raise self._error(definition, f"the clause {shown(node.sql(Flink))} is not supported")
        schema = self._schema(definition)
        return CreateTable(path_of(definition.this), schema, options, bool(tree.args["exists"]))

    def _schema(self, definition: exp.Schema) -> Schema:
        builder = Schema.new_builder()
        for node in definition.expressions:
            try:
                self._add(builder, node)
            except ConfigurationError as error:
                raise self._error(node, str(error)) from None
        try:
            return builder.build()
        except ConfigurationError as error:
            watermark = definition.find(exp.WatermarkColumnConstraint)
            raise self._error(watermark or definition, str(error)) from None

    def _add(self, builder: Schema.Builder, node: exp.Expr) -> None:
        match node:
            case exp.ColumnDef():
                self._add_column(builder, node)
            case exp.WatermarkColumnConstraint():
                builder.watermark(node.this.name, node.expression.meta["written"])
            case exp.PrimaryKey():
                builder.primary_key(*(column.name for column in node.expressions))
            case exp.Constraint(expressions=[exp.PrimaryKey() as key]):
                builder.primary_key(*(column.name for column in key.expressions))
            case exp.Identifier():
                raise self._error(node, f"the column {node.name} needs a type")
            case _:
                raise self._error(node, f"{shown(node.sql(Flink))} is not supported here")

    def _add_column(self, builder: Schema.Builder, node: exp.ColumnDef) -> None:
        kinds = [constraint.args["kind"] for constraint in node.args.get("constraints") or ()]
        for kind in kinds:
            if isinstance(kind, exp.ComputedColumnConstraint):
                builder.column_by_expression(node.name, kind.this.meta["written"])
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
                    raise self._error(node, f"{shown(kind.sql(Flink))} is not supported here")

    def _query(self, tree: exp.Expr | None, place: exp.Expr) -> ParsedQuery:
        match tree:
            case exp.Table():  # TABLE name
                return ParsedQuery(self._text, exp.select("*").from_(tree), path_of(tree))
            case exp.Values():
                return ParsedQuery(self._text, exp.select("*").from_(_named(tree)))
            case exp.Query():
                return ParsedQuery(self._text, _without_parentheses(tree), _whole_table(tree))
        raise self._error(place, "a query is missing, such as SELECT * FROM a table")

    def _target(self, node: exp.Expr) -> tuple[str, tuple[str, ...]]:
        """Return the name of a table or view and the names of columns in parentheses after it."""
        if isinstance(node, exp.Schema):
            return path_of(node.this), tuple(column.name for column in node.expressions)
        assert isinstance(node, exp.Table)
        return path_of(node), ()

    def _create_view(self, tree: exp.Create) -> CreateView:
        path, names = self._target(tree.this)
        return CreateView(
            path,
            names,
            self._query(tree.expression, tree),
            if_not_exists=bool(tree.args["exists"]),
            replaces=bool(tree.args.get("replace")),
        )

    def _insert(self, tree: exp.Insert) -> Insert:
        path, names = self._target(tree.this)
        query = self._query(tree.args.get("source") or tree.expression, tree)
        conflict = tree.args.get("conflict")
        if conflict is not None and conflict.text("action").upper() != "DO DEDUPLICATE":
            raise self._error(
                tree, "of rows with the same primary key, the last one is written: ON CONFLICT DO DEDUPLICATE"
            )
        return Insert(path, names, query, bool(tree.args.get("overwrite")))

    def _error(self, node: exp.Expr, complaint: str) -> SqlError:
        return error_at(self._text, node, complaint)


def _named(values: exp.Values) -> exp.Values:
    """Return VALUES with names of columns."""
    first = values.expressions[0]
    width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
    names = [exp.to_identifier(f"EXPR${n}", quoted=True) for n in range(width)]
    values.set("alias", exp.TableAlias(this=exp.to_identifier("EXPR$", quoted=True), columns=names))
    return values


def _without_parentheses(query: exp.Query) -> exp.Query:
    """Return a query in which no table stands alone in parentheses."""
    for item in list(query.find_all(exp.Subquery)):
        if isinstance(item.this, exp.Table) and not item.args.get("joins"):
            table = item.this
            if item.args.get("alias"):
                table.set("alias", item.args["alias"])
            item.replace(table)
    return query


def _whole_table(query: exp.Query) -> str | None:
    """Return the name of the table that a query is all of, if it is."""
    clauses = {key for key, value in query.args.items() if value}
    if clauses != {"expressions", "from_"}:
        return None
    match query.expressions, query.args["from_"].this:
        case [exp.Star() as star], exp.Table() as table:
            is_plain = not any(star.args.values()) and {k for k, v in table.args.items() if v} <= _NAME
            return path_of(table) if is_plain else None
    return None


_NAME = {"this", "db", "catalog"}
