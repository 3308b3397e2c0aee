"""The parts that statements share: names, options, and the columns, keys and watermarks of tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from pystream.errors import ConfigurationError
from pystream.sql_types.data_types import DataType
from pystream.table.catalog.paths import joined_path
from pystream.table.schema import (
    Column,
    ComputedColumn,
    MetadataColumn,
    PhysicalColumn,
    PrimaryKey,
    Schema,
    Watermark,
)
from pystream.table.sql.query_parser import QueryParser
from pystream.table.sql.type_trees import data_type_of_sql

__all__ = ["Declared", "Part", "TableParser"]


@dataclass(frozen=True, slots=True)
class Part:
    """A column, watermark or primary key in the list of a table.

    Attributes:
        declared: what it declares; a text is the name of a column without a type.
        token: where it is.
        place: ``FIRST``, or the column that it is to stand behind with a leading ``AFTER``, or nothing.
    """

    declared: Column | Watermark | PrimaryKey | str
    token: Token
    place: tuple[str, ...] = ()


Declared = tuple[Part, ...]


class TableParser(QueryParser):
    """Parse parts of statements at the current token, which they leave behind them."""

    def _words(self, *words: str) -> bool:
        """Read words if they come next, and return whether they do."""
        index = self._index
        missing = list(words)
        while missing:
            token = self._curr
            if not token or token.token_type in (TokenType.STRING, TokenType.IDENTIFIER):
                break
            parts = token.text.upper().split()  # the tokenizer takes some pairs of words for one
            if missing[: len(parts)] != parts:
                break
            missing = missing[len(parts) :]
            self._advance()
        if missing:
            self._retreat(index)
        return not missing

    def _need(self, *words: str) -> None:
        if not self._words(*words):
            raise self._error(f"Expecting {' '.join(words)}")

    def _next_is(self, sign: str) -> bool:
        return bool(self._curr) and self._curr.text == sign

    def _text(self) -> str:
        """Read a literal of text."""
        tree = self._parse_string()
        if tree is None:
            raise self._error("Expecting a text in quotes")
        return str(tree.name)

    def _name(self) -> str:
        tree = self._parse_id_var()
        if tree is None:
            raise self._error("Expecting a name")
        return str(tree.name)

    def _path(self) -> str:
        """Read a name with those of the catalog and the database if it has them."""
        parts = [self._name()]
        while self._match(TokenType.DOT):
            parts.append(self._name())
        if len(parts) > 3:
            raise self._error("a name has at most three parts, catalog.database.name", self._prev)
        return joined_path(*parts)

    def _listed(self, read: Any, *, may_be_empty: bool = False) -> list[Any]:
        """Read items in parentheses."""
        if not self._match(TokenType.L_PAREN):
            raise self._error("Expecting (")
        items: list[Any] = []
        if not (may_be_empty and self._next_is(")")):
            items.append(read())
            while self._match(TokenType.COMMA):
                items.append(read())
        if not self._match(TokenType.R_PAREN):
            raise self._error("Expecting )")
        return items

    def _names(self) -> tuple[str, ...]:
        """Read names in parentheses; each may have a comment."""
        return tuple(self._listed(self._commented_name))

    def _commented_name(self) -> str:
        name = self._name()
        if self._words("COMMENT"):
            self._text()
        return name

    def _options(self) -> dict[str, str]:
        """Read ``('key' = 'value', …)``."""
        return dict(self._listed(self._option, may_be_empty=True))

    def _option(self) -> tuple[str, str]:
        key = self._text()
        if not self._match(TokenType.EQ):
            raise self._error("Expecting =")
        return key, self._text()

    def _table_clauses(self) -> tuple[str | None, tuple[str, ...], dict[str, str]]:
        """Read the comment, the partition keys and the options of a table."""
        comment = self._text() if self._words("COMMENT") else None
        if self._words("DISTRIBUTED"):
            raise self._error("no connector distributes rows by buckets", self._prev)
        keys = self._names() if self._words("PARTITIONED", "BY") else ()
        return comment, keys, self._options() if self._words("WITH") else {}

    def _declared(self) -> Declared:
        """Read the columns, watermarks and keys of a table in parentheses."""
        return tuple(part for parts in self._listed(self._parts, may_be_empty=True) for part in parts)

    def _parts(self) -> Declared:
        """Read a column, watermark or key; a column may be followed by its key."""
        if self._words("WATERMARK", "FOR"):
            return (self._watermark(),)
        if self._words("CONSTRAINT"):
            name = self._name()
            self._need("PRIMARY", "KEY")
            return (self._primary_key(name),)
        if self._words("PRIMARY", "KEY"):
            return (self._primary_key(None),)
        return self._column_parts()

    def _watermark(self) -> Part:
        token = self._curr
        column = self._name()
        self._need("AS")
        return Part(Watermark(column, self._written()), token)

    def _primary_key(self, name: str | None) -> Part:
        token = self._curr
        columns = self._names()
        self._not_enforced()
        return Part(PrimaryKey(name or _key_name(columns), columns), token)

    def _not_enforced(self) -> None:
        if not self._words("NOT", "ENFORCED"):
            raise self._error("a primary key is not enforced: add NOT ENFORCED")

    def _column_parts(self) -> Declared:
        token = self._curr
        name = self._name()
        if self._match(TokenType.ALIAS):
            expression = self._written()
            comment = self._text() if self._words("COMMENT") else None
            return (Part(ComputedColumn(name, expression, comment), token, self._place()),)
        if not self._curr or self._curr.token_type in (TokenType.COMMA, TokenType.R_PAREN):
            return (Part(name, token),)
        data_type = self._data_type(token)
        if self._words("METADATA"):
            key = self._text() if self._words("FROM") else None
            is_virtual = self._words("VIRTUAL")
            comment = self._text() if self._words("COMMENT") else None
            return (Part(MetadataColumn(name, data_type, key, is_virtual, comment), token, self._place()),)
        key_parts: Declared = ()
        key_name = None
        if self._words("CONSTRAINT"):
            key_name = self._name()
        if self._words("PRIMARY", "KEY"):
            self._not_enforced()
            key_parts = (Part(PrimaryKey(key_name or _key_name((name,)), (name,)), token),)
        comment = self._text() if self._words("COMMENT") else None
        place = self._place()
        if self._curr and self._curr.token_type not in (TokenType.COMMA, TokenType.R_PAREN):
            raise self._error(f"{self._curr.text.upper()} is not supported here")
        return (Part(PhysicalColumn(name, data_type, comment), token, place), *key_parts)

    def _place(self) -> tuple[str, ...]:
        if self._words("FIRST"):
            return ("FIRST",)
        return ("AFTER", self._name()) if self._words("AFTER") else ()

    def _data_type(self, column: Token) -> DataType:
        tree = self._parse_types(schema=True)
        if tree is None:
            raise self._error("This is not a type")
        try:
            data_type = data_type_of_sql(tree)
        except ConfigurationError as error:
            raise self._error(str(error), column) from None
        if self._words("NOT", "NULL"):
            return data_type.not_null()
        self._words("NULL")
        return data_type

    def _written(self) -> str:
        """Read an expression, and return it as it is written."""
        return str(self._parse_written().meta["written"])

    def _schema_of(self, declared: Sequence[Part]) -> Schema:
        """Return the schema that parts of a list make."""
        builder = Schema.new_builder()
        watermark: Token | None = None
        for part in declared:
            watermark = part.token if isinstance(part.declared, Watermark) else watermark
            try:
                self._add(builder, part)
            except ConfigurationError as error:
                raise self._error(str(error), part.token) from None
        try:
            return builder.build()
        except ConfigurationError as error:
            raise self._error(str(error), watermark or declared[0].token) from None

    def _add(self, builder: Schema.Builder, part: Part) -> None:
        match part.declared:
            case PhysicalColumn(name, data_type, comment):
                builder.column(name, data_type).with_comment(comment)
            case ComputedColumn(name, expression, comment):
                builder.column_by_expression(name, expression).with_comment(comment)
            case MetadataColumn(name, data_type, key, is_virtual, comment):
                builder.column_by_metadata(name, data_type, key, is_virtual).with_comment(comment)
            case Watermark(column, expression):
                builder.watermark(column, expression)
            case PrimaryKey(name, columns):
                builder.primary_key_named(name, *columns)
            case str(name):
                raise self._error(f"the column {name} needs a type", part.token)


def _key_name(columns: tuple[str, ...]) -> str:
    return f"PK_{'_'.join(columns)}"
