"""Functions of arrays and maps, which are lists and dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from pystream.table.functions.errors import SqlArithmeticError
from typeinfo.row import Row

__all__ = [
    "appended",
    "common",
    "concatenated",
    "contains",
    "distinct",
    "entries",
    "greatest",
    "joined",
    "least",
    "map_from_arrays",
    "only",
    "position",
    "prepended",
    "reversed_array",
    "slice_of",
    "sorted_array",
    "union",
    "united",
    "values_of",
    "without",
    "without_all",
]


def appended(array: list[Any] | None, element: Any) -> list[Any] | None:
    """Return an array with one more element at its end; null if it is null."""
    return None if array is None else [*array, element]


def prepended(array: list[Any] | None, element: Any) -> list[Any] | None:
    """Return an array with one more element at its start; null if it is null."""
    return None if array is None else [element, *array]


def concatenated(*arrays: list[Any]) -> list[Any]:
    """Return the elements of all arrays."""
    return list(chain.from_iterable(arrays))


def contains(array: list[Any] | None, element: Any) -> bool | None:
    """Return whether an array has an element, which may be null; null if the array is null."""
    return None if array is None else element in array


def distinct(array: Sequence[Any]) -> list[Any]:
    """Return the different elements, in the order of their first places."""
    try:
        return list(dict.fromkeys(array))
    except TypeError:  # elements such as arrays are not hashable
        found: list[Any] = []
        for element in array:
            if element not in found:
                found.append(element)
        return found


def union(one: list[Any], other: list[Any]) -> list[Any]:
    """Return the different elements of two arrays."""
    return distinct([*one, *other])


def common(one: list[Any], other: list[Any]) -> list[Any]:
    """Return the different elements of an array that are in another."""
    return [element for element in distinct(one) if element in other]


def without_all(one: list[Any], other: list[Any]) -> list[Any]:
    """Return the different elements of an array that are not in another."""
    return [element for element in distinct(one) if element not in other]


def joined(array: list[Any], separator: str, null: str | None = None) -> str:
    """Return texts with another one between them, and one for nulls, which are left out without it."""
    texts = (null if element is None else element for element in array)
    return separator.join(text for text in texts if text is not None)


def greatest(array: list[Any]) -> Any:
    """Return the greatest element that is not null; null if there is none."""
    return max((element for element in array if element is not None), default=None)


def least(array: list[Any]) -> Any:
    """Return the least element that is not null; null if there is none."""
    return min((element for element in array if element is not None), default=None)


def position(array: list[Any], element: Any) -> int:
    """Return the place of the first element that is equal to one, from 1; 0 if there is none."""
    return array.index(element) + 1 if element in array else 0


def without(array: list[Any] | None, element: Any) -> list[Any] | None:
    """Return an array without the elements of a value, which may be null; null if it is null."""
    return None if array is None else [one for one in array if one != element]


def reversed_array(array: list[Any]) -> list[Any]:
    """Return the elements in reverse order."""
    return array[::-1]


def slice_of(array: list[Any], start: int, end: int = -1) -> list[Any]:
    """Return the elements from one place to another; negative ones count from the end, and 0 is the first."""
    first = max(start - 1 if start > 0 else len(array) + start if start else 0, 0)
    return array[first : max(end, 1) if end >= 0 else max(len(array) + end + 1, 0)]


def sorted_array(array: list[Any], is_ascending: bool = True, nulls_first: bool | None = None) -> list[Any]:
    """Return the elements in order; nulls come first in an ascending one unless it is said."""
    known = sorted((one for one in array if one is not None), reverse=not is_ascending)
    nulls = [None] * (len(array) - len(known))
    return [*nulls, *known] if (is_ascending if nulls_first is None else nulls_first) else [*known, *nulls]


def only(array: list[Any]) -> Any:
    """Return the only element of an array; null if it is empty.

    Raises:
        SqlArithmeticError: there are more.
    """
    if len(array) > 1:
        raise SqlArithmeticError(f"ELEMENT takes arrays of one element, not of {len(array)}")
    return array[0] if array else None


def entries(of: Mapping[Any, Any]) -> list[Row[Any]]:
    """Return the entries of a map as rows."""
    return [Row(key=key, value=value) for key, value in of.items()]


def map_from_arrays(keys: Sequence[Any], values: Sequence[Any]) -> dict[Any, Any]:
    """Return the map of some keys to some values.

    Raises:
        SqlArithmeticError: there are more or less values than keys.
    """
    if len(keys) != len(values):
        raise SqlArithmeticError(
            f"MAP_FROM_ARRAYS takes as many values as keys, not {len(values)} for {len(keys)}"
        )
    return dict(zip(keys, values, strict=True))


def united(*maps: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the entries of all maps; of those with the same key the last one."""
    return {key: value for one in maps for key, value in one.items()}


def values_of(of: Mapping[Any, Any]) -> list[Any]:
    """Return the values of a map."""
    return list(of.values())
