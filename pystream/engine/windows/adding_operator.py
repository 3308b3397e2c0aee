"""AddingWindowOperator: base class of operators that add batches of elements to windows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import repeat
from operator import length_hint
from typing import Any, NamedTuple

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.columns.field_results import FieldResults
from pystream.engine.columns.reduced_fields import ReducedFields
from pystream.engine.context import RuntimeContext
from pystream.engine.events import NO_TIMESTAMP, Elements, Event, Timestamps
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.keys import Keys
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.slots import Table
from pystream.engine.vectorised.columns import ColumnValues
from pystream.engine.vectorised.parts import taken
from pystream.engine.windows.contents import Adding
from pystream.engine.windows.field_contents import AccumulatedFields, AddingFields, ReducedFieldContents
from pystream.engine.windows.operator import WindowOperator
from pystream.engine.windows.plan import WindowCall

__all__ = ["AddingWindowOperator", "Arriving", "KeyedElement"]

KeyedElement = tuple[Any, Any, Hashable, int]
"""An element, or the fields of it that are added, its key, the key's slot and its timestamp."""


class _ElementAt(NamedTuple):
    """An element of a batch, which is made only to be shown."""

    values: Sequence[Any]
    at: int

    def __repr__(self) -> str:
        return repr(self.values[self.at])


class Arriving:
    """A batch of elements that arrive at windows.

    Attributes:
        elements: the elements that have not been added.
        adding: adds one of them to the contents of a window.
        late: the positions of those that no window takes.

    Args:
        values: the elements.
        columns: the elements, or the columns of the fields that are added; at least one.
        keys: their keys.
        timestamps: their event times, if they have any.
        adding: adds them to the contents of windows.
    """

    def __init__(
        self,
        values: Sequence[Any],
        columns: Sequence[Sequence[Any]] | None,
        keys: Keys,
        timestamps: Timestamps | None,
        adding: Adding,
    ) -> None:
        first, *others = [values] if columns is None else columns
        self._values = values
        self._remaining = iter(first)
        added: Iterator[Any] = self._remaining
        if columns is not None:
            added = zip(self._remaining, *others, strict=False)
        times = repeat(NO_TIMESTAMP) if timestamps is None else timestamps
        self.elements: Iterator[KeyedElement] = zip(added, keys.keys, keys.slots, times, strict=False)
        self.adding: Adding = adding
        self.late: list[int] = []

    def position(self) -> int:
        """Return the position of the element that was taken last."""
        return len(self._values) - length_hint(self._remaining) - 1

    def shown(self) -> Any:
        """Return the element that was taken last, to be shown in messages."""
        return _ElementAt(self._values, self.position())


class AddingWindowOperator(WindowOperator):
    """A WindowOperator that adds elements without calling the assigner and the trigger for each.

    Where elements are columns, a reduce or aggregate function that has code on fields gets the fields that it
    reads.
    """

    def __init__(self, spec: OperatorSpec) -> None:
        super().__init__(spec)
        self._of_fields: AddingFields | None = None
        self._reduced: ReducedFields | None = None
        self._reduced_results: FieldResults | None = None
        if spec.columns is not None and spec.columns.fields is not None:
            self._add_fields(spec, spec.columns)

    def _add_fields(self, spec: OperatorSpec, forms: ColumnForms) -> None:
        """Add elements that are columns by their fields."""
        plan = self._plan
        if plan.reduce is None:
            self._of_fields = AccumulatedFields(plan.aggregate, forms)
            return
        self._reduced = reduced = ReducedFields(plan.fold, forms)
        self._of_fields = reduced
        self._contents = ReducedFieldContents(plan, reduced)
        if plan.call is WindowCall.NOTHING:
            self._reduced_results = FieldResults(spec, forms)

    def _prepare(self, context: RuntimeContext) -> None:
        super()._prepare(context)
        if self._reduced_results is not None:
            self._reduced_results.open(context.get_metrics_group())

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        values, timestamps, of_fields = elements.values, elements.timestamps, self._of_fields
        if of_fields is not None and of_fields.takes(values):
            arriving = Arriving(values, of_fields.read_from(values), keys, timestamps, of_fields)
            of_fields.begin(values, arriving.position)
        else:
            arriving = Arriving(values, None, keys, timestamps, self._contents)
        while self._add_until_full(arriving, keys, values):
            yield from self._out.take()
        self._scope.leave()
        self._handle_all_late(values, arriving.late, timestamps)
        yield from self._out.take()

    def _add_until_full(self, arriving: Arriving, keys: Keys, values: Sequence[Any]) -> bool:
        try:
            return self._add_all(arriving)
        except BaseException as error:
            at = arriving.position()
            raise TaskFailure.of(
                self.label, error, short_repr(values[at]), short_repr(keys.keys[at])
            ) from error

    def _write_reduced(self, tables: Iterable[Table]) -> None:
        """Make what elements are reduced to whole elements in tables of the contents of windows."""
        if self._reduced is not None:
            for table in tables:
                self._reduced.write(table)

    def _results_of_reduced(self, contents: list[Any]) -> ColumnValues | None:
        """Return the contents of windows as columns of results.

        ``None`` if a window function takes them, one is a whole element, or one does not have its type.
        """
        results = self._reduced_results
        if results is None or not ReducedFields.are_lists(contents):
            return None
        return results.columns_of(contents, [None] * len(results.layout.codecs))

    @abstractmethod
    def _add_all(self, arriving: Arriving) -> bool:
        """Add elements to their windows until the collector is full; return whether it is."""

    def _handle_all_late(
        self, values: Sequence[Any], positions: list[int], timestamps: Timestamps | None
    ) -> None:
        """Handle the elements at some positions, which no window took."""
        for at, value in zip(positions, taken(values, positions), strict=True):
            self._handle_late(value, NO_TIMESTAMP if timestamps is None else timestamps[at])
