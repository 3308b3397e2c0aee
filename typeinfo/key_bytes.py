"""Self-delimiting encodings of the parts of keys."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct

__all__ = ["count_bytes", "integer_bytes", "long_bytes", "sized_bytes", "text_bytes"]

count_bytes: Callable[[int], bytes] = Struct(">I").pack
long_bytes: Callable[[int], bytes] = Struct(">q").pack


def sized_bytes(data: bytes) -> bytes:
    """Encode bytes, preceded by their length."""
    return count_bytes(len(data)) + data


def text_bytes(value: str) -> bytes:
    """Encode a string."""
    return sized_bytes(value.encode())


def integer_bytes(value: int) -> bytes:
    """Encode an integer of any size."""
    return sized_bytes(value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))
