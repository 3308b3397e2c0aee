"""Keys of data sets: positions of fields, functions and key selectors."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from pystream.dataset.functions import KeySelector
from pystream.datastream.streams.data_stream import DataStream
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.failure import short_repr
from pystream.errors import PlanError, PlanTypeError, PyStreamError
from typeinfo.composite import TupleTypeInfo
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY, is_pickled
from typeinfo.types import Types

__all__ = ["FieldError", "Key", "WHOLE", "key_of", "keyed", "keyed_alike", "nothing", "single_group"]


class FieldError(PyStreamError, TypeError):
    """An element does not have the field that is its key."""


class Key:
    """A key of a data set.

    Args:
        select: returns the key of an element; picklable.
        positions: the fields it consists of, if it does.
    """

    def __init__(self, select: Callable[[Any], Any], positions: tuple[int, ...] = ()) -> None:
        self.select = select
        self.positions = positions

    def type_in(self, stream: DataStream[Any]) -> TypeInformation[Any]:
        """Return the type of the key in the elements of a stream.

        Raises:
            PlanError: the elements do not have such fields.
        """
        type_info = stream._type
        if self.select is _itself:
            return type_info
        if not self.positions or is_pickled(type_info):
            return PICKLED_BYTE_ARRAY
        if not isinstance(type_info, TupleTypeInfo):
            raise PlanError(
                f"field {self.positions[0]} of {stream.get_name()!r}: its elements are {type_info}, not "
                "tuples; give a key function"
            )
        types = type_info.field_types
        for position in self.positions:
            if position >= len(types):
                raise PlanError(f"there is no field {position} in {type_info}; use 0 to {len(types) - 1}")
        chosen = [types[position] for position in self.positions]
        return chosen[0] if len(chosen) == 1 else TupleTypeInfo(chosen)


class _Fields:
    """Selects fields of an element, one as it is and several as a tuple."""

    def __init__(self, positions: tuple[int, ...]) -> None:
        self._positions = positions
        self._get = itemgetter(*positions)

    def __reduce__(self) -> tuple[Any, ...]:
        return _Fields, (self._positions,)

    def __call__(self, value: Any) -> Any:
        try:
            return self._get(value)
        except (LookupError, TypeError):
            fields = ", ".join(map(str, self._positions))
            raise FieldError(f"{short_repr(value)} has no field {fields}, which is its key") from None


def _itself(value: Any) -> Any:
    return value


def nothing(value: Any) -> int:
    """Return the key of a single group."""
    return 0


WHOLE = Key(_itself)
"""The element itself as the key."""


def key_of(keys: tuple[Any, ...], call: str) -> Key:
    """Return the key that the arguments of a call describe.

    Args:
        keys: positions of fields, or a single function or KeySelector.
        call: the call, for messages.

    Raises:
        PlanError: there are none, or a position is negative.
        PlanTypeError: they are something else.
    """
    if not keys:
        raise PlanError(f"{call} needs a key: positions of fields, or a function of an element")
    if all(type(key) is int for key in keys):
        for key in keys:
            if key < 0:
                raise PlanError(f"{call}: positions of fields count from 0; there is no field {key}")
        return Key(_Fields(keys), keys)
    if len(keys) == 1 and isinstance(keys[0], KeySelector):
        return Key(keys[0].get_key)
    if len(keys) == 1 and callable(keys[0]) and not isinstance(keys[0], type):
        return Key(keys[0])
    raise PlanTypeError(
        f"{call} takes positions of fields, or one function or KeySelector, not {short_repr(keys)}"
    )


def keyed(stream: DataStream[Any], key: Key) -> KeyedStream[Any, Any]:
    """Partition a stream by a key."""
    if len(key.positions) == 1 and not is_pickled(key.type_in(stream)):
        return stream.key_by(key.positions[0])
    is_function = not key.positions and key is not WHOLE  # may have an annotation
    return stream.key_by(key.select, None if is_function else key.type_in(stream))


def keyed_alike(
    first: DataStream[Any], first_key: Key, second: DataStream[Any], second_key: Key
) -> tuple[KeyedStream[Any, Any], KeyedStream[Any, Any]]:
    """Partition two streams by keys, so that keys that are equal in Python meet."""
    if first_key.type_in(first) == second_key.type_in(second):
        return keyed(first, first_key), keyed(second, second_key)
    return (
        first.key_by(first_key.select, PICKLED_BYTE_ARRAY),
        second.key_by(second_key.select, PICKLED_BYTE_ARRAY),
    )


def single_group(stream: DataStream[Any]) -> KeyedStream[Any, Any]:
    """Bring all elements of a stream to one subtask, as a single group."""
    return stream.key_by(nothing, Types.BYTE())
