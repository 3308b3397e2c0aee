"""OutputTag: the name and type of a side output."""

from __future__ import annotations

from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.info import TypeInformation, require_type
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["OutputTag", "SideOutput"]

T = TypeVar("T", default=Any)
V = TypeVar("V", default=Any)


@checks_arguments(ArgumentTypeError, methods=False)
class OutputTag(Generic[T]):
    """The name of a side output: functions yield ``tag, value``, and ``get_side_output(tag)`` reads them.

    Tags with the same name are equal. Mirrors ``org.apache.flink.util.OutputTag``.

    Args:
        tag_id: the name, not empty.
        type_info: type of the elements; inferred by default, or else pickled.

    Attributes:
        is_typed: whether a type was given.

    Examples:
        >>> from pystream.common import Types
        >>> from pystream.datastream import OutputTag
        >>> OutputTag("late", Types.STRING())
        OutputTag('late', String)
    """

    __slots__ = ("is_typed", "tag_id", "type_info")

    def __init__(self, tag_id: str, type_info: TypeInformation[T] | None = None) -> None:
        if tag_id is None or tag_id == "":
            raise ArgumentTypeError("OutputTag tag_id cannot be None or empty string")
        self.tag_id: str = tag_id
        self.is_typed: bool = type_info is not None
        self.type_info: TypeInformation[T] = (
            PICKLED_BYTE_ARRAY if type_info is None else require_type(type_info, "type_info")
        )

    def of(self, value: T) -> SideOutput[T]:
        """Return the pair that a process function yields to emit a value to the side output."""
        return self, value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OutputTag) and other.tag_id == self.tag_id

    def __hash__(self) -> int:
        return hash(self.tag_id)

    def __repr__(self) -> str:
        return f"OutputTag({self.tag_id!r}, {self.type_info})"


SideOutput: TypeAlias = tuple[OutputTag[V], V]
"""An element of a side output with its tag: ``Iterator[int | SideOutput[str]]`` yields both kinds."""
