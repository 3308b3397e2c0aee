"""Harnesses that drive a function in this process, without Spark and Java, in milliseconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pystream.lazy import lazy_exports

if TYPE_CHECKING:
    from pystream.testing.function_harnesses import FunctionTestHarnesses
    from pystream.testing.harness import OperatorHarness, StreamRecord, TimerRecord
    from pystream.testing.process_function_harnesses import ProcessFunctionTestHarnesses
    from pystream.testing.window_harnesses import WindowTestHarnesses

__all__ = [
    "FunctionTestHarnesses",
    "OperatorHarness",
    "ProcessFunctionTestHarnesses",
    "StreamRecord",
    "TimerRecord",
    "WindowTestHarnesses",
]

__getattr__, __dir__ = lazy_exports(
    __name__,
    {
        "FunctionTestHarnesses": "pystream.testing.function_harnesses",
        "OperatorHarness": "pystream.testing.harness",
        "ProcessFunctionTestHarnesses": "pystream.testing.process_function_harnesses",
        "StreamRecord": "pystream.testing.harness",
        "TimerRecord": "pystream.testing.harness",
        "WindowTestHarnesses": "pystream.testing.window_harnesses",
    },
)
