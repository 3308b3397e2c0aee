"""The dialect of Flink SQL, as what differs from that of Spark."""

from __future__ import annotations

from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.spark import Spark
from sqlglot.expressions.core import Expression
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

__all__ = ["Flink", "MetadataColumn"]


class MetadataColumn(Expression, exp.ColumnConstraintKind):
    """``METADATA [FROM 'key'] [VIRTUAL]``, which makes a column read what the connector knows of a row."""

    arg_types: ClassVar[dict[str, bool]] = {"this": False, "is_virtual": True}


_ENDS = (TokenType.COMMA, TokenType.R_PAREN)


class _Parser(SparkParser):
    STATEMENT_PARSERS: ClassVar[dict[TokenType, Any]] = {
        **SparkParser.STATEMENT_PARSERS,
        TokenType.SHOW: lambda self: self._parse_show(),
    }
    CONSTRAINT_PARSERS: ClassVar[dict[str, Any]] = {
        **SparkParser.CONSTRAINT_PARSERS,
        "METADATA": lambda self: self._parse_metadata(),
    }

    def _parse_field_def(self) -> Any:
        if not self._match_text_seq("WATERMARK", "FOR"):
            field = super()._parse_field_def()
            if isinstance(field, exp.Identifier) and self._curr and self._curr.token_type not in _ENDS:
                self.raise_error("This is not a type")
            return field
        column = self._parse_id_var()
        if not self._match(TokenType.ALIAS):
            self.raise_error("Expecting AS")
        return self.expression(
            exp.WatermarkColumnConstraint(this=column, expression=self._parse_disjunction())
        )

    def _parse_show(self) -> Any:
        if not self._match_text_seq("TABLES"):
            self.raise_error("Expecting TABLES")
        return self.expression(exp.Show(this="TABLES"))

    def _parse_metadata(self) -> Any:
        key = self._parse_string() if self._match(TokenType.FROM) else None
        return self.expression(MetadataColumn(this=key, is_virtual=bool(self._match_text_seq("VIRTUAL"))))

    def _parse_types(self, *args: Any, **kwargs: Any) -> Any:
        this = super()._parse_types(*args, **kwargs)
        if isinstance(this, exp.DataType) and self._match_pair(TokenType.NOT, TokenType.NULL):
            this.set("nullable", False)
        return this

    def _warn_unsupported(self) -> None:
        self.raise_error("This statement is not supported", self._tokens[0])


class Flink(Spark):
    """Flink SQL: its types, its clauses of ``CREATE TABLE``, and text without escapes by a backslash."""

    class Tokenizer(Spark.Tokenizer):
        """Read the names of Flink's types, and text in which only a doubled quote stands for another."""

        QUOTES: ClassVar[list[tuple[str, str] | str]] = ["'"]
        IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ["`"]
        COMMANDS: ClassVar[set[TokenType]] = Spark.Tokenizer.COMMANDS - {TokenType.SHOW}
        STRING_ESCAPES: ClassVar[list[str]] = ["'"]
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            **Spark.Tokenizer.KEYWORDS,
            "BYTES": TokenType.VARBINARY,
            "ROW": TokenType.STRUCT,
            "TIMESTAMP": TokenType.TIMESTAMPNTZ,
            "TIMESTAMP_LTZ": TokenType.TIMESTAMPLTZ,
        }

    Parser = _Parser
