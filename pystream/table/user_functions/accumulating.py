"""ImperativeAggregateFunction: a function of the values of several rows, which an accumulator takes."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

from pystream.errors import UnsupportedOperationError
from pystream.sql_types.data_types import DataType
from pystream.table.user_functions.user_defined_function import UserDefinedFunction

__all__ = ["ImperativeAggregateFunction", "is_implemented", "signature_after_accumulator"]

T = TypeVar("T")
ACC = TypeVar("ACC")


class ImperativeAggregateFunction(UserDefinedFunction, Generic[T, ACC]):
    """Base class of functions of the values of several rows.

    An accumulator is stored pickled, with all that it refers to.
    Mirrors ``org.apache.flink.table.functions.ImperativeAggregateFunction``.
    """

    @abstractmethod
    def create_accumulator(self) -> ACC:
        """Return a new accumulator, such as a ``Row``, a list or an object with a ``ListView``."""

    @abstractmethod
    def accumulate(self, accumulator: ACC, *args: Any, **kwargs: Any) -> None:
        """Change an accumulator by the values of a row; ``None`` stands for null."""

    def retract(self, accumulator: ACC, *args: Any, **kwargs: Any) -> None:
        """Change an accumulator back by the values of a row that was added; for rows that are updated."""
        raise _lacks(self, "retract")

    def merge(self, accumulator: ACC, accumulators: Iterable[ACC]) -> None:
        """Change an accumulator by all that others have; for windows that merge."""
        raise _lacks(self, "merge")

    def get_result_type(self) -> DataType | str:
        """Return the type of the results, or its name in SQL; needed unless ``result_type`` is given."""
        raise _lacks(self, "get_result_type")

    def get_accumulator_type(self) -> DataType | str:
        """Return the type of accumulators, which nothing depends on."""
        raise _lacks(self, "get_accumulator_type")


def is_implemented(function: object, method: str) -> bool:
    """Return whether a function has a method of its own, rather than the one that says it lacks it."""
    own = getattr(type(function), method, None)
    return own is not None and own is not getattr(ImperativeAggregateFunction, method)


def signature_after_accumulator(accumulate: Callable[..., Any]) -> inspect.Signature | None:
    """Return the parameters of ``accumulate`` after the accumulator, ``None`` if they are not known."""
    try:
        signature = inspect.signature(accumulate)
    except (TypeError, ValueError):  # some functions that are written in C have none
        return None
    first, *others = signature.parameters.values()
    is_accumulator = first.kind not in (first.VAR_POSITIONAL, first.KEYWORD_ONLY)
    return signature.replace(parameters=others if is_accumulator else [first, *others])


def _lacks(function: object, method: str) -> UnsupportedOperationError:
    return UnsupportedOperationError(f"{type(function).__name__} has no method {method}()")
