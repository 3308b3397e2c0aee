"""The syntax of declared functions that are not called like others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.parsers.spark import SparkParser
from sqlglot.tokenizer_core import TokenType

from pystream.table.evaluation.intervals import is_interval
from pystream.table.functions.declared import DECLARED
from pystream.table.sql.type_trees import data_type_of_sql

__all__ = ["BUILT_IN_PARSERS", "CLOCK_PARSERS", "BuiltInSyntax", "built_in_call"]

_TRIMS = {"BOTH": "TRIM", "LEADING": "LTRIM", "TRAILING": "RTRIM"}
"""The functions that TRIM is, by the end of the text."""

_CLOCKS = ("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP")
_TEXT = exp.DType.TEXT


def built_in_call(name: str, arguments: Sequence[exp.Expr]) -> exp.Anonymous:
    """Return the call of a declared function; words of its syntax are texts in it."""
    given = list(arguments)
    if name == "OVERLAPS" and len(given) == 4:
        given = [*_bounds(*given[:2]), *_bounds(*given[2:])]
    form = DECLARED[name].form_for([None] * len(given))
    if form is not None:
        given = [_word(one) if form.is_word(place) else one for place, one in enumerate(given)]
    return exp.Anonymous(this=name, expressions=given)


def _word(node: exp.Expr) -> exp.Expr:
    is_word = isinstance(node, exp.Var) or (isinstance(node, exp.Column) and not node.table)
    return exp.Literal.string(node.name.upper()) if is_word else node


def _bounds(start: exp.Expr, end: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """Return the bounds of a period, whose end may be an interval."""
    return start, exp.Add(this=start.copy(), expression=end) if is_interval(end) else end


class BuiltInSyntax(SparkParser):
    """Parse calls of declared functions in a syntax of their own."""

    def _built_in(self, name: str, arguments: Sequence[exp.Expr | None], start: Any) -> Any:
        """Return a call in a syntax of its own, with the place where it starts."""
        return built_in_call(name, [one for one in arguments if one is not None]).update_positions(start)

    def _parse_placed(self, name: str, *words: str) -> Any:
        start = self._tokens[self._index - 2]
        arguments = [self._parse_bitwise()]
        for word in words:
            if not self._match_text_seq(word):
                break
            arguments.append(self._parse_bitwise())
        self._refuse_comma(name)
        return self._built_in(name, arguments, start)

    def _refuse_comma(self, name: str) -> None:
        if self._curr is not None and self._curr.token_type == TokenType.COMMA:
            self.raise_error(DECLARED[name].usage)

    def _parse_whole(self, name: str) -> Any:
        """Return a call of FLOOR or CEIL, of a number or of a time and a unit."""
        start = self._tokens[self._index - 2]
        arguments: list[Any] = self._parse_csv(self._parse_bitwise)
        if self._match_text_seq("TO"):
            arguments.append(self._parse_word_of_syntax())
        return self._built_in(name, arguments, start)

    def _parse_extract_call(self) -> Any:
        start = self._tokens[self._index - 2]
        unit = self._parse_word_of_syntax()
        if not self._match(TokenType.FROM):
            self.raise_error(DECLARED["EXTRACT"].usage)
        return self._built_in("EXTRACT", [unit, self._parse_bitwise()], start)

    def _parse_overlaps(self, this: Any) -> Any:
        start = self._prev
        periods = [one for one in (this, self._parse_bitwise()) if isinstance(one, exp.Tuple)]
        if [len(one.expressions) for one in periods] != [2, 2]:
            self.raise_error(DECLARED["OVERLAPS"].usage, start)
        bounds = [bound for period in periods for bound in period.expressions]
        return self._built_in("OVERLAPS", bounds, start)

    def _parse_substring_call(self) -> Any:
        start = self._tokens[self._index - 2]
        arguments: list[Any] = self._parse_csv(self._parse_bitwise)
        for word in ("FROM", "FOR") if len(arguments) == 1 else ():
            if self._match_text_seq(word):
                arguments.append(self._parse_bitwise())
        return self._built_in("SUBSTRING", arguments, start)

    def _parse_trim_call(self) -> Any:
        start = self._tokens[self._index - 2]
        name = "TRIM"
        for word, function in _TRIMS.items():
            if self._match_text_seq(word):
                name = function
                break
        arguments = [self._parse_bitwise()]
        if self._match(TokenType.FROM):
            arguments.insert(0, self._parse_bitwise())
        self._refuse_comma("TRIM")
        return self._built_in(name, arguments, start)

    def _parse_word_of_syntax(self) -> exp.Expr:
        """Parse a word of the syntax, and return it as a text."""
        self._advance()
        return exp.Literal.string(self._prev.text.upper())

    def _parse_is(self, this: Any) -> Any:
        start = self._prev
        parsed = super()._parse_is(this)
        test = parsed.this if isinstance(parsed, exp.Not) else parsed
        if not (isinstance(test, exp.Is) and isinstance(test.expression, exp.JSON)):
            return parsed
        kind = exp.Literal.string(test.expression.this or "VALUE")
        call = self._built_in("IS JSON", [test.this, kind], start)
        return exp.Not(this=call) if parsed is not test else call

    def _parse_clock(self, name: str) -> Any:
        start = self._prev
        if self._match(TokenType.L_PAREN):
            self.raise_error(DECLARED[name].usage, start)
        return self._built_in(name, [], start)

    def _parse_json_call(self, name: str, parse: Callable[[BuiltInSyntax], Sequence[Any]]) -> Any:
        start = self._tokens[self._index - 2]
        return self._built_in(name, parse(self), start)

    def _parse_path_of_json(self) -> list[Any]:
        """Parse a JSON text and a path in it."""
        arguments = [self._parse_bitwise()]
        if self._match(TokenType.COMMA):
            arguments.append(self._parse_bitwise())
        return arguments

    def _parse_exists_of_json(self) -> list[Any]:
        arguments, behaviour = self._parse_path_of_json(), "FALSE"
        for word in ("TRUE", "FALSE", "UNKNOWN", "ERROR"):
            if self._match_text_seq(word, "ON", "ERROR"):
                behaviour = word
        return [*arguments, exp.Literal.string(behaviour)]

    def _parse_value_of_json(self) -> list[Any]:
        arguments, returned = self._parse_path_of_json(), self._parse_returned_type()
        behaviours: dict[str, list[exp.Expr]] = {}
        for case in ("EMPTY", "ERROR"):
            default: Any = None
            word = next((w for w in ("NULL", "ERROR") if self._match_text_seq(w, "ON", case)), "NULL")
            if self._match_text_seq("DEFAULT"):
                word, default, index = "DEFAULT", self._parse_bitwise(), self._index
                if not self._match_text_seq("ON", case):
                    self._retreat(index)
                    self._match_text_seq("ON", "ERROR")
                    behaviours["EMPTY"] = [exp.Literal.string("NULL"), exp.null()]
                    behaviours["ERROR"] = [exp.Literal.string(word), default]
                    break
            behaviours[case] = [exp.Literal.string(word), default or exp.null()]
        return [*arguments, returned, *behaviours["EMPTY"], *behaviours["ERROR"]]

    def _parse_query_of_json(self) -> list[Any]:
        arguments, returned = self._parse_path_of_json(), self._parse_returned_type()
        wrapper = "WITHOUT"
        if self._match_text_seq("WITHOUT"):
            self._match_text_seq("ARRAY")
            self._match_text_seq("WRAPPER")
        elif self._match_text_seq("WITH"):
            wrapper = "CONDITIONAL" if self._match_text_seq("CONDITIONAL") else "UNCONDITIONAL"
            self._match_text_seq("UNCONDITIONAL")
            self._match_text_seq("ARRAY")
            self._match_text_seq("WRAPPER")
        words = [self._parse_behaviour(case) for case in ("EMPTY", "ERROR")]
        return [*arguments, returned, *map(exp.Literal.string, (wrapper, *words))]

    def _parse_behaviour(self, case: str) -> str:
        for words in (("NULL",), ("ERROR",), ("EMPTY", "ARRAY"), ("EMPTY", "OBJECT")):
            if self._match_text_seq(*words, "ON", case):
                return " ".join(words)
        return "NULL"

    def _parse_returned_type(self) -> exp.Expr:
        """Parse the type after RETURNING, and return it as a text."""
        returned = self._parse_types() if self._match_text_seq("RETURNING") else exp.DataType(this=_TEXT)
        return exp.Literal.string(str(data_type_of_sql(returned)))

    def _parse_on_null(self, default: str) -> exp.Expr:
        word = next((w for w in ("NULL", "ABSENT") if self._match_text_seq(w, "ON", "NULL")), default)
        return exp.Literal.string(word)

    def _parse_object_of_json(self) -> list[Any]:
        entries: list[Any] = []
        while self._curr is not None and self._curr.token_type != TokenType.R_PAREN:
            if self._is_on_null():
                break
            self._match_text_seq("KEY")
            entries.append(self._parse_bitwise())
            if not (self._match_text_seq("VALUE") or self._match(TokenType.COLON)):
                self.raise_error(DECLARED["JSON_OBJECT"].usage)
            entries.append(self._parse_disjunction())
            if not self._match(TokenType.COMMA):
                break
        return [self._parse_on_null("NULL"), *entries]

    def _parse_array_of_json(self) -> list[Any]:
        values = [] if self._is_on_null() else self._parse_csv(self._parse_disjunction)
        return [self._parse_on_null("ABSENT"), *values]

    def _is_on_null(self) -> bool:
        is_word = self._curr is not None and self._curr.text.upper() in ("NULL", "ABSENT")
        return is_word and self._next is not None and self._next.text.upper() == "ON"


def _clock(name: str) -> Callable[[BuiltInSyntax], Any]:
    return lambda parser: parser._parse_clock(name)


def _json(name: str, parse: Callable[[BuiltInSyntax], Sequence[Any]]) -> Callable[[BuiltInSyntax], Any]:
    return lambda parser: parser._parse_json_call(name, parse)


CLOCK_PARSERS: Mapping[str, Callable[[BuiltInSyntax], Any]] = {name: _clock(name) for name in _CLOCKS}
"""How functions without parentheses are parsed, by name."""

BUILT_IN_PARSERS: Mapping[str, Callable[[BuiltInSyntax], Any]] = {
    "CEIL": lambda parser: parser._parse_whole("CEIL"),
    "CEILING": lambda parser: parser._parse_whole("CEILING"),
    "EXTRACT": lambda parser: parser._parse_extract_call(),
    "FLOOR": lambda parser: parser._parse_whole("FLOOR"),
    "JSON_ARRAY": _json("JSON_ARRAY", BuiltInSyntax._parse_array_of_json),
    "JSON_EXISTS": _json("JSON_EXISTS", BuiltInSyntax._parse_exists_of_json),
    "JSON_OBJECT": _json("JSON_OBJECT", BuiltInSyntax._parse_object_of_json),
    "JSON_QUERY": _json("JSON_QUERY", BuiltInSyntax._parse_query_of_json),
    "JSON_VALUE": _json("JSON_VALUE", BuiltInSyntax._parse_value_of_json),
    "OVERLAY": lambda parser: parser._parse_placed("OVERLAY", "PLACING", "FROM", "FOR"),
    "POSITION": lambda parser: parser._parse_placed("POSITION", "IN"),
    "SUBSTRING": lambda parser: parser._parse_substring_call(),
    "TRIM": lambda parser: parser._parse_trim_call(),
}
"""How functions with a syntax of their own are parsed, by name."""
