"""KeyedReduce: the operator of rolling reductions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from pystream.engine.context import RuntimeContext
from pystream.engine.events import MAX_WATERMARK, Elements, Event
from pystream.engine.failure import TaskFailure, short_repr
from pystream.engine.keys import CodedKeys, Keys
from pystream.engine.operators.keyed_operator import KeyedOperator
from pystream.engine.results.copies import ResultCopier
from pystream.engine.spec import OperatorSpec
from pystream.engine.state.backend import OwnState
from pystream.engine.state.value_state import ValueStateDescriptor
from pystream.expressions.folds import Reduction
from pystream.kinds import Lifting, OperatorKind

if TYPE_CHECKING:
    from pystream.engine.columns.folded_columns import ReducedColumns
    from pystream.engine.columns.reduced_fields import ReducedFields

__all__ = ["REDUCE", "KeyedReduce"]

_FOLD = "_reduce_state"  # as in PyFlink, so that a function can use the same names for its own states
_NOTHING = object()
_TIME = itemgetter(0)


class KeyedReduce(KeyedOperator):
    """Reduce the elements of each key; emit every intermediate result, or only the last one.

    To emit only the last one, elements are reduced in the order of timestamps: those that have one wait for
    the end of their key group.
    """

    def __init__(self, spec: OperatorSpec, last_only: bool) -> None:
        super().__init__(spec)
        self._is_object = spec.is_object
        self._reduce = self._function.reduce if spec.is_object else self._function
        self._last_only = last_only
        self._type_info = spec.output_type
        self._copies = ResultCopier(spec)
        self._waiting: list[Elements] = []
        self._forms = spec.columns
        self._columns: ReducedColumns | None = None
        self._fields: ReducedFields | None = None
        if spec.columns is not None and spec.columns.fields is not None:
            from pystream.engine.columns.field_results import FieldResults  # needs pyarrow
            from pystream.engine.columns.reduced_fields import ReducedFields

            self._fields = ReducedFields(self._reduce, spec.columns)
            self._results = FieldResults(spec, spec.columns)

    def own_states(self) -> tuple[OwnState, ...]:
        return (OwnState(ValueStateDescriptor(_FOLD, self._type_info)),)

    def _prepare(self, context: RuntimeContext) -> None:
        self._folds = self._own[_FOLD]
        if self._forms is not None and isinstance(self._forms.fold, Reduction):
            from pystream.engine.columns.folded_columns import ReducedColumns  # needs pyarrow

            self._columns = ReducedColumns(self._forms.fold, self._folds)
        if self._fields is not None:
            self._results.open(context.get_metrics_group())

    def process(self, elements: Elements, side: int) -> Iterator[Event]:
        if self._last_only and elements.timestamps is not None:
            self._waiting.append(elements)  # keys are read after sorting
            return iter(())
        return super().process(elements, side)

    def process_keyed(self, elements: Elements, keys: Keys, side: int) -> Iterator[Event]:
        values = elements.values
        folds = self._fold_columns(values, keys)
        if folds is None:
            folds = self._fold_each(values, keys)
        if not self._last_only:
            yield Elements(folds, elements.timestamps, origin=lambda index: short_repr(values[index]))

    def _fold_columns(self, values: Sequence[Any], keys: Keys) -> Sequence[Any] | None:
        """Reduce columns; return ``None`` if elements must be reduced one by one."""
        columns = self._columns
        if columns is None:
            return None
        if isinstance(keys, CodedKeys):
            if not self._last_only:
                results = columns.add_each(values, keys.distinct, keys.codes)
                if results is not None:
                    return results
            elif columns.add(values, keys.distinct, keys.codes):
                return []
        columns.write()
        return None

    def write_columns(self) -> None:
        if self._columns is not None:
            self._columns.write()
        if self._fields is not None:
            self._fields.write(self._folds)

    def unload(self) -> None:
        super().unload()
        if self._columns is not None:
            self._columns.discard()

    def _fold_each(self, values: Sequence[Any], keys: Keys) -> Sequence[Any]:
        """Reduce elements in their order; return copies of all intermediate results if they are emitted."""
        fields = self._fields
        copier = None if self._last_only or self._copies.copier is None else self._copies.copier.one
        results: list[Any] = []
        if fields is None or not fields.takes(values):
            more = self._reduce if fields is None else fields.more_whole
            self._fold(values, values, keys, None, more, copier, results)
            return results
        fields.begin(values, lambda: len(results))
        added = zip(*fields.read_from(values), strict=True)
        self._fold(values, added, keys, fields.first, fields.more, None, results)
        if self._last_only:
            return results
        if fields.are_lists(results):
            return self._results.of(results, [None] * len(self._results.layout.codecs))
        return list(self._copies.each(fields.all_whole(results)))

    def _fold(
        self,
        values: Sequence[Any],
        added: Iterable[Any],
        keys: Keys,
        first: Callable[[Any], Any] | None,
        more: Callable[[Any, Any], Any],
        copier: Callable[[Any], Any] | None,
        results: list[Any],
    ) -> None:
        """Reduce elements in their order.

        Args:
            values: the elements.
            added: what is added of each: the element, or some of its fields.
            keys: their keys.
            first: returns what one element is reduced to; ``None`` for itself.
            more: returns what elements are reduced to with one more.
            copier: copies each result, if they can change.
            results: all intermediate results are appended to it.
        """
        folds = self._folds
        scope = self._scope if self._is_object else None
        append = results.append
        try:
            for value, slot, key in zip(added, keys.slots, keys.keys, strict=True):
                fold = folds.get(slot, _NOTHING)
                if fold is not _NOTHING:
                    if scope is not None:
                        scope.slot, scope.key = slot, key
                    value = more(fold, value)
                elif first is not None:
                    value = first(value)
                folds[slot] = value
                append(value if copier is None else copier(value))
        except BaseException as error:
            at = len(results)
            raise TaskFailure.of(
                self.label, error, short_repr(values[at]), short_repr(keys.keys[at])
            ) from error
        finally:
            self._scope.leave()

    def advance(self, watermark: int) -> Iterator[Event]:
        if watermark == MAX_WATERMARK:
            yield from self.end_group()
        yield from super().advance(watermark)

    def end_group(self) -> Iterator[Event]:
        self.write_columns()
        if self._waiting:
            values = self._in_order()
            self._fold_each(values, self.read_keys(values, 0))
        if self._folds and self._last_only:
            folds = list(self._copies.each(self._folds.values()))
            self._folds.clear()
            yield Elements(folds, [MAX_WATERMARK] * len(folds))

    def _in_order(self) -> list[Any]:
        """Remove the waiting elements and return them in order of timestamp."""
        waiting, self._waiting = self._waiting, []
        values = chain.from_iterable(elements.values for elements in waiting)
        timestamps = chain.from_iterable(elements.timestamps or () for elements in waiting)
        return [value for _, value in sorted(zip(timestamps, values, strict=True), key=_TIME)]


REDUCE = OperatorKind("Reduce", KeyedReduce, method="reduce", lifting=Lifting.FOLD, has_own_state=True)
