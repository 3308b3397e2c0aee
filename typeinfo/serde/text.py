"""Codecs of text and bytes, and of types carried as text or bytes."""

from __future__ import annotations

import pickle
import uuid
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar

import pyarrow as pa

from typeinfo.errors import TypeCheckError, misfit, short_repr
from typeinfo.formats.arrow import is_bytes, is_text
from typeinfo.serde.codec import Codec, Column, Dtype, ScalarCodec, ValidBy, distinct, per_element, to_list

if TYPE_CHECKING:
    from typeinfo.extended import EnumTypeInfo

__all__ = [
    "BytesCodec",
    "CharCodec",
    "EnumCodec",
    "PickledCodec",
    "StringCodec",
    "UuidCodec",
    "dumps",
]


class StringCodec(ScalarCodec):
    """Codec of ``str``; surrogates are rejected, as no table format can hold them."""

    exact = str
    valid_by = ValidBy.ENCODING
    equal_as_stored = True
    dtype = Dtype.TEXT

    def accepts(self, dt: pa.DataType) -> bool:
        return is_text(dt)

    def fits(self, column: Column) -> bool:
        text = "".join(column)
        return text.isascii() or _is_encodable(text)

    def fix(self, value: Any) -> Any:
        if not isinstance(value, str):
            hint = (
                "decode it with .decode()"
                if isinstance(value, (bytes, bytearray))
                else "convert it with str(…)"
            )
            raise misfit(value, self.type, hint)
        if not _is_encodable(value):
            raise TypeCheckError(
                f"{short_repr(value)} holds a lone surrogate, which is not a valid character; fix the text at"
                " its source, such as decode with errors='replace'"
            )
        return str.__str__(value)

    def conform_and_encode(self, column: Column) -> pa.Array:
        if distinct(type, column) == {str}:
            try:
                return self.write(column)
            except UnicodeEncodeError:
                pass  # conform, below, reports the value
        return super().conform_and_encode(column)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class CharCodec(StringCodec):
    """Codec of strings of one character."""

    direct = False
    valid_by = ValidBy.VALUES

    def fits(self, column: Column) -> bool:
        return distinct(len, column) == {1} and super().fits(column)

    def fix(self, value: Any) -> Any:
        text = super().fix(value)
        if len(text) != 1:
            raise TypeCheckError(
                f"{short_repr(text)} has length {len(text)}, a CHAR has 1; use Types.STRING()"
            )
        return text

    def conform_and_encode(self, column: Column) -> pa.Array:
        return self.encode(self.conform(column))

    def read(self, array: pa.Array) -> list[Any]:
        values = super().read(array)
        return values if distinct(len, values) <= {1} else list(per_element(self.fix, values))


class UuidCodec(ScalarCodec):
    """Codec of UUIDs, as their text."""

    exact: ClassVar[type] = uuid.UUID
    plain = False
    direct = False

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return types == {uuid.UUID} and {value.is_safe for value in column} == {uuid.SafeUUID.unknown}

    def accepts(self, dt: pa.DataType) -> bool:
        return is_text(dt) or (pa.types.is_fixed_size_binary(dt) and dt.byte_width == 16)

    def recast(self, array: pa.Array) -> pa.Array:
        if is_text(array.type):
            return super().recast(array)
        return pa.array(
            [None if b is None else str(uuid.UUID(bytes=b)) for b in array.to_pylist()], self.arrow
        )

    def fix(self, value: Any) -> Any:
        if not isinstance(value, uuid.UUID):
            raise misfit(value, self.type, "convert it with uuid.UUID(…)")
        return value if type(value) is uuid.UUID else uuid.UUID(int=value.int)

    def write(self, column: Column) -> pa.Array:
        return pa.array(list(map(str, column)), self.arrow)

    def read(self, array: pa.Array) -> list[Any]:
        return list(per_element(self._parse, to_list(array, self.type)))

    def _parse(self, text: str) -> uuid.UUID:
        try:
            return uuid.UUID(text)
        except ValueError:
            raise TypeCheckError(f"{short_repr(text)} is not the text of a UUID") from None

    def write_plain(self, column: Column) -> Column:
        return [value.int for value in column]

    def read_plain(self, column: Column) -> Column:
        return [uuid.UUID(int=number) for number in column]


