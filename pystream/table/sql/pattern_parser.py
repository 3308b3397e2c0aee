"""The parser of ``MATCH_RECOGNIZE``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from pystream.table.algebra.patterns import PatternVariable, SkipStrategy
from pystream.table.sql.built_in_syntax import BuiltInSyntax
from pystream.table.sql.match_calls import MATCH_CLAUSE
from pystream.table.sql.windows import WindowFunctionError, milliseconds

__all__ = ["MatchClause", "PatternParser"]

_UNSUPPORTED = {
    "(": "a quantifier of several variables; write it after a single one",
    "|": "alternatives (|); match each of them in a query of its own, and unite the results",
    "PERMUTE": "PERMUTE; match each order in a query of its own, and unite the results",
    "{-": "exclusions ({- -}), which are for ALL ROWS PER MATCH",
    "^": "anchors (^ and $): a stream of rows has no end",
    "$": "anchors (^ and $): a stream of rows has no end",
}
_SKIPPED = ("PAST LAST ROW", "TO NEXT ROW", "TO FIRST", "TO LAST", "TO")
_AFTER_PATTERN = ("WITHIN", "SUBSET", "DEFINE")
_MOST_ROWS = 10_000
_QUANTIFIERS = {"?": (0, 1), "*": (0, None), "+": (1, None)}


class MatchClause(exp.MatchRecognize):
    """``MATCH_RECOGNIZE``: its pattern and its ``AFTER MATCH`` are those of the algebra."""

    arg_types: ClassVar[dict[str, bool]] = {**exp.MatchRecognize.arg_types, "within": False}

    @property
    def pattern(self) -> tuple[PatternVariable, ...]:
        """The variables."""
        pattern: tuple[PatternVariable, ...] = self.args["pattern"]
        return pattern

    @property
    def skip(self) -> SkipStrategy:
        """Where the next match may begin."""
        skip: SkipStrategy = self.args["after"]
        return skip

    @property
    def within(self) -> int | None:
        """The time within which matches end, in milliseconds."""
        within: int | None = self.args["within"]
        return within


class PatternParser(BuiltInSyntax):
    """Parse items of FROM with ``MATCH_RECOGNIZE``, which become subqueries with a `MatchClause`."""

    QUERY_MODIFIER_PARSERS: ClassVar[dict[TokenType, Any]] = {
        kind: parser
        for kind, parser in BuiltInSyntax.QUERY_MODIFIER_PARSERS.items()
        if kind != TokenType.MATCH_RECOGNIZE
    }

    def _with_match(self, table: Any) -> Any:
        """Return an item of FROM, or the matches in its rows if ``MATCH_RECOGNIZE`` comes next."""
        if not (table and self._match(TokenType.MATCH_RECOGNIZE)):
            return table
        query = exp.select("*").from_(table, copy=False)
        clause = self._parse_match_clause()
        item = exp.Subquery(this=query, alias=self._parse_table_alias())
        item.set(MATCH_CLAUSE, clause)
        return item

    def _parse_match_clause(self) -> MatchClause:
        self._match_l_paren()
        partition = self._parse_partition_by()
        order = self._parse_order()
        if order is None:
            self.raise_error("MATCH_RECOGNIZE needs ORDER BY, with the time of the rows first")
        measures = self._parse_measures()
        self._parse_rows_per_match()
        skipped = self._parse_skipped()
        if not self._match_text_seq("PATTERN"):
            self.raise_error("Expecting PATTERN")
        pattern = self._parse_pattern()
        within = self._parse_within()
        if self._match_text_seq("SUBSET"):
            self.raise_error("SUBSET is not supported; name the variables one by one", self._prev)
        if not self._match_text_seq("DEFINE"):
            self.raise_error("Expecting DEFINE")
        define = self._parse_csv(self._parse_name_as_expression)
        self._match_r_paren()
        after = self._skip_strategy(skipped, pattern)
        return MatchClause(
            partition_by=partition,
            order=order,
            measures=measures,
            after=after,
            pattern=pattern,
            within=within,
            define=define,
        )

    def _parse_measures(self) -> list[Any]:
        if not self._match_text_seq("MEASURES"):
            self.raise_error("MATCH_RECOGNIZE needs MEASURES, the columns of matches")
        return self._parse_csv(self._parse_measure)

    def _parse_measure(self) -> Any:
        if self._match_text_seq("RUNNING"):
            self.raise_error("RUNNING is not supported; measures are FINAL", self._prev)
        self._match_text_seq("FINAL")
        start = self._curr
        measure = self._parse_disjunction()
        if not self._match(TokenType.ALIAS):
            self.raise_error("a measure needs a name: expression AS name", start)
        return exp.Alias(this=measure, alias=self._parse_id_var(any_token=True))

    def _parse_rows_per_match(self) -> None:
        if self._match_text_seq("ALL", "ROWS", "PER", "MATCH"):
            self.raise_error("ALL ROWS PER MATCH is not supported, only ONE ROW PER MATCH", self._prev)
        self._match_text_seq("ONE", "ROW", "PER", "MATCH")

    def _parse_skipped(self) -> tuple[str, Token | None]:
        """Parse ``AFTER MATCH``, and return where to skip to, and the variable."""
        if not self._match_text_seq("AFTER", "MATCH", "SKIP"):
            return "TO NEXT ROW", None
        kind = next((kind for kind in _SKIPPED if self._match_text_seq(*kind.split())), None)
        if kind is None:
            self.raise_error(f"AFTER MATCH SKIP is followed by {', '.join(_SKIPPED[:4])} and a variable")
        assert kind is not None
        if kind.endswith("ROW"):
            return kind, None
        variable = self._curr
        if not variable:
            self.raise_error("Expecting a pattern variable")
        self._advance()
        return "TO LAST" if kind == "TO" else kind, variable

    def _skip_strategy(
        self, skipped: tuple[str, Token | None], pattern: Sequence[PatternVariable]
    ) -> SkipStrategy:
        kind, variable = skipped
        if variable is None:
            return SkipStrategy(kind)
        names = [one.name for one in pattern]
        if variable.text not in names:
            self.raise_error(f"PATTERN has no variable {variable.text}, only {', '.join(names)}", variable)
        if kind == "TO FIRST" and variable.text == names[0]:
            complaint = "would find the same match again and again; skip to a variable after the first one"
            self.raise_error(f"AFTER MATCH SKIP TO FIRST {names[0]} {complaint}", variable)
        return SkipStrategy(kind, names.index(variable.text))

    def _parse_pattern(self) -> tuple[PatternVariable, ...]:
        start = self._curr
        self._match_l_paren()
        pattern = self._parse_variables()
        if not any(variable.least for variable in pattern):
            complaint = "the pattern would match no rows at all; one of its variables must need a row"
            self.raise_error(complaint, start)
        return pattern

    def _parse_variables(self) -> tuple[PatternVariable, ...]:
        """Parse variables up to the parenthesis after them."""
        pattern: list[PatternVariable] = []
        last, depth = self._curr, 1
        while depth:
            token = self._curr
            if token is None:
                self.raise_error("Expecting )")
            if self._match(TokenType.L_PAREN):
                depth += 1
            elif self._match(TokenType.R_PAREN):
                depth -= 1
                if depth and self._is_quantified():
                    self._refuse("(", token)
            else:
                self._refuse_other_operators()
                variable = self._parse_variable()
                self._check_variable(variable, pattern, token)
                pattern.append(variable)
                last = token
        if pattern and pattern[-1].is_greedy:
            complaint = "a greedy quantifier cannot be the last one, as its end is not known"
            self.raise_error(f"{complaint}; make it reluctant ({pattern[-1]}?), or add a variable", last)
        return tuple(pattern)

    def _check_variable(
        self, variable: PatternVariable, before: Sequence[PatternVariable], at: Token
    ) -> None:
        if variable.name in [one.name for one in before]:
            self.raise_error(f"the variable {variable.name} is in the pattern twice; name them apart", at)
        if variable.least == 0 and variable.most in (1, None) and before and before[-1].is_greedy:
            self.raise_error(
                f"the optional {variable} cannot follow the greedy {before[-1]}; make that reluctant "
                f"({before[-1]}?)",
                at,
            )

    def _is_quantified(self) -> bool:
        return self._curr is not None and self._curr.text in ("?", "??", "*", "+", "{")

    def _refuse_other_operators(self) -> None:
        word = self._curr.text
        if word == "{" and self._next is not None and self._next.text == "-":
            word = "{-"
        is_call = self._next is not None and self._next.token_type == TokenType.L_PAREN
        if word.upper() == "PERMUTE" and is_call:
            word = "PERMUTE"
        if word in _UNSUPPORTED and self._curr.token_type != TokenType.IDENTIFIER:
            self._refuse(word, self._curr)

    def _refuse(self, operator: str, at: Token) -> None:
        self.raise_error(f"PATTERN does not support {_UNSUPPORTED[operator]}", at)

    def _parse_variable(self) -> PatternVariable:
        is_reserved = self._curr.token_type == TokenType.VAR and self._curr.text.upper() in _AFTER_PATTERN
        identifier = None if is_reserved else self._parse_id_var(any_token=False)
        if identifier is None:
            self.raise_error("Expecting a pattern variable or )", self._curr)
        name = "" if identifier is None else identifier.name
        if not self._is_quantified():
            return PatternVariable(name)
        quantifier = self._curr
        if self._match(TokenType.L_BRACE):
            least, most = self._parse_numbers()
            if not self._match(TokenType.R_BRACE):
                self.raise_error("Expecting }")
        else:
            least, most = _QUANTIFIERS[quantifier.text[0]]
            self._advance()
        is_reluctant = quantifier.text == "??" or bool(self._match(TokenType.PLACEHOLDER))
        if is_reluctant and (least, most) == (0, 1):
            complaint = f"the reluctant {name}?? is not supported; without it, a match has one row less"
            self.raise_error(complaint, quantifier)
        if most == 0 or (most is not None and most < least):
            complaint = "must be at least 1 and not below the lower bound"
            self.raise_error(f"the upper bound of the quantifier of {name} {complaint}", quantifier)
        return PatternVariable(name, least, most, is_reluctant)

    def _parse_numbers(self) -> tuple[int, int | None]:
        least = self._parse_count()
        if not self._match(TokenType.COMMA):
            if least is None:
                self.raise_error("Expecting a number of rows")
            return least or 0, least
        return least or 0, self._parse_count()

    def _parse_count(self) -> int | None:
        if not self._match(TokenType.NUMBER):
            return None
        if not self._prev.text.isdecimal():
            self.raise_error("Expecting a whole number of rows", self._prev)
        if len(self._prev.text) > 9 or int(self._prev.text) > _MOST_ROWS:
            complaint = (
                f"a bound of a quantifier is at most {_MOST_ROWS}, as the pattern has a state for each row"
            )
            self.raise_error(complaint, self._prev)
        return int(self._prev.text)

    def _parse_within(self) -> int | None:
        """Parse the time within which matches end; 0 stands for any time, as in Flink."""
        if not self._match_text_seq("WITHIN"):
            return None
        start = self._curr
        interval = self._parse_interval()
        if interval is None:
            self.raise_error("WITHIN takes an INTERVAL, such as INTERVAL '1' HOUR", start)
        assert interval is not None
        length = 0
        try:
            length = milliseconds(interval)
        except WindowFunctionError as error:
            self.raise_error(f"WITHIN takes the length of matches: {error}", start)
        if length < 0:
            self.raise_error("WITHIN takes the length of matches, which is not negative", start)
        return length or None
