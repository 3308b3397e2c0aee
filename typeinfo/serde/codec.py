"""Codec: validates one column of values of one type, writes it to Arrow, and reads it back.

A serializer, or the codec of an enclosing type, calls the methods on the left, which handle ``None`` and
foreign layouts and call those on the right, which a codec implements without regard to either::

    conform             check        values as given -> values of the type
    encode              write        values of the type -> array
    conform_and_encode  both         values as given -> array
    decode              read         array -> values of the type, after ``accepts`` and ``recast`` if foreign
    to_plain            write_plain  values of the type -> numbers, text, tuples, lists, dicts, to be pickled
    from_plain          read_plain   and back
    keeps               keeps_all    values as given -> whether writing and reading returns just these
"""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from itertools import repeat
from operator import is_
from types import NoneType
from typing import Any, ClassVar, TypeVar

import pyarrow as pa

from typeinfo.errors import TypeCheckError, misfit, short_repr
from typeinfo.formats.arrow import is_text, to_arrow
from typeinfo.info import TypeInformation
from typeinfo.serde.decimal_arrays import cast_decimals

__all__ = [
    "Codec",
    "Column",
    "Dtype",
    "ScalarCodec",
    "ValidBy",
    "are_new",
    "distinct",
    "index_of_none",
    "packed",
    "per_element",
    "to_list",
]

Column = Sequence[Any]
P = TypeVar("P")
R = TypeVar("R")


def distinct(function: Callable[[Any], R], values: Iterable[Any]) -> set[R]:
    """Return a function's distinct results; optimised for the usual case of a single one."""
    found = list(map(function, values))
    return {found[0]} if found and found.count(found[0]) == len(found) else set(found)


class ValidBy(Enum):
    """The check by which an array in the layout of a type is known to contain only valid values."""

    LAYOUT = "none: the Arrow type cannot hold others"
    ENCODING = "its text is UTF-8"
    EXTREMES = "its minimum and maximum are valid"
    VALUES = "each value is valid"


class Dtype(Enum):
    """The kind of pandas dtype that has the values of a type."""

    NUMBER = "numbers and booleans"
    TEXT = "string"
    TIME = "datetime64 and timedelta64"
    OBJECT = "object"


