"""SlotSharingGroup: operators that may share a slot."""

from __future__ import annotations

from dataclasses import dataclass, field

from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from pystream.settings.memory_size import MemorySize
from pystream.settings.resource_spec import ResourceBuilder, Resources
from typeinfo.arguments import checks_arguments

__all__ = ["MemorySize", "SlotSharingGroup"]


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True)
class SlotSharingGroup(Resources):
    """A named group of operators, with the resources that it needs.

    It has no effect: the host places the subtasks. Groups of one name with the same resources are equal.
    Mirrors ``org.apache.flink.api.common.operators.SlotSharingGroup``.

    Args:
        name: the group's name; programs start with `SlotSharingGroup.builder`.

    Raises:
        ConfigurationError: the name is empty.
    """

    name: str = field(kw_only=True)

    def __post_init__(self) -> None:
        _check_name(self.name)

    @checks_arguments(ArgumentTypeError)
    class Builder(ResourceBuilder):
        """Build a `SlotSharingGroup`."""

        def __init__(self, name: str) -> None:
            super().__init__()
            _check_name(name)
            self._name = name

        def build(self) -> SlotSharingGroup:
            """Return the group.

            Raises:
                ConfigurationError: a resource is requested, but not both CPU cores and task heap memory.
            """
            return SlotSharingGroup(name=self._name, **self.amounts())

    @staticmethod
    def builder(name: str) -> SlotSharingGroup.Builder:
        """Return a builder of a group with the given name."""
        return SlotSharingGroup.Builder(name)

    def get_name(self) -> str:
        """Return the group's name."""
        return self.name

    def get_java_slot_sharing_group(self) -> object:
        """Raise an error: there is no Java object behind this group.

        Raises:
            UnsupportedOperationError: always.
        """
        raise UnsupportedOperationError("a SlotSharingGroup has no Java object here; use its getters")


def _check_name(name: str) -> None:
    if not name:
        raise ConfigurationError("slot sharing group: name is empty; give one such as 'default'")
