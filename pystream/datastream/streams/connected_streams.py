"""ConnectedStreams: two streams of different types that share an operator and its state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self

from typing_extensions import TypeVar

from pystream.arguments.attribute_hints import hints_at_equivalents
from pystream.arguments.batches import refuse_batches
from pystream.arguments.element_types import common_element_type
from pystream.datastream.functions import (
    CoFlatMapFunction,
    CoMapFunction,
    CoProcessFunction,
    Function,
    KeyedCoProcessFunction,
    KeySelector,
)
from pystream.datastream.streams.keyed_stream import KeyedStream
from pystream.engine.operators.elementwise import CO_FLAT_MAP, CO_MAP, CO_PROCESS
from pystream.errors import ArgumentTypeError, PlanError, PlanTypeError
from pystream.kinds import OperatorKind
from pystream.plan.function import UserFunction
from typeinfo.arguments import checks_arguments
from typeinfo.errors import short_repr
from typeinfo.info import TypeInformation

if TYPE_CHECKING:
    from pystream.datastream.streams.data_stream import DataStream

__all__ = ["ConnectedStreams", "NoKey"]

A = TypeVar("A")
B = TypeVar("B")
U = TypeVar("U", default=Any)
# The type of results after encoding by output_type.
OUT = TypeVar("OUT", default=U)
K = TypeVar("K", default=Any)
K2 = TypeVar("K2", default=Any)


class NoKey:
    """The key type of connected streams without keys."""


@hints_at_equivalents
@checks_arguments(ArgumentTypeError)
class ConnectedStreams(Generic[A, B, K]):
    """Two connected streams: one function processes the elements of both.

    With keys on both sides, elements of equal keys meet in one subtask and share state and timers. The order
    between the streams is not defined. Mirrors
    ``org.apache.flink.streaming.api.datastream.ConnectedStreams``.

    Examples:
        >>> from pystream.datastream import CoFlatMapFunction
        >>> class Tagged(CoFlatMapFunction):
        ...     def flat_map1(self, value):
        ...         yield "first", value
        ...     def flat_map2(self, value):
        ...         yield "second", value
        >>> both = env.from_collection([1]).connect(env.from_collection(["a"]))
        >>> sorted(both.flat_map(Tagged()).take(2))
        [('first', 1), ('second', 'a')]
    """

    def __init__(self, stream1: DataStream[A], stream2: DataStream[B]) -> None:
        if stream1._environment is not stream2._environment:
            raise PlanError("connect: the streams belong to different environments")
        self.stream1 = stream1
        self.stream2 = stream2

    def __repr__(self) -> str:
        return f"ConnectedStreams({self.stream1!r}, {self.stream2!r})"

    def key_by(
        self,
        key_selector1: Callable[[A], K2] | KeySelector[A, K2] | str | int,
        key_selector2: Callable[[B], K2] | KeySelector[B, K2] | str | int,
        key_type: TypeInformation[K2] | None = None,
    ) -> ConnectedStreams[A, B, K2]:
        """Partition both streams by key.

        Args:
            key_selector1: returns the key of an element of the first stream.
            key_selector2: returns the key of an element of the second stream.
            key_type: type of the keys of both.

        Raises:
            PlanError: the keys have different types, or cannot be keys.
        """
        keyed: ConnectedStreams[A, B, K2] = ConnectedStreams(
            self.stream1.key_by(key_selector1, key_type), self.stream2.key_by(key_selector2, key_type)
        )
        return keyed._with_equal_keys()

    def map(
        self, func: CoMapFunction[A, B, U], output_type: TypeInformation[OUT, U] | None = None
    ) -> DataStream[OUT]:
        """Apply a function that returns one result for each element; a result of ``None`` is left out.

        Args:
            func: a CoMapFunction.
            output_type: type of the results; else that of the annotations of both methods, if they agree,
                else pickled. A method that returns ``None`` does not count.

        Mirrors ``ConnectedStreams.map``.
        """
        return self._operator(CO_MAP, func, ("map1", "map2"), (CoMapFunction,), output_type)

    def flat_map(
        self, func: CoFlatMapFunction[A, B, U], output_type: TypeInformation[OUT, U] | None = None
    ) -> DataStream[OUT]:
        """Apply a function that emits any number of results for each element.

        Mirrors ``ConnectedStreams.flatMap``.
        """
        methods = ("flat_map1", "flat_map2")
        return self._operator(CO_FLAT_MAP, func, methods, (CoFlatMapFunction,), output_type, many=True)

    def process(
        self,
        func: CoProcessFunction[A, B, U] | KeyedCoProcessFunction[K, A, B, U],
        output_type: TypeInformation[OUT, U] | None = None,
    ) -> DataStream[OUT]:
        """Apply a function that emits any number of results for each element, with access to its timestamp.

        Args:
            func: a CoProcessFunction; with keys a KeyedCoProcessFunction, which sees state and timers.
            output_type: type of one result; else that of the annotations of both methods, if they agree, else
                pickled. A method that returns ``None`` does not count.

        Raises:
            PlanTypeError: ``func`` is not such a function.

        Mirrors ``ConnectedStreams.process``.
        """
        keyed: tuple[type[Function], ...] = (KeyedCoProcessFunction, CoProcessFunction)
        bases = keyed if self._is_keyed else (CoProcessFunction,)
        methods = ("process_element1", "process_element2")
        name = "Keyed Co-Process" if self._is_keyed else None
        return self._operator(CO_PROCESS, func, methods, bases, output_type, many=True, name=name)

    @property
    def _is_keyed(self) -> bool:
        return isinstance(self.stream1, KeyedStream) and isinstance(self.stream2, KeyedStream)

    def _with_equal_keys(self) -> Self:
        keys = self._keys()
        if keys and keys[0].type_info != keys[1].type_info:
            sites = [stream._node.settings.call_site for stream in (self.stream1, self.stream2)]
            raise PlanError(
                f"connect: the keys are {keys[0].type_info} and {keys[1].type_info}, set at {sites[0]} and "
                f"{sites[1]}; equal keys must have one type: give key_by a key_type"
            )
        return self

    def _keys(self) -> tuple[Any, ...]:
        if isinstance(self.stream1, KeyedStream) and isinstance(self.stream2, KeyedStream):
            return (self.stream1._key, self.stream2._key)
        return ()

    def _operator(
        self,
        kind: OperatorKind,
        func: Function,
        methods: tuple[str, str],
        bases: tuple[type[Function], ...],
        output_type: TypeInformation[Any] | None,
        *,
        many: bool = False,
        name: str | None = None,
    ) -> DataStream[Any]:
        call = methods[0].removesuffix("1").removesuffix("_element")
        if not isinstance(func, bases):
            raise PlanTypeError(f"{call} takes a {bases[0].__name__} here, not {short_repr(func)}")
        base = next(base for base in bases if isinstance(func, base))
        types: tuple[TypeInformation[Any], ...] = (self.stream1._type, self.stream2._type)
        refuse_batches(call, func, base, *types)
        return self.stream1._environment._operator(
            kind,
            (self.stream1._node_id, self.stream2._node_id),
            UserFunction.of(func, methods[0].removesuffix("1"), is_object=True),
            common_element_type(func, methods, base, output_type, many=many),
            title=name,
            keys=self._keys(),
        )
