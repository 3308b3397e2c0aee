"""Settings of the operator that a data set comes from: its name, its parallelism and its broadcast sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, overload

from typing_extensions import TypeVar

from pystream.arguments.checks import require
from pystream.dataset.custom_types import CustomType
from pystream.dataset.sets.operators import Broadcasts, named
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ArgumentTypeError, PlanError
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr

if TYPE_CHECKING:
    from pystream.dataset.environment import Environment
    from pystream.dataset.sets.data_set import DataSet

__all__ = ["Build", "OperatorSettings"]

T = TypeVar("T")
Build = Callable[[Broadcasts], DataStream[Any]]


@checks_arguments(ArgumentTypeError)
class OperatorSettings(Generic[T]):
    """The operator that a data set comes from, and its settings, which return the data set.

    Args:
        environment: the environment of the program.
        stream: the elements.
        rebuild: adds the operator again, with broadcast sets; ``None`` if it has no function to read them.
    """

    def __init__(self, environment: Environment, stream: DataStream[T], rebuild: Build | None = None) -> None:
        self._environment = environment
        self._stream = stream
        self._rebuild = rebuild
        self._broadcasts: list[tuple[str, DataStream[Any]]] = []
        self._name: str | None = None
        self._parallelism: int | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._stream.get_name()!r}, {self._stream._type})"

    def name(self, name: str) -> Self:
        """Set the display name of the operator."""
        self._name = name
        self._stream.name(name)
        return self

    def set_parallelism(self, parallelism: int) -> Self:
        """Set the number of subtasks of the operator, overriding the environment's.

        Raises:
            ConfigurationError: it is not positive, or the operator cannot run in parallel.
        """
        self._stream.set_parallelism(parallelism)
        self._parallelism = parallelism
        return self

    def set_degree_of_parallelism(self, degree: int) -> Self:
        """Set the number of subtasks; the older name of ``set_parallelism``."""
        return self.set_parallelism(degree)

    @overload
    def with_broadcast_set(self, name: str, set: DataSet[Any]) -> Self: ...

    @overload
    def with_broadcast_set(self, name: DataSet[Any], set: str) -> Self: ...

    def with_broadcast_set(self, name: Any, set: Any) -> Self:
        """Make all elements of another data set available to the function of the operator.

        The function is an object of a function class, and calls
        ``self.context.get_broadcast_variable(name)``. Every subtask holds the elements in memory. To be
        called before the data set is used.

        Args:
            name: the name of the broadcast set.
            set: the other data set. The guide's prose names the arguments in the opposite order, which is
                accepted as well.

        Raises:
            PlanError: the operator takes no function, the name is used, or the environments differ.
            PlanTypeError: the arguments are not a name and a data set.

        Mirrors ``SingleInputUdfOperator.withBroadcastSet``.
        """
        if isinstance(name, OperatorSettings):
            name, set = set, name
        require(name, str, "with_broadcast_set", "a str as name")
        require(set, OperatorSettings, "with_broadcast_set", "a DataSet")
        self._require_same_environment(set, "with_broadcast_set")
        if self._rebuild is None:
            raise PlanError(
                f"with_broadcast_set: {self._stream.get_name()!r} has no function that "
                f"could read {short_repr(name)}"
            )
        if name in dict(self._broadcasts):
            raise PlanError(
                f"with_broadcast_set: the operator already has a broadcast set {short_repr(name)}"
            )
        self._broadcasts.append((name, named(set._stream, name, self._types)))
        self._stream = self._rebuild(self._broadcasts)
        if self._name is not None:
            self._stream.name(self._name)
        if self._parallelism is not None:
            self._stream.set_parallelism(self._parallelism)
        return self

    @property
    def _types(self) -> tuple[CustomType, ...]:
        return self._environment._custom_types

    def _require_same_environment(self, other: DataSet[Any], call: str) -> None:
        if other._environment is not self._environment:
            raise PlanError(f"{call}: the data sets belong to different environments")
