"""Codecs of arrays, lists and maps, which flatten the parts of all values into one column each."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate, chain, islice, pairwise
from types import NoneType
from typing import Any

import numpy as np
import pyarrow as pa

from typeinfo.collection import ArrayTypeInfo, MapTypeInfo
from typeinfo.errors import TypeCheckError, misfit, short_repr
from typeinfo.formats.arrow import is_list
from typeinfo.serde.codec import Codec, Column, are_new, distinct, index_of_none, packed, per_element

__all__ = ["ListCodec", "MapCodec"]


def _arrow_offsets(lengths: Any) -> pa.Array:
    """Return the offsets of values with the given lengths, including the end of the last one.

    Args:
        lengths: a numpy array of the numbers of parts.
    """
    offsets = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=offsets[1:])
    return pa.array(offsets)


def _lengths(column: Column) -> Any:
    return np.frombuffer(packed("i", list(map(len, column))), np.int32)


def _part(
    function: Callable[[Any], Any], flat: Any, lengths: Iterable[int], segment: Callable[[int, int], str]
) -> Any:
    """Apply a function to the flattened parts of a column; an error gets the index of its value.

    Args:
        function: takes the flattened parts.
        flat: the flattened parts.
        lengths: the number of parts of each value; used only for errors.
        segment: returns the path segment of a part, given the index of its value and its own.
    """
    try:
        return function(flat)
    except TypeCheckError as error:
        if error.index is None:
            raise error.within("[]", None) from None
        offsets = list(accumulate(lengths, initial=0))
        index = bisect_right(offsets, error.index) - 1
        raise error.within(segment(index, error.index - offsets[index]), index) from None


class ListCodec(Codec):
    """Codec of lists; tuples are accepted and become lists.

    Attributes:
        elements: the codec of the elements.
    """

    def __init__(self, t: ArrayTypeInfo[Any], elements: Codec, *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self.elements: Codec = elements
        self.plain: bool = elements.plain
        self.can_keep: bool = elements.can_keep

    def accepts(self, dt: pa.DataType) -> bool:
        return is_list(dt)

    def recast(self, array: Any) -> Any:
        if pa.types.is_list(array.type):
            return array  # the elements' codec adopts the elements
        import pyarrow.compute as pc  # slow to import

        # not by casting: pyarrow 26 converts list views to broken arrays
        offsets = _arrow_offsets(pc.list_value_length(array).fill_null(0).to_numpy())
        return pa.ListArray.from_arrays(
            offsets, array.flatten(), pa.list_(array.type.value_field), mask=array.is_null()
        )

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        return (
            types == {list}
            and are_new(column, seen)
            and self.elements.keeps(list(chain.from_iterable(column)), seen)
        )

    def check(self, column: Column, types: set[type]) -> Column:
        lists = column if types == {list} else per_element(self._open, column)
        flat = list(chain.from_iterable(lists))
        checked = _part(self.elements.conform, flat, map(len, lists), _list_segment)
        return lists if checked is flat else _lists(checked, lists)

    def _open(self, value: Any) -> list[Any]:
        if type(value) is list:
            return value
        if isinstance(value, (list, tuple)):
            return list(value)
        raise misfit(value, self.type, "convert it with list(…)" if hasattr(value, "__iter__") else "")

    def conform_and_encode(self, column: Column) -> pa.Array:
        if distinct(type, column) != {list}:
            return super().conform_and_encode(column)
        flat = list(chain.from_iterable(column))
        return self._array(
            column, _part(self.elements.conform_and_encode, flat, map(len, column), _list_segment)
        )

    def write(self, column: Column) -> pa.Array:
        flat = list(chain.from_iterable(column))
        return self._array(column, _part(self.elements.encode, flat, map(len, column), _list_segment))

    def _array(self, column: Column, elements: pa.Array) -> pa.Array:
        return pa.ListArray.from_arrays(_arrow_offsets(_lengths(column)), elements, self.arrow)

    def with_parts(self, function: Callable[[Codec, pa.Array], pa.Array], array: Any) -> pa.Array:
        """Return a readable array with a function applied to its elements, without reading the lists.

        Args:
            function: takes the codec of the elements and all of them; returns them as the codec writes them.
            array: the lists, without nulls.
        """
        lengths = np.diff(array.offsets.to_numpy())
        elements = _part(partial(function, self.elements), array.flatten(), lengths, _list_segment)
        return pa.ListArray.from_arrays(_arrow_offsets(lengths), elements, self.arrow)

    def read(self, array: Any) -> list[Any]:
        offsets = array.offsets.to_numpy()
        values = _part(self.elements.decode, array.flatten(), np.diff(offsets), _list_segment)
        return [values[start:end] for start, end in pairwise((offsets - offsets[0]).tolist())]

    def write_plain(self, column: Column) -> Column:
        return self._mapped(self.elements.to_plain, column)

    def read_plain(self, column: Column) -> Column:
        return self._mapped(self.elements.from_plain, column)

    def _mapped(self, function: Callable[[Column], Column], column: Column) -> Column:
        flat = list(chain.from_iterable(column))
        return _lists(_part(function, flat, map(len, column), _list_segment), column)


def _list_segment(_: int, position: int) -> str:
    return f"[{position}]"


def _lists(flat: Column, like: Column) -> list[list[Any]]:
    rest = iter(flat)
    return [list(islice(rest, length)) for length in map(len, like)]


class MapCodec(Codec):
    """Codec of dicts, which keeps their order.

    Attributes:
        keys: the codec of the keys.
        values: the codec of the values.
    """

    def __init__(self, t: MapTypeInfo[Any], keys: Codec, values: Codec, *, nullable: bool) -> None:
        super().__init__(t, nullable=nullable)
        self.keys: Codec = keys
        self.values: Codec = values
        self.plain: bool = keys.plain and values.plain
        self.can_keep: bool = keys.can_keep and values.can_keep

    def accepts(self, dt: pa.DataType) -> bool:
        return pa.types.is_map(dt)

    def recast(self, array: pa.Array) -> pa.Array:
        return array  # the codecs of keys and values adopt them

    def keeps_all(self, column: Column, types: set[type], seen: set[int]) -> bool:
        if types != {dict} or not are_new(column, seen):
            return False
        keys, values = _flat(column)
        has_none = self.keys.nullable and None in keys
        return not has_none and self.keys.keeps(keys, seen) and self.values.keeps(values, seen)

    def check(self, column: Column, types: set[type]) -> Column:
        dicts = column if types == {dict} else per_element(self._open, column)
        return self._map(dicts, self._conformed_keys, self.values.conform)

    def _conformed_keys(self, keys: Column) -> Column:
        if self.keys.nullable and NoneType in distinct(type, keys):  # pickled keys
            raise TypeCheckError("None cannot be the key of a map", "", index_of_none(keys))
        return self.keys.conform(keys)

    def _open(self, value: Any) -> dict[Any, Any]:
        if isinstance(value, dict):
            return value if type(value) is dict else dict(value)
        raise misfit(value, self.type, "give a dict")

    def _map(
        self, dicts: Column, on_keys: Callable[[Column], Any], on_values: Callable[[Column], Any]
    ) -> Column:
        keys, values = _flat(dicts)
        new_keys = _part(on_keys, keys, map(len, dicts), _key_segment(dicts))
        new_values = _part(on_values, values, map(len, dicts), _value_segment(dicts))
        if new_keys is keys and new_values is values:
            return dicts
        return _dicts(new_keys, new_values, list(map(len, dicts)), keys)

    def conform_and_encode(self, column: Column) -> pa.Array:
        if distinct(type, column) == {dict}:
            keys, values = _flat(column)
            if _part(self._conformed_keys, keys, map(len, column), _key_segment(column)) is keys:
                return self._array(column, keys, values, self.values.conform_and_encode)
        return super().conform_and_encode(column)  # normalised keys may become equal

    def write(self, column: Column) -> pa.Array:
        return self._array(column, *_flat(column), self.values.encode)

    def _array(
        self, column: Column, keys: Column, values: Column, on_values: Callable[[Column], pa.Array]
    ) -> pa.Array:
        key_array = _part(self.keys.encode, keys, map(len, column), _key_segment(column))
        value_array = _part(on_values, values, map(len, column), _value_segment(column))
        return pa.MapArray.from_arrays(_arrow_offsets(_lengths(column)), key_array, value_array, self.arrow)

    def with_parts(self, function: Callable[[Codec, pa.Array], pa.Array], array: Any) -> pa.Array:
        """Return a readable array with a function applied to its keys and to its values.

        It does not check that the resulting keys of each map are distinct.

        Args:
            function: takes a codec and all its keys or values; returns them as the codec writes them.
            array: the maps, without nulls.
        """
        offsets = array.offsets
        lengths = np.diff(offsets.to_numpy())
        entries = slice(offsets[0].as_py(), offsets[-1].as_py())
        keys = _part(partial(function, self.keys), array.keys[entries], lengths, _entry_segment("{}"))
        values = _part(partial(function, self.values), array.items[entries], lengths, _entry_segment("[]"))
        return pa.MapArray.from_arrays(_arrow_offsets(lengths), keys, values, self.arrow)

    def read(self, array: Any) -> list[Any]:
        offsets = array.offsets.to_numpy()
        lengths = np.diff(offsets).tolist()
        entries = slice(offsets[0], offsets[-1])
        keys = _part(self.keys.decode, array.keys[entries], lengths, _entry_segment("{}"))
        values = _part(self.values.decode, array.items[entries], lengths, _entry_segment("[]"))
        return _dicts(keys, values, lengths)

    def write_plain(self, column: Column) -> Column:
        """Convert each dict to a flat list of keys and values, as a key's plain form may be unhashable."""
        flat_keys, flat_values = _flat(column)
        keys = _part(self.keys.to_plain, flat_keys, map(len, column), _key_segment(column))
        values = _part(self.values.to_plain, flat_values, map(len, column), _value_segment(column))
        entries = zip(keys, values, strict=True)
        return [list(chain.from_iterable(islice(entries, length))) for length in map(len, column)]

    def read_plain(self, column: Column) -> Column:
        flat = list(chain.from_iterable(column))
        lengths = [len(entries) // 2 for entries in column]
        keys = _part(self.keys.from_plain, flat[::2], lengths, _entry_segment("{}"))
        values = _part(self.values.from_plain, flat[1::2], lengths, _entry_segment("[]"))
        return _dicts(keys, values, lengths)


def _flat(dicts: Column) -> tuple[list[Any], list[Any]]:
    return list(chain.from_iterable(dicts)), list(chain.from_iterable(map(dict.values, dicts)))


_FEW = 16  # entries; zip creates a tuple per dict, and many would not fit the CPU cache


def _dicts(
    keys: Column, values: Column, lengths: list[int], given: Column | None = None
) -> list[dict[Any, Any]]:
    """Build dicts from their concatenated keys and values.

    Args:
        keys: the keys of all dicts, concatenated.
        values: their values.
        lengths: the number of entries of each dict.
        given: the keys as they were before they were normalised.
    """
    entries = zip(keys, values, strict=True)
    if lengths and 0 < lengths[0] <= _FEW and lengths.count(lengths[0]) == len(lengths):
        dicts = list(map(dict, zip(*[entries] * lengths[0], strict=True)))
    else:
        dicts = [dict(islice(entries, length)) for length in lengths]
    if list(map(len, dicts)) != lengths:
        index = next(i for i, d in enumerate(dicts) if len(d) != lengths[i])
        start = sum(lengths[:index])
        raise _collision(keys, keys if given is None else given, start, index)
    return dicts


def _collision(keys: Column, given: Column, start: int, index: int) -> TypeCheckError:
    """Return the error for the first two equal keys of the dict whose keys start at ``start``."""
    seen: dict[Any, int] = {}
    second = start
    while seen.setdefault(keys[second], second) == second:
        second += 1
    first = seen[keys[second]]
    return TypeCheckError(
        f"two keys, {short_repr(given[first])} and {short_repr(given[second])}, are one in the declared type",
        "",
        index,
    )


def _key_segment(dicts: Column) -> Callable[[int, int], str]:
    return lambda index, position: f"{{{_key_text(list(dicts[index])[position])}}}"


def _value_segment(dicts: Column) -> Callable[[int, int], str]:
    return lambda index, position: f"[{_key_text(list(dicts[index])[position])}]"


def _key_text(key: Any) -> str:
    return json.dumps(key, ensure_ascii=False) if isinstance(key, str) else short_repr(key)


def _entry_segment(brackets: str) -> Callable[[int, int], str]:
    return lambda _, position: f"{brackets[0]}entry {position}{brackets[1]}"
