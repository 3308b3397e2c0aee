"""Functions of regular expressions of Java."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, given
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["RegularExpressions"]


@checks_arguments(ArgumentTypeError)
class RegularExpressions(ExpressionTree[T_co]):
    """Functions of text by regular expressions of Java, whose results are null if an argument is."""

    def regexp(self, regex: str | Expression[str]) -> Expression[bool]:
        """Return whether a regular expression matches a part of the text."""
        return self._of_call("REGEXP", self, regex)

    def regexp_count(self, regex: str | Expression[str]) -> Expression[int]:
        """Return how many parts of the text a regular expression matches."""
        return self._of_call("REGEXP_COUNT", self, regex)

    def regexp_extract(
        self, regex: str | Expression[str], extract_index: int | Expression[int] | None = None
    ) -> Expression[str]:
        """Return the first match, or a group of it; null if there is none."""
        return self._of_call("REGEXP_EXTRACT", self, regex, *given(extract_index))

    def regexp_extract_all(
        self, regex: str | Expression[str], extract_index: int | Expression[int] | None = None
    ) -> Expression:
        """Return a group of all matches, the first group unless given, as an array."""
        return self._of_call("REGEXP_EXTRACT_ALL", self, regex, *given(extract_index))

    def regexp_instr(self, regex: str | Expression[str]) -> Expression[int]:
        """Return where the first match starts, counted from 1; 0 if there is none."""
        return self._of_call("REGEXP_INSTR", self, regex)

    def regexp_replace(
        self, regex: str | Expression[str], replacement: str | Expression[str]
    ) -> Expression[str]:
        """Return the text with each match replaced."""
        return self._of_call("REGEXP_REPLACE", self, regex, replacement)

    def regexp_substr(self, regex: str | Expression[str]) -> Expression[str]:
        """Return the first match; null if there is none."""
        return self._of_call("REGEXP_SUBSTR", self, regex)
