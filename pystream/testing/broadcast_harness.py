"""BroadcastOperatorHarness: test harness for operators with a broadcast input."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from pystream.engine.operators.broadcast.operators import BroadcastProcess, KeyedBroadcastProcess
from pystream.engine.operators.broadcast.state import BroadcastState
from pystream.engine.state.map_state import MapStateDescriptor
from pystream.testing.harness import OperatorHarness

__all__ = ["BroadcastOperatorHarness"]

K = TypeVar("K")
OUT = TypeVar("OUT")
IN1 = TypeVar("IN1", default=Any)
IN2 = TypeVar("IN2", default=Any)
V = TypeVar("V")


class BroadcastOperatorHarness(OperatorHarness[OUT, IN1, IN2]):
    """Test an operator whose second input is a broadcast stream.

    Mirrors ``org.apache.flink.streaming.util.BroadcastOperatorTestHarness``.
    """

    def process_broadcast_element(self, value: IN2, timestamp: int | None = None) -> None:
        """Push an element of the broadcast stream."""
        self.process_element2(value, timestamp)

    def process_broadcast_watermark(self, timestamp: int) -> None:
        """Advance event time of the broadcast stream; the operator's event time is the lower of both."""
        self.process_watermark2(timestamp)

    def get_broadcast_state(self, state_descriptor: MapStateDescriptor[K, V]) -> BroadcastState[K, V]:
        """Return a writable broadcast state.

        Raises:
            StateAccessError: the harness was created without this descriptor.
        """
        operator = self._operator
        assert isinstance(operator, (BroadcastProcess, KeyedBroadcastProcess))
        return operator._states.state(state_descriptor)
