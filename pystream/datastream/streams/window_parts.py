"""Assigners, triggers and evictors that take batches, refused when a window is given them."""

from __future__ import annotations

from typing import Any

from pystream.arguments.single_elements import refuse_batches
from pystream.datastream.functions import ReduceFunction
from pystream.engine.windows.assigners import WindowAssigner
from pystream.engine.windows.builtin_triggers import DeltaTrigger
from pystream.engine.windows.evictors import DeltaEvictor, Evictor
from pystream.engine.windows.nesting_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from pystream.engine.windows.session_windows import DynamicGap, SessionWindowTimeGapExtractor
from pystream.engine.windows.triggers import Trigger
from typeinfo.info import TypeInformation

__all__ = ["refuse_batches_in_windows"]


def refuse_batches_in_windows(part: object, element_type: TypeInformation[Any] | None) -> None:
    """Refuse an assigner, a trigger or an evictor that says it takes batches, or that calls such a function.

    Raises:
        PlanError: as ``refuse_batches`` does.
    """
    for call, base in (("window", WindowAssigner), ("trigger", Trigger), ("evictor", Evictor)):
        if isinstance(part, base):
            refuse_batches(call, part, base, element_type)
    if isinstance(part, DynamicGap):
        refuse_batches(type(part).__name__, part.extractor, SessionWindowTimeGapExtractor, element_type)
    if isinstance(part, (DeltaEvictor, DeltaTrigger)):  # its function takes two, as one that folds does
        refuse_batches(type(part).__name__, part.delta_function, ReduceFunction, element_type)
    if isinstance(part, (ProcessingTimeoutTrigger, PurgingTrigger)):
        refuse_batches_in_windows(part.nested_trigger, element_type)
