"""The graph of a task: operators as vertices, and edges to their consumers."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from pystream.engine.events import Elements, Event, Watermark, WatermarkStatus, as_list
from pystream.engine.exchange.rows import Item, Output
from pystream.engine.failure import OperatorLabel
from pystream.engine.operators.operator import Operator
from pystream.engine.results.copies import misfit
from pystream.engine.time.watermark_valve import WatermarkValve
from pystream.engine.vectorised.columns import ColumnValues
from typeinfo.errors import TypeCheckError
from typeinfo.info import TypeInformation
from typeinfo.serde.copiers import copier_for
from typeinfo.serde.serializer import TypeSerializer

__all__ = ["Consumers", "Feedback", "Joint", "OperatorOutput", "Port", "Vertex", "Work", "items_of"]

Work: TypeAlias = "Iterator[Item | Work]"
"""Yields rows, and further work to run before it continues, so that long chains need no deep stack."""


def items_of(work: Work) -> Iterator[Item]:
    """Run work and all further work that it yields; yield the rows in between."""
    under_way = [work]
    while under_way:
        for step in under_way[-1]:
            if isinstance(step, Iterator):
                under_way.append(step)
                break
            yield step
        else:
            under_way.pop()


class Consumers:
    """The consumers of one edge: vertices and outputs."""

    __slots__ = ("_consumers", "_copier", "_outputs", "_vertices", "ends")

    def __init__(
        self, consumers: list[Vertex | Port | Feedback | Output], type_info: TypeInformation[Any]
    ) -> None:
        self._consumers = consumers
        self._vertices = [consumer for consumer in consumers if not isinstance(consumer, Output)]
        self._outputs = [consumer for consumer in consumers if isinstance(consumer, Output)]
        self._copier = copier_for(type_info) if len(consumers) > 1 else None
        self.ends: Ends = _ends(consumer.ends for consumer in consumers)
        """The outputs that elements may reach; ``None`` if a consumer always needs more elements."""

    def feed(self, elements: Elements, side: int = 0) -> Work:
        """Pass a batch to each consumer; functions that share elements get copies, as in Flink."""
        if not elements.values:
            return
        given = elements
        for consumer in self._consumers:
            elements = given if consumer.takes_columns else as_list(given)
            if self._copier is not None and isinstance(elements.values, ColumnValues):
                elements = elements._replace(values=elements.values.apart())
            if isinstance(consumer, Output):
                consumer.taken += len(elements.values)
                yield consumer.write(elements)
            elif self._copier is None or isinstance(elements.values, ColumnValues):
                yield consumer.write(elements, side)
            else:
                copies = list(self._copier.each(elements.values))
                yield consumer.write(elements._replace(values=copies), side)

    def advance(self, watermark: int) -> Work:
        """Pass a watermark to each consumer."""
        for vertex in self._vertices:
            yield vertex.advance(watermark)
        for output in self._outputs:
            output.watermark, output.is_idle = watermark, False
            output.advance(watermark)

    def mark(self, status: WatermarkStatus) -> Work:
        """Pass a status to each consumer."""
        for vertex in self._vertices:
            yield vertex.mark(status)
        for output in self._outputs:
            output.is_idle = status.idle
            output.mark(status)

    def tick(self) -> Work:
        """Fire the due processing-time timers of each operator, upstream first."""
        for vertex in self._vertices:
            yield vertex.tick()

    def end_group(self) -> Work:
        """Pass the end of a key group to each operator."""
        for vertex in self._vertices:
            yield vertex.end_group()

    @property
    def takes_columns(self) -> bool:
        """Whether all consumers take columns, which they divide where they make Python values of them."""
        return all(consumer.takes_columns for consumer in self._consumers)

    @property
    def keeps_batches(self) -> bool:
        """Whether a consumer takes batches undivided."""
        return any(consumer.keeps_batches for consumer in self._consumers)


Ends: TypeAlias = tuple[Output, ...] | None


def _ends(parts: Iterable[Ends]) -> Ends:
    """Return the outputs of several edges, ``None`` if one of them always needs elements."""
    joined: Ends = ()
    for part in parts:
        if part is None:
            return None
        joined = (*joined, *part) if joined else part
    return joined


@dataclass(frozen=True, slots=True)
class OperatorOutput:
    """One output of an operator: validation by its type, and the consumers."""

    label: OperatorLabel
    serializer: TypeSerializer[Any] | None
    consumers: Consumers

    def checked(self, elements: Elements) -> Elements:
        """Return an operator's results, validated by their type."""
        if self.serializer is None:
            return elements
        values = elements.values
        if not isinstance(values, list):
            return elements  # columns, already validated when they were created
        try:
            conformed = self.serializer.conform(values)
        except TypeCheckError as error:
            raise misfit(self.label, error, elements, self.serializer.type) from error
        return elements if conformed is values else elements._replace(values=conformed)


