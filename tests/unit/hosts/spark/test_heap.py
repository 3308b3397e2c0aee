"""The default heap is a quarter of what the machine or the container has, within bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pystream import machine
from pystream.hosts.spark.session_options import default_heap, is_heap

GIB = 1 << 30


@pytest.mark.parametrize("name", ["memory.max", "memory/memory.limit_in_bytes"])
@pytest.mark.parametrize(
    ("physical", "limit", "heap"),
    [
        (16 * GIB, "max", "4096m"),
        (16 * GIB, str(8 * GIB), "2048m"),
        (16 * GIB, str(2**63 - 4096), "4096m"),
        (16 * GIB, str(2 * GIB), "1024m"),
        (2 * GIB, "", "1024m"),
        (256 * GIB, "max", "8192m"),
    ],
)
def test_the_heap_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, physical: int, limit: str, heap: str
) -> None:
    sizes = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": physical // 4096}
    monkeypatch.setattr(os, "sysconf", sizes.__getitem__)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(limit + "\n")
    available = machine.memory(tmp_path)
    monkeypatch.setattr(machine, "memory", lambda: available)
    assert default_heap() == heap


@pytest.mark.parametrize("size", ["450m", "512M", "1g", "4G", "1t", str(GIB), default_heap()])
def test_sizes_that_java_takes_are_sizes(size: str) -> None:
    assert is_heap(size)


@pytest.mark.parametrize("size", ["", "lots", "1x", "1.5g", "-1g", "1 g", "1gb", "449m", "4", "1k"])
def test_other_texts_and_sizes_too_small_for_spark_are_not(size: str) -> None:
    assert not is_heap(size)
