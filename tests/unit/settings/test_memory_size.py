"""MemorySize, as in PyFlink 2.3."""

from __future__ import annotations

import pytest

from pystream.errors import ConfigurationError, UnsupportedOperationError
from pystream.settings.memory_size import MemorySize


@pytest.mark.parametrize(
    ("size", "text", "units"),
    [
        (0, "0 bytes", (0, 0, 0, 0)),
        (1023, "1023 bytes", (0, 0, 0, 0)),
        (1024, "1 kb", (1, 0, 0, 0)),
        (1536, "1536 bytes", (1, 0, 0, 0)),
        (5 * 1024**2, "5 mb", (5120, 5, 0, 0)),
        (1024**3, "1 gb", (1024**2, 1024, 1, 0)),
        (1024**3 + 1, "1073741825 bytes", (1024**2, 1024, 1, 0)),
        (1024**4, "1099511627776 bytes", (1024**3, 1024**2, 1024, 1)),
    ],
)
def test_text_and_units(size: int, text: str, units: tuple[int, ...]) -> None:
    memory = MemorySize(bytes_size=size)
    assert str(memory) == text
    assert memory.get_bytes() == size
    assert units == (
        memory.get_kibi_bytes(),
        memory.get_mebi_bytes(),
        memory.get_gibi_bytes(),
        memory.get_tebi_bytes(),
    )


def test_sizes_compare_by_bytes() -> None:
    assert MemorySize.of_mebi_bytes(3) == MemorySize(3 << 20)
    assert hash(MemorySize.of_mebi_bytes(3)) == hash(MemorySize(3 << 20))
    assert MemorySize(5) < MemorySize(6) <= MemorySize(6)
    other: object = 5
    assert MemorySize(5) != other


@pytest.mark.parametrize("bad", [-1, 1.5, True, None])
def test_other_objects_are_refused_as_sizes(bad: object) -> None:
    with pytest.raises(ConfigurationError, match=r"MemorySize takes an int|MemorySize: .* at least 0"):
        MemorySize(bad)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError):
        MemorySize.of_mebi_bytes(-1)


def test_there_is_no_java_object() -> None:
    with pytest.raises(UnsupportedOperationError, match="get_bytes"):
        MemorySize(1).get_java_memory_size()
