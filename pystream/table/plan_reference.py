"""References to compiled plans, under their module name in PyFlink."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from pystream.arguments.checks import require_text
from pystream.errors import ArgumentTypeError, ConfigurationError, UnsupportedOperationError
from typeinfo.arguments import checks_arguments

__all__ = ["BytesContentPlanReference", "FilePlanReference", "JsonContentPlanReference", "PlanReference"]


@checks_arguments(ArgumentTypeError)
class PlanReference(ABC):
    """Where a `CompiledPlan` is kept, for ``TableEnvironment.load_plan``.

    Mirrors ``org.apache.flink.table.api.PlanReference``.

    Examples:
        >>> print(PlanReference.from_file("/plans/daily.json"))
        Plan from file '/plans/daily.json'
    """

    __slots__ = ()

    @staticmethod
    def from_file(path: str | Path) -> FilePlanReference:
        """Return a reference to a file.

        Raises:
            ConfigurationError: the path is empty.
        """
        require_text(
            str(path) if path else "", "PlanReference.from_file", "path", "that of the file of a plan"
        )
        return FilePlanReference(Path(path))

    @staticmethod
    def from_json_string(json_string: str) -> JsonContentPlanReference:
        """Return a reference to a plan in JSON."""
        return JsonContentPlanReference(json_string)

    @staticmethod
    def from_smile_bytes(smile_bytes: bytes) -> BytesContentPlanReference:
        """Return a reference to a plan in Smile, which cannot be loaded."""
        return BytesContentPlanReference(smile_bytes)

    @abstractmethod
    def _json(self) -> str:
        """Return the plan in JSON."""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class FilePlanReference(PlanReference):
    """A plan in a file.

    Mirrors ``org.apache.flink.table.api.PlanReference.FilePlanReference``.
    """

    _file: Path

    def get_file(self) -> Path:
        """Return the absolute path of the file."""
        return self._file.resolve()

    def _json(self) -> str:
        try:
            return self._file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"the plan in {str(self._file)!r} cannot be read: {error}") from None

    def __str__(self) -> str:
        return f"Plan from file '{self._file}'"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class JsonContentPlanReference(PlanReference):
    """A plan as text.

    Mirrors ``org.apache.flink.table.api.PlanReference.JsonContentPlanReference``.
    """

    _content: str

    def get_content(self) -> str:
        """Return the plan in JSON."""
        return self._content

    def _json(self) -> str:
        return self._content

    def __str__(self) -> str:
        return f"Plan:\n{self._content}"


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class BytesContentPlanReference(PlanReference):
    """A plan in Smile, which cannot be loaded.

    Mirrors ``org.apache.flink.table.api.PlanReference.BytesContentPlanReference``.
    """

    _content: bytes

    def get_content(self) -> bytes:
        """Return the bytes."""
        return self._content

    def _json(self) -> str:
        raise UnsupportedOperationError("plans in Smile cannot be loaded; keep them as JSON")

    def __str__(self) -> str:
        return f"Plan:\n{list(self._content)}"
