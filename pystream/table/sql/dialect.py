"""The dialect of Flink SQL, as what differs from that of Spark."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.dialects.spark import Spark
from sqlglot.generators.spark import SparkGenerator
from sqlglot.parsers.hive import HiveParser
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

from pystream.table.functions.declared import DECLARED
from pystream.table.sql.built_in_syntax import (
    BUILT_IN_PARSERS,
    CLOCK_PARSERS,
    built_in_call,
)
from pystream.table.sql.conditions import balanced
from pystream.table.sql.expression_types import EXPRESSION_TYPES
from pystream.table.sql.functions.names import FUNCTIONS
from pystream.table.sql.pattern_parser import PatternParser
from pystream.table.sql.table_hints import OPTIONS, hint_after
from pystream.table.sql.type_trees import sql_of_data_type
from pystream.table.sql.windows import (
    WINDOW_FUNCTIONS,
    PartitionedTable,
    WindowFunctionError,
    window_table,
)

__all__ = ["Flink", "FlinkParser", "ProgramAggregate", "ProgramCall", "SparkText"]


class ProgramCall(exp.Anonymous):
    """A call of a function of the program; calls are equal if their functions and arguments are."""

    arg_types: ClassVar[dict[str, bool]] = {**exp.Anonymous.arg_types, "definition": True}


class ProgramAggregate(exp.AnonymousAggFunc):
    """A call of an aggregate function of the program, equal to others of the same function and arguments."""

    arg_types: ClassVar[dict[str, bool]] = {**exp.AnonymousAggFunc.arg_types, "definition": True}

    @property
    def arguments(self) -> tuple[tuple[exp.Expr, ...], bool]:
        """The arguments, and whether equal ones are aggregated once."""
        match self.expressions:
            case [exp.Distinct() as distinct]:
                return tuple(distinct.expressions), True
        return tuple(self.expressions), False


def _annotated(annotator: Any, call: ProgramAggregate) -> Any:
    return annotator._set_type(call, sql_of_data_type(call.args["definition"].result_type))


def _annotated_field(annotator: Any, field: exp.Dot) -> Any:
    """Give a field of a row its type, and its name if it has a position instead."""
    position, kind = field.expression, field.this.type
    if isinstance(position, exp.Literal) and kind is not None and kind.is_type(exp.DType.STRUCT):
        names = [one.name for one in kind.expressions]
        if int(position.name) < len(names):
            field.set("expression", exp.to_identifier(names[int(position.name)], quoted=True))
    return annotator._annotate_dot(field)


_AFTER_KEYS = ("DESCRIPTOR", "TIMECOL")

_PLAIN = frozenset({"ARRAY_AGG", "PERCENTILE"})
"""Functions that the parser of Spark knows by other parameters than Flink's."""

_WITH_SYNTAX = (FUNCTIONS - DECLARED.keys() - _PLAIN) | {"ANY", "CASE"}
"""Names that may have a syntax of their own, including those of functions that are refused."""


def _chosen(parsers: dict[Any, Any], names: frozenset[str]) -> dict[Any, Any]:
    """Return the parsers of some names; functions of the program may have all others."""
    return {name: parser for name, parser in parsers.items() if name in names}


