"""Keys of elements, the state slots of keys, and the key groups that determine their subtask.

The type system encodes the keys of declared types whose equality is not Python's. All other keys, above all
those of undeclared type, are compared as Python compares them, and ``key_bytes`` encodes them accordingly:
1, 1.0, True and Decimal(1) are one key, which an encoding by type would tell apart. The bytes are the same in
every process, unlike ``hash``, so that key groups are stable.

The bytes of a key go into checkpoints and determine its key group: never change the encoding.
"""

from __future__ import annotations

import dataclasses
import datetime
import pickle
import uuid
from collections.abc import Callable, Hashable, Iterable, Sequence
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import chain
from types import NoneType
from typing import TYPE_CHECKING, Any
from zlib import crc32

from pystream.engine.failure import (
    ElementFailure,
    OperatorLabel,
    TaskFailure,
    call_each,
    short_repr,
)
from pystream.engine.lifecycle import Lifecycle
from pystream.engine.operators.operator import OperatorEnvironment
from pystream.engine.spec import KeySpec
from pystream.engine.vectorised.keys import VectorKeySelector
from typeinfo.composite import RowTypeInfo, TupleTypeInfo
from typeinfo.errors import PyStreamError, TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PickledBytesTypeInfo
from typeinfo.row import Row
from typeinfo.scalar import ScalarTypeInfo
from typeinfo.types import Types

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["CodedKeys", "InvalidKeyError", "KeyGroups", "KeyPositions", "KeyReader", "Keys"]

_CACHED = 1_000_000
_CACHED_POSITIONS = 250_000
_POSITION_BITS = 16  # of a position within its key group


class InvalidKeyError(PyStreamError, ValueError):
    """A value cannot be a key: ``None``, or an object without reliable equality."""


class Keys:
    """The keys of a batch of elements.

    Args:
        keys: the key of each.
        slots: a hashable form of each key, equal for equal keys.
    """

    def __init__(self, keys: Sequence[Any], slots: Sequence[Hashable]) -> None:
        self._keys = keys
        self._slots = slots

    @property
    def keys(self) -> Sequence[Any]:
        """The key of each element."""
        return self._keys

    @property
    def slots(self) -> Sequence[Hashable]:
        """The slot of each key."""
        return self._slots

    @property
    def distinct_slots(self) -> Iterable[Hashable]:
        """The slots of all keys, some of them repeatedly."""
        return self._slots


class CodedKeys(Keys):
    """The keys of a batch of columns, which are their own slots.

    Args:
        distinct: the distinct keys.
        codes: for each element, the position of its key.
    """

    def __init__(self, distinct: list[Any], codes: npt.NDArray[np.int64]) -> None:
        self.distinct: list[Any] = distinct
        self.codes: npt.NDArray[np.int64] = codes
        self._expanded: list[Any] | None = None

    @property
    def keys(self) -> list[Any]:
        """The key of each element."""
        if self._expanded is None:
            self._expanded = list(map(self.distinct.__getitem__, self.codes.tolist()))
        return self._expanded

    @property
    def slots(self) -> list[Any]:
        """The slot of each key, which is the key."""
        return self.keys

    @property
    def distinct_slots(self) -> list[Any]:
        """The slots of all keys."""
        return self.distinct