class Vertex:
    """An operator with its outputs: the main output and side outputs."""

    __slots__ = ("edges", "ends", "operator")

    def __init__(self, operator: Operator, edges: dict[str | None, OperatorOutput]) -> None:
        self.operator: Operator = operator
        self.edges: dict[str | None, OperatorOutput] = edges
        self.ends: Ends = _ends(edge.consumers.ends for edge in edges.values())

    @property
    def takes_columns(self) -> bool:
        """Whether the operator takes columns."""
        return self.operator.takes_columns

    @property
    def keeps_batches(self) -> bool:
        """Whether the operator takes batches undivided."""
        return self.operator.keeps_batches

    def write(self, elements: Elements, side: int) -> Work:
        """Process a batch and pass on the results."""
        return self.forward(self.operator.process(elements._replace(origin=None), side))

    def advance(self, watermark: int) -> Work:
        """Advance event time and pass on the results."""
        return self.forward(self.operator.advance(watermark))

    def mark(self, status: WatermarkStatus) -> Work:
        """Mark the input as idle or active and pass on the results."""
        return self.forward(self.operator.mark(status))

    def tick(self) -> Work:
        """Fire the due processing-time timers, here and downstream."""
        yield self.forward(self.operator.tick())
        for edge in self.edges.values():
            yield edge.consumers.tick()

    def end_group(self) -> Work:
        """End a key group and pass on the results."""
        return self.forward(self.operator.end_group())

    def forward(self, events: Iterator[Event]) -> Work:
        """Pass the operator's results to their consumers, until no output needs more."""
        for event in events:
            if isinstance(event, Watermark):
                for edge in self.edges.values():
                    yield edge.consumers.advance(event.timestamp)
                continue
            if isinstance(event, WatermarkStatus):
                for edge in self.edges.values():
                    yield edge.consumers.mark(event)
                continue
            edge_of_tag = self.edges.get(event.tag)
            if edge_of_tag is not None:
                yield edge_of_tag.consumers.feed(edge_of_tag.checked(event))
                if self.done:
                    return

    @property
    def done(self) -> bool:
        """Whether all outputs need no further elements."""
        return self.ends is not None and all(output.done for output in self.ends)


class Joint:
    """A vertex with several input edges within its task, its ports; it keeps their watermarks.

    Args:
        vertex: the vertex.
        channels: the number of ports.

    Attributes:
        ports: the number of ports created so far.
    """

    __slots__ = ("ports", "valve", "vertex")

    def __init__(self, vertex: Vertex, channels: int) -> None:
        self.vertex: Vertex = vertex
        self.ports: int = 0
        self.valve: WatermarkValve = WatermarkValve(channels)


class Port:
    """One input edge of a joint; the joint's event time is the minimum over its ports.

    Args:
        joint: the joint.
        side: the input of its operator that elements are for.
    """

    takes_columns = False
    keeps_batches = False

    __slots__ = ("_joint", "_number", "_side")

    def __init__(self, joint: Joint, side: int) -> None:
        self._joint = joint
        self._side = side
        self._number = joint.ports
        joint.ports += 1

    def write(self, elements: Elements, side: int) -> Work:
        """Pass a batch to the vertex, as input of this side."""
        return self._joint.vertex.write(elements._replace(tag=None), self._side)

    def advance(self, watermark: int) -> Work:
        """Pass on a watermark once all input edges have reached it."""
        reached = self._joint.valve.advance(self._number, watermark)
        return iter(()) if reached is None else self._joint.vertex.advance(reached)

    def mark(self, status: WatermarkStatus) -> Work:
        """Pass on a status once all input edges have it, and the watermark that they held back."""
        joint = self._joint
        was_idle = joint.valve.is_idle
        reached = joint.valve.mark(self._number, idle=status.idle)
        if reached is not None:
            yield joint.vertex.advance(reached)
        if joint.valve.is_idle is not was_idle:
            yield joint.vertex.mark(status)

    def tick(self) -> Work:
        """Do nothing: the task ticks the joint itself."""
        return iter(())

    end_group = tick

    @property
    def ends(self) -> Ends:
        """The outputs reachable from the vertex, or ``None``."""
        return self._joint.vertex.ends


class Feedback:
    """Queue elements fed back to the head of a loop until all elements before them are processed.

    Args:
        waiting: queue of waiting elements, with the head's uid.
        head: uid of the head.
    """

    takes_columns = False
    keeps_batches = False
    ends = None

    def __init__(self, waiting: deque[tuple[str, Elements]], head: str) -> None:
        self._waiting = waiting
        self._head = head

    def write(self, elements: Elements, side: int) -> Work:
        """Queue a batch; the receiver owns it."""
        self._waiting.append((self._head, elements._replace(tag=None, origin=None)))
        return iter(())

    def advance(self, watermark: int) -> Work:
        """Do nothing: watermarks enter a loop only from outside."""
        return iter(())

    def mark(self, status: WatermarkStatus) -> Work:
        """Do nothing, as for watermarks."""
        return iter(())

    def tick(self) -> Work:
        """Do nothing."""
        return iter(())

    end_group = tick
