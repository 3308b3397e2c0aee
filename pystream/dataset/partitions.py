"""Calls on whole partitions: combining, counting, and functions that iterate over a partition."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, repeat
from queue import Queue
from threading import Thread
from typing import Any

from pystream.dataset.calls import Call
from pystream.dataset.custom_types import CustomType
from pystream.dataset.functions import Iterator as ElementIterator
from pystream.engine.context import RuntimeContext
from typeinfo.pickled import PICKLED_BYTE_ARRAY

__all__ = [
    "CombineCall",
    "CountCall",
    "CrossCall",
    "FirstCall",
    "HELD_SET",
    "IndexCall",
    "PartitionCall",
    "PreReduceCall",
]

_COMBINED_AT_ONCE = 65_536
"""Number of elements held before they are combined."""

_NOTHING = object()
_BATCH = 1_024


class CombineCall(Call):
    """Combines the elements of each group within a partition, before they are sent to the others.

    Results are pairs of the key and an element, since combining may change what the key is made of.

    Args:
        function: the function.
        method: its method that combines.
        types: custom types of the program.
        key: returns the group of an element.
    """

    def __init__(
        self, function: Any, method: str, types: tuple[CustomType, ...], key: Callable[[Any], Any]
    ) -> None:
        super().__init__(function, method, types, 1)
        self._key = key
        self._groups: defaultdict[Any, list[Any]] = defaultdict(list)
        self._held = 0

    def process(self, value: Any) -> Iterable[Any]:
        """Hold an element; return all that is held if combining does not make it fewer."""
        key = self._key(value)
        try:
            self._groups[key].append(value)
        except TypeError:  # the key cannot be hashed
            return ((key, value),)
        self._held += 1
        if self._held < _COMBINED_AT_ONCE:
            return ()
        self._combine()
        return () if self._held <= _COMBINED_AT_ONCE // 2 else self._taken()

    def end(self) -> Iterable[Any]:
        """Return what is held."""
        self._combine()
        return self._taken()

    def _combine(self) -> None:
        for key, elements in self._groups.items():
            if len(elements) > 1:
                self._groups[key] = list(self.combined(elements))
        self._held = sum(map(len, self._groups.values()))

    def combined(self, elements: list[Any]) -> Iterable[Any]:
        """Return fewer elements for those of a group."""
        return self.results(ElementIterator(elements))

    def _taken(self) -> Iterator[Any]:
        groups, self._groups, self._held = self._groups, defaultdict(list), 0
        return chain.from_iterable(zip(repeat(key), elements) for key, elements in groups.items())


class PreReduceCall(Call):
    """Reduces the elements of each group within a partition, before they are sent to the others.

    Results are pairs of the key and an element, since reducing may change what the key is made of.

    Args:
        function: a function of two elements, or a function object.
        method: the method of such objects.
        types: custom types of the program.
        key: returns the group of an element.
    """

    def __init__(
        self, function: Any, method: str, types: tuple[CustomType, ...], key: Callable[[Any], Any]
    ) -> None:
        super().__init__(function, method, types)
        self._key = key
        self._reduced: dict[Any, Any] = {}

    def process(self, value: Any) -> Iterable[Any]:
        """Reduce an element with those before it; return all that is held if there are many groups."""
        key = self._key(value)
        reduced = self._reduced
        try:
            before = reduced.get(key, _NOTHING)
        except TypeError:  # the key cannot be hashed
            return ((key, value),)
        if before is not _NOTHING:
            reduced[key] = self._call(before, value)
            return ()
        reduced[key] = value
        return () if len(reduced) < _COMBINED_AT_ONCE else self.end()

    def end(self) -> Iterable[Any]:
        """Return what is held."""
        reduced, self._reduced = self._reduced, {}
        return list(reduced.items())


class CountCall(Call):
    """Counts the elements of a partition; the result is its number and the count."""

    def __init__(self, types: tuple[CustomType, ...]) -> None:
        super().__init__(None, "", types)
        self._count = 0

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]] | None = None) -> None:
        super().open(context)
        self._subtask = context.get_index_of_this_subtask()

    def process(self, value: Any) -> Iterable[Any]:
        """Count an element."""
        self._count += 1
        return ()

    def end(self) -> Iterable[Any]:
        """Return the number of the partition and its count."""
        return ((self._subtask, self._count),)


class IndexCall(Call):
    """Numbers the elements of a partition, after those of the partitions before it.

    Args:
        types: custom types of the program.
        counts: the name of the broadcast set of results of `CountCall`.
    """

    def __init__(self, types: tuple[CustomType, ...], counts: str) -> None:
        super().__init__(None, "", types)
        self._counts = counts

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]] | None = None) -> None:
        super().open(context)
        assert broadcast is not None
        subtask = context.get_index_of_this_subtask()
        self._next = sum(count for partition, count in broadcast[self._counts] if partition < subtask)

    def process(self, value: Any) -> Iterable[Any]:
        """Return the element with its index."""
        index = self._next
        self._next += 1
        return ((index, value),)

    def end(self) -> Iterable[Any]:
        """Return nothing."""
        return ()


HELD_SET = "held set of a cross"
"""The name of the broadcast set of a `CrossCall`."""


class CrossCall(Call):
    """Calls a function with pairs of an element and each element of a broadcast set.

    Args:
        function: a function of two elements, or a function object.
        method: the method of such objects.
        types: custom types of the program.
        holds_second: whether the element of the broadcast set is the second one of a pair.
    """

    def __init__(self, function: Any, method: str, types: tuple[CustomType, ...], holds_second: bool) -> None:
        super().__init__(function, method, types)
        self._holds_second = holds_second

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]] | None = None) -> None:
        assert broadcast is not None
        self._held = broadcast[HELD_SET]
        super().open(context, {name: held for name, held in broadcast.items() if name != HELD_SET})

    def process(self, value: Any) -> Iterator[Any]:
        """Yield the results for the pairs with an element."""
        call = self._call
        if self._holds_second:
            return (call(value, held) for held in self._held)
        return (call(held, value) for held in self._held)

    def end(self) -> Iterable[Any]:
        """Return nothing."""
        return ()


class FirstCall(Call):
    """Passes on the first elements of a partition or of a group."""

    def __init__(self, types: tuple[CustomType, ...], n: int) -> None:
        super().__init__(None, "", types)
        self._n = n
        self._left = n

    def process(self, value: Any) -> Iterable[Any]:
        """Return the element if there are not enough yet."""
        if self._left == 0:
            return ()
        self._left -= 1
        return (value,)

    def end(self) -> Iterable[Any]:
        """Return nothing."""
        return ()

    def group(self, elements: list[Any]) -> Iterable[Any]:
        """Return the first elements."""
        return elements[: self._n]


class _Closed(BaseException):
    """The operator was closed while the function was running."""


_MORE, _END = object(), object()


class PartitionCall(Call):
    """Calls a function that iterates over a partition, without holding the partition in memory.

    The function runs in a thread of its own, by turns with the task: while one runs, the other waits.
    """

    def __init__(self, function: Any, method: str, types: tuple[CustomType, ...]) -> None:
        super().__init__(function, method, types, 1)
        self._waiting: list[Any] = []
        self._thread: Thread | None = None

    def open(self, context: RuntimeContext, broadcast: Mapping[str, list[Any]] | None = None) -> None:
        super().open(context, broadcast or {})
        self._elements: Queue[Any] = Queue()
        self._produced: Queue[Any] = Queue(maxsize=1)
        self._is_over = self._is_closed = False
        self._thread = Thread(target=self._run, name="partition", daemon=True)
        self._thread.start()

    def process(self, value: Any) -> Iterable[Any]:
        """Pass on an element with others; return the results so far."""
        self._waiting.append(value)
        if len(self._waiting) < _BATCH:
            return ()
        batch, self._waiting = self._waiting, []
        return self._turn(batch)

    def end(self) -> Iterator[Any]:
        """Return the results that are left."""
        if self._waiting:
            batch, self._waiting = self._waiting, []
            yield from self._turn(batch)
        yield from self._turn(_END)

    def close(self) -> None:
        if self._thread is not None:
            self._is_closed = True
            self._elements.put(_Closed())
            while self._thread.is_alive():
                if not self._produced.empty():
                    self._produced.get()
                self._thread.join(0.001)
        super().close()

    def _turn(self, batch: Any) -> Iterator[Any]:
        """Let the function run until it needs further elements, and yield its results."""
        if self._is_over:
            return
        self._elements.put(batch)
        while True:
            match self._produced.get():
                case list() as results:
                    yield from results
                case BaseException() as error:
                    self._is_over = True
                    raise error
                case signal:
                    self._is_over = signal is _END
                    return

    def _run(self) -> None:
        from typeinfo.serde.copiers import copier_for

        copier = copier_for(PICKLED_BYTE_ARRAY)
        try:
            results = iter(self.results(ElementIterator(self._arriving())))
            if copier is not None:
                results = iter(copier.each(results))
            while batch := list(islice(results, _BATCH)):
                self._hand_over(batch)
            self._hand_over(_END)
        except _Closed:
            return
        except BaseException as error:  # noqa: BLE001 - raised in the task's thread
            self._produced.put(error)

    def _arriving(self) -> Iterator[Any]:
        is_first = True
        while True:
            if not is_first:
                self._hand_over(_MORE)
            is_first = False
            match self._elements.get():
                case list() as batch:
                    yield from batch
                case _Closed() as closed:
                    raise closed
                case _:
                    return

    def _hand_over(self, message: Any) -> None:
        if self._is_closed:
            raise _Closed
        self._produced.put(message)
