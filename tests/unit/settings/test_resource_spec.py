"""ResourceSpec: the resources of an operator."""

from __future__ import annotations

import pytest

from pystream.errors import ConfigurationError
from pystream.settings.memory_size import MemorySize
from pystream.settings.resource_spec import ResourceSpec


def test_a_specification_holds_its_amounts() -> None:
    spec = (
        ResourceSpec.new_builder(1.5, 10)
        .set_task_off_heap_memory(MemorySize(2048))
        .set_managed_memory_mb(3)
        .set_external_resource("gpu", 1)
        .set_external_resource("gpu", 2)
        .build()
    )
    assert spec.get_cpu_cores() == 1.5
    assert spec.get_task_heap_memory() == MemorySize.of_mebi_bytes(10)
    assert spec.get_task_off_heap_memory() == MemorySize(2048)
    assert spec.get_managed_memory() == MemorySize.of_mebi_bytes(3)
    assert spec.get_external_resources() == {"gpu": 2.0}


def test_memory_that_is_not_set_counts_as_zero() -> None:
    spec = ResourceSpec.new_builder(1, 10).build()
    assert spec.get_managed_memory() == spec.get_task_off_heap_memory() == MemorySize(0)


def test_equal_amounts_are_equal() -> None:
    one, other = ResourceSpec.new_builder(1, 10).build(), ResourceSpec.new_builder(1.0, 10).build()
    assert one == other
    assert hash(one) == hash(other)
    assert one != ResourceSpec()
    assert one != ResourceSpec.new_builder(1, 10).set_external_resource("gpu", 1).build()


def test_amounts_out_of_range_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="cpu cores: 0 is not allowed"):
        ResourceSpec.new_builder(0, 10)
    with pytest.raises(ConfigurationError, match="takes a number, not True"):
        ResourceSpec.new_builder(True, 10)
    with pytest.raises(ConfigurationError, match="task heap memory: 0 bytes"):
        ResourceSpec.new_builder(1, 0)
    builder = ResourceSpec.new_builder(1, 1)
    with pytest.raises(ConfigurationError, match="managed memory: 5 is not allowed; it takes a MemorySize"):
        builder.set_managed_memory(5)  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="external resource 'gpu': -1"):
        builder.set_external_resource("gpu", -1)