class Codec(ABC):
    """Base class of the codecs of columns of one type; stateless, and built once per type and process.

    A column is a sequence of values: the elements of a batch, or the values of one of their fields. Whole
    columns are processed at the speed of C; single values are checked only after their column failed a
    check.

    This class handles ``None``; it does not occur in ``check``, ``write``, ``read``, ``write_plain`` and
    ``read_plain`` of a subclass.

    Attributes:
        type: the type of the values.
        nullable: whether ``None`` is allowed.
        arrow: the Arrow type of the arrays written.
        plain: whether conformed values are their own plain form, so that ``to_plain`` is the identity.
        valid_by: what shows that an array of type ``arrow`` holds only valid values.
        equal_as_stored: whether values are equal exactly if those of their arrays are, unlike 0.0 and -0.0.
        dtype: the kind of pandas dtype of a column.
        can_keep: whether ``keeps`` may be true.
    """

    plain: bool = False
    can_keep: bool = False
    valid_by: ClassVar[ValidBy] = ValidBy.VALUES
    equal_as_stored: ClassVar[bool] = False
    dtype: ClassVar[Dtype] = Dtype.OBJECT

    def __init__(self, t: TypeInformation[Any], *, nullable: bool) -> None:
        self.type = t
        self.nullable: bool = nullable or t.admits_none()
        self.arrow: pa.DataType = to_arrow(t)

    @abstractmethod
    def check(self, column: Column, types: set[type]) -> Column:
        """Return the column with every value normalised; the same object if no value changed.

        Args:
            column: values, none of them ``None``.
            types: the set of their classes.

        Raises:
            TypeCheckError: the value at path and index (in this column) does not fit.
        """

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        """Return whether values, none of them ``None``, are read as they are written; see ``keeps``."""
        return False

    @abstractmethod
    def write(self, column: Column) -> pa.Array:
        """Write conformed values to an array of type ``arrow``."""

    @abstractmethod
    def read(self, array: pa.Array) -> list[Any]:
        """Read the values of an array without nulls, of type ``arrow`` or as returned by ``recast``."""

    def write_plain(self, column: Column) -> Column:
        """Convert conformed values to plain form: numbers, text, bytes; tuples, lists and dicts of these."""
        return column

    def read_plain(self, column: Column) -> Column:
        """Convert values from plain form."""
        return column

    @abstractmethod
    def accepts(self, dt: pa.DataType) -> bool:
        """Return whether arrays of a foreign Arrow type hold values that this codec can read."""

    def adopt(self, array: pa.Array) -> pa.Array:
        """Convert a foreign array to the layout that ``read`` expects.

        Raises:
            TypeCheckError: the array holds values of another kind, or some that do not fit.
        """
        array = decoded(array)
        if array.type == self.arrow:
            return array
        if pa.types.is_null(array.type):  # as libraries create it from no values, or from only nulls
            return pa.nulls(len(array), self.arrow)
        if not self.accepts(array.type):
            raise TypeCheckError(
                f"a column of Arrow type {array.type} does not hold {self.type.display_name()}"
            )
        return self.recast(array)

    def recast(self, array: pa.Array) -> pa.Array:
        """Cast an array of an accepted type to the layout that ``read`` expects."""
        return cast(array, self.arrow, self.type)

    def conform(self, column: Column) -> Column:
        """Return the column normalised, ``None`` included; the same object if no value changed."""
        types = distinct(type, column)
        if NoneType not in types:
            return self.check(column, types) if types else column
        if not self.nullable:
            raise null_error(self.type).within("", index_of_none(column))
        types.remove(NoneType)
        if not types:
            return column
        return around_nulls(column, lambda present: self.check(present, types))

    def keeps(self, column: Column, seen: set[int]) -> bool:
        """Return whether values, as given, are read as they are written, as if they had been pickled.

        Unlike values that ``conform`` accepts, they have exactly the classes of the type, and nothing besides
        what is written. No object that can be changed occurs twice.

        Args:
            column: any values, to be neither conformed nor changed.
            seen: the ids of the objects found so far that can be changed; new ones are added.
        """
        types = distinct(type, column)
        if NoneType in types:
            if not self.nullable:
                return False
            types.remove(NoneType)
            column = [value for value in column if value is not None]
        return not types or self.keeps_all(column, types, seen)

    def conform_and_encode(self, column: Column) -> pa.Array:
        """Validate a column and write it."""
        types = distinct(type, column)
        if not types or NoneType in types:
            return self.encode(self.conform(column))
        return self.write(self.check(column, types))

    def encode(self, column: Column) -> pa.Array:
        """Write a conformed column."""
        if not self.nullable or NoneType not in distinct(type, column):
            return self.write(column)
        return self.write_with_nulls(column)

    def write_with_nulls(self, column: Column) -> pa.Array:
        """Write a conformed column that contains ``None``."""
        present = [value for value in column if value is not None]
        if pa.types.is_struct(self.arrow):
            return self._struct_with_nulls(list(self.arrow), present, column)
        if not present:
            return pa.nulls(len(column), self.arrow)
        array = among_nulls(self.write, present, (value is not None for value in column))
        positions = iter(range(len(present)))
        return array.take(
            pa.array([None if value is None else next(positions) for value in column], pa.int32())
        )

    def _struct_with_nulls(self, fields: list[pa.Field], present: Column, column: Column) -> pa.Array:
        arrays = [_filler(field.type) for field in fields]
        if present:
            struct: Any = among_nulls(self.write, present, (value is not None for value in column))
            arrays = struct.flatten()
        # Non-nullable fields must not be null even where the whole is null: any other value is put there.
        positions = iter(range(len(present)))
        indices = pa.array([0 if value is None else next(positions) for value in column], pa.int32())
        mask = pa.array([value is None for value in column])
        parts = [array.take(indices) for array in arrays]
        return pa.StructArray.from_arrays(parts, fields=fields, mask=mask)

    def decode(self, array: pa.Array) -> list[Any]:
        """Read an array, in this type's layout or a compatible one.

        Raises:
            TypeCheckError: the array holds nulls or values that do not fit.
        """
        if array.type != self.arrow:
            array = self.adopt(array)
        if not array.null_count:
            return self.read(array)
        if not self.nullable:
            raise null_error(self.type).within("", array.is_null().to_pylist().index(True))
        return self.read_with_nulls(array)

    def read_with_nulls(self, array: pa.Array) -> list[Any]:
        """Return the values of an array, ``None`` for nulls."""
        if array.null_count == len(array):
            return [None] * len(array)
        valid = array.is_valid().to_pylist()
        values = iter(among_nulls(self.read, array.drop_null(), valid))
        return [next(values) if is_valid else None for is_valid in valid]

    def to_plain(self, column: Column) -> Column:
        """Convert a conformed column to plain form; ``None`` is kept."""
        return column if self.plain else self._map_present(column, self.write_plain)

    def from_plain(self, column: Column) -> Column:
        """Convert a column from plain form; ``None`` is kept."""
        return column if self.plain else self._map_present(column, self.read_plain)

    def pack(self, column: Column) -> Any:
        """Validate the elements of a batch, and convert them to plain form."""
        return self.to_plain(column)

    def unpack(self, packed: Any) -> Column:
        """Convert the elements of a batch from the plain form of ``pack``."""
        return self.from_plain(packed)

    def _map_present(self, column: Column, function: Callable[[Column], Column]) -> Column:
        if not self.nullable or NoneType not in distinct(type, column):
            return function(column)
        return around_nulls(column, function)