class KeyReader:
    """Read the keys of elements.

    Args:
        spec: the key function and the type of the keys.
        label: the operator, for messages.
    """

    def __init__(self, spec: KeySpec, label: OperatorLabel) -> None:
        from typeinfo.serde import serializer_for
        from typeinfo.serde.registry import key_encoder

        selector = pickle.loads(spec.selector)
        self._hooks = Lifecycle(label, (selector,) if spec.is_object else getattr(selector, "owners", ()))
        self._select: Callable[[Any], Any] = selector.get_key if spec.is_object else selector
        self._vectorised = isinstance(self._select, VectorKeySelector)
        self._label = label
        self._typed = typed = not isinstance(spec.type_info, PickledBytesTypeInfo)
        self._conform = serializer_for(spec.type_info).conform if typed else None
        self._encode = key_encoder(spec.type_info) if typed and not _is_own_slot(spec.type_info) else None
        self._coder = None
        if spec.columns is not None and self._encode is None:
            from pystream.engine.columns.key_coder import KeyCoder

            self._coder = KeyCoder(spec.columns)

    def open(self, environment: OperatorEnvironment) -> None:
        """Open the key selector; called once, before any key is read."""
        self._hooks.open(environment.runtime_context())

    def close(self) -> None:
        """Close the key selector; called once, after a failure too."""
        self._hooks.close()

    def read(self, values: Sequence[Any]) -> Keys:
        """Return the keys of a batch.

        Raises:
            TaskFailure: the key selector raised, or returned ``None`` or a key that does not fit its type.
        """
        if self._coder is not None and (coded := self._coder.coded(values)) is not None:
            return CodedKeys(*coded)
        if self._vectorised:
            return self._keys(values, self._keys_of_batch(values))
        try:
            keys = call_each(self._select, values)
        except ElementFailure as failure:
            raise TaskFailure.of(self._label, failure) from failure.__cause__
        if self._conform is not None:
            try:
                keys = self._conform(keys)
            except TypeCheckError as error:
                element = "" if error.index is None else short_repr(values[error.index])
                raise TaskFailure.of(self._label, error, element) from error
        return self._keys(values, keys)

    def _keys(self, values: Sequence[Any], keys: list[Any]) -> Keys:
        if NoneType in set(map(type, keys)):
            raise self.failure(values, Keys(keys, keys), InvalidKeyError("None cannot be a key"))
        if self._encode is not None:
            return Keys(keys, list(map(self._encode, keys)))
        try:
            return Keys(keys, keys if self._typed else _slots(keys))
        except InvalidKeyError as error:
            raise self.failure(values, Keys(keys, keys), error) from error

    def _keys_of_batch(self, values: Sequence[Any]) -> list[Any]:
        from pystream.engine.vectorised.operators import described_batch

        select: Any = self._select
        batch = select.columns(values)
        try:
            return list(select.keys(batch))
        except BaseException as error:
            raise TaskFailure.of(self._label, error, described_batch(batch, error)) from error

    def slot_of(self, key: Any) -> Hashable:
        """Return the slot of a key."""
        if self._conform is not None:
            (key,) = self._conform([key])
        if self._encode is not None:
            return self._encode(key)
        return key if self._typed else _slots([key])[0]

    def failure(self, values: Sequence[Any], keys: Keys, error: Exception) -> TaskFailure:
        """Return the report of an invalid key, naming the first element that has one."""
        for value, slot in zip(values, keys.slots, strict=True):
            try:
                key_bytes(slot)
            except InvalidKeyError as invalid:
                return TaskFailure.of(self._label, invalid, short_repr(value))
        return TaskFailure.of(self._label, error)


@dataclasses.dataclass(frozen=True, slots=True)
class EncodedKey:
    """The slot of an unhashable key, such as a list.

    Attributes:
        encoded: the key, encoded by ``key_bytes``.
    """

    encoded: bytes


def _slots(keys: list[Any]) -> list[Hashable]:
    """Return the slots of keys of undeclared type: the keys themselves where they are hashable.

    Raises:
        InvalidKeyError: an unhashable key has no equality that holds in every process.
    """
    try:
        hash(tuple(keys))
    except TypeError:
        return list(map(_slot, keys))
    return keys if frozenset not in set(map(type, keys)) else list(map(_slot, keys))


def _slot(key: Any) -> Hashable:
    if type(key) is not frozenset:  # which equals a set
        try:
            hash(key)
        except TypeError:
            pass
        else:
            slot: Hashable = key
            return slot
    return EncodedKey(key_bytes(key))


class KeyGroups(dict[Hashable, int]):
    """Compute the key group of each slot, once.

    Args:
        count: the number of key groups, which is the max parallelism.
    """

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count = count

    def __missing__(self, slot: Hashable) -> int:
        if len(self) >= _CACHED:
            self.clear()
        group = _stable_hash(slot) % self._count
        self[slot] = group
        return group


class KeyPositions(dict[Hashable, int]):
    """Compute and cache the position of each slot: slots are ordered by key group, then by further bits.

    Args:
        groups: the number of key groups.

    Attributes:
        end: the number of positions.
    """

    def __init__(self, groups: int) -> None:
        super().__init__()
        self._groups = groups
        self.end: int = groups << _POSITION_BITS

    def __missing__(self, slot: Hashable) -> int:
        if len(self) >= _CACHED_POSITIONS:
            self.clear()
        rest, group = divmod(_stable_hash(slot), self._groups)
        position = group << _POSITION_BITS | rest & (1 << _POSITION_BITS) - 1
        self[slot] = position
        return position

    def group_of(self, slot: Hashable) -> int:
        """Return the key group of a slot."""
        return self[slot] >> _POSITION_BITS


def _stable_hash(slot: Hashable) -> int:
    return crc32(slot if type(slot) is bytes else key_bytes(slot))