_name = attrgetter("_name_")  # the name without its descriptor, which is ten times as slow


class EnumCodec(Codec):
    """Codec of members of an Enum, by their names."""

    can_keep = True

    def __init__(self, t: EnumTypeInfo[Any], *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self._class = t.enum_class
        self._members = dict(t.enum_class.__members__)

    def accepts(self, dt: pa.DataType) -> bool:
        return is_text(dt)

    def check(self, column: Column, types: set[type]) -> Column:
        if types == {self._class} and set(map(_name, column)) <= self._members.keys():
            return column
        return per_element(self._fix, column)

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return types == {self._class} and set(map(_name, column)) <= self._members.keys()

    def _fix(self, value: Any) -> Any:
        if not isinstance(value, self._class):
            raise misfit(
                value, self.type, f"give a member such as {next(iter(self._members.values()), self._class)}"
            )
        if value.name not in self._members:
            raise TypeCheckError(
                f"{value!r} has no name of its own in {self._class.__name__}, so it cannot be carried"
            )
        return value

    def write(self, column: Column) -> pa.Array:
        return pa.array(list(map(_name, column)), self.arrow)

    def read(self, array: pa.Array) -> list[Any]:
        return list(self.read_plain(to_list(array, self.type)))

    def write_plain(self, column: Column) -> Column:
        return list(map(_name, column))

    def read_plain(self, column: Column) -> Column:
        try:
            return list(map(self._members.__getitem__, column))
        except KeyError:
            return per_element(self._member, column)

    def _member(self, name: str) -> Any:
        if name in self._members:
            return self._members[name]
        raise TypeCheckError(f"{short_repr(name)} is not the name of a member of {self._class.__name__}")


class BytesCodec(ScalarCodec):
    """Codec of ``bytes``; a ``bytearray`` is accepted and becomes ``bytes``."""

    exact = bytes
    valid_by = ValidBy.LAYOUT
    equal_as_stored = True

    def accepts(self, dt: pa.DataType) -> bool:
        return is_bytes(dt)

    def fix(self, value: Any) -> Any:
        if isinstance(value, (bytes, bytearray)):
            return bytes(value)
        raise misfit(
            value, self.type, "give bytes" + (", or declare LIST(BYTE)" if isinstance(value, list) else "")
        )


class PickledCodec(Codec):
    """Codec of any objects, as their pickles."""

    def accepts(self, dt: pa.DataType) -> bool:
        return is_bytes(dt)

    def check(self, column: Column, types: set[type]) -> Column:
        return column

    def conform(self, column: Column) -> Column:
        return column

    def write(self, column: Column) -> pa.Array:
        return pa.array(self.write_plain(column), self.arrow)

    def read(self, array: pa.Array) -> list[Any]:
        return list(self.read_plain(array.to_pylist()))

    def write_plain(self, column: Column) -> Column:
        return list(per_element(dumps, column))

    def read_plain(self, column: Column) -> Column:
        return [pickle.loads(value) for value in column]  # StopIteration would end ``map``


def dumps(value: Any) -> bytes:
    """Pickle a value; classes of a script are pickled by value.

    Raises:
        TypeCheckError: it cannot be pickled.
    """
    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except Exception:  # noqa: BLE001 - classes of a script are no module's, which pickle reports in many ways
        return _dumps_by_value(value)


def _dumps_by_value(value: Any) -> bytes:
    from typeinfo.pickling import dumps  # needed only for instances of a script's own classes

    try:
        return dumps(value)
    except Exception as error:
        raise TypeCheckError(f"{short_repr(value)} cannot be pickled: {error}") from error
