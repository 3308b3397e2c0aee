"""Functions of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co, given
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["TextFunctions"]


@checks_arguments(ArgumentTypeError)
class TextFunctions(ExpressionTree[T_co]):
    """Functions of text, whose results are null if an argument is; characters are counted from 1."""

    @property
    def upper_case(self) -> Expression[str]:
        """The text in upper case."""
        return self._of_call("UPPER", self)

    @property
    def lower_case(self) -> Expression[str]:
        """The text in lower case."""
        return self._of_call("LOWER", self)

    @property
    def init_cap(self) -> Expression[str]:
        """The text with an upper-case letter at the start of each word, and lower case elsewhere."""
        return self._of_call("INITCAP", self)

    @property
    def char_length(self) -> Expression[int]:
        """The number of characters."""
        return self._of_call("CHAR_LENGTH", self)

    @property
    def reverse(self) -> Expression[str]:
        """The characters in reverse order."""
        return self._of_call("REVERSE", self)

    def concat(self, other: str | Expression[str]) -> Expression[str]:
        """Return this text followed by another."""
        return self._of_call("CONCAT", self, other)

    def substring(
        self, begin_index: int | Expression[int], length: int | Expression[int] | None = None
    ) -> Expression[str]:
        """Return a part of the text.

        Args:
            begin_index: the number of its first character.
            length: its number of characters; all that follow unless given.
        """
        arguments = (begin_index,) if length is None else (begin_index, length)
        return self._of_call("SUBSTRING", self, *arguments)

    def left(self, length: int | Expression[int]) -> Expression[str]:
        """Return the first characters."""
        return self._of_call("LEFT", self, length)

    def right(self, length: int | Expression[int]) -> Expression[str]:
        """Return the last characters."""
        return self._of_call("RIGHT", self, length)

    def trim(self, character: str | Expression[str] = " ") -> Expression[str]:
        """Return the text without a character at both ends."""
        return self._of_sql("TRIM(BOTH :p1 FROM :p0)", self, character)

    def trim_leading(self, character: str | Expression[str] = " ") -> Expression[str]:
        """Return the text without a character at the start."""
        return self._of_sql("TRIM(LEADING :p1 FROM :p0)", self, character)

    def trim_trailing(self, character: str | Expression[str] = " ") -> Expression[str]:
        """Return the text without a character at the end."""
        return self._of_sql("TRIM(TRAILING :p1 FROM :p0)", self, character)

    def replace(self, search: str | Expression[str], replacement: str | Expression[str]) -> Expression[str]:
        """Return the text with each occurrence of one part replaced by another."""
        return self._of_call("REPLACE", self, search, replacement)

    def like(
        self, pattern: str | Expression[str], escape: str | Expression[str] | None = None
    ) -> Expression[bool]:
        """Return whether the text matches a pattern, in which ``%`` is any text and ``_`` any character.

        Args:
            pattern: the pattern.
            escape: the character that makes a ``%`` or ``_`` behind it a plain character.
        """
        if escape is None:
            return self._of_operation("like", self, pattern)
        return self._of_sql("(:p0 LIKE :p1 ESCAPE :p2)", self, pattern, escape)

    def starts_with(self, start_expr: str | Expression[str]) -> Expression[bool]:
        """Return whether the text starts with another."""
        return self._of_call("STARTSWITH", self, start_expr)

    def ends_with(self, end_expr: str | Expression[str]) -> Expression[bool]:
        """Return whether the text ends with another."""
        return self._of_call("ENDSWITH", self, end_expr)

    def position(self, haystack: str | Expression[str]) -> Expression[int]:
        """Return the number of the character at which this text starts in another, 0 if it does not."""
        return self._of_sql("POSITION(:p0 IN :p1)", self, haystack)

    def instr(self, s: str | Expression[str]) -> Expression[int]:
        """Return the number of the character at which another text starts in this one, 0 if it does not."""
        return self._of_sql("POSITION(:p1 IN :p0)", self, s)

    def lpad(self, length: int | Expression[int], pad: str | Expression[str]) -> Expression[str]:
        """Return the text filled up at the start, or cut, to a number of characters."""
        return self._of_call("LPAD", self, length, pad)

    def rpad(self, length: int | Expression[int], pad: str | Expression[str]) -> Expression[str]:
        """Return the text filled up at the end, or cut, to a number of characters."""
        return self._of_call("RPAD", self, length, pad)

    def repeat(self, n: int | Expression[int]) -> Expression[str]:
        """Return the text a number of times."""
        return self._of_call("REPEAT", self, n)

    def substr(
        self, begin_index: int | Expression[int], length: int | Expression[int] | None = None
    ) -> Expression[str]:
        """Return the text from a character on, or some characters, as ``substring`` does."""
        return self._of_call("SUBSTR", self, begin_index, *given(length))

    def translate(self, from_str: str | Expression[str], to_str: str | Expression[str]) -> Expression[str]:
        """Return the text with some characters replaced by those in the same places of another text."""
        return self._of_call("TRANSLATE", self, from_str, to_str)

    def overlay(
        self,
        new_string: str | Expression[str],
        starting: int | Expression[int],
        length: int | Expression[int] | None = None,
    ) -> Expression[str]:
        """Return the text with another in the place of some characters, as many as it has unless given."""
        return self._of_call("OVERLAY", self, new_string, starting, *given(length))

    def locate(self, s: str | Expression[str], pos: int | Expression[int] | None = None) -> Expression[int]:
        """Return where this text starts in another, from a character on if given; 0 if it does not."""
        return self._of_call("LOCATE", self, s, *given(pos))

    def ltrim(self, trim_str: str | Expression[str] | None = None) -> Expression[str]:
        """Return the text without some characters at the start, blanks unless given."""
        return self._of_call("LTRIM", self, *given(trim_str))

    def rtrim(self, trim_str: str | Expression[str] | None = None) -> Expression[str]:
        """Return the text without some characters at the end, blanks unless given."""
        return self._of_call("RTRIM", self, *given(trim_str))

    def btrim(self, trim_str: str | Expression[str] | None = None) -> Expression[str]:
        """Return the text without some characters at both ends, blanks unless given."""
        return self._of_call("BTRIM", self, *given(trim_str))

    def split(self, delimiter: str | Expression[str]) -> Expression:
        """Return the parts of the text between the occurrences of another, as an array."""
        return self._of_call("SPLIT", self, delimiter)

    def split_index(self, separator: str | Expression[str], index: int | Expression[int]) -> Expression[str]:
        """Return one of the parts between the occurrences of another text, counted from 0."""
        return self._of_call("SPLIT_INDEX", self, separator, index)

    def str_to_map(
        self,
        list_delimiter: str | Expression[str] | None = None,
        key_value_delimiter: str | Expression[str] | None = None,
    ) -> Expression:
        """Return the map whose entries stand in the text, such as ``a=1,b=2``."""
        return self._of_call("STR_TO_MAP", self, *given(list_delimiter, key_value_delimiter))

    def elt(self, expr: str | Expression[str], *exprs: str | Expression[str]) -> Expression[str]:
        """Return the text of this number, from 1, among some; null if there is none."""
        return self._of_call("ELT", self, expr, *exprs)

    def printf(self, *obj: Any) -> Expression[str]:
        """Return values in this format of Java's."""
        return self._of_call("PRINTF", self, *obj)

    def similar(self, pattern: str | Expression[str]) -> Expression[bool]:
        """Return whether the text matches a regular expression of SQL."""
        return self._of_operation("similar", self, pattern)
