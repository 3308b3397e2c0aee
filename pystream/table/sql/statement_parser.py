"""The parser of statements, which makes the classes of ``pystream.table.statements``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from pystream.errors import SqlError
from pystream.table.catalog.objects import CatalogFunction
from pystream.table.sql.masking import quoted
from pystream.table.sql.options_hints import path_with_options
from pystream.table.sql.syntax import parsed
from pystream.table.sql.table_parser import TableParser
from pystream.table.statements.alter_table import (
    AddParts,
    DropColumns,
    DropPrimaryKey,
    DropWatermark,
    ModifyParts,
    Placed,
    RenameColumn,
    RenameTable,
    ResetOptions,
    SetOptions,
)
from pystream.table.statements.base import Pattern, Statement
from pystream.table.statements.catalogs import (
    CreateCatalog,
    DescribeCatalog,
    DropCatalog,
    ResetCatalog,
    SetCatalog,
    SetCatalogComment,
    ShowCatalogs,
    ShowCreateCatalog,
    ShowCurrentCatalog,
    UseCatalog,
)
from pystream.table.statements.databases import (
    CreateDatabase,
    DropDatabase,
    SetDatabase,
    ShowCurrentDatabase,
    ShowDatabases,
    UseDatabase,
)
from pystream.table.statements.derived_tables import FEATURES, CreateTableAs, CreateTableLike
from pystream.table.statements.functions import (
    AlterFunction,
    CreateFunction,
    DropFunction,
    Scope,
    ShowFunctions,
)
from pystream.table.statements.queries import Explain, Insert, InsertSet, Query
from pystream.table.statements.settings import (
    LoadModule,
    Reset,
    Set,
    ShowModules,
    ShowSettings,
    UnloadModule,
    UseModules,
)
from pystream.table.statements.shows import DescribeTable, ShowCreate, ShowPartitions, ShowTables
from pystream.table.statements.tables import CreateTable, Drop
from pystream.table.statements.views import AlterViewQuery, CreateView, RenameView

__all__ = ["parse_statement"]


def parse_statement(text: str) -> Statement:
    """Parse one statement.

    Raises:
        SqlError: the text is not one statement that is supported; the message names the place.
    """
    statements = parsed(text, parser=_StatementParser)
    if len(statements) != 1 or not isinstance(statements[0], Statement):
        raise SqlError(f"execute_sql takes one statement, not {quoted(text)}")
    return statements[0]


class _StatementParser(TableParser):
    """Parse one statement by its first words; queries and INSERTs are left to the parser of queries."""

    def parse(self, raw_tokens: list[Token], sql: str) -> list[Any]:
        """Parse tokens, and return a statement for each part between semicolons.

        Args:
            raw_tokens: the tokens.
            sql: the text that they are of.
        """
        read: Any = _StatementParser._statement
        statements: list[Any] = self._parse(read, _with_whole_sets(raw_tokens), sql)
        return statements

    def _statement(self) -> Statement | None:
        first = self._curr
        if not first:
            return None
        for words, read in _STATEMENTS:
            if self._words(*words):
                return read(self)
        found = self._parse_statement()
        match found:
            case exp.Insert(this=exp.Table() | exp.Schema()):
                return self._insert(found, first)
            case exp.Query() | exp.Values() | exp.Table():
                return Query(self._query_of(found, first))
        raise self._error("This is not a statement", first)

    # Queries and INSERTs

    def _insert(self, tree: exp.Insert, first: Token) -> Insert:
        target = tree.this
        names: tuple[str, ...] = ()
        if isinstance(target, exp.Schema):
            names = tuple(column.name for column in target.expressions)
            target = target.this
        conflict = tree.args.get("conflict")
        if conflict is not None and conflict.text("action").upper() != "DO DEDUPLICATE":
            raise self._error(
                "of rows with the same primary key, the last one is written: ON CONFLICT DO DEDUPLICATE",
                first,
            )
        source = tree.args.get("source") or tree.expression
        query = self._query_of(source, first)
        partition = target.args.get("partition")
        values = (
            () if partition is None else tuple(self._value(each, first) for each in partition.expressions)
        )
        target.set("partition", None)
        return Insert(path_with_options(target), names, query, bool(tree.args.get("overwrite")), values)

    def _value(self, tree: exp.Expr, first: Token) -> tuple[str, str]:
        """Return the column and the literal, as SQL, of ``column = literal``."""
        match tree:
            case exp.EQ(this=exp.Column() as column, expression=literal) if not literal.find(exp.Column):
                return column.name, literal.sql()
        raise self._error(
            "PARTITION takes columns and literals, such as PARTITION (day = '2026-01-31'); values that rows "
            "differ in are columns of the query",
            first,
        )

    def _explained(self) -> Statement:
        self._words("PLAN", "FOR")
        first = self._curr
        statement = self._statement()
        if isinstance(statement, Query | Insert | InsertSet):
            return Explain(statement)
        raise self._error("a query is missing, such as SELECT * FROM a table", first)

    def _executed(self) -> Statement:
        first = self._curr
        statement = self._statement()
        if isinstance(statement, Query | Insert):
            return statement
        raise self._error("EXECUTE takes a query, INSERT INTO or STATEMENT SET", first)

    def _insert_set(self) -> Statement:
        self._need("BEGIN")
        inserts = []
        while not self._words("END"):
            first = self._curr
            statement = self._statement()
            if not isinstance(statement, Insert) or not self._match(TokenType.BREAK):
                raise self._error("STATEMENT SET takes INSERT INTO statements, each with ; behind", first)
            inserts.append(statement)
        if not inserts:
            raise self._error("STATEMENT SET takes one INSERT INTO at least", self._prev)
        return InsertSet(tuple(inserts))

    # Tables and views

    def _create_table(self, *, is_temporary: bool = False, replaces: bool = False) -> Statement:
        if_not_exists = self._words("IF", "NOT", "EXISTS")
        first = self._curr
        path = self._path()
        declared = self._declared() if self._next_is("(") else ()
        comment, keys, options = self._table_clauses()
        parts = tuple(part.declared for part in declared)
        if self._words("AS"):
            if is_temporary:
                raise self._error("CREATE TEMPORARY TABLE takes no AS; leave TEMPORARY out", self._prev)
            self._schema_of([part for part in declared if not isinstance(part.declared, str)])
            query = self._query()
            return CreateTableAs(path, parts, options, query, if_not_exists, replaces, keys, comment)
        if replaces:
            raise self._error("CREATE OR REPLACE TABLE takes AS and a query", first)
        if self._words("LIKE"):
            source = self._path()
            choices = dict(self._choices()) if self._next_is("(") else {}
            self._schema_of(declared)
            typed = tuple(part for part in parts if not isinstance(part, str))
            return CreateTableLike(
                path, typed, options, source, choices, if_not_exists, is_temporary, keys, comment
            )
        if not declared:
            raise self._error("CREATE TABLE takes a list of columns and WITH (…), or LIKE, or AS", first)
        schema = self._schema_of(declared)
        return CreateTable(path, schema, options, if_not_exists, is_temporary, keys, comment)

    def _choices(self) -> dict[str, str]:
        """Read what LIKE takes over, in parentheses."""
        self._match(TokenType.L_PAREN)
        choices: dict[str, str] = {}
        every: dict[str, str] = {}
        while not self._match(TokenType.R_PAREN):
            way = next((way for way in _WAYS if self._words(way)), None)
            if way is None:
                raise self._error(f"Expecting {', '.join(_WAYS)}")
            if self._words("ALL"):
                if way == "OVERWRITING":
                    raise self._error("OVERWRITING takes the name of a feature, not ALL", self._prev)
                every = dict.fromkeys(FEATURES, way)
                continue
            feature = next((one for one in FEATURES if self._words(one)), None)
            if feature is None:
                raise self._error(f"Expecting ALL, {', '.join(FEATURES)}")
            if way not in FEATURES[feature]:
                raise self._error(f"{feature} are never merged by {way}", self._prev)
            if feature in choices:
                raise self._error(f"{feature} are named twice", self._prev)
            choices[feature] = way
        return {**every, **choices}

    def _altered_table(self) -> Statement:
        if_exists = self._words("IF", "EXISTS")
        path = self._path()
        if self._words("RENAME", "TO"):
            return RenameTable(path, if_exists, self._path())
        if self._words("RENAME"):
            old = self._name()
            self._need("TO")
            return RenameColumn(path, if_exists, old, self._name())
        if self._words("SET"):
            return SetOptions(path, if_exists, self._options())
        if self._words("RESET"):
            return ResetOptions(path, if_exists, self._keys())
        if self._words("ADD"):
            return AddParts(path, if_exists, self._placed())
        if self._words("MODIFY"):
            return ModifyParts(path, if_exists, self._placed())
        self._need("DROP")
        return self._dropped_part(path, if_exists)

    def _dropped_part(self, path: str, if_exists: bool) -> Statement:
        if self._words("PRIMARY", "KEY"):
            return DropPrimaryKey(path, if_exists)
        if self._words("CONSTRAINT"):
            return DropPrimaryKey(path, if_exists, self._name())
        if self._words("WATERMARK"):
            return DropWatermark(path, if_exists)
        return DropColumns(path, if_exists, self._names() if self._next_is("(") else (self._name(),))

    def _placed(self) -> tuple[Placed, ...]:
        """Read one column, watermark or key, or several in parentheses."""
        declared = self._declared() if self._next_is("(") else self._parts()
        placed = []
        for part in declared:
            if isinstance(part.declared, str):
                raise self._error(f"the column {part.declared} needs a type", part.token)
            placed.append(Placed(part.declared, part.place))
        return tuple(placed)

    def _create_view(self, *, is_temporary: bool, replaces: bool = False) -> Statement:
        if_not_exists = self._words("IF", "NOT", "EXISTS")
        path = self._path()
        names = self._names() if self._next_is("(") else ()
        comment = self._text() if self._words("COMMENT") else None
        self._need("AS")
        return CreateView(path, names, self._query(), if_not_exists, replaces, is_temporary, comment)

    def _dropped(self, *, is_view: bool, is_temporary: bool = False) -> Statement:
        if_exists = self._words("IF", "EXISTS")
        return Drop(self._path(), if_exists, is_view, is_temporary)

    def _altered_view(self) -> Statement:
        path = self._path()
        if self._words("RENAME", "TO"):
            return RenameView(path, self._path())
        self._need("AS")
        return AlterViewQuery(path, self._query())

    # Catalogs and databases

    def _created_catalog(self) -> Statement:
        if_not_exists = self._words("IF", "NOT", "EXISTS")
        name = self._name()
        comment = self._text() if self._words("COMMENT") else None
        options = self._options() if self._words("WITH") else {}
        return CreateCatalog(name, options, if_not_exists, comment)

    def _altered_catalog(self) -> Statement:
        name = self._name()
        if self._words("SET"):
            return SetCatalog(name, self._options())
        if self._words("RESET"):
            return ResetCatalog(name, self._keys())
        self._need("COMMENT")
        return SetCatalogComment(name, self._text())

    def _keys(self) -> tuple[str, ...]:
        """Read keys of options in parentheses."""
        return tuple(self._listed(self._text, may_be_empty=True))

    def _created_database(self) -> Statement:
        if_not_exists = self._words("IF", "NOT", "EXISTS")
        path = self._path()
        comment = self._text() if self._words("COMMENT") else None
        properties = self._options() if self._words("WITH") else {}
        return CreateDatabase(path, properties, if_not_exists, comment)

    def _dropped_database(self) -> Statement:
        if_exists = self._words("IF", "EXISTS")
        path = self._path()
        cascade = self._words("CASCADE")
        if not cascade:
            self._words("RESTRICT")
        return DropDatabase(path, if_exists, cascade)

    def _altered_database(self) -> Statement:
        path = self._path()
        self._need("SET")
        return SetDatabase(path, self._options())

    # Functions, modules and settings

    def _function(self) -> CatalogFunction:
        """Read ``AS 'module.name' LANGUAGE PYTHON``."""
        self._need("AS")
        path = self._text()
        language = self._name() if self._words("LANGUAGE") else "JAVA"
        return CatalogFunction(path, language)

    def _created_function(self, scope: Scope) -> Statement:
        if_not_exists = self._words("IF", "NOT", "EXISTS")
        path = self._path()
        return CreateFunction(path, self._function(), scope, if_not_exists)

    def _altered_function(self) -> Statement:
        if_exists = self._words("IF", "EXISTS")
        path = self._path()
        return AlterFunction(path, self._function(), if_exists)

    def _dropped_function(self, scope: Scope) -> Statement:
        if_exists = self._words("IF", "EXISTS")
        return DropFunction(self._path(), scope, if_exists)

    def _loaded_module(self) -> Statement:
        name = self._name()
        if self._words("WITH"):
            self._options()
        return LoadModule(name)

    def _used_modules(self) -> Statement:
        names = [self._name()]
        while self._match(TokenType.COMMA):
            names.append(self._name())
        return UseModules(tuple(names))

    def _set(self) -> Statement:
        return Set(*self._option()) if self._curr else ShowSettings()

    # SHOW and DESCRIBE

    def _from(self) -> str | None:
        """Read ``FROM`` or ``IN`` and a name, if they are there."""
        return self._path() if self._words("FROM") or self._words("IN") else None

    def _shown_databases(self) -> Statement:
        catalog = self._name() if self._words("FROM") or self._words("IN") else None
        return ShowDatabases(catalog, self._pattern())

    def _shown_tables(self, *, only_views: bool) -> Statement:
        return ShowTables(only_views, self._from(), self._pattern())

    def _shown_columns(self) -> Statement:
        path = self._from()
        if path is None:
            raise self._error("Expecting FROM")
        return DescribeTable(path, self._pattern())

    def _described(self) -> Statement:
        self._words("EXTENDED")
        return DescribeTable(self._path())

    def _described_catalog(self) -> Statement:
        is_extended = self._words("EXTENDED")
        return DescribeCatalog(self._name(), is_extended)

    def _unknown_show(self) -> Statement:
        raise self._error(f"Expecting {', '.join(_SHOWN)}")

    def _pattern(self) -> Pattern | None:
        negated = self._words("NOT")
        if self._words("LIKE"):
            return Pattern(self._text(), negated)
        if self._words("ILIKE"):
            return Pattern(self._text(), negated, ignores_case=True)
        if negated:
            raise self._error("Expecting LIKE")
        return None


_WAYS = ("INCLUDING", "EXCLUDING", "OVERWRITING")
_SHOWN = (
    *("TABLES", "VIEWS", "COLUMNS", "PARTITIONS", "CREATE TABLE", "CREATE VIEW", "CATALOGS", "DATABASES"),
    *("CURRENT CATALOG", "CURRENT DATABASE", "CREATE CATALOG", "[USER] FUNCTIONS", "[FULL] MODULES"),
)

Read = Callable[[_StatementParser], Statement]


def _with_whole_sets(tokens: list[Token]) -> list[Token]:
    """Return tokens in which the semicolons inside of a statement set do not end the statement."""
    words = [token.text.upper() for token in tokens]
    if (
        "STATEMENT" not in words[:4]
        or words[:1] not in (["EXECUTE"], ["EXPLAIN"], ["STATEMENT"])
        or "END" not in words
    ):
        return tokens
    end = len(words) - 1 - words[::-1].index("END")
    return [
        Token(TokenType.BREAK, ";", token.line, token.col, token.start, token.end)
        if n < end and token.token_type == TokenType.SEMICOLON
        else token
        for n, token in enumerate(tokens)
    ]


_STATEMENTS: list[tuple[tuple[str, ...], Read]] = [
    (("EXPLAIN",), _StatementParser._explained),
    (("EXECUTE", "STATEMENT", "SET"), _StatementParser._insert_set),
    (("EXECUTE",), _StatementParser._executed),
    (("STATEMENT", "SET"), _StatementParser._insert_set),
    (("CREATE", "TABLE"), lambda parser: parser._create_table(is_temporary=False)),
    (("CREATE", "TEMPORARY", "TABLE"), lambda parser: parser._create_table(is_temporary=True)),
    (("CREATE", "OR", "REPLACE", "TABLE"), lambda parser: parser._create_table(replaces=True)),
    (("REPLACE", "TABLE"), lambda parser: parser._create_table(replaces=True)),
    (("ALTER", "TABLE"), _StatementParser._altered_table),
    (("CREATE", "VIEW"), lambda parser: parser._create_view(is_temporary=False)),
    (("CREATE", "TEMPORARY", "VIEW"), lambda parser: parser._create_view(is_temporary=True)),
    (("CREATE", "OR", "REPLACE", "VIEW"), lambda p: p._create_view(is_temporary=False, replaces=True)),
    (
        ("CREATE", "OR", "REPLACE", "TEMPORARY", "VIEW"),
        lambda parser: parser._create_view(is_temporary=True, replaces=True),
    ),
    (("DROP", "TABLE"), lambda parser: parser._dropped(is_view=False)),
    (("DROP", "TEMPORARY", "TABLE"), lambda parser: parser._dropped(is_view=False, is_temporary=True)),
    (("DROP", "VIEW"), lambda parser: parser._dropped(is_view=True)),
    (("DROP", "TEMPORARY", "VIEW"), lambda parser: parser._dropped(is_view=True, is_temporary=True)),
    (("ALTER", "VIEW"), _StatementParser._altered_view),
    (("CREATE", "CATALOG"), _StatementParser._created_catalog),
    (("DROP", "CATALOG"), lambda p: DropCatalog(if_exists=p._words("IF", "EXISTS"), name=p._name())),
    (("ALTER", "CATALOG"), _StatementParser._altered_catalog),
    (("USE", "CATALOG"), lambda parser: UseCatalog(parser._name())),
    (("CREATE", "DATABASE"), _StatementParser._created_database),
    (("DROP", "DATABASE"), _StatementParser._dropped_database),
    (("ALTER", "DATABASE"), _StatementParser._altered_database),
    (("USE", "MODULES"), _StatementParser._used_modules),
    (("USE",), lambda parser: UseDatabase(parser._path())),
    (("SHOW", "CATALOGS"), lambda parser: ShowCatalogs(parser._pattern())),
    (("SHOW", "CURRENT", "CATALOG"), lambda _: ShowCurrentCatalog()),
    (("SHOW", "CURRENT", "DATABASE"), lambda _: ShowCurrentDatabase()),
    (("SHOW", "DATABASES"), _StatementParser._shown_databases),
    (("SHOW", "TABLES"), lambda parser: parser._shown_tables(only_views=False)),
    (("SHOW", "VIEWS"), lambda parser: parser._shown_tables(only_views=True)),
    (("SHOW", "COLUMNS"), _StatementParser._shown_columns),
    (("CREATE", "FUNCTION"), lambda parser: parser._created_function(Scope.CATALOG)),
    (("CREATE", "TEMPORARY", "FUNCTION"), lambda parser: parser._created_function(Scope.TEMPORARY)),
    (("CREATE", "TEMPORARY", "SYSTEM", "FUNCTION"), lambda parser: parser._created_function(Scope.SYSTEM)),
    (("ALTER", "FUNCTION"), _StatementParser._altered_function),
    (("DROP", "FUNCTION"), lambda parser: parser._dropped_function(Scope.CATALOG)),
    (("DROP", "TEMPORARY", "FUNCTION"), lambda parser: parser._dropped_function(Scope.TEMPORARY)),
    (("DROP", "TEMPORARY", "SYSTEM", "FUNCTION"), lambda parser: parser._dropped_function(Scope.SYSTEM)),
    (("SHOW", "USER", "FUNCTIONS"), lambda parser: ShowFunctions(only_user=True, pattern=parser._pattern())),
    (("SHOW", "FUNCTIONS"), lambda parser: ShowFunctions(only_user=False, pattern=parser._pattern())),
    (("SHOW", "MODULES"), lambda _: ShowModules(is_full=False)),
    (("SHOW", "FULL", "MODULES"), lambda _: ShowModules(is_full=True)),
    (("LOAD", "MODULE"), _StatementParser._loaded_module),
    (("UNLOAD", "MODULE"), lambda parser: UnloadModule(parser._name())),
    (("SET",), _StatementParser._set),
    (("RESET",), lambda parser: Reset(parser._text() if parser._curr else None)),
    (("SHOW", "PARTITIONS"), lambda parser: ShowPartitions(parser._path())),
    (("SHOW", "CREATE", "CATALOG"), lambda parser: ShowCreateCatalog(parser._name())),
    (("SHOW", "CREATE", "TABLE"), lambda parser: ShowCreate(parser._path(), is_view=False)),
    (("SHOW", "CREATE", "VIEW"), lambda parser: ShowCreate(parser._path(), is_view=True)),
    (("SHOW",), _StatementParser._unknown_show),
    (("DESCRIBE", "CATALOG"), _StatementParser._described_catalog),
    (("DESC", "CATALOG"), _StatementParser._described_catalog),
    (("DESCRIBE",), _StatementParser._described),
    (("DESC",), _StatementParser._described),
]
