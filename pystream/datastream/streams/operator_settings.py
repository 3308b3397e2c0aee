"""Settings common to all operators: name, uid, parallelism, chaining, resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pystream.arguments.checks import check_parallelism, require_int
from pystream.datastream.slot_sharing_group import SlotSharingGroup
from pystream.errors import ArgumentTypeError, ConfigurationError, PlanError, PlanTypeError
from pystream.plan.nodes import Chaining, Node, PartitionNode, SideOutputNode, UnionNode
from pystream.settings.resource_spec import ResourceSpec
from typeinfo.arguments import checks_arguments

if TYPE_CHECKING:
    from pystream.datastream.stream_execution_environment import StreamExecutionEnvironment

__all__ = ["OperatorSettings"]


@checks_arguments(ArgumentTypeError)
class OperatorSettings:
    """Settings of the operator behind a stream or sink; setters change the operator and return the handle."""

    def __init__(self, environment: StreamExecutionEnvironment, node_id: int) -> None:
        self._environment = environment
        self._node_id = node_id

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._described())})"

    def _described(self) -> list[str]:
        """Return the parts of the repr."""
        return [repr(self._node.title), f"parallelism={self.get_parallelism()}"]

    @property
    def _node(self) -> Node:
        return self._environment._builder.node(self._node_id)

    def _set(self, **settings: Any) -> Self:
        self._environment._builder.set(self._node_id, **settings)
        return self

    def _set_on_operator(self, what: str, **settings: Any) -> Self:
        if isinstance(self._node, (PartitionNode, UnionNode)):
            raise PlanError(
                f"{what} cannot be set on {self._node.settings.name!r}, which is not an operator: "
                f"set it on the operator before or after"
            )
        return self._set(**settings)

    def name(self, name: str | None) -> Self:
        """Set the display name.

        Raises:
            PlanTypeError: it is not a string.
        """
        if name is not None and not isinstance(name, str):
            raise PlanTypeError(f"a name must be a str, not {name!r}")
        return self._set_on_operator("a name", name=name)

    def uid(self, uid: str) -> Self:
        """Set an id that is stable across versions of a program and unique in the job.

        It names the operator in error messages and plans.

        Raises:
            ConfigurationError: it is empty.
        """
        if not uid:
            raise ConfigurationError("a uid must not be empty")
        return self._set_on_operator("a uid", uid=uid)

    def set_uid_hash(self, uid_hash: str) -> Self:
        """Set a hash that is stable across versions of a program and unique in the job.

        Accepted for compatibility with Flink; has no effect beyond the check for uniqueness.

        Raises:
            ConfigurationError: it is not 32 hexadecimal digits.
        """
        if len(uid_hash) != 32 or any(c not in "0123456789abcdefABCDEF" for c in uid_hash):
            raise ConfigurationError(f"a uid hash must be 32 hexadecimal digits, not {uid_hash!r}")
        return self._set_on_operator("a uid hash", uid_hash=uid_hash)

    def set_description(self, description: str) -> Self:
        """Set a longer description, shown in plans."""
        return self._set_on_operator("a description", description=description)

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the number of subtasks, overriding the environment's.

        Raises:
            ConfigurationError: it is not positive, or the operator cannot run in parallel.
        """
        check_parallelism(parallelism)
        if self._node.settings.non_parallel and parallelism != 1:
            raise ConfigurationError(
                f"{self._node.settings.name!r} runs with parallelism 1 only, not {parallelism}"
            )
        return self._set_on_operator("a parallelism", parallelism=parallelism)

    def set_max_parallelism(self, max_parallelism: int) -> Self:
        """Set the maximum parallelism, 1 to 32767, which is also the number of key groups."""
        check_parallelism(max_parallelism, "max parallelism")
        if self._node.settings.non_parallel and max_parallelism != 1:
            raise ConfigurationError(f"{self._node.settings.name!r} runs with parallelism 1 only")
        return self._set_on_operator("a max parallelism", max_parallelism=max_parallelism)

    def force_non_parallel(self) -> Self:
        """Fix parallelism and maximum parallelism at 1; setting another value later is an error."""
        return self._set_on_operator(
            "force_non_parallel", parallelism=1, max_parallelism=1, non_parallel=True
        )

    def set_buffer_timeout(self, timeout_millis: int) -> Self:
        """Set the flush interval in ms; -1 for the environment's, 0 flushes after every element.

        Accepted for compatibility with Flink; has no effect: a bounded job sends full batches.

        Raises:
            ConfigurationError: it is not an int of -1 or more.
        """
        return self._set(buffer_timeout=require_int(timeout_millis, "a buffer timeout", -1))

    def start_new_chain(self) -> Self:
        """Start a new task with this operator; later operators may be chained to it."""
        return self._set_on_operator("chaining", chaining=Chaining.HEAD)

    def disable_chaining(self) -> Self:
        """Run the operator in a task of its own."""
        return self._set_on_operator("chaining", chaining=Chaining.NEVER)

    def slot_sharing_group(self, slot_sharing_group: str | SlotSharingGroup) -> Self:
        """Assign the operator to a slot sharing group, by name or as a group with resources.

        Accepted for compatibility with Flink; has no effect: the host places the subtasks.
        """
        if isinstance(slot_sharing_group, SlotSharingGroup):
            self._environment.register_slot_sharing_group(slot_sharing_group)
            slot_sharing_group = slot_sharing_group.get_name()
        return self._set(slot_sharing_group=slot_sharing_group)

    def set_resources(
        self, resource_spec: ResourceSpec, preferred_resources: ResourceSpec | None = None
    ) -> Self:
        """Set the minimum resources, and the preferred ones if they differ.

        Accepted for compatibility with Flink; has no effect: the host places the subtasks.
        """
        preferred = resource_spec if preferred_resources is None else preferred_resources
        return self._set(min_resources=resource_spec, preferred_resources=preferred)

    def get_name(self) -> str:
        """Return the display name."""
        return self._node.settings.name

    def get_parallelism(self) -> int:
        """Return the parallelism: the operator's own, or the environment's when the operator was added."""
        parallelism = self._emitting.settings.parallelism
        assert parallelism is not None
        return parallelism

    def get_max_parallelism(self) -> int:
        """Return the maximum parallelism: the operator's own, or else the environment's."""
        return self._emitting.settings.max_parallelism or self._environment.get_max_parallelism()

    @property
    def _emitting(self) -> Node:
        """Return the node whose subtasks emit the elements, the first one of a union."""
        node = self._node
        while isinstance(node, SideOutputNode | PartitionNode | UnionNode):
            node = self._environment._builder.node(node.inputs[0])
        return node

    def get_min_resources(self) -> ResourceSpec | None:
        """Return the minimum resources, or ``None`` if not set."""
        resources: ResourceSpec | None = self._node.settings.min_resources
        return resources

    def get_preferred_resources(self) -> ResourceSpec | None:
        """Return the preferred resources, or ``None`` if not set."""
        resources: ResourceSpec | None = self._node.settings.preferred_resources
        return resources

    def get_uid(self) -> str:
        """Return the uid: the one set, or else one derived from the position in the program."""
        return self._node.uid
