"""Read many JSON messages at once into columns, by Arrow's parser."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pystream.engine.formats.columns_reader import UnreadError
from pystream.engine.formats.errors import FieldError
from pystream.engine.formats.fields import fields_of, stored_by, without_optional
from pystream.engine.formats.json_nodes import only_text_reader
from pystream.engine.formats.time_columns import TimeColumns, time_columns
from pystream.engine.formats.times import TimeStyle
from typeinfo.basic import BOOLEAN, DOUBLE, FLOAT, STRING
from typeinfo.collection import ArrayTypeInfo, PrimitiveArrayTypeInfo
from typeinfo.composite import FieldsTypeInfo, RecordTypeInfo
from typeinfo.decimals import BigDecimalTypeInfo, RoundedDecimalTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.scalar import ScalarTypeInfo

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow.json import ParseOptions

    from pystream.engine.vectorised.columns import ColumnValues

__all__ = ["JsonColumns", "json_columns"]

_OTHER_NUMBER = re.compile(rb"(?:NaN|Inf|Infinity)\s*[,\]}]")  # that Arrow takes outside of strings
_DEPTH = 500  # half of what the other parsers take
_LONG_LINE = 2 * _DEPTH  # bytes; each bracket of a shorter one is closed, so it cannot be as deep
_MOST_BYTES = 1 << 30
_DIGITS = 19  # of decimals that certainly have 64 bits, which Arrow divides rightly by any power of ten
_ROUNDED_DIGITS = 18  # the most beyond those of a type; doubles of 1 and more have fewer after the point
_LINE_FEED, _OPENING, _CLOSING = b"\n{}"

Convert: TypeAlias = "Callable[[pa.Array], pa.Array]"


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
        parts: the fields.
        nullable: for each field, whether it may be null.
    """

    def __init__(
        self,
        arguments: tuple[FieldsTypeInfo[Any], bool, TimeStyle, FieldsTypeInfo[Any] | None],
        parts: list[_Part],
        nullable: list[bool],
    ) -> None:
        import pyarrow as pa
        from pyarrow.json import ParseOptions

        from pystream.engine.vectorised.columns import layout_of

        self._arguments = arguments
        t, self._fails_on_missing, *_ = arguments
        self._layout = layout_of(t)
        self._parts = parts
        self._nullable = nullable
        names = t.get_field_names()
        schema = pa.schema([(name, part.arrow) for name, part in zip(names, parts, strict=True)])
        self._strict = ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
        self._lenient = ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")

    def of_messages(self, messages: Sequence[bytes]) -> ColumnValues | None:
        """Return the elements in messages as columns, ``None`` if they are to be read one by one."""
        lines = b"\n".join(messages)
        are_lines = lines.count(b"\n") == len(messages) - 1 and not lines.endswith(b"\n")
        return self.of_lines(lines) if are_lines else None

    def of_lines(self, lines: bytes) -> ColumnValues | None:
        """Return the elements in lines, a message each, as columns, or ``None`` as `of_messages` does."""
        import pyarrow as pa

        from pystream.engine.vectorised.columns import ColumnValues

        ends = _ends_of_objects(lines)
        if ends is None:
            return None
        try:
            table = self._parsed(lines, ends)
            is_short = self._fails_on_missing and any(map(_has_nulls, table.columns))
            if table.num_rows != len(ends) or is_short:
                return None
            columns = [
                _column(column.combine_chunks(), part, nullable)
                for column, part, nullable in zip(table.columns, self._parts, self._nullable, strict=True)
            ]
            return ColumnValues(self._layout, pa.RecordBatch.from_arrays(columns, schema=self._layout.schema))
        except (pa.ArrowException, TypeCheckError, UnreadError):
            return None

    def __reduce__(self) -> Any:
        return json_columns, self._arguments

    def _parsed(self, lines: bytes, ends: NDArray[np.int64]) -> pa.Table:
        """Return the fields of the messages in lines, which have these ends, as valid text and numbers.

        Raises:
            ArrowException: Arrow does not read them.
            UnreadError: Arrow may read them in another way.
        """
        import pyarrow as pa
        from pyarrow.json import ReadOptions, read_json

        def parsed(options: ParseOptions) -> pa.Table:
            return read_json(pa.BufferReader(lines), read_options=read_options, parse_options=options)

        read_options = ReadOptions(use_threads=False, block_size=len(lines) + 1)
        try:
            return parsed(self._strict)
        except pa.ArrowException:  # perhaps for a field that the type does not have, which may hold anything
            if _has_other_numbers(lines) or _is_deep(lines, ends):
                raise UnreadError from None
            return parsed(self._lenient)


