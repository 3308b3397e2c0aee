"""Read elements from JSON as Flink's JSON row format does, but without its silent losses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Any

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import Declaration, has_part
from pystream.engine.formats.json_fast_reader import UNFIT, FastNodeCompiler
from pystream.engine.formats.json_nodes import NodeCompiler
from pystream.engine.formats.times import TimeStyle
from pystream.errors import DeserializationError
from typeinfo.composite import FieldsTypeInfo
from typeinfo.decimals import is_decimal

__all__ = ["JsonReader", "json_reader"]


@lru_cache(maxsize=256)
def json_reader(
    t: FieldsTypeInfo[Any],
    fail_on_missing_field: bool = False,
    ignore_parse_errors: bool = False,
    time_style: TimeStyle = "RFC-3339",
    declarations: tuple[Declaration, ...] = (),
) -> JsonReader:
    """Return the reader of messages.

    Args:
        t: type of the elements.
        fail_on_missing_field: whether a field that is not in the message is an error instead of ``None``.
        ignore_parse_errors: whether input that cannot be parsed becomes ``None`` instead of an error.
        time_style: how times and timestamps are written.
        declarations: what a table declares of its columns, if the elements are its rows.

    Raises:
        UnsupportedTypeError: JSON cannot represent a part of the type; the message names it.
    """
    return JsonReader(t, fail_on_missing_field, ignore_parse_errors, time_style, declarations)


_BLANKS = b" \t\r\n"
_FAULTS = (FieldError, ValueError, RecursionError)


class JsonReader:
    """Read one element from each message, or several from one that is an array.

    A message is parsed by orjson, and its values are checked by generated code. Whatever these do not take,
    from other encodings of Unicode and integers of more than 64 bits to errors, `read_exactly` reads again:
    it decides what a message means.
    """

    def __init__(
        self,
        t: FieldsTypeInfo[Any],
        fail_on_missing_field: bool,
        ignore_parse_errors: bool,
        time_style: TimeStyle,
        declarations: Sequence[Declaration] = (),
    ) -> None:
        from orjson import loads

        self._ignore_parse_errors = ignore_parse_errors
        # Numbers are parsed as doubles unless some part of the element may need more digits.
        has_decimals = has_part(t, is_decimal)
        parse_float = _number if has_decimals else None
        self._decoder = json.JSONDecoder(parse_float=parse_float, parse_constant=_no_constant)
        exact = NodeCompiler(fail_on_missing_field, ignore_parse_errors, time_style, declarations)
        self._convert = exact.convert(t, "")
        self._parse = self._parse_exactly if has_decimals else loads
        self._convert_fast = FastNodeCompiler(fail_on_missing_field, time_style, declarations).convert(t, "")

    def __call__(self, message: bytes) -> Any | None:
        """Return the element; ``None`` for the message ``null``, a blank one, or an ignored parse error.

        Raises:
            DeserializationError: the message cannot be read.
        """
        try:
            node = self._parse(message)
            return None if node is None else self._convert_fast(node)
        except UNFIT:
            return self.read_exactly(message)

    def elements(self, message: bytes) -> Sequence[Any]:
        """Return the elements: those of an array, or the only one, if there is one.

        Raises:
            DeserializationError: the message cannot be read.
        """
        try:
            node = self._parse(message)
            if type(node) is list:
                return [self._convert_fast(item) for item in node if item is not None]
            return () if node is None else (self._convert_fast(node),)
        except UNFIT:
            return self._elements_exactly(message)

    def read_exactly(self, message: bytes) -> Any | None:
        """Return the element as a call does, but slowly.

        Raises:
            DeserializationError: the message cannot be read.
        """
        try:
            return self._element(self._node(message))
        except _FAULTS as error:
            self._ignore(message, error)
            return None

    def node(self, message: bytes) -> Any:
        """Return the parsed message, ``None`` for ``null`` and for a blank one.

        Raises:
            ValueError: it is not JSON.
            FieldError: it has a number that JSON does not have.
            RecursionError: it is nested too deeply.
        """
        try:
            return self._parse(message)
        except UNFIT:
            return self._node(message)

    def of_node(self, node: Any) -> Any:
        """Return the element that a part of a parsed message is; it must not be ``None``.

        Raises:
            FieldError: it is none.
        """
        try:
            return self._convert_fast(node)
        except UNFIT:
            return self._convert(node)

    def _elements_exactly(self, message: bytes) -> Sequence[Any]:
        try:
            node = self._node(message)
        except _FAULTS as error:
            self._ignore(message, error)
            return ()
        elements = []
        for position, item in enumerate(node if type(node) is list else [node]):
            try:
                elements.append(self._element(item))
            except _FAULTS as error:
                if isinstance(error, FieldError) and type(node) is list:
                    error.under(f"[{position}]")
                self._ignore(message, error)
        return [element for element in elements if element is not None]

    def _node(self, message: bytes) -> Any:
        return self._parse_exactly(message) if message.strip(_BLANKS) else None

    def _element(self, node: Any) -> Any:
        return None if node is None else self._convert(node)

    def _ignore(self, message: bytes, error: Exception) -> None:
        """Ignore an error, if these are to be ignored.

        Raises:
            DeserializationError: they are not.
        """
        if not self._ignore_parse_errors or (isinstance(error, FieldError) and error.is_fatal):
            raise DeserializationError(f"cannot read the JSON message {excerpt(message)}: {error}") from error

    def _parse_exactly(self, message: bytes) -> Any:
        return self._decoder.decode(message.decode(json.detect_encoding(message)))


def _no_constant(name: str) -> Any:
    raise FieldError(f'{name} is not JSON; write it as the string "{name}"')


def _number(text: str) -> Decimal | float:
    """Return a number that is not an integer, as a float if its exponent is beyond those of decimals."""
    try:
        return Decimal(text)
    except InvalidOperation:
        return float(text)
