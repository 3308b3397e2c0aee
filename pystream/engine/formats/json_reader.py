"""Read elements from JSON as Flink's JSON row format does, but without its silent losses."""

from __future__ import annotations

import json
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pystream.engine.formats.errors import FieldError, excerpt
from pystream.engine.formats.fields import occurs_in
from pystream.engine.formats.json_fast_reader import UNFIT, FastNodeCompiler
from pystream.engine.formats.json_nodes import NodeCompiler
from pystream.engine.formats.times import TimeStyle
from pystream.errors import DeserializationError
from typeinfo.basic import BIG_DEC
from typeinfo.composite import FieldsTypeInfo

__all__ = ["JsonReader", "json_reader"]


@lru_cache(maxsize=256)
def json_reader(
    t: FieldsTypeInfo[Any],
    fail_on_missing_field: bool = False,
    ignore_parse_errors: bool = False,
    time_style: TimeStyle = "RFC-3339",
) -> JsonReader:
    """Return the reader of messages with one element each.

    Args:
        t: type of the elements.
        fail_on_missing_field: whether a field that is not in the message is an error instead of ``None``.
        ignore_parse_errors: whether input that cannot be parsed becomes ``None`` instead of an error.
        time_style: how times and timestamps are written.

    Raises:
        UnsupportedTypeError: JSON cannot represent a part of the type; the message names it.
    """
    return JsonReader(t, fail_on_missing_field, ignore_parse_errors, time_style)


_BLANKS = b" \t\r\n"


class JsonReader:
    """Read one element from each message.

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
    ) -> None:
        from orjson import loads

        self._ignore_parse_errors = ignore_parse_errors
        # Numbers are parsed as doubles unless some part of the element may need more digits.
        has_decimals = occurs_in(t, BIG_DEC)
        parse_float = Decimal if has_decimals else None
        self._decoder = json.JSONDecoder(parse_float=parse_float, parse_constant=_no_constant)
        self._convert = NodeCompiler(fail_on_missing_field, ignore_parse_errors, time_style).convert(t, "")
        self._parse = self._parse_exactly if has_decimals else loads
        self._convert_fast = FastNodeCompiler(fail_on_missing_field, time_style).convert(t, "")

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

    def read_exactly(self, message: bytes) -> Any | None:
        """Return the element as a call does, but slowly.

        Raises:
            DeserializationError: the message cannot be read.
        """
        try:
            if not message.strip(_BLANKS):
                return None
            node = self._parse_exactly(message)
            return None if node is None else self._convert(node)
        except (FieldError, ValueError, RecursionError) as error:
            if self._ignore_parse_errors:
                return None
            raise DeserializationError(f"cannot read the JSON message {excerpt(message)}: {error}") from error

    def _parse_exactly(self, message: bytes) -> Any:
        return self._decoder.decode(message.decode(json.detect_encoding(message)))


def _no_constant(name: str) -> Any:
    raise FieldError(f'{name} is not JSON; write it as the string "{name}"')