class FlinkParser(PatternParser):
    """Parse Flink's queries and INSERTs."""

    CONFLICT_ACTIONS: ClassVar[Any] = {"DO": ("DEDUPLICATE", "ERROR", "NOTHING")}
    FUNCTIONS: ClassVar[dict[str, Any]] = {
        **_chosen(SparkParser.FUNCTIONS, FUNCTIONS - _PLAIN),
        **{name: partial(built_in_call, name) for name in DECLARED},
    }
    FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        **_chosen(SparkParser.FUNCTION_PARSERS, _WITH_SYNTAX),
        **BUILT_IN_PARSERS,
        "JSON_ARRAYAGG": lambda self: self._parse_json_array_agg(),
        "JSON_OBJECTAGG": lambda self: self._parse_json_object_agg(),
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, Any]] = {
        **_chosen(SparkParser.NO_PAREN_FUNCTION_PARSERS, _WITH_SYNTAX),
        **CLOCK_PARSERS,
    }
    RANGE_PARSERS: ClassVar[dict[TokenType, Any]] = {
        **SparkParser.RANGE_PARSERS,
        TokenType.OVERLAPS: lambda self, this: self._parse_overlaps(this),
    }
    FUNC_TOKENS: ClassVar[set[TokenType]] = {
        *SparkParser.FUNC_TOKENS,
        *(
            TokenType.ANALYZE,
            TokenType.CACHE,
            TokenType.COPY,
            TokenType.KILL,
            TokenType.LOAD,
            TokenType.SCHEMA,
            TokenType.SESSION,
        ),
    }

    def _parse_statement(self) -> Any:
        if self._match(TokenType.TABLE):
            return self._parse_table_parts()
        return super()._parse_statement()

    def _parse_disjunction(self) -> Any:
        return balanced(super()._parse_disjunction())

    def _parse_conjunction(self) -> Any:
        return balanced(super()._parse_conjunction())

    def _parse_written(self) -> Any:
        """Parse an expression, and keep how it is written in its ``meta``."""
        start = self._curr
        expression = self._parse_disjunction()
        if expression is None:
            self.raise_error("Expecting an expression")
        else:
            expression.meta["written"] = self.sql[start.start : self._prev.end + 1]
        return expression

    def _parse_json_object_agg(self) -> Any:
        self._match_text_seq("KEY")
        key = self._parse_disjunction()
        if not self._match_text_seq("VALUE"):
            self.raise_error("JSON_OBJECTAGG is written JSON_OBJECTAGG(KEY key VALUE value)")
        pair = exp.JSONKeyValue(this=key, expression=self._parse_disjunction())
        handling = self._parse_on_handling("NULL", "NULL", "ABSENT")
        return exp.JSONObjectAgg(expressions=[pair], null_handling=handling)

    def _parse_json_array_agg(self) -> Any:
        values = self._parse_disjunction()
        handling = self._parse_on_handling("NULL", "NULL", "ABSENT")
        return exp.JSONArrayAgg(this=values, null_handling=handling)

    def _parse_bracket(self, this: Any = None) -> Any:
        is_map = isinstance(this, exp.Column) and this.name.upper() == "MAP" and not this.this.quoted
        if not (is_map and self._match(TokenType.L_BRACKET)):
            return super()._parse_bracket(this)
        entries = self._parse_csv(self._parse_disjunction)
        if not self._match(TokenType.R_BRACKET):
            self.raise_error("Expecting ]")
        return super()._parse_bracket(exp.Anonymous(this="MAP", expressions=entries))

    def _parse_limit(self, *args: Any, **kwargs: Any) -> Any:
        index = self._index
        if not kwargs.get("top") and self._match_text_seq("LIMIT", "ALL"):
            return None
        self._retreat(index)
        return super()._parse_limit(*args, **kwargs)

    def _parse_table_parts(self, *args: Any, **kwargs: Any) -> Any:
        table: Any = super()._parse_table_parts(*args, **kwargs)
        if isinstance(table, exp.Table) and self.sql:
            try:
                hint = hint_after(self.sql, self._prev.end + 1)
            except ValueError as error:
                self.raise_error(str(error), self._prev)
            else:
                table.set(OPTIONS, hint and hint.options)
        return table

    def _parse_table(self, *args: Any, **kwargs: Any) -> Any:
        index = self._index
        is_wrapped = self._match_pair(TokenType.TABLE, TokenType.L_PAREN)
        if self._curr is None or self._curr.text.upper() not in WINDOW_FUNCTIONS or not self._is_call():
            self._retreat(index)
            return self._with_match(super()._parse_table(*args, **kwargs))
        table = self._parse_window_function()
        if is_wrapped:
            self._match_r_paren()
        table.set("alias", self._parse_table_alias())
        return self._with_match(table)

    def _is_call(self) -> bool:
        return self._next is not None and self._next.token_type == TokenType.L_PAREN

    def _parse_window_function(self) -> Any:
        name = self._curr.text.upper()
        start = self._curr
        self._advance(2)
        given = self._parse_csv(self._parse_window_argument)
        self._match_r_paren()
        try:
            return window_table(name, given)
        except WindowFunctionError as error:
            self.raise_error(str(error), start)

    def _parse_window_argument(self) -> tuple[str, Any]:
        name = ""
        if self._next is not None and self._next.token_type == TokenType.FARROW:
            name = self._curr.text.upper()
            self._advance(2)
        if self._match(TokenType.TABLE):
            table: Any = self._parse_table_parts()
            keys: list[Any] = []
            if self._match(TokenType.PARTITION_BY):
                keys.extend(self._parse_keys())
                while self._next is not None and self._next.text.upper() not in _AFTER_KEYS:
                    self._match(TokenType.COMMA)
                    keys.extend(self._parse_keys())
            return name, PartitionedTable(table, keys)
        if self._match_text_seq("DESCRIPTOR"):
            columns = self._parse_wrapped_csv(self._parse_column)
            if len(columns) != 1:
                self.raise_error("DESCRIPTOR takes the name of one column")
            column = columns[0] if columns else exp.Column()
            return name, column
        return name, self._parse_unary()

    def _parse_keys(self) -> list[Any]:
        """Parse a column, or several in parentheses."""
        is_wrapped = self._curr is not None and self._curr.token_type == TokenType.L_PAREN
        return self._parse_wrapped_csv(self._parse_column) if is_wrapped else [self._parse_column()]

    def _parse_types(self, *args: Any, **kwargs: Any) -> Any:
        this = super(HiveParser, self)._parse_types(*args, **kwargs)  # Hive's own forgets lengths in casts
        if isinstance(this, exp.DataType) and self._match_pair(TokenType.NOT, TokenType.NULL):
            this.set("nullable", False)
        return this

    def _warn_unsupported(self) -> None:
        self.raise_error("This statement is not supported", self._tokens[0])


