"""CastCall: a cast of the values of a column."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pystream.engine.formats.errors import FieldError
from pystream.table.functions.errors import ConversionError, SqlArithmeticError

__all__ = ["CastCall"]


@dataclass(frozen=True, slots=True)
class CastCall:
    """A cast of values that are not null.

    Attributes:
        convert: the conversion.
        place: the column, for messages; empty if the reader of a field names it.
    """

    convert: Callable[[Any], Any]
    place: str = ""

    def __call__(self, value: Any) -> Any:
        """Return a value in the other type.

        Raises:
            ConversionError, SqlArithmeticError: there is none; the message names the place.
            FieldError: the same, without a place.
        """
        try:
            return self.convert(value)
        except (ConversionError, SqlArithmeticError) as error:
            if self.place:
                raise type(error)(f"{self.place}: {error}") from None
            raise FieldError(str(error)) from None
