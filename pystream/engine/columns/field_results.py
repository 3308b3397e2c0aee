"""FieldResults: the results of calls as columns, where calls return their fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pystream.engine.columns.column_forms import ColumnForms
from pystream.engine.metrics.metric import MetricGroup
from pystream.engine.metrics.pickled_batches import count_pickled_batch
from pystream.engine.spec import OperatorSpec
from pystream.engine.vectorised.columns import Column, ColumnValues, Layout, exact_values, layout_of
from typeinfo.composite import RecordTypeInfo, RowTypeInfo
from typeinfo.errors import TypeCheckError
from typeinfo.formats.layout import has_columns
from typeinfo.serde.codec import Codec
from typeinfo.serde.composite import columns_of_rows

__all__ = ["FieldResults"]


class FieldResults:
    """Makes columns of the results of an operator.

    Results of a declared type are validated by it, which may change them. Those of an inferred type become
    columns only if these keep them as they are.

    Args:
        spec: the operator.
        forms: those of its function.

    Attributes:
        layout: the columns of results.
        is_inferred: whether their type is inferred.
    """

    def __init__(self, spec: OperatorSpec, forms: ColumnForms) -> None:
        t = forms.inferred or spec.output_type
        self.layout: Layout = layout_of(t)
        self.is_inferred: bool = forms.inferred is not None
        self._is_composite = has_columns(t)
        # Rows of a declared type are made of tuples when they are validated.
        self._built = (RecordTypeInfo, RowTypeInfo) if self.is_inferred else RecordTypeInfo

    def open(self, metrics: MetricGroup) -> None:
        """Count what does not have its inferred type in the metrics of the operator."""
        self._metrics = metrics

    def of(self, given: list[Any], handed_on: Sequence[Column | None]) -> Sequence[Any]:
        """Return results as columns, or as objects if one does not have its type.

        Args:
            given: what calls returned for them: sequences of the fields that are not handed on.
            handed_on: the columns that are, among all columns of the results.
        """
        columns = self.columns_of(given, handed_on)
        if columns is not None:
            return columns
        if self._is_composite:
            return self._objects(given, handed_on)
        (own,) = handed_on
        return given if own is None else list(own.values)

    def columns_of(self, given: list[Any], handed_on: Sequence[Column | None]) -> ColumnValues | None:
        """Return results as columns, ``None`` if one does not have its type; arguments as those of ``of``."""
        try:
            return self._validated(given, handed_on)
        except TypeCheckError:
            if self.is_inferred:
                count_pickled_batch(self._metrics)
            return None

    def _validated(self, given: list[Any], handed_on: Sequence[Column | None]) -> ColumnValues:
        computed: Iterator[Sequence[Any]] = iter([given])
        if self._is_composite:
            if None in given:
                raise TypeCheckError("a result is None")
            computed = iter(columns_of_rows(given, handed_on.count(None)))
        columns = [
            Column(codec, values=self._checked(codec, next(computed)))
            if own is None
            else own.with_codec(codec)
            for own, codec in zip(handed_on, self.layout.codecs, strict=True)
        ]
        return ColumnValues.of_columns(self.layout, columns, len(given))

    def _checked(self, codec: Codec, values: Sequence[Any]) -> Sequence[Any]:
        """Return values of a field as its column holds them.

        Raises:
            TypeCheckError: one does not fit.
        """
        return exact_values(codec, values) if self.is_inferred else codec.conform(values)

    def _objects(self, given: list[Any], handed_on: Sequence[Column | None]) -> list[Any]:
        objects: list[Any] = []
        for index, row in enumerate(given):
            if row is None:
                objects.append(None)
                continue
            rest = iter(row)
            parts = [next(rest) if own is None else own.values[index] for own in handed_on]
            if isinstance(self.layout.type, self._built):
                objects += self.layout.built([(part,) for part in parts], 1)
            else:
                objects.append(tuple(parts))
        return objects