class Flink(Spark):
    """Flink SQL: its types, clauses and window functions, case-sensitive names, and text without escapes."""

    NORMALIZATION_STRATEGY = NormalizationStrategy.CASE_SENSITIVE
    SUPPORTS_STRUCT_STAR_EXPANSION = True
    INDEX_OFFSET = 0  # the parser would change keys of maps, too: elements are counted from 1
    EXPRESSION_METADATA: dict[Any, Any] = {  # noqa: RUF012 - the parser declares it so
        **EXPRESSION_TYPES,
        ProgramAggregate: {"annotator": _annotated},
        exp.Dot: {"annotator": _annotated_field},
    }

    class Tokenizer(Spark.Tokenizer):
        """Read the names of Flink's types, and text in which only a doubled quote stands for another."""

        QUOTES: ClassVar[list[tuple[str, str] | str]] = ["'"]
        IDENTIFIERS: ClassVar[list[str | tuple[str, str]]] = ["`"]
        VAR_SINGLE_TOKENS: ClassVar[set[str]] = {"$"}  # part of names such as EXPR$0
        COMMANDS: ClassVar[set[TokenType]] = set()
        STRING_ESCAPES: ClassVar[list[str]] = ["'"]
        UNICODE_STRINGS: ClassVar[list[tuple[str, str] | str]] = [("U&'", "'"), ("u&'", "'")]
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            **{word: kind for word, kind in Spark.Tokenizer.KEYWORDS.items() if word != "APPLY"},
            "EXPLAIN": TokenType.VAR,
            "MATCH_RECOGNIZE": TokenType.MATCH_RECOGNIZE,
            "BYTES": TokenType.VARBINARY,
            "ROW": TokenType.STRUCT,
            "TIMESTAMP": TokenType.TIMESTAMPNTZ,
            "TIMESTAMP_LTZ": TokenType.TIMESTAMPLTZ,
        }

    Parser = FlinkParser

    class Generator(SparkGenerator):
        """Write calls of functions of the program like others."""

        TRANSFORMS: ClassVar[dict[Any, Any]] = {
            **SparkGenerator.TRANSFORMS,
            ProgramAggregate: lambda self, call: self.func(call.name, *call.expressions),
            ProgramCall: lambda self, call: self.anonymous_sql(call),
        }

        def anonymous_sql(self, expression: exp.Anonymous) -> str:
            """Write calls of functions with a syntax of their own in it."""
            function = DECLARED.get(expression.name)
            given = expression.expressions
            form = None if function is None else function.form_for([None] * len(given))
            if function is None or form is None or not (function.syntax or function.write):
                return super().anonymous_sql(expression)
            return function.written(
                [
                    argument.name if form.is_word(position) else self.sql(argument)
                    for position, argument in enumerate(given)
                ]
            )


class SparkText(Spark):
    """Spark's SQL as it is written, with the types that the parser's own dialect of Spark lacks."""

    class Generator(SparkGenerator):
        """Write TIME as a type, and functions of the clock with parentheses."""

        TRANSFORMS: ClassVar[dict[Any, Any]] = {
            **SparkGenerator.TRANSFORMS,
            exp.Localtimestamp: lambda self, clock: "LOCALTIMESTAMP()",
        }

        def datatype_sql(self, expression: exp.DataType) -> str:
            if expression.this != exp.DType.TIME:
                return super().datatype_sql(expression)
            digits = "".join(f"({digits.name})" for digits in expression.expressions)
            return f"TIME{digits}"
