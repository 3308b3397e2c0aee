"""Read many JSON messages at once into columns, by Arrow's parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import Declaration, fields_of, stored_by, without_optional
from pystream.engine.formats.json_nodes import cast_after, only_text_reader
from pystream.engine.formats.time_columns import TimeColumns, time_columns
from pystream.engine.formats.times import TimeStyle
from typeinfo.basic import BOOLEAN, DOUBLE, FLOAT, STRING
from typeinfo.collection import ArrayTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import pyarrow as pa

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["JsonColumns", "json_columns"]

_NOT_JSON = re.compile(rb"(?:NaN|Inf|Infinity)\s*[,\]}]")  # that Arrow takes outside of strings
_DEPTH = 200  # far below the limits of the other parsers
_LONG_LINE = 2 * _DEPTH  # bytes; each bracket of a shorter one is closed, so it cannot be as deep
_MOST_BYTES = 1 << 30
_LINE_FEED, _OPENING, _CLOSING, _N, _A, _I, _SMALL_N = b"\n{}NaIn"
_BRACE_OF_BRACKET = ord("{") ^ ord("[")  # the bit that makes a brace of a bracket

Convert: TypeAlias = "Callable[[pa.Array], pa.Array]"


class UnreadError(Exception):
    """The values of a column are to be read one by one."""


class _Part(NamedTuple):
    """A part of a message.

    Attributes:
        arrow: the type that Arrow's parser gives it.
        convert: converts it to the layout of its type, or raises `UnreadError`; ``None`` for no change.
    """

    arrow: pa.DataType
    convert: Convert | None = None


class JsonColumns:
    """Read messages with one object each, if Arrow's parser certainly reads them as `JsonReader` does.

    Arrow's parser takes some messages that are not JSON, and values in other forms. So all that it reads
    alike is taken, and messages that may be others are left to `JsonReader`.

    Args:
        arguments: those of `json_columns`.
        t: type of the elements.
        parts: the fields.
        required: for each field, whether nulls are left to `JsonReader`.
    """

    def __init__(
        self, arguments: tuple[Any, ...], t: FieldsTypeInfo[Any], parts: list[_Part], required: list[bool]
    ) -> None:
        import pyarrow as pa
        from pyarrow.json import ParseOptions

        from pystream.engine.vectorised.columns import layout_of

        self._arguments = arguments
        self._layout = layout_of(t)
        self._parts = parts
        self._required = required
        self._names = t.get_field_names()
        schema = pa.schema([(name, part.arrow) for name, part in zip(self._names, parts, strict=True)])
        self._options = ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        lines = b"\n".join(messages)
        return self.of_lines(lines) if lines.count(b"\n") == len(messages) - 1 else None

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return the elements in lines, a message each, as columns, or ``None`` as `of_messages` does."""
        from pyarrow import ArrowException

        from pystream.engine.vectorised.columns import ColumnValues

        messages = lines.removesuffix(b"\n")
        count = _objects(messages)
        if count is None:
            return None
        try:
            table = self._parsed(messages)
            if table.num_rows != count:
                return None
            columns = map(self._column, table.columns, self._parts, self._required)
            return ColumnValues(self._layout, self._layout.batch(list(columns)))
        except (ArrowException, TypeCheckError, UnicodeDecodeError, UnreadError):
            return None

    def __reduce__(self) -> Any:
        return json_columns, self._arguments

    def _parsed(self, messages: bytes) -> pa.Table:
        import pyarrow as pa
        from pyarrow.json import ReadOptions, read_json

        options = ReadOptions(use_threads=False, block_size=len(messages) + 1)
        return read_json(pa.BufferReader(messages), read_options=options, parse_options=self._options)

    def _column(self, column: pa.ChunkedArray, part: _Part, required: bool) -> pa.Array:
        array: pa.Array = column.combine_chunks()
        if required and _has_nulls(array):
            raise UnreadError
        return array if part.convert is None else part.convert(array)


@lru_cache(maxsize=256)
def json_columns(
    t: FieldsTypeInfo[Any],
    fail_on_missing_field: bool,
    time_style: TimeStyle,
    declarations: tuple[Declaration, ...] = (),
) -> JsonColumns | None:
    """Return the reader of messages, ``None`` if a part of the type is read in another way.

    Args:
        t: type of the elements.
        fail_on_missing_field: whether a field that is not in the message is an error instead of ``None``.
        time_style: how times and timestamps are written.
        declarations: what a table declares of its columns, if the elements are its rows.
    """
    from pystream.engine.vectorised.columns import layout_of

    parts = _fields(t, time_style, declarations)
    if parts is None or not layout_of(t).direct:
        return None
    required = [fail_on_missing_field or not field.nullable for field in fields_of(t, declarations)]
    return JsonColumns((t, fail_on_missing_field, time_style, declarations), t, parts, required)


def _objects(messages: bytes) -> int | None:
    """Return the number of messages, if none can be what only Arrow's parser takes.

    Each message begins and ends with a brace. An object that has not ended with its message would go on with
    the brace of the next one, which no value does, or within a string, which has no line feed. So if the
    messages are parsed to as many objects as there are messages, each of them is one object.
    """
    if not messages.startswith(b"{") or not messages.endswith(b"}") or len(messages) > _MOST_BYTES:
        return None
    import numpy as np

    text = np.frombuffer(messages, np.uint8)
    ends = np.flatnonzero(text == _LINE_FEED)
    if (text[ends - 1] != _CLOSING).any() or (text[ends + 1] != _OPENING).any():
        return None
    may_be_number = ((text[:-1] == _N) & (text[1:] == _A)) | ((text[:-1] == _I) & (text[1:] == _SMALL_N))
    if may_be_number.any() and _NOT_JSON.search(messages):
        return None
    try:
        messages.decode()
    except UnicodeDecodeError:
        return None
    return None if _may_be_deep(messages, text, ends) else len(ends) + 1