@lru_cache(maxsize=256)
def json_columns(
    t: FieldsTypeInfo[Any],
    fail_on_missing_field: bool,
    time_style: TimeStyle,
    parsed: FieldsTypeInfo[Any] | None = None,
) -> JsonColumns | None:
    """Return the reader of messages, ``None`` if a part of the type is read in another way.

    Args:
        t: type of the elements.
        fail_on_missing_field: whether a field that is not in the message is an error instead of ``None``.
        time_style: how times and timestamps are written.
        parsed: the type with the same columns as which messages are parsed, if it is another one.
    """
    from pystream.engine.vectorised.columns import layout_of

    own = _fields(t, time_style)
    parts = own if parsed is None else _fields(parsed, time_style)
    if own is None or parts is None or not layout_of(t).direct:
        return None
    nullable = [field.nullable for field in fields_of(t)]
    return JsonColumns((t, fail_on_missing_field, time_style, parsed), parts, nullable)


def _ends_of_objects(lines: bytes) -> NDArray[np.int64] | None:
    """Return the end offset of each message in lines, ``None`` if Arrow may take one that is not JSON.

    Each message begins and ends with a brace. An object that has not ended with its message would go on with
    the brace of the next one, which no value does, or within a string, which has no line feed. So if the
    messages are parsed to as many objects as there are messages, each of them is one object.
    """
    if not lines or len(lines) > _MOST_BYTES:
        return None
    import numpy as np

    text = np.frombuffer(lines, np.uint8)
    ends = np.flatnonzero(text == _LINE_FEED)
    if text[-1] != _LINE_FEED:
        ends = np.append(ends, len(lines))
    if text[0] != _OPENING or (text[ends[:-1] + 1] != _OPENING).any() or (text[ends - 1] != _CLOSING).any():
        return None
    return ends if _is_text(lines) else None


def _is_text(messages: bytes) -> bool:
    try:
        return messages.isascii() or bool(messages.decode())
    except UnicodeDecodeError:
        return False


