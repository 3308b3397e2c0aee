"""Windows, window assigners, triggers and evictors, as ``pyflink.datastream.window`` exports them.

Evictors, DeltaTrigger and ProcessingTimeoutTrigger are those of Flink's Java API, which PyFlink lacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.engine.windows.assigners import MergingWindowAssigner, WindowAssigner
from pystream.engine.windows.builtin_triggers import (
    CountTrigger,
    DeltaTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
)
from pystream.engine.windows.continuous_triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
)
from pystream.engine.windows.count_windows import CountSlidingWindowAssigner, CountTumblingWindowAssigner
from pystream.engine.windows.errors import WindowError, WindowTypeError
from pystream.engine.windows.evictors import (
    CountEvictor,
    DeltaEvictor,
    Evictor,
    TimeEvictor,
    TimestampedValue,
)
from pystream.engine.windows.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from pystream.engine.windows.session_windows import (
    DynamicEventTimeSessionWindows,
    DynamicProcessingTimeSessionWindows,
    EventTimeSessionWindows,
    ProcessingTimeSessionWindows,
    SessionWindowTimeGapExtractor,
)
from pystream.engine.windows.time_windows import (
    GlobalWindows,
    SlidingEventTimeWindows,
    SlidingProcessingTimeWindows,
    TumblingEventTimeWindows,
    TumblingProcessingTimeWindows,
)
from pystream.engine.windows.triggers import Trigger, TriggerResult
from pystream.engine.windows.windows import (
    CountWindow,
    CountWindowSerializer,
    GlobalWindow,
    GlobalWindowSerializer,
    TimeWindow,
    TimeWindowSerializer,
    Window,
    WindowSerializer,
)
from pystream.lazy import re_exports

if TYPE_CHECKING:
    from pystream.common.constants import MAX_LONG_VALUE as MAX_LONG_VALUE
    from pystream.common.constants import MIN_LONG_VALUE as MIN_LONG_VALUE
    from pystream.common.serializer import TypeSerializer as TypeSerializer
    from pystream.common.time import Time as Time
    from pystream.common.type_variables import IN as IN
    from pystream.common.type_variables import KEY as KEY
    from pystream.common.type_variables import OUT as OUT
    from pystream.common.type_variables import W2 as W2
    from pystream.common.type_variables import T as T
    from pystream.common.type_variables import W as W
    from pystream.common.typeinfo import Types as Types
    from pystream.datastream.functions import ReduceFunction as ReduceFunction
    from pystream.datastream.functions import RuntimeContext as RuntimeContext
    from pystream.datastream.output_tag import OutputTag as OutputTag
    from pystream.datastream.state import ReducingState as ReducingState
    from pystream.datastream.state import ReducingStateDescriptor as ReducingStateDescriptor
    from pystream.datastream.state import State as State
    from pystream.datastream.state import StateDescriptor as StateDescriptor
    from pystream.datastream.state import ValueStateDescriptor as ValueStateDescriptor
    from pystream.engine.metrics.metric import MetricGroup as MetricGroup
else:
    __getattr__ = re_exports(__name__)


__all__ = [
    "ContinuousEventTimeTrigger",
    "ContinuousProcessingTimeTrigger",
    "CountEvictor",
    "CountSlidingWindowAssigner",
    "CountTrigger",
    "CountTumblingWindowAssigner",
    "CountWindow",
    "CountWindowSerializer",
    "DeltaEvictor",
    "DeltaTrigger",
    "DynamicEventTimeSessionWindows",
    "DynamicProcessingTimeSessionWindows",
    "EventTimeSessionWindows",
    "EventTimeTrigger",
    "Evictor",
    "GlobalWindow",
    "GlobalWindowSerializer",
    "GlobalWindows",
    "MergingWindowAssigner",
    "NeverTrigger",
    "ProcessingTimeSessionWindows",
    "ProcessingTimeTrigger",
    "ProcessingTimeoutTrigger",
    "PurgingTrigger",
    "SessionWindowTimeGapExtractor",
    "SlidingEventTimeWindows",
    "SlidingProcessingTimeWindows",
    "TimeEvictor",
    "TimeWindow",
    "TimeWindowSerializer",
    "TimestampedValue",
    "Trigger",
    "TriggerResult",
    "TumblingEventTimeWindows",
    "TumblingProcessingTimeWindows",
    "Window",
    "WindowAssigner",
    "WindowError",
    "WindowSerializer",
    "WindowTypeError",
]
