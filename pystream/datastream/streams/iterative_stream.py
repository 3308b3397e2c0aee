"""IterativeStream: the head of an iteration, to which elements are fed back."""

from __future__ import annotations

from typing import TypeVar

from pystream.arguments.checks import require
from pystream.datastream.streams.data_stream import DataStream
from pystream.errors import ArgumentTypeError, PlanError
from pystream.plan.function import call_site
from pystream.plan.nodes import CacheNode, FeedbackNode, NodeSettings
from typeinfo.arguments import checks_arguments
from typeinfo.pickled import PickledBytesTypeInfo

__all__ = ["IterativeStream"]

T = TypeVar("T")


@checks_arguments(ArgumentTypeError)
class IterativeStream(DataStream[T]):
    """The elements of a stream and those fed back to it.

    What lies between it and its feedback is the body of the loop, which runs as one task: in as many
    subtasks as there are if elements stay in theirs all the way round, else (after ``key_by``, ``union``,
    ``connect`` or another partitioning in the body) in one. Elements fed back are processed before
    further batches from outside, in the order they were fed back, and keep their time. Watermarks come from
    outside only, behind all results of earlier elements. At the end of the input the loop continues until
    no feedback is left, neither queued nor from timers and asynchronous calls.

    Mirrors ``org.apache.flink.streaming.api.datastream.IterativeStream`` of Flink 1.
    """

    def close_with(self, feedback_stream: DataStream[T]) -> DataStream[T]:
        """Feed the elements of a stream back to this one; may be called for several streams.

        Args:
            feedback_stream: a stream that is made from this one, and of the same type, declared or
                inferred, unless this one is pickled.

        Returns:
            The feedback stream.

        Raises:
            PlanError: the stream is not made from this one, is of another type, or was cached on its way.
            PlanTypeError: it is not a stream.

        Mirrors ``IterativeStream.closeWith``.
        """
        require(feedback_stream, DataStream, "close_with", "a stream made from the iteration")
        builder = self._environment._builder
        if feedback_stream._environment is not self._environment or not builder.leads_to(
            self._node_id, feedback_stream._node_id
        ):
            raise PlanError(
                f"close_with: {feedback_stream.get_name()!r} is not made from the iteration "
                f"{self.get_name()!r}; feed back a stream that is"
            )
        fed_back = builder.plan([feedback_stream._node_id]).nodes
        if any(isinstance(node, CacheNode) and builder.leads_to(self._node_id, node.id) for node in fed_back):
            raise PlanError(
                f"close_with: {feedback_stream.get_name()!r} is made from a cached stream of the iteration, "
                "which later jobs do not compute; feed back the stream that was cached"
            )
        wanted, fed = self._type, feedback_stream
        if fed._type != wanted and not isinstance(wanted, PickledBytesTypeInfo):
            fed = feedback_stream._declared("close_with")
            if fed._type != wanted:
                raise PlanError(
                    f"close_with: the iteration is of {wanted}, but {feedback_stream.get_name()!r} produces "
                    f"{fed._type}; set output_type on the operators between, or map it back"
                )
        self._environment._add(
            FeedbackNode,
            inputs=(fed._node_id,),
            type_info=self._type,
            type_origin=self._node.type_origin,
            settings=NodeSettings("Feedback", call_site=call_site()),
            head=self._node_id,
        )
        return feedback_stream
