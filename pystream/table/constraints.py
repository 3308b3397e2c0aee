"""Constraints of a resolved schema: its primary key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pystream.errors import ArgumentTypeError, ConfigurationError
from pystream.sql_types.names import quoted_name
from typeinfo.arguments import checks_arguments

__all__ = ["Constraint", "UniqueConstraint"]


class Constraint(ABC):
    """A condition that the rows of a table meet.

    Mirrors ``org.apache.flink.table.catalog.Constraint``.
    """

    __slots__ = ()

    class ConstraintType(Enum):
        """The kinds of constraints; a table has at most one primary key, whose columns are not null."""

        PRIMARY_KEY = 0
        UNIQUE_KEY = 1

    @abstractmethod
    def get_name(self) -> str:
        """Return the name of the constraint."""

    @abstractmethod
    def is_enforced(self) -> bool:
        """Return whether rows are checked; if not, who writes the table is responsible."""

    @abstractmethod
    def get_type(self) -> Constraint.ConstraintType:
        """Return the kind of the constraint."""

    @abstractmethod
    def as_summary_string(self) -> str:
        """Return the constraint as in a declaration."""


@checks_arguments(ArgumentTypeError)
@dataclass(frozen=True, slots=True)
class UniqueConstraint(Constraint):
    """A primary key, which is never enforced.

    Mirrors ``org.apache.flink.table.catalog.UniqueConstraint``.

    Attributes:
        name: its name.
        columns: the names of its columns.

    Raises:
        ConfigurationError: no column is given, or one is given twice.

    Examples:
        >>> print(UniqueConstraint.primary_key("PK_id", ["id"]))
        CONSTRAINT `PK_id` PRIMARY KEY (`id`) NOT ENFORCED
    """

    name: str
    columns: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.columns or len({*self.columns}) < len(self.columns):
            raise ConfigurationError(
                f"UniqueConstraint {self.name!r} takes one or more different columns, not {[*self.columns]}"
            )

    @staticmethod
    def primary_key(name: str, columns: Sequence[str]) -> UniqueConstraint:
        """Return the primary key of some columns.

        Raises:
            ConfigurationError: no column is given, or one is given twice.
        """
        return UniqueConstraint(name, tuple(columns))

    def get_name(self) -> str:
        """Return the name of the constraint."""
        return self.name

    def get_columns(self) -> list[str]:
        """Return the names of the columns."""
        return list(self.columns)

    def is_enforced(self) -> bool:
        """Return false: rows are not checked."""
        return False

    def get_type(self) -> Constraint.ConstraintType:
        """Return ``PRIMARY_KEY``."""
        return Constraint.ConstraintType.PRIMARY_KEY

    def get_type_string(self) -> str:
        """Return the kind of the constraint in SQL."""
        return "PRIMARY KEY"

    def as_summary_string(self) -> str:
        """Return the constraint as in a declaration."""
        columns = ", ".join(map(quoted_name, self.columns))
        return f"CONSTRAINT {quoted_name(self.name)} {self.get_type_string()} ({columns}) NOT ENFORCED"

    def __str__(self) -> str:
        return self.as_summary_string()