def key_bytes(key: Any) -> bytes:
    """Encode a key so that equal keys have equal bytes, in every process.

    Raises:
        InvalidKeyError: the key is ``None``, or has no equality that holds in every process.
    """
    encoder = _ENCODERS.get(type(key))
    if encoder is not None:
        return encoder(key)
    if key is None:
        raise InvalidKeyError("the key is None; every element needs a key")
    for cls, encoder in chain(_ENCODERS.items(), _encoders_of_numpy().items()):
        if isinstance(key, cls):
            return encoder(key)
    if isinstance(key, Enum):
        return _parts(b"e", [type(key).__qualname__, key.name])
    if dataclasses.is_dataclass(key) and not isinstance(key, type) and type(key).__eq__ is not object.__eq__:
        fields = [getattr(key, field.name) for field in dataclasses.fields(key) if field.compare]
        return _parts(b"d", [type(key).__qualname__, *fields])
    kind: Any = type(key)
    given = f"{short_repr(key)} of class {kind.__qualname__} cannot be a key"
    if kind.__eq__ is object.__eq__:
        raise InvalidKeyError(
            f"{given}: it is equal only to itself, which does not hold across processes; choose a key of"
            " plain values, such as a tuple of its attributes"
        )
    raise InvalidKeyError(f"{given} of undeclared type: the equality of its class is unknown; {_remedy(key)}")


def _remedy(key: Any) -> str:
    import numpy as np

    for cls in type(key).__mro__:
        if _declares(cls, key):
            return f"declare its type, key_by(…, Types.of({cls.__qualname__}))"
    if isinstance(key, np.generic) and type(key.item()) in _ENCODERS:
        return "convert it with .item()"
    if isinstance(key, np.ndarray):
        return "convert it with .tolist()"
    if isinstance(key, (bytearray, memoryview)):
        return "convert it with bytes(…)"
    if isinstance(key, Iterable):
        return "convert it with tuple(…)"
    return "choose a key of plain values, such as a tuple of its attributes"


def _declares(cls: type, key: Any) -> bool:
    """Return whether a key has the type that annotations derive from a class."""
    from typeinfo.keys import key_refusal
    from typeinfo.serde import serializer_for

    try:
        type_info: TypeInformation[Any] = Types.of(cls)
        serializer_for(type_info).conform([key])
    except PyStreamError:
        return False
    return not isinstance(type_info, PickledBytesTypeInfo) and key_refusal(type_info) is None


def _number(value: Any) -> bytes:
    if value != value:
        return b"nan"
    if value in (float("inf"), float("-inf")):
        return b"inf" if value > 0 else b"-inf"
    whole = int(value)
    if whole == value:
        return b"i" + whole.to_bytes(whole.bit_length() // 8 + 1, "big", signed=True)
    numerator, denominator = value.as_integer_ratio()
    return f"q{numerator}/{denominator}".encode()


def _parts(kind: bytes, parts: Sequence[Any]) -> bytes:
    return _joined(kind, map(_part, parts))


def _part(part: Any) -> bytes:
    return b"0" if part is None else key_bytes(part)


def _joined(kind: bytes, encoded: Iterable[bytes]) -> bytes:
    return kind + b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


def _aware(value: datetime.datetime) -> bytes:
    if value.tzinfo is not None:
        value = value.astimezone(datetime.UTC)
    return b"m" + value.isoformat().encode()


_ENCODERS: dict[type, Callable[[Any], bytes]] = {
    str: lambda key: b"s" + key.encode(errors="surrogatepass"),
    int: _number,
    bool: _number,
    float: _number,
    bytes: lambda key: b"b" + key,
    Row: lambda key: _parts(b"r", [key.get_row_kind().value, tuple(key)]),
    tuple: lambda key: _parts(b"t", key),
    Decimal: _number,
    Fraction: _number,
    datetime.datetime: _aware,
    datetime.date: lambda key: b"a" + key.isoformat().encode(),
    datetime.time: lambda key: b"o" + key.isoformat().encode(),
    datetime.timedelta: lambda key: b"l" + str(key // datetime.timedelta(microseconds=1)).encode(),
    uuid.UUID: lambda key: b"u" + key.bytes,
    EncodedKey: lambda key: key.encoded,
    list: lambda key: _parts(b"L", key),
    dict: lambda key: _joined(b"D", sorted(_parts(b"t", item) for item in key.items())),
    set: lambda key: _joined(b"S", sorted(map(_part, key))),
    frozenset: lambda key: _joined(b"S", sorted(map(_part, key))),
}


@cache
def _encoders_of_numpy() -> dict[type, Callable[[Any], bytes]]:
    import numpy as np

    # not np.signedinteger, which includes np.timedelta64, nor np.longdouble, which exceeds a float
    integers = (np.unsignedinteger, np.int8, np.int16, np.int32, np.int64, np.longlong)
    return dict.fromkeys((np.bool_, *integers, np.float16, np.float32), _number)


def _is_own_slot(type_info: TypeInformation[Any]) -> bool:
    """Return whether Python's equality of values of a type agrees with the equality of keys."""
    if isinstance(type_info, ScalarTypeInfo):
        return type_info.traits.equal_as_keys
    if isinstance(type_info, (TupleTypeInfo, RowTypeInfo)):
        return all(map(_is_own_slot, type_info.field_types))
    return False
