"""MemorySize: an amount of memory."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments

__all__ = ["MemorySize"]

_TEBI = 1 << 40
_UNITS = (("gb", 1 << 30), ("mb", 1 << 20), ("kb", 1 << 10))


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True, order=True)
class MemorySize:
    """A number of bytes, convertible to other units by rounding down.

    Mirrors ``org.apache.flink.configuration.MemorySize``.

    Args:
        bytes_size: the number of bytes, not negative.

    Raises:
        ConfigurationError: the number is negative or not an integer.
    """

    bytes_size: int

    def __post_init__(self) -> None:
        size = self.bytes_size
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise ConfigurationError(
                f"MemorySize: {size!r} bytes is not allowed; it takes an integer of at least 0"
            )

    @staticmethod
    def of_mebi_bytes(mebi_bytes: int) -> MemorySize:
        """Return a size of mebibytes (1024 * 1024 bytes)."""
        return MemorySize(mebi_bytes << 20)

    def get_bytes(self) -> int:
        """Return the size in bytes."""
        return self.bytes_size

    def get_kibi_bytes(self) -> int:
        """Return the size in whole kibibytes of 1024 bytes."""
        return self.bytes_size >> 10

    def get_mebi_bytes(self) -> int:
        """Return the size in whole mebibytes of 1024 kibibytes."""
        return self.bytes_size >> 20

    def get_gibi_bytes(self) -> int:
        """Return the size in whole gibibytes of 1024 mebibytes."""
        return self.bytes_size >> 30

    def get_tebi_bytes(self) -> int:
        """Return the size in whole tebibytes of 1024 gibibytes."""
        return self.bytes_size >> 40

    def get_java_memory_size(self) -> object:
        """Raise an error: there is no Java object behind this size.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError("a MemorySize has no Java object here; read it with get_bytes()")

    def __str__(self) -> str:
        """Return the size in the largest of gb, mb and kb that divides it; whole tb in bytes."""
        if self.bytes_size % _TEBI:
            for name, factor in _UNITS:
                if self.bytes_size % factor == 0:
                    return f"{self.bytes_size // factor} {name}"
        return f"{self.bytes_size} bytes"