class ScalarCodec(Codec):
    """Base class of the codecs of values without parts; they validate a column by its set of classes.

    Attributes:
        exact: the class of conformed values.
        direct: whether pyarrow itself converts such values to arrays and back.
    """

    plain = True
    can_keep = True
    exact: ClassVar[type]
    direct: ClassVar[bool] = True

    def check(self, column: Column, types: set[type]) -> Column:
        if len(types) == 1 and self.exact in types and self.fits(column):
            return column
        return per_element(self.fix, column)

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return types == {self.exact} and self.fits(column)

    def fits(self, column: Column) -> bool:
        """Return whether values of class ``exact`` are valid without further checks."""
        return True

    @abstractmethod
    def fix(self, value: Any) -> Any:
        """Return one value normalised; raise a TypeCheckError if it does not fit."""

    def write(self, column: Column) -> pa.Array:
        return pa.array(column, self.arrow)

    def write_with_nulls(self, column: Column) -> pa.Array:
        return pa.array(column, self.arrow) if self.direct else super().write_with_nulls(column)

    def read(self, array: pa.Array) -> list[Any]:
        return to_list(array, self.type)

    def read_with_nulls(self, array: pa.Array) -> list[Any]:
        return to_list(array, self.type) if self.direct else super().read_with_nulls(array)


def are_new(column: Column, seen: set[int]) -> bool:
    """Return whether no object of a column occurs twice, there or among ``seen``, and add them to these."""
    ids = set(map(id, column))
    if len(ids) < len(column) or not seen.isdisjoint(ids):
        return False
    seen |= ids
    return True


def packed(code: str, numbers: Column) -> bytes:
    """Pack numbers in their machine representation, three times as fast as ``array.array``.

    Args:
        code: the type of each, as for ``struct``.
        numbers: the numbers, or objects that convert themselves to numbers.

    Raises:
        struct.error: one is not a number, or out of range.
    """
    return struct.pack(f"{len(numbers)}{code}", *numbers)


def per_element(function: Callable[[Any], Any], column: Column) -> Column:
    """Apply a function to each value; return the column itself if the results are the same objects.

    Raises:
        TypeCheckError: as raised by the function, with the index of the value.
    """
    results = []
    for index, value in enumerate(column):
        try:
            results.append(function(value))
        except TypeCheckError as error:
            raise error.within("", index) from None
    return column if all(map(is_, results, column)) else results


def around_nulls(column: Column, function: Callable[[Column], Column]) -> Column:
    """Apply a function on columns to the values that are not ``None``; the column itself if none changes."""
    present = [value for value in column if value is not None]
    if not present:
        return column
    results = among_nulls(function, present, (value is not None for value in column))
    if results is present:
        return column
    rest = iter(results)
    return [None if value is None else next(rest) for value in column]


def among_nulls(function: Callable[[P], R], present: P, valid: Iterable[bool]) -> R:
    """Apply a function to the non-null values; errors get the index among all values."""
    try:
        return function(present)
    except TypeCheckError as error:
        if error.index is None:
            raise
        positions = [position for position, is_valid in enumerate(valid) if is_valid]
        raise error.within("", positions[error.index]) from None


