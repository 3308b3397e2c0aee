"""Options for starting a session: masters, the driver's heap and the defaults of the installation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pystream import machine
from pystream.hosts.spark.session_options import default_heap, is_heap, is_master, site_defaults

GIB = 1 << 30


@pytest.mark.parametrize(
    "url",
    [
        "local",
        "local[2]",
        "local[*]",
        "local[2,3]",
        "local[*, 3]",
        "local[2 ,3]",
        "local-cluster[2,1,1024]",
        "local-cluster[ 2 , 1 , 1024 ]",
        "spark://host:7077",
        "spark://a:1,b:2",
        "k8s://https://host:443",
        "yarn",
    ],
)
def test_the_masters_of_spark_are_masters(url: str) -> None:
    assert is_master(url)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "nonsense",
        "locale",
        "local[abc]",
        "local[]",
        "local[-1]",
        "local[2 ]",
        "local[ 2]",
        "local[2,3 ]",
        "local[٢]",
        "local-cluster[]",
        "local-cluster[2,1]",
        "local-cluster[2,1,1g]",
        "spark://",
        "yarn-client",
        "yarn-cluster",
    ],
)
def test_other_texts_are_not_masters(url: str) -> None:
    assert not is_master(url)


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
def test_the_default_heap_is_a_quarter_of_the_memory_within_bounds(
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
def test_sizes_that_java_accepts_are_heaps(size: str) -> None:
    assert is_heap(size)


@pytest.mark.parametrize("size", ["", "lots", "1x", "1.5g", "-1g", "1 g", "1gb", "449m", "4", "1k"])
def test_other_texts_and_sizes_too_small_for_spark_are_not_heaps(size: str) -> None:
    assert not is_heap(size)


def test_options_of_a_site_are_read_as_spark_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert site_defaults() == {}
    (tmp_path / "spark-defaults.conf").write_text(
        "# spark.a 1\n\n  spark.b   2 \nspark.c=3=4\nspark.d : -Dx=y -Dz\nspark.e\n"
    )
    assert site_defaults() == {"spark.b": "2", "spark.c": "3=4", "spark.d": "-Dx=y -Dz"}
