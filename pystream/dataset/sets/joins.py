"""Operators on two data sets: joins, co-groups and Cartesian products."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic

from typing_extensions import TypeVar

from pystream.arguments.checks import require_function
from pystream.dataset.calls import CoGroupCall, JoinCall
from pystream.dataset.functions import (
    CoGroupFunction,
    Collector,
    CrossFunction,
    Iterator,
    JoinFunction,
    KeySelector,
)
from pystream.dataset.partitions import HELD_SET, CrossCall
from pystream.dataset.processing import PairCall
from pystream.dataset.sets.data_set import DataSet
from pystream.dataset.sets.keys import Key, key_of, keyed_alike
from pystream.dataset.sets.operator_settings import Build
from pystream.dataset.sets.operators import (
    UNKNOWN,
    Broadcasts,
    OperatorMaker,
    ResultType,
    mapped,
    named,
    result_type,
)
from pystream.datastream.streams.data_stream import DataStream
from pystream.engine.context import RuntimeContext
from pystream.errors import ArgumentTypeError
from typeinfo.arguments import checks_arguments
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = ["CoGroupOperator", "CrossOperator", "JoinOperator", "PairedSets"]

A = TypeVar("A", default=Any)
B = TypeVar("B", default=Any)
U = TypeVar("U", default=Any)
K = TypeVar("K", default=Any)
OPERATOR = TypeVar("OPERATOR", default=Any)
_Sets = tuple[DataSet[Any], DataSet[Any]]
_Keys = tuple[Key, Key]


@checks_arguments(ArgumentTypeError)
class PairedSets(Generic[A, B, OPERATOR]):
    """Two data sets to be joined or co-grouped. Mirrors ``…operators.JoinOperator.JoinOperatorSets``."""

    def __init__(
        self, first: DataSet[A], second: DataSet[B], operator: Callable[[_Sets, _Keys], OPERATOR]
    ) -> None:
        self._sets = first, second
        self._operator = operator

    def where(self, *fields: int | Callable[[A], K] | KeySelector[A, K]) -> KeyedFirst[B, OPERATOR]:
        """Set the key of the first data set.

        Args:
            fields: positions of fields, or a single function or KeySelector.

        Raises:
            PlanError: there is no key, or no such field.
            PlanTypeError: a key is something else.
        """
        key = key_of(fields, "where")
        key.type_in(self._sets[0]._stream)
        return KeyedFirst(self._sets, key, self._operator)


@checks_arguments(ArgumentTypeError)
class KeyedFirst(Generic[B, OPERATOR]):
    """Two data sets with the key of the first one.

    Mirrors ``…operators.JoinOperator.JoinOperatorSets.JoinOperatorSetsPredicate``.
    """

    def __init__(self, sets: _Sets, key: Key, operator: Callable[[_Sets, _Keys], OPERATOR]) -> None:
        self._sets = sets
        self._key = key
        self._operator = operator

    def equal_to(self, *fields: int | Callable[[B], K] | KeySelector[B, K]) -> OPERATOR:
        """Set the key of the second data set.

        Args:
            fields: positions of fields, or a single function or KeySelector. Keys are equal if they are in
                Python.

        Raises:
            PlanError: there is no key, or no such field.
            PlanTypeError: a key is something else.
        """
        key = key_of(fields, "equal_to")
        key.type_in(self._sets[1]._stream)
        return self._operator(self._sets, (self._key, key))


@checks_arguments(ArgumentTypeError)
class JoinOperator(DataSet[tuple[A, B]], Generic[A, B]):
    """The pairs of elements of two data sets that have the same key.

    Mirrors ``org.apache.flink.api.java.operators.JoinOperator``.
    """

    def __init__(self, sets: _Sets, keys: _Keys) -> None:
        self._sets = sets
        self._keys = keys
        super().__init__(sets[0]._environment, self._joined(_pair, UNKNOWN)(()))

    def using(self, operator: Callable[[A, B], U] | JoinFunction[A, B, U]) -> DataSet[U]:
        """Apply a function to each pair.

        Args:
            operator: a function of two elements or a JoinFunction.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``JoinOperator.with``.
        """
        require_function(operator, "using", JoinFunction)
        return self._built(self._joined(operator, result_type(operator, "join", JoinFunction, many=False)))

    def _joined(self, operator: Any, result: ResultType) -> Build:
        call = JoinCall(operator, "join", self._sets[0]._types)
        return _Paired(
            self._sets, self._keys, call, OperatorMaker(_described(operator), "Join", "join"), result
        )


@checks_arguments(ArgumentTypeError)
class CoGroupOperator(Generic[A, B]):
    """Two data sets grouped by key, which lack a function.

    Mirrors ``org.apache.flink.api.java.operators.CoGroupOperator``.
    """

    def __init__(self, sets: _Sets, keys: _Keys) -> None:
        self._sets = sets
        self._keys = keys

    def using(
        self,
        operator: Callable[[Iterator[A], Iterator[B]], Iterable[U] | None]
        | Callable[[Iterator[A], Iterator[B], Collector[U]], Iterable[U] | None]
        | CoGroupFunction[A, B, U],
    ) -> DataSet[U]:
        """Apply a function to the elements of each key, even if one data set has none.

        Args:
            operator: a CoGroupFunction, or a function of two iterators, or of two iterators and a collector,
                that returns or yields the results.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``CoGroupOperator.CoGroupOperatorWithoutFunction.with``.
        """
        require_function(operator, "using", CoGroupFunction)
        result = result_type(operator, "co_group", CoGroupFunction, many=True)
        call = CoGroupCall(operator, "co_group", self._sets[0]._types, 2)
        maker = OperatorMaker(operator, "CoGroup", "co_group")
        return self._sets[0]._built(_Paired(self._sets, self._keys, call, maker, result))


class _Paired:
    """Adds the operator that processes the elements of two data sets that have the same key."""

    def __init__(
        self, sets: _Sets, keys: _Keys, call: PairCall, maker: OperatorMaker, result: ResultType
    ) -> None:
        self._sets = sets
        self._keys = keys
        self._call = call
        self._maker = maker
        self._result = result

    def __call__(self, broadcasts: Broadcasts) -> DataStream[Any]:
        first, second = (data_set._stream for data_set in self._sets)
        if not broadcasts:
            streams = keyed_alike(first, self._keys[0], second, self._keys[1])
            return self._maker.pairs(streams, self._call, self._result)
        # Two inputs and broadcast sets are three: the elements of both data sets come as one, with tags.
        types = self._sets[0]._types
        tagged = mapped(first, "Tag", _first, types).union(mapped(second, "Tag", _second, types))
        grouped = tagged.key_by(_TaggedKey(*(key.select for key in self._keys)), PICKLED_BYTE_ARRAY)
        return self._maker.groups(grouped, _TaggedPairs(self._call), self._result, broadcasts)


def _first(value: Any) -> tuple[bool, Any]:
    return False, value


def _second(value: Any) -> tuple[bool, Any]:
    return True, value


class _TaggedKey:
    def __init__(self, first: Callable[[Any], Any], second: Callable[[Any], Any]) -> None:
        self._first = first
        self._second = second

    def __call__(self, tagged: tuple[bool, Any]) -> Any:
        is_second, value = tagged
        return self._second(value) if is_second else self._first(value)


class _TaggedPairs:
    """Separates the tagged elements of two data sets for a call."""

    def __init__(self, call: PairCall) -> None:
        self._call = call

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]]) -> None:
        self._call.open(context, broadcast)

    def close(self) -> None:
        self._call.close()

    def group(self, elements: list[tuple[bool, Any]]) -> Iterable[Any]:
        first = [value for is_second, value in elements if not is_second]
        return self._call.pair(first, [value for is_second, value in elements if is_second])


@checks_arguments(ArgumentTypeError)
class CrossOperator(DataSet[tuple[A, B]], Generic[A, B]):
    """The Cartesian product of two data sets. Mirrors ``org.apache.flink.api.java.operators.CrossOperator``.

    Args:
        first: the first data set.
        second: the second one.
        holds_second: whether subtasks hold the second one in memory, rather than the first.
    """

    def __init__(self, first: DataSet[A], second: DataSet[B], *, holds_second: bool) -> None:
        self._sets = (first, second) if holds_second else (second, first)
        self._holds_second = holds_second
        super().__init__(first._environment, self._crossed(_pair, UNKNOWN)(()))

    def using(self, operator: Callable[[A, B], U] | CrossFunction[A, B, U]) -> DataSet[U]:
        """Apply a function to each pair.

        Args:
            operator: a function of two elements or a CrossFunction.

        Raises:
            PlanTypeError: it is neither.
            FunctionPicklingError: it cannot be sent to workers.

        Mirrors ``CrossOperator.with``.
        """
        require_function(operator, "using", CrossFunction)
        return self._built(self._crossed(operator, result_type(operator, "cross", CrossFunction, many=False)))

    def _crossed(self, operator: Any, result: ResultType) -> Build:
        elements, held = self._sets
        call = CrossCall(operator, "cross", elements._types, self._holds_second)
        maker = OperatorMaker(_described(operator), "Cross", "cross")

        def build(broadcasts: Broadcasts) -> DataStream[Any]:
            sets = [(HELD_SET, named(held._stream, HELD_SET, held._types)), *broadcasts]
            return maker.partition(elements._stream, call, result, sets)

        return build


def _pair(first: Any, second: Any) -> tuple[Any, Any]:
    return first, second


def _described(operator: Any) -> Any:
    return None if operator is _pair else operator