def _may_be_deep(messages: bytes, text: Any, ends: Any) -> bool:
    """Return whether a line has so many brackets that it may be nested deeply.

    Args:
        messages: the lines.
        text: their bytes as an array.
        ends: the positions of the line feeds.
    """
    import numpy as np

    lengths = np.diff(ends, prepend=-1, append=len(messages))
    longest = int(lengths.max())
    if longest <= _LONG_LINE:
        return False
    brackets = np.flatnonzero(text | _BRACE_OF_BRACKET == _OPENING)
    if (brackets[_DEPTH:] - brackets[:-_DEPTH] >= longest).all():
        return False
    return any(line.count(b"[") + line.count(b"{") > _DEPTH for line in messages.split(b"\n"))


def _fields(
    t: FieldsTypeInfo[Any], time_style: TimeStyle, declarations: tuple[Declaration, ...] = ()
) -> list[_Part] | None:
    """Return the parts for the fields of a type, ``None`` if one is read in another way."""
    fields = fields_of(t, declarations)
    is_plain = not isinstance(t, RecordTypeInfo) or stored_by(t) is not None
    if not fields or not is_plain or any(field.may_be_missing for field in fields):
        return None
    parts = []
    for field in fields:
        part = _part(field.type, time_style, field.cast)
        if part is None:
            return None
        parts.append(part)
    return parts


def _part(
    t: TypeInformation[Any], time_style: TimeStyle, cast: Callable[[Any], Any] | None = None
) -> _Part | None:
    """Return the part for a type, ``None`` if it is read in another way.

    Args:
        t: the type.
        time_style: how times and timestamps are written.
        cast: converts the values that are not null, ``None`` if they stay the same.
    """
    import pyarrow as pa

    from typeinfo.serde.registry import codec_for

    if t == STRING and cast is None:
        return _Part(pa.string())
    read = cast if t == STRING else only_text_reader(t, time_style)
    if read is not None:
        if cast is not None and t != STRING:
            read = partial(cast_after, cast, read)
        convert = partial(_read_texts, codec_for(t, nullable=True), read)
        times = time_columns(t, time_style) if cast is None else None
        return _Part(pa.string(), convert if times is None else partial(_read_times, times, convert))
    if cast is not None:
        return None
    if t == BOOLEAN:
        return _Part(pa.bool_())
    if t in (DOUBLE, FLOAT):
        return _Part(pa.float64(), partial(_finite, codec_for(t).arrow))
    match t:
        case ScalarTypeInfo() if t.value_class is int and t.traits.bounds is not None:
            return _Part(codec_for(t).arrow)
        case FieldsTypeInfo():
            parts = _fields(t, time_style)
            return None if parts is None else _struct(t.get_field_names(), parts)
        case ArrayTypeInfo() if not (isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes):
            (slot,) = t.slots()
            item = _part(without_optional(slot.type, slot.nullable)[0], time_style)
            return None if item is None else _list(item)
    return None


def _struct(names: list[str], parts: list[_Part]) -> _Part:
    import pyarrow as pa

    arrow = pa.struct([(name, part.arrow) for name, part in zip(names, parts, strict=True)])
    converts = [part.convert for part in parts]
    return _Part(arrow, partial(_struct_array, names, converts) if any(converts) else None)


def _struct_array(names: list[str], converts: list[Convert | None], array: Any) -> pa.Array:
    import pyarrow as pa

    fields = [
        field if convert is None else convert(field)
        for field, convert in zip(map(array.field, range(len(names))), converts, strict=True)
    ]
    return pa.StructArray.from_arrays(fields, names, mask=array.is_null())


def _list(item: _Part) -> _Part:
    import pyarrow as pa

    convert = item.convert
    return _Part(pa.list_(item.arrow), None if convert is None else partial(_list_array, convert))


def _list_array(convert: Convert, array: Any) -> pa.Array:
    import pyarrow as pa

    mask = array.is_null() if array.null_count else None
    return pa.ListArray.from_arrays(array.offsets, convert(array.values), mask=mask)


def _read_times(times: TimeColumns, convert: Convert, array: pa.Array) -> pa.Array:
    found = times.read(array)
    return convert(array) if found is None else found


def _read_texts(codec: Any, read: Callable[[str], Any], array: pa.Array) -> pa.Array:
    try:
        values = [None if text is None else read(text) for text in array.to_pylist()]
    except (FieldError, ValueError, OverflowError) as error:
        raise UnreadError from error
    encoded: pa.Array = codec.conform_and_encode(values)
    return encoded


def _finite(arrow: pa.DataType, array: pa.Array) -> pa.Array:
    """Return numbers that are finite, in the given width.

    Of -0, the integer 0, Arrow makes -0.0.
    """
    import numpy as np

    values = array.to_numpy(zero_copy_only=False)
    if (np.isinf(values) | ((values == 0) & np.signbit(values))).any():
        raise UnreadError
    narrow = array.cast(arrow, safe=False)
    if narrow is not array and np.isinf(narrow.to_numpy(zero_copy_only=False)).any():
        raise UnreadError
    return narrow


def _has_nulls(array: pa.Array) -> bool:
    """Return whether values are null, or a field in them."""
    import pyarrow as pa

    if array.null_count:
        return True
    if isinstance(array, pa.ListArray):
        return pa.types.is_nested(array.type.value_type) and _has_nulls(array.flatten())
    return isinstance(array, pa.StructArray) and any(map(_has_nulls, array.flatten()))