def null_error(t: TypeInformation[Any]) -> TypeCheckError:
    """Return the error for ``None`` where it is not allowed."""
    return misfit(None, t, "leave it out, or declare that it may be None, with Types.of(… | None)")


def index_of_none(column: Column) -> int:
    """Return the position of the first ``None``, compared by identity."""
    return list(map(is_, column, repeat(None))).index(True)


def decoded(array: pa.Array) -> pa.Array:
    """Return an array without dictionary, run-end and extension encodings."""
    if isinstance(array, pa.ExtensionArray):
        return decoded(array.storage)
    if isinstance(array, pa.DictionaryArray):
        return decoded(array.dictionary_decode())
    if isinstance(array, pa.RunEndEncodedArray):
        import pyarrow.compute as pc  # slow to import

        return decoded(pc.run_end_decode(array))
    return array


def cast(array: pa.Array, target: pa.DataType, t: TypeInformation[Any]) -> pa.Array:
    """Return an array as another Arrow type of the same family of values.

    Raises:
        TypeCheckError: a value does not fit the target.
    """
    are_decimals = pa.types.is_decimal(array.type) and pa.types.is_decimal(target)
    function: Callable[..., pa.Array] = cast_decimals if are_decimals else pa.Array.cast
    try:
        return function(array, target)
    except pa.ArrowNotImplementedError as error:
        raise TypeCheckError(
            f"a column of Arrow type {array.type} does not fit {t.display_name()}"
        ) from error
    except pa.ArrowInvalid as error:
        raise _cast_error(array, lambda part: function(part, target), t) from error


def to_list(array: pa.Array, t: TypeInformation[Any]) -> list[Any]:
    """Convert an array to a list of values by pyarrow.

    Raises:
        TypeCheckError: text is not UTF-8, or a date is beyond Python's range of years.
    """
    try:
        return array.to_pylist()
    except (ValueError, OverflowError) as error:
        raise _cast_error(array, pa.Array.to_pylist, t) from error


def _cast_error(
    array: pa.Array, function: Callable[[pa.Array], Any], t: TypeInformation[Any]
) -> TypeCheckError:
    """Return the error for the first element of an array that a function fails on."""
    for index in range(len(array)):
        part = array.slice(index, 1)
        try:
            function(part)
        except (ValueError, OverflowError):
            message = f"{_stored_text(part)} of Arrow type {array.type} does not fit {t.display_name()}"
            if _has_nanos(part):
                message += (
                    ": it has parts of a microsecond, which are not kept; cut them off if that is intended, "
                    'with .dt.floor("us") in pandas or pc.floor_temporal(…, unit="microsecond") in Arrow'
                )
            return TypeCheckError(message, "", index)
    return TypeCheckError(f"a column of Arrow type {array.type} does not fit {t.display_name()}")


def _has_nanos(array: pa.Array) -> bool:
    """Return whether the single value of an array has a fraction of a microsecond."""
    return getattr(array.type, "unit", "") == "ns" and array.view(pa.int64())[0].as_py() % 1000 != 0


def _stored_text(array: pa.Array) -> str:
    """Return the single value of an array as text: the stored number or bytes if Python has no such value."""
    if is_text(array.type):
        return short_repr(array.cast(pa.large_binary())[0].as_py())
    if pa.types.is_timestamp(array.type) and array.type.unit == "ns":  # every value can be shown as text
        zone = "" if array.type.tz is None else "Z"
        return f"{array.view(pa.timestamp('ns')).cast(pa.string())[0]}{zone}"
    width = pa.types.is_temporal(array.type) and array.type.bit_width
    return str(array.view(pa.int32() if width == 32 else pa.int64())[0] if width else array[0])


def _filler(dt: pa.DataType) -> pa.Array:
    """Return an array of one value without nulls in it, unless the Arrow type has only nulls."""
    if pa.types.is_struct(dt):
        return pa.StructArray.from_arrays([_filler(field.type) for field in dt], fields=list(dt))
    if pa.types.is_list(dt) or pa.types.is_map(dt):
        return pa.array([[]], dt)
    null = pa.nulls(1, dt)
    if pa.types.is_null(dt):
        return null
    return pa.Array.from_buffers(dt, 1, [None, *null.buffers()[1:]])  # the same without the validity bitmap
