"""Functions of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.errors import ArgumentTypeError
from pystream.table.expression.base import ExpressionTree, T_co
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.table.expression.expression import Expression

__all__ = ["NumberFunctions"]


@checks_arguments(ArgumentTypeError)
class NumberFunctions(ExpressionTree[T_co]):
    """Functions of numbers, whose results are null if an argument is."""

    @property
    def abs(self) -> Expression[T_co]:
        """The absolute value."""
        return self._of_call("ABS", self)

    @property
    def sqrt(self) -> Expression[float]:
        """The square root."""
        return self._of_call("SQRT", self)

    @property
    def exp(self) -> Expression[float]:
        """The power of e."""
        return self._of_call("EXP", self)

    @property
    def ln(self) -> Expression[float]:
        """The natural logarithm."""
        return self._of_call("LN", self)

    @property
    def log10(self) -> Expression[float]:
        """The logarithm to base 10."""
        return self._of_call("LOG10", self)

    @property
    def log2(self) -> Expression[float]:
        """The logarithm to base 2."""
        return self._of_call("LOG2", self)

    def log(self, base: float | Expression[float] | None = None) -> Expression[float]:
        """Return the logarithm to a base, e unless given."""
        return self._of_call("LN", self) if base is None else self._of_call("LOG", base, self)

    @property
    def sin(self) -> Expression[float]:
        """The sine."""
        return self._of_call("SIN", self)

    @property
    def cos(self) -> Expression[float]:
        """The cosine."""
        return self._of_call("COS", self)

    @property
    def tan(self) -> Expression[float]:
        """The tangent."""
        return self._of_call("TAN", self)

    @property
    def asin(self) -> Expression[float]:
        """The arc sine."""
        return self._of_call("ASIN", self)

    @property
    def acos(self) -> Expression[float]:
        """The arc cosine."""
        return self._of_call("ACOS", self)

    @property
    def atan(self) -> Expression[float]:
        """The arc tangent."""
        return self._of_call("ATAN", self)

    @property
    def degrees(self) -> Expression[float]:
        """An angle in radians, in degrees."""
        return self._of_call("DEGREES", self)

    @property
    def radians(self) -> Expression[float]:
        """An angle in degrees, in radians."""
        return self._of_call("RADIANS", self)

    def round(self, places: int | Expression[int]) -> Expression[T_co]:
        """Return the number rounded to digits after the decimal point, halves away from 0."""
        return self._of_call("ROUND", self, places)

    @property
    def cosh(self) -> Expression[float]:
        """The hyperbolic cosine."""
        return self._of_call("COSH", self)

    @property
    def sinh(self) -> Expression[float]:
        """The hyperbolic sine."""
        return self._of_call("SINH", self)

    @property
    def tanh(self) -> Expression[float]:
        """The hyperbolic tangent."""
        return self._of_call("TANH", self)

    @property
    def cot(self) -> Expression[float]:
        """The cotangent."""
        return self._of_call("COT", self)

    @property
    def sign(self) -> Expression[T_co]:
        """-1, 0 or 1, as the number is less than, equal to or greater than 0."""
        return self._of_call("SIGN", self)

    @property
    def bin(self) -> Expression[str]:
        """The integer in binary digits."""
        return self._of_call("BIN", self)

    @property
    def hex(self) -> Expression[str]:
        """The integer, or the text in UTF-8, in hexadecimal digits."""
        return self._of_call("HEX", self)

    @property
    def unhex(self) -> Expression[bytes]:
        """The bytes of hexadecimal digits; null if they are none."""
        return self._of_call("UNHEX", self)

    def truncate(self, n: int | Expression[int] = 0) -> Expression[T_co]:
        """Return the number without the digits after a place, as ``round`` counts it."""
        return self._of_call("TRUNCATE", self, n)
