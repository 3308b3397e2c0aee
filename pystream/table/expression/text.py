"""Functions of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co
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

    @property
    def ascii(self) -> Expression[int]:
        """The code of the first character."""
        return self._of_call("ASCII", self)

    @property
    def md5(self) -> Expression[str]:
        """The MD5 hash, as hexadecimal digits."""
        return self._of_call("MD5", self)

    @property
    def sha1(self) -> Expression[str]:
        """The SHA-1 hash, as hexadecimal digits."""
        return self._of_call("SHA1", self)

    @property
    def sha256(self) -> Expression[str]:
        """The SHA-256 hash, as hexadecimal digits."""
        return self._of_call("SHA2", self, 256)

    @property
    def sha512(self) -> Expression[str]:
        """The SHA-512 hash, as hexadecimal digits."""
        return self._of_call("SHA2", self, 512)

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

    def regexp_replace(
        self, regex: str | Expression[str], replacement: str | Expression[str]
    ) -> Expression[str]:
        """Return the text with each match of a regular expression of Java replaced."""
        return self._of_call("REGEXP_REPLACE", self, regex, replacement)

    def regexp(self, regex: str | Expression[str]) -> Expression[bool]:
        """Return whether a regular expression of Java matches a part of the text."""
        return self._of_call("REGEXP", self, regex)

    def like(self, pattern: str | Expression[str]) -> Expression[bool]:
        """Return whether the text matches a pattern, in which ``%`` is any text and ``_`` any character."""
        return self._of_sql(":p0 LIKE :p1", self, pattern)

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
