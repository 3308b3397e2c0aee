"""Copy results before the user's function continues.

Elements are passed on in batches, while the function continues and may modify its arguments and earlier
results. So each mutable result is copied immediately, here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeGuard

from pystream.engine.events import Elements
from pystream.engine.failure import OperatorLabel, TaskFailure, short_repr
from pystream.engine.output_tag import OutputTag
from pystream.engine.spec import OperatorSpec
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.pickled import PICKLED_BYTE_ARRAY

if TYPE_CHECKING:
    from typeinfo.serde.copiers import Copier

__all__ = ["ResultCopier", "is_tagged", "misfit"]


def is_tagged(result: Any) -> TypeGuard[tuple[OutputTag[Any], Any]]:
    """Return whether a result is a pair of an OutputTag and a value, for a side output."""
    return type(result) is tuple and len(result) == 2 and isinstance(result[0], OutputTag)


class ResultCopier:
    """Copy the results of an operator by the type of their output.

    Attributes:
        copier: copies results of the main output; ``None`` if they cannot change.
    """

    __slots__ = ("_sides", "_untyped", "copier")

    def __init__(self, spec: OperatorSpec) -> None:
        from typeinfo.serde.copiers import copier_for

        conformed = spec.becomes_columns or not spec.trusted
        self.copier: Copier | None = copier_for(spec.output_type, conformed=conformed)
        self._sides = {side.tag: copier_for(side.type_info, conformed=True) for side in spec.side_outputs}
        self._untyped = copier_for(PICKLED_BYTE_ARRAY)

    def of_each(self, function: Callable[[Any], Any], values: Iterable[Any]) -> list[Any]:
        """Return a function's result for each value, each copied before the next call."""
        if self.copier is None:
            return [function(value) for value in values]
        return self.copier.of_each(function, values)

    def of_passing(self, predicate: Callable[[Any], Any], values: Iterable[Any]) -> list[Any]:
        """Return the values that satisfy a predicate, each copied before the next call."""
        if self.copier is None:
            return [value for value in values if predicate(value)]
        return self.copier.of_passing(predicate, values)

    def each(self, results: Iterable[Any]) -> Iterable[Any]:
        """Yield copies of the results of the main output, each made before the next one is computed."""
        return results if self.copier is None else self.copier.each(results)

    def each_tagged(self, results: Iterable[Any]) -> Iterator[Any]:
        """Yield copies of the results of all outputs, those of side outputs with their tag."""
        copier = self.copier
        for result in results:
            if is_tagged(result):
                yield result[0], self.side(*result)
            else:
                yield result if copier is None else copier(result)

    def side(self, tag: OutputTag[Any], value: Any) -> Any:
        """Return a copy of a result of a side output."""
        copier = self._sides.get(tag.tag_id, self._untyped)
        return value if copier is None else copier(value)


def misfit(
    label: OperatorLabel,
    error: TypeCheckError,
    results: Elements,
    type_info: TypeInformation[Any],
    first: int = 0,
) -> TaskFailure:
    """Return the error for a result that does not match its type; ``first`` is the first index checked."""
    from typeinfo.serde.copiers import with_rows

    if error.index is None:
        return TaskFailure.of(label, error)
    index = first + error.index
    element = "" if results.origin is None else results.origin(index)
    result = short_repr(with_rows(type_info, results.values[index]))
    return TaskFailure.of(label, error, element, result=result)
