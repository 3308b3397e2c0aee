"""Scalar: an expression of the columns of a row, with its type and its text."""

from __future__ import annotations

from dataclasses import dataclass

from pystream.table.evaluation import Evaluation

__all__ = ["Field", "Scalar"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """An expression of the columns of a row.

    Attributes:
        evaluation: computes its values.
        text: its text in plans.
        column: the number of the column that it is; ``None`` for other expressions.
        is_proctime: whether it is ``PROCTIME()``.
    """

    evaluation: Evaluation
    text: str
    column: int | None = None
    is_proctime: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Field:
    """A column of results.

    Attributes:
        name: its name.
        value: its value.
    """

    name: str
    value: Scalar

    def __str__(self) -> str:
        return self.name if self.value.text == self.name else f"{self.value.text} AS {self.name}"
