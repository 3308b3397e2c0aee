"""Slot sharing groups, as in PyFlink 2.3 unless said otherwise."""

from __future__ import annotations

import pytest

from pystream.datastream.slot_sharing_group import MemorySize, SlotSharingGroup
from pystream.errors import ConfigurationError, UnsupportedOperationError


def test_a_group_without_resources() -> None:
    group = SlotSharingGroup.builder("g").build()
    assert group.get_name() == "g"
    assert group.get_cpu_cores() is None
    assert group.get_task_heap_memory() is None
    assert group.get_task_off_heap_memory() is None
    assert group.get_managed_memory() is None
    assert group.get_external_resources() == {}


@pytest.mark.promise("beh:external-resource-replace")
def test_a_group_with_resources() -> None:
    group = (
        SlotSharingGroup.builder("g")
        .set_cpu_cores(1.5)
        .set_task_heap_memory_mb(10)
        .set_task_off_heap_memory_mb(2)
        .set_managed_memory(MemorySize.of_mebi_bytes(3))
        .set_external_resource("gpu", 1.0)
        .set_external_resource("gpu", 2.0)
        .build()
    )
    assert group.get_cpu_cores() == 1.5
    assert str(group.get_task_heap_memory()) == "10 mb"
    assert str(group.get_task_off_heap_memory()) == "2 mb"
    assert str(group.get_managed_memory()) == "3 mb"
    assert group.get_external_resources() == {"gpu": 2.0}


@pytest.mark.parametrize(
    "builder",
    [
        SlotSharingGroup.builder("g").set_cpu_cores(1.0),
        SlotSharingGroup.builder("g").set_task_heap_memory_mb(10),
        SlotSharingGroup.builder("g").set_managed_memory_mb(10),
        SlotSharingGroup.builder("g").set_external_resource("gpu", 1.0),
    ],
)
def test_resources_need_cpu_cores_and_heap_memory(builder: SlotSharingGroup.Builder) -> None:
    with pytest.raises(ConfigurationError, match="missing"):
        builder.build()


def test_equality_is_by_name_and_resources() -> None:
    # PyFlink leaves the name out of the comparison.
    build = SlotSharingGroup.builder
    assert build("g").build() == build("g").build()
    assert hash(build("g").build()) == hash(build("g").build())
    assert build("g").build() != build("h").build()
    assert build("g").set_cpu_cores(1.0).set_task_heap_memory_mb(10).build() != build("g").build()


def test_a_name_is_text() -> None:
    with pytest.raises(ConfigurationError, match="takes a str, not None, as name"):
        SlotSharingGroup.builder(None).build()  # type: ignore[arg-type]


def test_there_is_no_java_object() -> None:
    with pytest.raises(UnsupportedOperationError):
        SlotSharingGroup.builder("g").build().get_java_slot_sharing_group()
