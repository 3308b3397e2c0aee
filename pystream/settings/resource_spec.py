"""ResourceSpec: the resources of an operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.settings.memory_size import MemorySize
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

__all__ = ["ResourceBuilder", "ResourceSpec", "Resources"]


class ResourceBuilder:
    """Collect amounts of resources; a later amount replaces an earlier one.

    A setter raises `ConfigurationError` for an amount that is out of range.
    """

    def __init__(self) -> None:
        self._amounts: dict[str, Any] = {}
        self._external: dict[str, float] = {}

    def set_cpu_cores(self, cpu_cores: float) -> Self:
        """Set the number of CPU cores, more than 0."""
        if not _is_number(cpu_cores) or cpu_cores <= 0:
            raise ConfigurationError(
                f"cpu cores: {short_repr(cpu_cores)} is not allowed; it takes a number above 0"
            )
        self._amounts["cpu_cores"] = float(cpu_cores)
        return self

    def set_task_heap_memory(self, task_heap_memory: MemorySize) -> Self:
        """Set the heap memory, more than 0 bytes."""
        if not _memory("task heap memory", task_heap_memory).bytes_size:
            raise ConfigurationError("task heap memory: 0 bytes is not allowed; it takes at least 1 byte")
        self._amounts["task_heap_memory"] = task_heap_memory
        return self

    def set_task_heap_memory_mb(self, task_heap_memory_mb: int) -> Self:
        """Set the heap memory in mebibytes, at least 1."""
        return self.set_task_heap_memory(MemorySize.of_mebi_bytes(task_heap_memory_mb))

    def set_task_off_heap_memory(self, task_off_heap_memory: MemorySize) -> Self:
        """Set the off-heap memory."""
        self._amounts["task_off_heap_memory"] = _memory("task off-heap memory", task_off_heap_memory)
        return self

    def set_task_off_heap_memory_mb(self, task_off_heap_memory_mb: int) -> Self:
        """Set the off-heap memory in mebibytes."""
        return self.set_task_off_heap_memory(MemorySize.of_mebi_bytes(task_off_heap_memory_mb))

    def set_managed_memory(self, managed_memory: MemorySize) -> Self:
        """Set the managed memory, for state and sorting."""
        self._amounts["managed_memory"] = _memory("managed memory", managed_memory)
        return self

    def set_managed_memory_mb(self, managed_memory_mb: int) -> Self:
        """Set the managed memory, for state and sorting, in mebibytes."""
        return self.set_managed_memory(MemorySize.of_mebi_bytes(managed_memory_mb))

    def set_external_resource(self, name: str, value: float) -> Self:
        """Set the amount of an external resource such as GPUs, at least 0."""
        if not _is_number(value) or value < 0:
            raise ConfigurationError(
                f"external resource {name!r}: {short_repr(value)} is not allowed; it "
                "takes a number of at least 0"
            )
        self._external[name] = float(value)
        return self

    def amounts(self) -> dict[str, Any]:
        """Return the fields of `Resources`; if any is set, memory that is not set counts as 0.

        Raises:
            ConfigurationError: a resource is requested, but not both CPU cores and heap memory.
        """
        if not self._amounts and not self._external:
            return {}
        missing = [name for name in ("cpu_cores", "task_heap_memory") if name not in self._amounts]
        if missing:
            raise ConfigurationError(
                f"resources: {' and '.join(missing)} missing; CPU cores and task heap memory must be set "
                "if any amount is"
            )
        unset = {"task_off_heap_memory": MemorySize(0), "managed_memory": MemorySize(0)}
        return {**unset, **self._amounts, "external_resources": dict(self._external)}


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class Resources:
    """Amounts of CPU and memory; an amount that is not set is ``None``.

    They can be read back, but have no effect: Spark's settings ``spark.executor.cores`` and
    ``spark.executor.memory`` size its executors, and the local host uses one process.
    """

    cpu_cores: float | None = None
    task_heap_memory: MemorySize | None = None
    task_off_heap_memory: MemorySize | None = None
    managed_memory: MemorySize | None = None
    external_resources: Mapping[str, float] = field(default_factory=dict, hash=False)

    def get_cpu_cores(self) -> float | None:
        """Return the CPU cores."""
        return self.cpu_cores

    def get_task_heap_memory(self) -> MemorySize | None:
        """Return the heap memory."""
        return self.task_heap_memory

    def get_task_off_heap_memory(self) -> MemorySize | None:
        """Return the off-heap memory."""
        return self.task_off_heap_memory

    def get_managed_memory(self) -> MemorySize | None:
        """Return the managed memory."""
        return self.managed_memory

    def get_external_resources(self) -> dict[str, float]:
        """Return the external resources by name."""
        return dict(self.external_resources)


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class ResourceSpec(Resources):
    """The resources that an operator needs; they have no effect.

    Mirrors ``org.apache.flink.api.common.operators.ResourceSpec``.
    """

    class Builder(ResourceBuilder):
        """Build a `ResourceSpec`."""

        def build(self) -> ResourceSpec:
            """Return the specification.

            Raises:
                ConfigurationError: a resource is requested, but not both CPU cores and heap memory.
            """
            return ResourceSpec(**self.amounts())

    @staticmethod
    def new_builder(cpu_cores: float, task_heap_memory_mb: int) -> ResourceSpec.Builder:
        """Return a builder with CPU cores and heap memory, which are required.

        Args:
            cpu_cores: more than 0.
            task_heap_memory_mb: in mebibytes, at least 1.

        Raises:
            ConfigurationError: an amount is not positive.
        """
        return ResourceSpec.Builder().set_cpu_cores(cpu_cores).set_task_heap_memory_mb(task_heap_memory_mb)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _memory(setting: str, size: MemorySize) -> MemorySize:
    if not isinstance(size, MemorySize):
        raise ConfigurationError(f"{setting}: {short_repr(size)} is not allowed; it takes a MemorySize")
    return size