def _has_other_numbers(messages: bytes) -> bool:
    """Return whether there may be a NaN or an infinity outside of text."""
    import numpy as np

    for start in (b"Na", b"In"):
        for first in (0, 1):
            pairs = np.frombuffer(messages, np.uint16, (len(messages) - first) // 2, first)
            found = first + 2 * np.flatnonzero(pairs == int.from_bytes(start, sys.byteorder))
            if any(_OTHER_NUMBER.match(messages, position) for position in found.tolist()):
                return True
    return False


def _is_deep(lines: bytes, ends: NDArray[np.int64]) -> bool:
    """Return whether a line has so many brackets that it may be nested deeply."""
    import numpy as np

    starts = np.append(0, ends[:-1] + 1)
    long = ends - starts > _LONG_LINE
    places = zip(starts[long].tolist(), ends[long].tolist(), strict=True)
    return any(lines.count(b"[", *place) + lines.count(b"{", *place) > _DEPTH for place in places)


def _fields(t: FieldsTypeInfo[Any], time_style: TimeStyle) -> list[_Part] | None:
    """Return the parts for the fields of a type, ``None`` if one is read in another way."""
    fields = fields_of(t)
    is_plain = not isinstance(t, RecordTypeInfo) or stored_by(t) is not None
    if not fields or not is_plain or any(field.may_be_missing for field in fields):
        return None
    parts = []
    for field in fields:
        part = _part(field.type, time_style)
        if part is None:
            return None
        parts.append(part)
    return parts


def _part(t: TypeInformation[Any], time_style: TimeStyle) -> _Part | None:
    """Return the part for a type, ``None`` if it is read in another way."""
    import pyarrow as pa

    from typeinfo.serde.registry import codec_for

    if t == STRING:
        return _Part(pa.string())
    read = only_text_reader(t, time_style)
    if read is not None:
        convert = partial(_read_texts, codec_for(t, nullable=True), read)
        times = time_columns(t, time_style)
        return _Part(pa.string(), convert if times is None else partial(_read_times, times, convert))
    if t == BOOLEAN:
        return _Part(pa.bool_())
    if t in (DOUBLE, FLOAT):
        return _Part(pa.float64(), partial(_finite, codec_for(t).arrow))
    match t:
        case BigDecimalTypeInfo():
            more = _ROUNDED_DIGITS if isinstance(t, RoundedDecimalTypeInfo) else 0
            parsed = pa.decimal256(_DIGITS, t.scale + more)
            return _Part(parsed, partial(_fitted, codec_for(t).arrow))
        case ScalarTypeInfo() if t.value_class is int and t.traits.bounds is not None:
            return _Part(codec_for(t).arrow)
        case FieldsTypeInfo():
            parts = _fields(t, time_style)
            return None if parts is None else _struct(t, parts)
        case ArrayTypeInfo() if not (isinstance(t, PrimitiveArrayTypeInfo) and t.is_bytes):
            (slot,) = t.slots()
            item = _part(without_optional(slot.type, slot.nullable)[0], time_style)
            return None if item is None else _list(t, item)
    return None


def _struct(t: FieldsTypeInfo[Any], parts: list[_Part]) -> _Part:
    import pyarrow as pa

    from typeinfo.serde.registry import codec_for

    struct: Any = codec_for(t).arrow
    layout = list(struct)
    arrow = pa.struct([(field.name, part.arrow) for field, part in zip(layout, parts, strict=True)])
    return _Part(arrow, partial(_struct_array, layout, parts))


def _struct_array(layout: list[pa.Field], parts: list[_Part], array: Any) -> pa.Array:
    import pyarrow as pa

    nulls = array.null_count  # their fields are null as well
    fields = [
        _column(array.field(position), part, field.nullable, nulls)
        for position, (part, field) in enumerate(zip(parts, layout, strict=True))
    ]
    return pa.StructArray.from_arrays(fields, fields=layout, mask=array.is_null() if nulls else None)


def _list(t: ArrayTypeInfo[Any], item: _Part) -> _Part:
    import pyarrow as pa

    from typeinfo.serde.registry import codec_for

    return _Part(pa.list_(item.arrow), partial(_list_array, codec_for(t).arrow, item))


def _list_array(layout: Any, item: _Part, array: Any) -> pa.Array:
    import pyarrow as pa

    items = _column(array.values, item, layout.value_field.nullable)
    mask = array.is_null() if array.null_count else None
    return pa.ListArray.from_arrays(array.offsets, items, layout, mask=mask)


def _column(array: pa.Array, part: _Part, nullable: bool, nulls: int = 0) -> pa.Array:
    """Return a part in the layout of its type.

    Args:
        array: its values.
        part: the part.
        nullable: whether it may be null.
        nulls: the number of objects that are null, for which it is null in any case.
    """
    from pystream.engine.vectorised.column_validation import without_mask

    if part.convert is not None:
        array = part.convert(array)
    if nullable:
        return array
    if array.null_count > nulls:
        raise UnreadError
    return without_mask(array) if nulls else array


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


def _fitted(arrow: Any, array: Any) -> Any:
    """Return decimals in the layout of their type, halves rounded away from zero.

    Arrow's parser refuses numbers that have more digits than the precision, or more after the point than the
    scale. It then adds zeros up to the scale, by which a number may get more digits than the precision.
    """
    import pyarrow as pa

    from typeinfo.serde.decimal_arrays import cast_decimals, round_decimals

    wide = pa.decimal256(array.type.precision + array.type.scale, array.type.scale)
    buffers, nulls = array.buffers(), array.null_count
    decimals: Any = pa.Array.from_buffers(wide, len(array), buffers, nulls, array.offset)
    if wide.scale > arrow.scale:
        decimals = round_decimals(decimals, arrow.scale, "half_towards_infinity")
    return cast_decimals(decimals, arrow)


def _finite(arrow: pa.DataType, array: pa.Array) -> pa.Array:
    """Return numbers that are finite, in the given width.

    Of -0, the integer 0, Arrow makes -0.0.
    """
    import numpy as np
    import pyarrow.compute  # slow to import

    compute: Any = pyarrow.compute
    if compute.all(compute.is_finite(array)).as_py() is False:
        raise UnreadError
    values = array.to_numpy(zero_copy_only=False)
    if ((values == 0) & np.signbit(values)).any():
        raise UnreadError
    narrow = array.cast(arrow, safe=False)
    if narrow is not array and np.isinf(narrow.to_numpy(zero_copy_only=False)).any():
        raise UnreadError
    return narrow


def _has_nulls(array: pa.Array | pa.ChunkedArray) -> bool:
    """Return whether values are null, or a field in them."""
    import pyarrow as pa

    if isinstance(array, pa.ChunkedArray):
        return any(map(_has_nulls, array.chunks))
    if array.null_count:
        return True
    if isinstance(array, pa.ListArray):
        return pa.types.is_nested(array.type.value_type) and _has_nulls(array.flatten())
    return isinstance(array, pa.StructArray) and any(map(_has_nulls, array.flatten()))
