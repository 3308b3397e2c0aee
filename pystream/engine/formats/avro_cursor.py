"""Read the same part of many Avro messages at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pystream.engine.formats.columns_reader import UnreadError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AvroCursor", "Longs"]

Longs: TypeAlias = npt.NDArray[np.int64]
Bits: TypeAlias = npt.NDArray[np.uint64]

_PADDING = 16  # bytes after the last message, which an integer that is cut off may reach
_MOST_BYTES = (1 << 31) - 1 - _PADDING

# An integer has seven bits in each byte; the highest bit says that another byte follows.
_LAST_BITS = np.uint64(0x8080808080808080)
_LENGTHS = np.uint64(0x0102030405060708)
_STEPS = [
    (np.uint64(0x007F007F007F007F), np.uint64(0x7F007F007F007F00), np.uint64(1)),
    (np.uint64(0x00003FFF00003FFF), np.uint64(0x3FFF00003FFF0000), np.uint64(2)),
    (np.uint64(0x000000000FFFFFFF), np.uint64(0x0FFFFFFF00000000), np.uint64(4)),
]
_ZERO, _ONE, _SEVEN, _TOP_BYTE = map(np.uint64, (0, 1, 7, 56))
_GOES_ON, _NINTH, _TENTH = map(np.uint64, (0x80, 56, 63))


class AvroCursor:
    """Positions in messages, one in each; a read moves all of them past what it reads.

    Args:
        data: the bytes of the messages, and padding.
        at: the positions, in ascending order.
        ends: the ends of the messages.
    """

    def __init__(self, data: bytes, at: Longs, ends: Longs) -> None:
        self._data = data
        self.at: Longs = at
        self._ends = ends

    @staticmethod
    def over(messages: Sequence[bytes], skipped: int = 0) -> AvroCursor:
        """Return a cursor at the start of messages, or behind some bytes of each.

        Raises:
            UnreadError: the messages are too large, or one has fewer bytes.
        """
        data = b"".join([*messages, bytes(_PADDING)])
        if len(data) > _MOST_BYTES:
            raise UnreadError
        lengths = np.fromiter(map(len, messages), np.int64, len(messages))
        ends = np.cumsum(lengths)
        cursor = AvroCursor(data, ends - lengths, ends)
        cursor._move(skipped)
        return cursor

    def __len__(self) -> int:
        return len(self.at)

    @property
    def is_at_end(self) -> bool:
        """Whether every message has been read to its end."""
        return bool((self.at == self._ends).all())

    def taken(self, positions: Longs) -> AvroCursor:
        """Return a cursor over some of the messages; `put` moves this one after it."""
        return AvroCursor(self._data, self.at[positions], self._ends[positions])

    def put(self, positions: Longs, cursor: AvroCursor) -> None:
        """Move to the positions of a cursor that was `taken`."""
        self.at[positions] = cursor.at

    def longs(self) -> Longs:
        """Read integers of 64 bits.

        Raises:
            UnreadError: a message ends before, or an integer is longer.
        """
        words = self._words(np.dtype("<u8"))
        last = ~words & _LAST_BITS
        last &= ~last + _ONE  # the lowest bit that is set, of the last byte
        lengths = ((last >> _SEVEN) * _LENGTHS >> _TOP_BYTE).astype(np.int64)
        bits = words & (last - _ONE)
        for kept, moved, distance in _STEPS:
            bits = (bits & kept) | ((bits & moved) >> distance)
        long = np.flatnonzero(last == 0)
        if len(long):
            bits[long], lengths[long] = self._long(bits[long], self.at[long])
        self._move(lengths)
        numbers: Longs = (bits >> _ONE).view(np.int64) ^ -(bits & _ONE).view(np.int64)
        return numbers

    def _long(self, bits: Bits, at: Longs) -> tuple[Bits, Longs]:
        """Return the bits and the lengths of integers of more than eight bytes."""
        data = np.frombuffer(self._data, np.uint8)
        ninth, tenth = data[at + 8].astype(np.uint64), data[at + 9].astype(np.uint64)
        goes_on = ninth >= _GOES_ON
        if (goes_on & (tenth > _ONE)).any():
            raise UnreadError
        bits |= (ninth & ~_GOES_ON) << _NINTH
        bits |= np.where(goes_on, tenth << _TENTH, _ZERO)
        return bits, 9 + goes_on.astype(np.int64)

    def numbers(self, dtype: str) -> npt.NDArray[Any]:
        """Read numbers of a fixed size.

        Raises:
            UnreadError: a message ends before.
        """
        of_numbers = np.dtype(dtype)
        numbers = self._words(of_numbers)
        self._move(of_numbers.itemsize)
        return numbers

    def parts(self, lengths: Longs | int) -> pa.Array:
        """Read bytes of the given lengths.

        Raises:
            UnreadError: a length is negative, or a message ends before.
        """
        import pyarrow as pa

        starts = self.at.copy()
        self._move(lengths)
        bounds = np.column_stack((starts, self.at)).astype(np.int32).ravel()
        # Every other part is what lies between two of those that are read.
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(self._data)]
        array = pa.Array.from_buffers(pa.binary(), max(0, len(bounds) - 1), buffers)
        return array.take(pa.array(np.arange(0, len(bounds), 2)))

    def _words(self, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return the numbers at the positions, with bytes of what follows where a message ends before."""
        every: npt.NDArray[Any] = np.ndarray(
            (len(self._data) - dtype.itemsize + 1,), dtype, self._data, strides=(1,)
        )
        return every[self.at]

    def _move(self, lengths: Longs | int) -> None:
        if np.min(lengths, initial=0) < 0 or np.max(lengths, initial=0) > _MOST_BYTES:
            raise UnreadError
        self.at += lengths
        if (self.at > self._ends).any():
            raise UnreadError
