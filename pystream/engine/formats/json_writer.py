"""Write elements as JSON as Flink's JSON row format does."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import leading_fields
from pystream.engine.formats.json_fast_reader import UNFIT
from pystream.engine.formats.json_fast_writer import FastValueCompiler
from pystream.engine.formats.json_values import ValueCompiler
from pystream.engine.formats.times import TimeStyle
from pystream.errors import SerializationError
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation

__all__ = ["JsonWriter", "json_writer"]


@lru_cache(maxsize=256)
def json_writer(
    t: TypeInformation[Any],
    time_style: TimeStyle = "RFC-3339",
    skips_nulls: bool = False,
    has_exponents: bool = False,
) -> JsonWriter:
    """Return the writer of messages with one element each.

    Args:
        t: type of the elements.
        time_style: how times and timestamps are written.
        skips_nulls: whether fields of objects that are null are left out.
        has_exponents: whether decimals are written with the exponent that is left without trailing zeros.

    Raises:
        UnsupportedTypeError: JSON cannot represent a part of the type; the message names it.
    """
    return JsonWriter(t, time_style, skips_nulls, has_exponents)


class JsonWriter:
    """Write one element to each message, as compact UTF-8.

    Generated code writes elements of the usual classes. Whatever it does not take, `write_exactly` writes,
    which conforms the element to the type first. Of a row with more fields than the type, the first ones are
    written, as in Flink.
    """

    def __init__(
        self,
        t: TypeInformation[Any],
        time_style: TimeStyle = "RFC-3339",
        skips_nulls: bool = False,
        has_exponents: bool = False,
    ) -> None:
        self._type = t
        self._write = ValueCompiler(time_style, skips_nulls, has_exponents).writer(t, "")
        self._write_fast = FastValueCompiler(time_style, skips_nulls, has_exponents).element_writer(t)

    def __call__(self, element: Any) -> bytes:
        """Encode an element as a message.

        Raises:
            SerializationError: the element does not fit the type.
        """
        try:
            return self._write_fast(element).encode()
        except UNFIT:
            return self.write_exactly(element)

    def write_exactly(self, element: Any) -> bytes:
        """Encode an element as a call does, but slowly.

        Raises:
            SerializationError: the element does not fit the type.
        """
        from typeinfo.serde import serializer_for

        try:
            chosen = leading_fields(self._type, element)
            if chosen is not element:
                return self(chosen)
            (conformed,) = serializer_for(self._type).conform([element])
            return self._write(conformed).encode()
        except (FieldError, TypeCheckError, OverflowError) as error:
            raise SerializationError(f"cannot write {excerpt(element)} as JSON: {error}") from error
